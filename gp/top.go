package gp

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Candidate is one of the places that [Predictor.Top] returns.
type Candidate struct {
	Row            int     // number of the place: row of x, unless a place has several
	Score          float64 // less the penalty
	Mean, Variance float64 // posterior at the (first) row, as Predict returns them
}

// Scorer says what a place is worth by the posterior mean and deviation of f̂ there.
type Scorer interface {
	// Score must not fall as the deviation, which is ≥ 0, rises.
	Score(mean, deviation float64) float64

	// Most returns an upper bound of the scores of the means from low to high, the best
	// that there is if they are one.
	Most(low, high, deviation float64) float64
}

// upperBound is the Scorer of TopUCB.
type upperBound struct{ beta float64 }

func (u *upperBound) Score(mean, deviation float64) float64   { return mean + u.beta*deviation }
func (u *upperBound) Most(_, high, deviation float64) float64 { return u.Score(high, deviation) }

// TopUCB finds the len(dst) rows of x, m×d, with the largest upper confidence
// bound less a penalty,
//
//	μ̂(N(x, Σ̂)) + β·σ̂(N(x, Σ̂)) - penalty                      (Alg. 1, line 2)
//
// β outside the root. All else is as with [Predictor.Top]. It panics unless β ≥ 0.
func (p *Predictor) TopUCB(dst []Candidate, x *mat.Dense, beta float64, penalty []float64) []Candidate {
	if !(beta >= 0) {
		panic("gp: TopUCB: beta is negative or NaN")
	}
	p.screen.ucb.beta = beta
	return p.Top(dst, x, &p.screen.ucb, nil, penalty)
}

// Top finds the len(dst) rows of x, m×d, with the largest score less a penalty. They
// are written into dst, best first, equal scores in the order of rows, and
// dst[:min(len(dst), m)] is returned. A nil penalty is none; rows whose score is NaN
// or -Inf are left out, which makes the result shorter still; those with an infinite
// penalty cost nothing. With weights a place is so many rows in succession, its score
// is the weighted sum of theirs, and there are as many penalties as places. It panics
// on wrong shapes.
//
// The rows and numbers are those that the search of all rows would give, but for
// most rows the variance, which costs O(n²), isn't finished: the
// variance given some of the observations bounds the variance given all, and
// forward substitution produces the former on its way to the latter. A place is
// dropped when the score with that bound falls below the worst one kept. Places are
// taken in the order of that bound, at first the one given the observation that tells
// most of them.
//
// What was found of a row is remembered for the next search: its covariances with the
// observations, as much of the substitution as was done, and the mean. Where the same
// row stands in the same place of x again and the GP has only got more observations,
// what these told bounds how far they moved the mean. A row is then left as it is
// unless it may be among the best, and if it may, the new observations alone are left
// to do. So it pays to search among the same places every time. That takes 40 MB for
// covariances and as much for substitutions at the most, in proportion to m·n up to 4
// million, beyond which nothing is remembered. In a sparse posterior, n being the number of
// inducing points, covariances are remembered alone.
func (p *Predictor) Top(dst []Candidate, x *mat.Dense, score Scorer, weights, penalty []float64) []Candidate {
	m, d := x.Dims()
	group := max(len(weights), 1)
	if d != p.Dim() || m%group != 0 || penalty != nil && len(penalty) != m/group {
		panic("gp: Top: wrong shape")
	}
	if len(dst) == 0 {
		return dst
	}
	p.sync()
	s := &p.screen
	s.score, s.weights, s.penalty, s.x = score, weights, penalty, x
	places, found := m/group, 0
	slab := max(1, mostRemembered/(max(p.n, 1)*group))
	for s.first = 0; s.first < places; s.first += slab {
		found = p.searchSlab(dst, found, min(slab, places-s.first))
	}
	s.score, s.weights, s.penalty, s.x = nil, nil, nil, nil
	s.best = s.best[:0]
	for _, c := range dst[:found] {
		s.best = append(s.best, c.Row)
	}
	return dst[:found]
}

// insert puts v into the sorted dst[:n], drops the worst when dst is full, and
// returns the new length. It leaves v out if its score is NaN or -Inf.
func insert(dst []Candidate, n int, v Candidate) int {
	if !(v.Score > math.Inf(-1)) {
		return n
	}
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
