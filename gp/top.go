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

	// Most returns an upper bound of the scores of the means from low to high, the best
	// that there is if they are one.
	Most(low, high, deviation float64) float64
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
	best             []int     // places that the last search found
	live             []int     // places whose variances are being found
	solving          []solving // their rows
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
// with the observations, as much as was done of the substitution, and the mean. Where the same
// row stands in the same place of x again, and the GP has only got more observations,
// how far these can have moved the mean is bounded by what they told, and a row is
// left as it is unless it may then be among the best; if it may, the new observations
// alone are left to do. So it pays to search among the same places every time. What is
// remembered takes 40 MB for covariances and as much for substitutions at the most, in
// proportion to m·n up to 4 million, beyond which nothing is. In a sparse posterior, n being
// the number of inducing points, covariances are remembered alone.
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

// searchSlab is Top for places of the slab, and inserts them into dst[:found], whose
// new length it returns.
func (p *Predictor) searchSlab(dst []Candidate, found, places int) int {
	s := &p.screen
	group := max(len(s.weights), 1)
	s.reserve(places*group, p.n, p.Dim())
	s.bound = resize(s.bound, places)
	for r := range places {
		s.bound[r] = math.Inf(-1)
		if s.penalty != nil && !(s.penalty[s.first+r] < math.Inf(1)) {
			continue
		}
		for i := range group {
			at := s.of(r*group+i, s.x.RawRowView((s.first+r)*group+i))
			if !at.hasMean || s.weights != nil && s.weights[i] < 0 { // where less is more
				p.update(r*group + i)
			}
		}
		s.bound[r] = p.placeBound(r)
	}
	// The best of the last search first: what is worse than they are now is not looked at.
	s.heap = s.heap[:0]
	for _, r := range s.best {
		if r -= s.first; r >= 0 && r < places && p.upToDate(r) > math.Inf(-1) {
			s.heap = append(s.heap, r)
		}
	}
	found = p.searchHeap(dst, found)
	for _, r := range s.best {
		if r -= s.first; r >= 0 && r < places {
			s.bound[r] = math.Inf(-1) // is done
		}
	}
	worst := worstOf(dst, found)
	for r, bound := range s.bound {
		if bound >= worst && bound > math.Inf(-1) && p.upToDate(r) >= worst {
			s.heap = append(s.heap, r)
		}
	}
	return p.searchHeap(dst, found)
}

// upToDate takes in what is new to a place, and returns its bound.
func (p *Predictor) upToDate(place int) float64 {
	s := &p.screen
	group := max(len(s.weights), 1)
	behind := false
	for row := place * group; row < (place+1)*group; row++ {
		if s.rows[row].asOf != p.n {
			p.update(row)
			behind = true
		}
	}
	if behind {
		s.bound[place] = p.placeBound(place)
	}
	return s.bound[place]
}

// searchHeap is Top for the places on the heap, which it empties, and inserts them into
// dst[:found], whose new length it returns.
func (p *Predictor) searchHeap(dst []Candidate, found int) int {
	s := &p.screen
	batch := max(1, batchRows/max(len(s.weights), 1))
	heapify(s.heap, s.bound)
	for len(s.heap) > 0 {
		worst := worstOf(dst, found)
		s.live = s.live[:0]
		for len(s.heap) > 0 && len(s.live) < batch && s.bound[s.heap[0]] >= worst {
			s.live = append(s.live, s.heap[0])
			s.heap = pop(s.heap, s.bound)
		}
		if len(s.live) == 0 {
			break // and so are all that follow
		}
		found = p.finish(dst, found, worst)
	}
	s.heap = s.heap[:0]
	return found
}

// worstOf returns the score that a place must have to be taken into dst[:found].
func worstOf(dst []Candidate, found int) float64 {
	if found < len(dst) {
		return math.Inf(-1)
	}
	return dst[found-1].Score
}

// update takes in what the observations tell of a row of the slab that are new to it.
func (p *Predictor) update(row int) {
	s := &p.screen
	at := &s.rows[row]
	k := s.covariances(row)[:p.n]
	if at.known < p.n {
		p.cross.cross(k[at.known:], at.known, s.x.RawRowView(s.first*max(len(s.weights), 1)+row))
		at.known = p.n
	}
	for i, v := range k[at.seen:] {
		if t := v * v * p.invDiag[at.seen+i]; t > at.told {
			at.told = t
		}
	}
	at.seen, at.asOf, at.hasMean = p.n, p.n, true
	at.mean = p.mean(k)
}

// placeBound returns the bound of the score of a place, less its penalty.
func (p *Predictor) placeBound(place int) float64 {
	s := &p.screen
	sum := 0.0
	if s.weights == nil {
		sum = p.rowBound(&s.rows[place])
	}
	for i, w := range s.weights {
		at := &s.rows[place*len(s.weights)+i]
		if w < 0 {
			sum += w * s.score.Score(at.mean, 0)
			continue
		}
		sum += w * p.rowBound(at)
	}
	if s.penalty != nil {
		sum -= s.penalty[s.first+place]
	}
	return sum
}

func (p *Predictor) rowBound(at *remembered) float64 {
	deviation := math.Sqrt(p.variance(at.explained() - screenSlack))
	if at.asOf == p.n {
		return p.screen.score.Score(at.mean, deviation)
	}
	moved := deviation*(p.drift[p.n]-p.drift[at.asOf]) + p.meanSlack*p.gp.scale
	return p.screen.score.Most(at.mean-moved, at.mean+moved, deviation)
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

// solving is a row on which a substitution goes on.
type solving struct {
	k, z []float64
	next int // entry
	at   *remembered
}

// substitute does rows from ≤ i < to of the forward substitution for the live places,
// as far as they aren't done: of all together, so that a row of the factor is fetched
// once.
func (p *Predictor) substitute(from, to int) {
	s := &p.screen
	group := max(len(s.weights), 1)
	s.solving = s.solving[:0]
	for _, r := range s.live {
		for row := r * group; row < (r+1)*group; row++ {
			if at := &s.rows[row]; at.solved < to {
				s.solving = append(s.solving, solving{s.covariances(row)[:to], s.solution(row)[:to], at.solved, at})
			}
		}
	}
	for i := from; i < to; i++ {
		l := p.gp.chol.row(i)
		for c := range s.solving {
			if w := &s.solving[c]; w.next == i {
				w.z[i] = (w.k[i] - floats.Dot(l[:i], w.z[:i])) / l[i]
				w.next++
			}
		}
	}
	for _, w := range s.solving {
		z := w.z[w.at.solved:]
		w.at.square += floats.Dot(z, z)
		w.at.solved = to
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
