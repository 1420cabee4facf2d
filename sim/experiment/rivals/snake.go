package rivals

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
)

// mostSamples is the number of samples that a tour plans for where there is no limit.
const mostSamples = 150

// snake is SnAKe, Sequential Bayesian optimisation via Adaptive Connecting Samples (Folch et
// al. 2022, Alg. 1), in its form without a parameter, ℓ-SnAKe.
//
// For a mission of T samples, each decision draws T Thompson samples' maxima: the places that
// the whole mission would visit if it were planned now. The n samples taken so far stand for n
// of them, which are deleted: for each sample the nearest of the maxima that is within ε, the
// smallest length-scale, and otherwise one at random (ε-Point Deletion). The rest is visited in
// a short tour, of which the robot drives to the first stop. Before the first sample the T
// places are drawn uniformly.
//
// As the explorer's own decisions, the draws are spread over its models by their probabilities.
// They are exact draws at some 300 places, where the authors climb on functions of random
// features. The tour ends at home, where the robot must end.
type snake struct {
	places *places
	travel field.Travel
}

func newSnake(space field.Space, _ planner.StrategyConfig, rng *rand.Rand) (planner.Chooser, error) {
	p, err := newPlaces(space, rng)
	return &snake{places: p, travel: space.Travel()}, err
}

func (s *snake) Choose(q *planner.Request, _ *acquire.Filter) ([]float64, error) {
	x, err := s.places.draw(q)
	if err != nil {
		return nil, err
	}
	left := remaining(q, mostSamples)
	drawn, err := s.maxima(q, x, len(q.Chosen)+left)
	if err != nil {
		return nil, err
	}
	drawn = deleteVisited(drawn, x, q.Chosen, floats.Min(q.Model.Hyper().LengthScales), q.Rng)
	slices.Sort(drawn)
	stops := rowsOf(x, slices.Compact(drawn)) // a place twice is a stop of the tour once
	tour := NewLegs(s.travel, q.Robot, q.Reach.Home, stops).Tour(upTo(len(stops)))
	return slices.Clone(stops[tour[0]]), nil
}

// maxima returns the rows of x at which n draws of the posterior are largest.
func (s *snake) maxima(q *planner.Request, x *mat.Dense, n int) ([]int, error) {
	var rows []int
	if q.Model.Len() == 0 {
		m, _ := x.Dims()
		for range n {
			rows = append(rows, q.Rng.IntN(m))
		}
		return rows, nil
	}
	models := q.Members.Or(q.Model)
	for i, share := range allot(n, models) {
		if share == 0 {
			continue
		}
		j, err := NewJoint(models[i].Model, q.Execution, x)
		if err != nil {
			return nil, err
		}
		draws, err := j.Draws(share, q.Rng)
		if err != nil {
			return nil, err
		}
		for i := range share {
			rows = append(rows, floats.MaxIdx(draws.RawRowView(i)))
		}
	}
	return rows, nil
}

// deleteVisited deletes one of the drawn rows of x for each visited place: the nearest if it is
// within reach, else one at random. One is left.
func deleteVisited(drawn []int, x *mat.Dense, visited [][]float64, reach float64, rng *rand.Rand) []int {
	for _, v := range visited {
		if len(drawn) == 1 {
			break
		}
		nearest, least := 0, math.Inf(1)
		for i, r := range drawn {
			if d := field.Distance(v, x.RawRowView(r)); d < least {
				nearest, least = i, d
			}
		}
		if least > reach {
			nearest = rng.IntN(len(drawn))
		}
		drawn = slices.Delete(drawn, nearest, nearest+1)
	}
	return drawn
}
