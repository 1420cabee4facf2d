package gp

import (
	"slices"

	"gonum.org/v1/gonum/floats"
)

// memory is what a Predictor remembers of the rows of a search.
type memory struct {
	rows []remembered
	d    int
	x    []float64   // the rows' coordinates
	room int         // of each row in k, and in z
	k    []float64   // covariances
	z    [][]float64 // L⁻¹k as far as it was found; nil where nothing was
	free [][]float64 // for z
}

// remembered is how far a row has been followed.
type remembered struct {
	known   int     // observations whose covariances are in k
	seen    int     // those that told is the most of
	told    float64 // how much of the unit variance the one explains that tells most
	solved  int     // entries of z
	square  float64 // sum of their squares
	hasMean bool
	asOf    int     // observations that the mean is of, no fewer than seen and solved
	mean    float64 // posterior mean
}

// explained is how much of the unit variance the observations are known to explain, at
// least.
func (r *remembered) explained() float64 { return max(r.told, r.square) }

// mostRemembered is how many covariances are remembered, or else those of one search
// among as many rows as have that many.
const mostRemembered = 4 << 20

// reserve makes room for so many rows in d dimensions, each with n observations, and
// where there was some before for a quarter more than there must be.
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
	clear(s.z[have:])
	s.z = append(s.z[:have], make([][]float64, rows-have)...)
}

// of returns what is remembered of the row, which is nothing if it is another than x.
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
		for len(next) < s.room && len(s.free) > 0 { // some may be of when there was less room
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

// release takes back the room for L⁻¹k of a row.
func (s *memory) release(row int) {
	if s.z[row] != nil {
		s.free = append(s.free, s.z[row])
		s.z[row] = nil
	}
}

// forget leaves of every row the covariances with the first known observations, what
// was found with the first solved rows of the factor, and means of the first valued
// observations or fewer.
func (s *memory) forget(known, solved, valued int) {
	for i := range s.rows {
		at := &s.rows[i]
		at.known = min(at.known, known)
		if at.seen > solved {
			at.seen, at.told = 0, 0
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
