package gp

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// screen is the workspace of a search and its memory for the next search.
type screen struct {
	memory
	score            Scorer
	weights, penalty []float64
	x                *mat.Dense
	first            int       // first place of the slab
	bound            []float64 // upper bound of the score of each place of the slab
	queue            []int     // places of the slab whose variances may be needed
	live             []int     // places of the queue whose variances are being computed
	best             []int     // places that the last search returned
	solving          []solving // rows whose variances are being computed
	ucb              upperBound
}

const (
	// screenChunk is the number of rows of the factor after which the bound of a
	// candidate is checked again.
	screenChunk = 64
	// screenSlack is added to every bound of the variance in units of σ_f², so that
	// rounding does not drop a place that the full computation would keep.
	screenSlack = 1e-9
)

// group returns the number of rows per place.
func (s *screen) group() int { return max(len(s.weights), 1) }

// searchSlab is Top for the places of the slab. It inserts them into dst[:found] and
// returns the new length.
func (p *Predictor) searchSlab(dst []Candidate, found, places int) int {
	s := &p.screen
	group := s.group()
	s.reserve(places*group, p.n, p.Dim())
	s.bound = resize(s.bound, places)
	for r := range places {
		s.bound[r] = math.Inf(-1)
		if s.penalty != nil && !(s.penalty[s.first+r] < math.Inf(1)) {
			continue
		}
		for i := range group {
			at := s.of(r*group+i, s.x.RawRowView((s.first+r)*group+i))
			if !at.hasMean || at.asOf != p.n && s.weights != nil && s.weights[i] < 0 { // a row of negative weight needs its current mean
				p.update(r*group + i)
			}
		}
		s.bound[r] = p.placeBound(r)
	}
	// Search the best places of the last search first: places that are worse than these
	// can then be skipped.
	s.queue = s.queue[:0]
	for _, r := range s.best {
		if r -= s.first; r >= 0 && r < places && s.bound[r] > math.Inf(-1) && p.upToDate(r) > math.Inf(-1) {
			s.queue = append(s.queue, r)
		}
	}
	found = p.searchQueue(dst, found)
	for _, r := range s.best {
		if r -= s.first; r >= 0 && r < places {
			s.bound[r] = math.Inf(-1) // is done
		}
	}
	worst := worstOf(dst, found)
	for r, bound := range s.bound {
		if bound >= worst && bound > math.Inf(-1) && p.upToDate(r) >= worst {
			s.queue = append(s.queue, r)
		}
	}
	return p.searchQueue(dst, found)
}

// upToDate updates a place with the new observations and returns its bound.
func (p *Predictor) upToDate(place int) float64 {
	s := &p.screen
	group := s.group()
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

// searchQueue is Top for the places of the queue, which it empties. It inserts them into
// dst[:found] and returns the new length. Places with the largest bounds come first, a
// few at a time, until no remaining bound is as good as the worst score kept.
func (p *Predictor) searchQueue(dst []Candidate, found int) int {
	s := &p.screen
	batch := max(1, batchRows/s.group())
	heapify(s.queue, s.bound)
	for len(s.queue) > 0 {
		worst := worstOf(dst, found)
		s.live = s.live[:0]
		for len(s.queue) > 0 && len(s.live) < batch && s.bound[s.queue[0]] >= worst {
			s.live = append(s.live, s.queue[0])
			s.queue = pop(s.queue, s.bound)
		}
		if len(s.live) == 0 {
			break
		}
		found = p.finish(dst, found, s.live, worst)
	}
	s.queue = s.queue[:0]
	return found
}

// worstOf returns the score that a place needs to be inserted into dst[:found].
func worstOf(dst []Candidate, found int) float64 {
	if found < len(dst) {
		return math.Inf(-1)
	}
	return dst[found-1].Score
}

// update updates a row of the slab with the observations that are new to it.
func (p *Predictor) update(row int) {
	s := &p.screen
	at := &s.rows[row]
	k := s.covariances(row)[:p.n]
	x, phi := s.x.RawRowView(s.first*s.group()+row), s.phi[row*s.q:(row+1)*s.q]
	if at.known == 0 {
		at.trend = p.gp.trend.features(phi, nil, x, p.cross.query)
	}
	if at.known < p.n {
		p.cross.cross(k[at.known:], at.known, x)
		p.gp.addTrend(k[at.known:], at.known, phi)
		at.known = p.n
	}
	for i, v := range k[at.seen:] {
		if t := v * v * p.invDiag[at.seen+i]; t > at.byOne {
			at.byOne = t
		}
	}
	at.seen, at.asOf, at.hasMean = p.n, p.n, true
	at.mean = p.mean(k)
}

// placeBound returns the upper bound of the score of a place, minus its penalty.
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

// rowBound returns an upper bound of the score of a row.
func (p *Predictor) rowBound(at *remembered) float64 {
	stdDev := math.Sqrt(p.variance(at.explained() - screenSlack - at.trend))
	if at.asOf == p.n {
		return p.screen.score.Score(at.mean, stdDev)
	}
	moved := stdDev*(p.drift[p.n]-p.drift[at.asOf]) + p.meanSlack*p.gp.scale
	return p.screen.score.Most(at.mean-moved, at.mean+moved, stdDev)
}

// finish computes the variances of the places in live and drops those whose bound falls
// below worst. It inserts the others into dst[:found] and returns the new length. It
// overwrites live.
func (p *Predictor) finish(dst []Candidate, found int, live []int, worst float64) int {
	s := &p.screen
	group := s.group()
	from := p.n
	for _, r := range live {
		for row := r * group; row < (r+1)*group; row++ {
			from = min(from, s.rows[row].solved)
		}
	}
	for from < p.n && len(live) > 0 {
		to := min(from+screenChunk, p.n)
		p.substitute(live, from, to)
		from = to
		live = slices.DeleteFunc(live, func(r int) bool { return !(p.placeBound(r) >= worst) })
	}
	for _, r := range live {
		found = insert(dst, found, p.candidate(r))
	}
	return found
}

// solving is a row in a forward substitution.
type solving struct {
	k, z []float64
	next int // next entry of z
	at   *remembered
}

// substitute performs rows from ≤ i < to of the forward substitution for the live places,
// where they are not done yet. All places are solved together, so that each row of the
// factor is read from memory once.
func (p *Predictor) substitute(live []int, from, to int) {
	s := &p.screen
	group := s.group()
	s.solving = s.solving[:0]
	for _, r := range live {
		for row := r * group; row < (r+1)*group; row++ {
			if at := &s.rows[row]; at.solved < to {
				s.solving = append(s.solving, solving{s.covariances(row)[:to], s.solution(row)[:to], at.solved, at})
			}
		}
	}
	for i := from; i < to; i++ {
		l := p.gp.chol.Row(i)
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

// candidate returns a place whose variances have been computed.
func (p *Predictor) candidate(place int) Candidate {
	s := &p.screen
	group := s.group()
	c := Candidate{Row: s.first + place}
	for i := range group {
		row := place*group + i
		z := s.solution(row)[:p.n]
		mean, variance := s.rows[row].mean, p.variance(floats.Dot(z, z)-s.rows[row].trend)
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
