package rivals

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
)

const (
	overviewTargets   = 6   // targets of the clairvoyant that are spread over the field
	clairvoyantRadius = 100 // m, of the disc about the maximum in which all others lie
)

// clairvoyant knows the maximum. It samples six places that are spread over the field, and then
// places evenly spread within 100 m of the maximum, both in the order of a short tour. It does
// not know the values: those it learns from its samples, as every method.
type clairvoyant struct {
	space    field.Space
	travel   field.Travel
	maximum  func() []float64
	overview [][]float64
}

// newClairvoyant takes where the maximum is, m, which may be known only at the first decision.
func newClairvoyant(maximum func() []float64) func(field.Space, planner.StrategyConfig, *rand.Rand) (planner.Chooser, error) {
	return func(space field.Space, _ planner.StrategyConfig, _ *rand.Rand) (planner.Chooser, error) {
		return &clairvoyant{space: space, travel: space.Travel(), maximum: maximum, overview: overview(space)}, nil
	}
}

// overview returns the six targets: the centres of the clusters of evenly spread places (Lloyd
// 1982), moved to the nearest place of the space. They are the same at each call.
func overview(space field.Space) [][]float64 {
	const places, rounds = 600, 50
	x := space.Points(places, rand.New(rand.NewPCG(0, 0)))
	centres := rowsOf(x, upTo(overviewTargets)) // the first of the points are themselves spread
	for range rounds {
		sums, counts := make([][]float64, len(centres)), make([]float64, len(centres))
		for k := range sums {
			sums[k] = make([]float64, space.Dim())
		}
		for i := range places {
			row, nearest := x.RawRowView(i), 0
			for k := range centres {
				if field.Distance(row, centres[k]) < field.Distance(row, centres[nearest]) {
					nearest = k
				}
			}
			floats.Add(sums[nearest], row)
			counts[nearest]++
		}
		for k, sum := range sums {
			if counts[k] > 0 {
				floats.Scale(1/counts[k], sum)
				centres[k] = sum
			}
		}
	}
	for _, centre := range centres {
		space.Project(centre, centre)
	}
	return centres
}

func (c *clairvoyant) Choose(q *planner.Request, filter *acquire.Filter) ([]float64, error) {
	if x := c.next(q, filter, c.overview, nil); x != nil {
		return x, nil
	}
	behind := 0
	for _, x := range q.Chosen {
		if slices.ContainsFunc(c.overview, func(o []float64) bool { return slices.Equal(o, x) }) {
			behind++
		}
	}
	all := len(q.Chosen) - behind + remaining(q, mostSamples)
	for n := all; n <= 2*all; n++ { // with more where places are refused
		if x := c.next(q, filter, c.near(n), q.Reach.Home); x != nil {
			return x, nil
		}
	}
	return nil, filter.NoTarget()
}

// next returns the first stop of a tour over those of the targets that have not been chosen yet
// and may be chosen; nil if there is none.
func (c *clairvoyant) next(q *planner.Request, filter *acquire.Filter, targets [][]float64, home []float64) []float64 {
	var stops [][]float64
	for _, x := range targets {
		if slices.ContainsFunc(q.Chosen, func(chosen []float64) bool { return slices.Equal(chosen, x) }) {
			continue
		}
		if _, ok := filter.Pass(x, false); ok {
			stops = append(stops, x)
		}
	}
	if len(stops) == 0 {
		return nil
	}
	return slices.Clone(stops[NewLegs(c.travel, q.Robot, home, stops).Tour(upTo(len(stops)))[0]])
}

// near returns n places of the space within the radius of the maximum, on a Fermat spiral
// (Vogel 1979), whose points are evenly spread. Its step is such that n of the points lie in
// the space.
func (c *clairvoyant) near(n int) [][]float64 {
	golden := math.Pi * (3 - math.Sqrt(5))
	centre := c.maximum()
	for points := n; ; points += max(1, points/8) {
		var list [][]float64
		for i := range points {
			r := clairvoyantRadius * math.Sqrt((float64(i)+0.5)/float64(points))
			sin, cos := math.Sincos(golden * float64(i))
			if x := []float64{centre[0] + r*cos, centre[1] + r*sin}; c.space.Contains(x) {
				list = append(list, x)
			}
		}
		if len(list) >= n || points > 100*n {
			return list[:min(n, len(list))]
		}
	}
}
