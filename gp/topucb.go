package gp

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Candidate is one of the rows that [Predictor.TopUCB] returns.
type Candidate struct {
	Row            int     // row of x
	Score          float64 // Mean + β·√Variance - penalty
	Mean, Variance float64 // posterior at the row, as Predict returns them
}

// screen is the workspace of TopUCB.
type screen struct {
	rows  []screenRow
	order []int
}

type screenRow struct {
	mean  float64
	bound float64 // of the score, from above
}

const (
	// screenChunk is after how many rows of the factor a candidate's bound is
	// looked at again.
	screenChunk = 64
	// screenSlack is added to every bound of the unit variance, so that rounding
	// can't prune what the full computation would keep.
	screenSlack = 1e-9
)

// TopUCB finds the len(dst) rows of x, m×d, with the largest upper confidence
// bound less a penalty,
//
//	μ̂(N(x, Σ̂)) + β·σ̂(N(x, Σ̂)) - penalty                      (Alg. 1, line 2)
//
// β outside the root. They are written into dst, best first, equal scores in the
// order of rows, and dst[:min(len(dst), m)] is returned. A nil penalty is none;
// rows whose score is NaN or -Inf, such as those with an infinite penalty, are
// left out, which makes the result shorter still. It panics on wrong shapes and
// unless β ≥ 0.
//
// The rows and numbers are those that the search of all rows would give, but for
// most rows the variance, which costs O(n²), isn't finished: the
// variance given some of the observations bounds the variance given all, and
// forward substitution produces the former on its way to the latter. A row is
// dropped when the score with that bound falls below the worst one kept. Rows are
// taken in the order of the bound given the one observation that tells most of
// them.
func (p *Predictor) TopUCB(dst []Candidate, x *mat.Dense, beta float64, penalty []float64) []Candidate {
	m, d := x.Dims()
	if d != p.Dim() || penalty != nil && len(penalty) != m {
		panic("gp: TopUCB: wrong shape")
	}
	if !(beta >= 0) {
		panic("gp: TopUCB: beta is negative or NaN")
	}
	if len(dst) == 0 {
		return dst
	}
	p.sync()
	p.bound(x, beta, penalty)
	s := &p.screen
	found := 0
	for at := 0; at < len(s.order); at += batchRows {
		rows := s.order[at:min(at+batchRows, len(s.order))]
		worst := math.Inf(-1)
		if found == len(dst) {
			worst = dst[found-1].Score
		}
		if s.rows[rows[0]].bound < worst {
			break // and so are all that follow
		}
		found = p.refineBatch(dst, found, worst, rows, x, beta, penalty)
	}
	return dst[:found]
}

// bound fills the screen: means, bounds and the order by falling bound.
func (p *Predictor) bound(x *mat.Dense, beta float64, penalty []float64) {
	m, _ := x.Dims()
	s := &p.screen
	s.rows = resize(s.rows, m)
	s.order = resize(s.order, m)[:0]
	for r := range m {
		mean, told := p.told(x.RawRowView(r))
		b := p.score(mean, p.variance(told-screenSlack), beta, penalty, r)
		s.rows[r] = screenRow{mean: mean, bound: b}
		if b > math.Inf(-1) { // false for NaN
			s.order = append(s.order, r)
		}
	}
	rows := s.rows
	slices.SortFunc(s.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(rows[b].bound, rows[a].bound), a-b)
	})
}

// told returns the posterior mean at x, and how much of the unit variance the one
// observation explains that tells most of it.
func (p *Predictor) told(x []float64) (mean, told float64) {
	p.cross(p.k, x)
	for i, k := range p.k {
		if t := k * k * p.invDiag[i]; t > told {
			told = t
		}
	}
	return p.mean(p.k), told
}

// BoundBatch writes the posterior mean and an upper bound of the posterior variance
// at every row of x, m×d, into mean and variance, each m long, in O(mn). The bound is
// the variance given the one observation that tells most. It panics on other shapes.
func (p *Predictor) BoundBatch(mean, variance []float64, x *mat.Dense) {
	m, d := x.Dims()
	if d != p.Dim() || len(mean) != m || len(variance) != m {
		panic("gp: BoundBatch: wrong shape")
	}
	p.sync()
	for r := range m {
		e, told := p.told(x.RawRowView(r))
		mean[r], variance[r] = e, p.variance(told-screenSlack)
	}
}

func (p *Predictor) score(mean, variance, beta float64, penalty []float64, row int) float64 {
	s := mean + beta*math.Sqrt(variance)
	if penalty != nil {
		s -= penalty[row]
	}
	return s
}

// refineBatch finishes the variance of at most batchRows rows, dropping those
// that fall below worst on the way, and inserts the others into dst[:found],
// whose new length it returns.
func (p *Predictor) refineBatch(dst []Candidate, found int, worst float64, rows []int, x *mat.Dense, beta float64, penalty []float64) int {
	var live [batchRows]int
	var told [batchRows]float64
	n := p.n
	b := 0
	for _, r := range rows {
		if p.screen.rows[r].bound < worst {
			continue
		}
		live[b], told[b] = r, 0
		p.cross(p.batch[b*n:(b+1)*n], x.RawRowView(r))
		b++
	}
	for from := 0; from < n && b > 0; from += screenChunk {
		to := min(from+screenChunk, n)
		p.gp.chol.forwardBatch(p.batch[:b*n], from, to)
		for c := b - 1; c >= 0; c-- {
			z := p.batch[c*n+from : c*n+to]
			told[c] += floats.Dot(z, z)
			r := live[c]
			if p.score(p.screen.rows[r].mean, p.variance(told[c]-screenSlack), beta, penalty, r) >= worst {
				continue
			}
			b-- // drop c: the last one takes its place
			live[c], told[c] = live[b], told[b]
			copy(p.batch[c*n:(c+1)*n], p.batch[b*n:(b+1)*n])
		}
	}
	for c := range b {
		z := p.batch[c*n : (c+1)*n]
		v := Candidate{Row: live[c], Mean: p.screen.rows[live[c]].mean, Variance: p.variance(floats.Dot(z, z))}
		v.Score = p.score(v.Mean, v.Variance, beta, penalty, v.Row)
		found = insert(dst, found, v)
	}
	return found
}

// insert puts v into the sorted dst[:n], drops the worst when dst is full, and
// returns the new length.
func insert(dst []Candidate, n int, v Candidate) int {
	i := n
	for i > 0 && (v.Score > dst[i-1].Score || v.Score == dst[i-1].Score && v.Row < dst[i-1].Row) {
		i--
	}
	if i == len(dst) {
		return n
	}
	n = min(n+1, len(dst))
	copy(dst[i+1:n], dst[i:n-1])
	dst[i] = v
	return n
}
