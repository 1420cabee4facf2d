package gp

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Candidate is one of the places that [Predictor.Top] returns.
type Candidate struct {
	Row            int     // index of the place: the row of x if a place is one row
	Score          float64 // minus the penalty
	Mean, Variance float64 // posterior at the first row of the place, as returned by Predict
}

// Scorer rates a place by the posterior mean and standard deviation of f̂ there.
type Scorer interface {
	// Score returns the score. It must not decrease as stdDev, which is ≥ 0, increases.
	Score(mean, stdDev float64) float64

	// Most returns an upper bound of the scores for all means from low to high. If
	// low = high, it should be the score itself.
	Most(low, high, stdDev float64) float64
}

// upperBound is the Scorer of TopUCB.
type upperBound struct{ beta float64 }

func (u *upperBound) Score(mean, stdDev float64) float64   { return mean + u.beta*stdDev }
func (u *upperBound) Most(_, high, stdDev float64) float64 { return u.Score(high, stdDev) }

// TopUCB finds the len(dst) rows of x, m×d, with the largest upper confidence bound minus
// a penalty,
//
//	μ̂(N(x, Σ̂)) + β·σ̂(N(x, Σ̂)) - penalty                      (Alg. 1, line 2)
//
// with β outside the root. It is otherwise the same as [Predictor.Top]. It panics unless
// β ≥ 0.
func (p *Predictor) TopUCB(dst []Candidate, x *mat.Dense, beta float64, penalty []float64) []Candidate {
	if !(beta >= 0) {
		panic("gp: TopUCB: beta is negative or NaN")
	}
	p.screen.ucb.beta = beta
	return p.Top(dst, x, &p.screen.ucb, nil, penalty)
}

// Top finds the len(dst) rows of x, m×d, with the largest score minus penalty. It writes
// them into dst, best first and equal scores in the order of rows, and returns
// dst[:min(len(dst), m)]. A nil penalty means no penalties. Rows whose score is NaN or
// -Inf are left out, so the result may be shorter. Rows with an infinite penalty cost
// nothing. With weights, a place consists of len(weights) consecutive rows, its score is
// their weighted sum, and there is one penalty per place. It panics on wrong shapes.
//
// The result is the same as that of a full search, but for most rows the variance, which
// takes O(n²), is not computed completely. The variance given some of the observations is
// an upper bound of the variance given all, and forward substitution computes the former
// on the way to the latter. A place is dropped when its score with that bound is below
// the worst score kept. Places are tried in the order of their bounds, the first of which
// uses only the observation that explains most.
//
// For the next search the Predictor remembers, for each row, its covariances with the
// observations, the completed part of the substitution, and the mean. If a row of x is
// unchanged and the GP only has more observations, the change of its mean is bounded.
// The row is updated only if it may be among the best, and then only for the new
// observations. Searching the same rows every time is therefore fast. The memory is
// proportional to m·n, at most 40 MB for covariances and as much for substitutions; if
// m·n exceeds 4 million, nothing is remembered. In a sparse posterior, where n is the
// number of inducing points, only covariances are remembered.
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

// insert puts v into the sorted dst[:n], drops the worst if dst is full, and returns the
// new length. It leaves v out if its score is NaN or -Inf.
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
