package gp

import (
	"slices"

	"gonum.org/v1/gonum/floats"
)

// memory holds what a Predictor remembers about the rows of a search.
type memory struct {
	rows []remembered
	d, q int         // dimension, number of covariates
	x    []float64   // the rows' coordinates
	phi  []float64   // features of the covariates
	room int         // capacity of each row in k and in z
	k    []float64   // covariances
	z    [][]float64 // computed part of L⁻¹k; nil if there is none
	free [][]float64 // unused slices for z
}

// remembered is the state of the computations for a row.
type remembered struct {
	known   int     // number of observations whose covariances are in k
	seen    int     // number of observations over which byOne is the maximum
	byOne   float64 // largest variance that one observation explains by itself, in units of σ_f²
	solved  int     // number of entries of z
	square  float64 // sum of the squares of these entries
	trend   float64 // variance that the covariates add to the prior, in units of σ_f²
	hasMean bool
	asOf    int     // number of observations that the mean includes, at least seen and solved
	mean    float64 // posterior mean
}

// explained returns a lower bound of the variance that the observations explain, in units
// of σ_f².
func (r *remembered) explained() float64 { return max(r.byOne, r.square) }

// mostRemembered is the number of covariances that are remembered. A search with more is
// made in slabs of rows that have at most this number.
const mostRemembered = 4 << 20

// reserve makes room for the given number of rows in d dimensions, each with n
// observations. If it has to enlarge the memory, it reserves a quarter more.
func (s *memory) reserve(rows, n, d int) {
	const most = mostRemembered * 5 / 4
	have, room := len(s.rows), s.room
	if rows <= have && n <= room {
		return
	}
	if n > room || rows*room > most {
		room = max(n, min(n+n/4+8, most/rows))
	}
	if have*room <= most {
		rows = max(rows, have)
	}
	if have > 0 && rows > have {
		rows = max(rows, min(rows+rows/4, most/max(room, 1)))
	}
	have = min(have, rows)
	k := make([]float64, rows*room)
	for i, at := range s.rows[:have] {
		copy(k[i*room:], s.covariances(i)[:at.known])
	}
	s.k, s.room, s.d = k, room, d
	s.rows = append(s.rows[:have], make([]remembered, rows-have)...)
	s.x = append(s.x[:have*d], make([]float64, (rows-have)*d)...)
	s.phi = append(s.phi[:have*s.q], make([]float64, (rows-have)*s.q)...)
	clear(s.z[have:])
	s.z = append(s.z[:have], make([][]float64, rows-have)...)
}

// of returns the state of the row. It is reset if the coordinates are no longer x.
func (s *memory) of(row int, x []float64) *remembered {
	at := &s.rows[row]
	if last := s.x[row*s.d : (row+1)*s.d]; !slices.Equal(last, x) {
		copy(last, x)
		*at = remembered{}
		s.release(row)
	}
	return at
}

func (s *memory) covariances(row int) []float64 { return s.k[row*s.room : (row+1)*s.room] }

// solution returns the room for L⁻¹k of a row.
func (s *memory) solution(row int) []float64 {
	if z := s.z[row]; len(z) < s.room {
		var next []float64
		for len(next) < s.room && len(s.free) > 0 { // older ones may be too short
			last := len(s.free) - 1
			next, s.free = s.free[last], s.free[:last]
		}
		if len(next) < s.room {
			next = make([]float64, s.room)
		}
		copy(next, z)
		s.z[row] = next
	}
	return s.z[row]
}

// release frees the room for L⁻¹k of a row.
func (s *memory) release(row int) {
	if s.z[row] != nil {
		s.free = append(s.free, s.z[row])
		s.z[row] = nil
	}
}

// forget keeps, for every row, the covariances with the first known observations, the
// results for the first solved rows of the factor, and the mean if it includes no more
// than the first valued observations.
func (s *memory) forget(known, solved, valued int) {
	for i := range s.rows {
		at := &s.rows[i]
		at.known = min(at.known, known)
		if at.seen > solved {
			at.seen, at.byOne = 0, 0
		}
		if at.solved > solved {
			z := s.z[i][:solved]
			at.solved, at.square = solved, floats.Dot(z, z)
			if solved == 0 {
				s.release(i)
			}
		}
		at.hasMean = at.hasMean && at.asOf <= valued
	}
}
