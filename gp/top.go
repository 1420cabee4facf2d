package gp

import (
	"math"

	"gonum.org/v1/gonum/floats"
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
}

// screen is the workspace of a search, and what is remembered of it for the next one.
type screen struct {
	memory
	score            Scorer
	weights, penalty []float64
	x                *mat.Dense
	first            int       // place with which the slab begins
	bound            []float64 // of the score of each place of the slab, from above
	heap             []int     // places of the slab, the one with the largest bound first
	live             []int     // places whose variances are being found
	ucb              upperBound
}

const (
	// screenChunk is after how many rows of the factor a candidate's bound is
	// looked at again.
	screenChunk = 64
	// screenSlack is added to every bound of the unit variance, so that rounding
	// can't prune what the full computation would keep.
	screenSlack = 1e-9
)

// upperBound is the Scorer of TopUCB.
type upperBound struct{ beta float64 }

func (u *upperBound) Score(mean, deviation float64) float64 { return mean + u.beta*deviation }

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
// or -Inf, such as those with an infinite penalty, which cost nothing, are left out, which makes the
// result shorter still. With weights a place is so many rows in succession, its score
// is their scores' weighted sum, and there are as many penalties as places. It panics
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
// What was found out of a row is remembered for the next search: its covariances
// with the observations and as much as was done of the substitution. Where the same
// row stands in the same place of x again, and the GP has only got more observations,
// these alone are left to do, which makes O(mn) of the search, most of it the means.
// So it pays to search among the same places every time. Memory is bounded: 32 MB
// for covariances and as much for substitutions, in the proportion of m·n to 4 million,
// beyond which nothing is remembered. In a sparse posterior, n being the number of
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
	return dst[:found]
}

// searchSlab is Top for places of the slab, and inserts them into dst[:found], whose
// new length it returns.
func (p *Predictor) searchSlab(dst []Candidate, found, places int) int {
	s := &p.screen
	group := max(len(s.weights), 1)
	s.reserve(places*group, p.n, p.Dim())
	s.bound, s.heap = resize(s.bound, places), resize(s.heap, places)[:0]
	for r := range places {
		if s.penalty != nil && !(s.penalty[s.first+r] < math.Inf(1)) {
			continue
		}
		for i := range group {
			p.recall(r*group+i, s.x.RawRowView((s.first+r)*group+i))
		}
		s.bound[r] = p.placeBound(r)
		if s.bound[r] > math.Inf(-1) { // false for NaN
			s.heap = append(s.heap, r)
		}
	}
	heapify(s.heap, s.bound)
	for len(s.heap) > 0 {
		worst := math.Inf(-1)
		if found == len(dst) {
			worst = dst[found-1].Score
		}
		s.live = s.live[:0]
		for len(s.heap) > 0 && len(s.live) < max(1, batchRows/group) && s.bound[s.heap[0]] >= worst {
			s.live = append(s.live, s.heap[0])
			s.heap = pop(s.heap, s.bound)
		}
		if len(s.live) == 0 {
			break // and so are all that follow
		}
		found = p.finish(dst, found, worst)
	}
	return found
}

// recall sees to it that what is remembered of a row of the slab is of x, and takes in
// what the observations tell that are new to it. It sets the mean.
func (p *Predictor) recall(row int, x []float64) {
	s := &p.screen
	at := s.of(row, x)
	k := s.covariances(row)[:p.n]
	if at.known < p.n {
		p.cross.cross(k[at.known:], at.known, x)
		at.known = p.n
	}
	for i, v := range k[at.seen:] {
		if t := v * v * p.invDiag[at.seen+i]; t > at.told {
			at.told = t
		}
	}
	at.seen = p.n
	at.mean = p.mean(k)
}

// placeBound returns the bound of the score of a place, less its penalty.
func (p *Predictor) placeBound(place int) float64 {
	s := &p.screen
	sum := 0.0
	if s.weights == nil {
		at := &s.rows[place]
		sum = s.score.Score(at.mean, math.Sqrt(p.variance(max(at.told, at.square)-screenSlack)))
	}
	for i, w := range s.weights {
		at := &s.rows[place*len(s.weights)+i]
		deviation := 0.0 // where less is more
		if w >= 0 {
			deviation = math.Sqrt(p.variance(max(at.told, at.square) - screenSlack))
		}
		sum += w * s.score.Score(at.mean, deviation)
	}
	if s.penalty != nil {
		sum -= s.penalty[s.first+place]
	}
	return sum
}

// finish finds the variances of the live places, dropping those that fall below
// worst on the way, and inserts the others into dst[:found], whose new length it
// returns.
func (p *Predictor) finish(dst []Candidate, found int, worst float64) int {
	s := &p.screen
	group := max(len(s.weights), 1)
	from := p.n
	for _, r := range s.live {
		for row := r * group; row < (r+1)*group; row++ {
			from = min(from, s.rows[row].solved)
		}
	}
	for from < p.n && len(s.live) > 0 {
		to := min(from+screenChunk, p.n)
		p.substitute(from, to)
		from = to
		left := s.live[:0]
		for _, r := range s.live {
			if p.placeBound(r) >= worst {
				left = append(left, r)
			}
		}
		s.live = left
	}
	for _, r := range s.live {
		found = insert(dst, found, p.candidate(r))
	}
	return found
}

// substitute does rows from ≤ i < to of the forward substitution for the live places,
// as far as they aren't done.
func (p *Predictor) substitute(from, to int) {
	s := &p.screen
	group := max(len(s.weights), 1)
	for i := from; i < to; i++ {
		l := p.gp.chol.row(i)
		for _, r := range s.live {
			for row := r * group; row < (r+1)*group; row++ {
				if at := &s.rows[row]; at.solved == i {
					z := s.solution(row)
					z[i] = (s.covariances(row)[i] - floats.Dot(l[:i], z[:i])) / l[i]
					at.solved++
				}
			}
		}
	}
	for _, r := range s.live {
		for row := r * group; row < (r+1)*group; row++ {
			if at := &s.rows[row]; at.solved == to && at.squared < to {
				z := s.solution(row)[at.squared:to]
				at.square += floats.Dot(z, z)
				at.squared = to
			}
		}
	}
}

// candidate returns a place whose variances are found.
func (p *Predictor) candidate(place int) Candidate {
	s := &p.screen
	group := max(len(s.weights), 1)
	c := Candidate{Row: s.first + place}
	for i := range group {
		row := place*group + i
		z := s.solution(row)[:p.n]
		mean, variance := s.rows[row].mean, p.variance(floats.Dot(z, z))
		if i == 0 {
			c.Mean, c.Variance = mean, variance
		}
		v := s.score.Score(mean, math.Sqrt(variance))
		if s.weights != nil {
			v *= s.weights[i]
		}
		c.Score += v
	}
	if s.penalty != nil {
		c.Score -= s.penalty[c.Row]
	}
	return c
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

// heapify makes rows a heap with the largest bound first; of equal bounds any.
func heapify(rows []int, bound []float64) {
	for i := len(rows)/2 - 1; i >= 0; i-- {
		sift(rows, bound, i)
	}
}

// pop takes the first off the heap.
func pop(rows []int, bound []float64) []int {
	last := len(rows) - 1
	rows[0] = rows[last]
	rows = rows[:last]
	sift(rows, bound, 0)
	return rows
}

// sift lets the row at place i sink to where it belongs.
func sift(rows []int, bound []float64, i int) {
	for {
		c := 2*i + 1
		if c >= len(rows) {
			return
		}
		if c+1 < len(rows) && bound[rows[c+1]] > bound[rows[c]] {
			c++
		}
		if !(bound[rows[c]] > bound[rows[i]]) {
			return
		}
		rows[i], rows[c] = rows[c], rows[i]
		i = c
	}
}
