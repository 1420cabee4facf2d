package rivals

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
)

const (
	tourTargets = 25  // most targets of a path
	tourPlaces  = 120 // places with the highest bounds, among which its targets and the recommendation are
	tourDraws   = 160 // draws of the posterior, all models together
	tourFirsts  = 12  // first targets that are tried
	tourBeta    = 3   // β of the bounds
)

// tours looks several targets ahead. Candidates are paths that spend the same share of what is
// left of the samples and of the distance. Each begins with another first target, with a high
// upper confidence bound less the price of the path there or the maximum of a draw, and goes on
// by the bounds less the price, where each target is believed to have its expected value. A path
// is worth
//
//	E[max_j μ̂_{n+k}(P̂_j)]
//
// the expected mean at the place that would be recommended after the readings at its k targets,
// by draws of the posterior that are the same for all paths. The robot drives to the first
// target of the best path, and decides anew there.
type tours struct {
	places *places
	space  field.Space
	travel field.Travel
}

func newTours(space field.Space, _ planner.StrategyConfig, rng *rand.Rand) (planner.Chooser, error) {
	p, err := newPlaces(space, rng)
	return &tours{places: p, space: space, travel: space.Travel()}, err
}

func (t *tours) Choose(q *planner.Request, _ *acquire.Filter) ([]float64, error) {
	x, err := t.places.draw(q)
	if err != nil {
		return nil, err
	}
	if q.Model.Len() == 0 {
		return t.central(x), nil
	}
	o, err := t.outlook(q, x)
	if err != nil {
		return nil, err
	}
	var best []int
	top := math.Inf(-1)
	for _, first := range o.firsts() {
		path := o.path(first)
		if v := o.value(path); v > top {
			best, top = path, v
		}
	}
	return slices.Clone(o.stops[best[0]]), nil
}

// central returns the row of x nearest to the centre of the space, as the explorer begins.
func (t *tours) central(x *mat.Dense) []float64 {
	centre, best := t.space.Centre(), x.RawRowView(0)
	for i := range x.RawMatrix().Rows {
		if row := x.RawRowView(i); field.Distance(row, centre) < field.Distance(best, centre) {
			best = row
		}
	}
	return slices.Clone(best)
}

// outlook is what a decision knows of the places that it compares.
type outlook struct {
	q        *planner.Request
	stops    [][]float64
	legs     *Legs
	models   []*prospect
	weight   float64 // price of a metre, unit of the values
	targets  int     // most targets of a path
	distance float64 // m, longest path, the way home not included
}

// prospect is a model's view of the places.
type prospect struct {
	*Joint
	weight float64    // probability of the model
	noise  float64    // noise variance of a reading
	off    *mat.Dense // draws×places: drawn readings less their expectation
}

// outlook compares the places with the highest bounds.
func (t *tours) outlook(q *planner.Request, x *mat.Dense) (*outlook, error) {
	bounds := make([]float64, x.RawMatrix().Rows)
	for _, m := range q.Members.Or(q.Model) {
		p, err := m.Model.NewPredictor(q.Execution)
		if err != nil {
			return nil, err
		}
		for i := range bounds {
			mean, variance := p.Predict(x.RawRowView(i))
			bounds[i] += m.Weight * (mean + tourBeta*math.Sqrt(variance))
		}
	}
	rows := upTo(len(bounds))
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(bounds[b], bounds[a]) })
	rows = rows[:min(tourPlaces, len(rows))]
	o := &outlook{q: q, stops: rowsOf(x, rows), weight: q.Price * math.Sqrt(q.Model.Hyper().SignalVariance)}
	o.legs = NewLegs(t.travel, q.Robot, q.Reach.Home, o.stops)
	left := remaining(q, mostSamples)
	o.targets = min(left, tourTargets)
	home := 0.0
	if q.Reach.Home != nil {
		t.travel.From(q.Robot)
		home = t.travel.Length(q.Reach.Home)
	}
	o.distance = (pathLimit(q, left) - home) * float64(o.targets) / float64(left)
	chosen := mat.NewDense(len(rows), t.space.Dim(), nil)
	for i, r := range rows {
		chosen.SetRow(i, x.RawRowView(r))
	}
	models := q.Members.Or(q.Model)
	for i, n := range allot(tourDraws, models) {
		if n == 0 {
			continue
		}
		m := models[i]
		j, err := NewJoint(m.Model, q.Execution, chosen)
		if err != nil {
			return nil, err
		}
		p, err := newProspect(j, nextNoise(m.Model), n, q.Rng)
		if err != nil {
			return nil, err
		}
		p.weight = m.Weight
		o.models = append(o.models, p)
	}
	return o, nil
}

// newProspect draws readings at the places.
func newProspect(j *Joint, noise float64, draws int, rng *rand.Rand) (*prospect, error) {
	off, err := j.Draws(draws, rng)
	if err != nil {
		return nil, err
	}
	for i := range draws {
		row := off.RawRowView(i)
		floats.Sub(row, j.Mean)
		for k := range row {
			row[k] += math.Sqrt(noise) * rng.NormFloat64()
		}
	}
	return &prospect{Joint: j, noise: noise, off: off}, nil
}

// bounds writes the upper confidence bounds of the places under the models' joint posteriors,
// averaged over the models, into dst.
func (o *outlook) bounds(dst []float64, joints []*Joint) {
	clear(dst)
	for k, j := range joints {
		for i := range dst {
			dst[i] += o.models[k].weight * (j.Mean[i] + tourBeta*math.Sqrt(max(j.Cov.At(i, i), 0)))
		}
	}
}

// copies returns copies of the models' joint posteriors.
func (o *outlook) copies() []*Joint {
	list := make([]*Joint, len(o.models))
	for k, p := range o.models {
		list[k] = p.Joint.clone()
	}
	return list
}

func (j *Joint) clone() *Joint {
	own := &Joint{Mean: j.Mean, Cov: mat.NewSymDense(len(j.Mean), nil)}
	own.Cov.CopySym(j.Cov)
	return own
}

// firsts returns the first targets to try: a batch by the bounds less the price of the path
// from the robot, and the maxima of some draws.
func (o *outlook) firsts() []int {
	var list []int
	joints, bound := o.copies(), make([]float64, len(o.stops))
	for len(list) < min(tourFirsts*2/3, len(o.stops)) {
		o.bounds(bound, joints)
		floats.AddScaled(bound, -o.weight, o.legs.Start)
		for _, i := range list {
			bound[i] = math.Inf(-1)
		}
		best := floats.MaxIdx(bound)
		list = append(list, best)
		for k, j := range joints {
			j.believe(best, o.models[k].noise)
		}
	}
	for len(list) < tourFirsts {
		p := o.models[o.q.Rng.IntN(len(o.models))]
		n, _ := p.off.Dims()
		drawn := slices.Clone(p.off.RawRowView(o.q.Rng.IntN(n)))
		floats.Add(drawn, p.Mean)
		list = append(list, floats.MaxIdx(drawn))
	}
	slices.Sort(list)
	list = slices.Compact(list)
	near := slices.DeleteFunc(slices.Clone(list), func(i int) bool { return o.legs.Start[i] > o.distance })
	if len(near) == 0 { // the nearest is too far for a fair share of the distance
		return list
	}
	return near
}

// path returns a path that begins with a target.
func (o *outlook) path(first int) []int {
	path, joints, bound := []int{first}, o.copies(), make([]float64, len(o.stops))
	length, at := o.legs.Start[first], first
	for len(path) < o.targets {
		for k, j := range joints {
			j.believe(at, o.models[k].noise)
		}
		o.bounds(bound, joints)
		best, top := -1, math.Inf(-1)
		for i, b := range bound {
			leg := o.legs.Between[at][i]
			if slices.Contains(path, i) || length+leg > o.distance || length+leg+o.legs.End[i] > o.q.Reach.Range {
				continue
			}
			if v := b - o.weight*leg; v > top {
				best, top = i, v
			}
		}
		if best < 0 {
			break
		}
		length, at = length+o.legs.Between[at][best], best
		path = append(path, best)
	}
	return path
}

// value returns the expected mean at the place that is recommended after a path.
func (o *outlook) value(path []int) float64 {
	sum := 0.0
	for _, p := range o.models {
		sum += p.weight * p.after(path)
	}
	return sum
}

// after returns the mean over the draws of the largest posterior mean after readings at the
// places of a path.
func (p *prospect) after(path []int) float64 {
	k, m := len(path), len(p.Mean)
	own, cross := mat.NewSymDense(k, nil), mat.NewDense(k, m, nil)
	for a, i := range path {
		for b, j := range path[:a+1] {
			own.SetSym(a, b, p.Cov.At(i, j))
		}
		own.SetSym(a, a, own.At(a, a)+p.noise)
		for j := range m {
			cross.Set(a, j, p.Cov.At(i, j))
		}
	}
	var factor mat.Cholesky
	if !factor.Factorize(own) {
		return math.Inf(-1)
	}
	var gain mat.Dense // k×m: how much a reading's surprise changes the means
	if err := factor.SolveTo(&gain, cross); err != nil {
		return math.Inf(-1)
	}
	n, _ := p.off.Dims()
	surprise := mat.NewDense(n, k, nil)
	for s := range n {
		for a, i := range path {
			surprise.Set(s, a, p.off.At(s, i))
		}
	}
	var means mat.Dense
	means.Mul(surprise, &gain)
	sum := 0.0
	for s := range n {
		row := means.RawRowView(s)
		floats.Add(row, p.Mean)
		sum += floats.Max(row)
	}
	return sum / float64(n)
}
