package rivals

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
)

const (
	spreadPlaces = 240 // places over the whole space that are compared at a decision
	nearPlaces   = 80  // and about the best sample, where differences are small
	nearShare    = 0.3 // their standard deviation about it, in length-scales
)

// places draws the places that a decision compares.
type places struct {
	space    field.Space
	searcher *acquire.Searcher
}

func newPlaces(space field.Space, rng *rand.Rand) (*places, error) {
	cfg := acquire.DefaultSearchConfig()
	cfg.Starts = spreadPlaces
	searcher, err := acquire.NewSearcher(space, cfg, rng)
	return &places{space, searcher}, err
}

// draw returns places that may be chosen, one per row. The error is an
// [*acquire.NoTargetError] if there is none.
func (p *places) draw(q *planner.Request) (*mat.Dense, error) {
	var near [][]float64
	if centre := bestSample(q.Model); centre != nil {
		for range nearPlaces {
			x := slices.Clone(centre)
			for i, scale := range q.Model.Hyper().LengthScales {
				x[i] += nearShare * scale * q.Rng.NormFloat64()
			}
			if p.space.Contains(x) {
				near = append(near, x)
			}
		}
	}
	var data []float64
	err := p.searcher.Candidates(acquire.Query{Robot: q.Robot, Reach: q.Reach, Starts: near, Rng: q.Rng}, func(x []float64) { data = append(data, x...) })
	if err != nil {
		return nil, err
	}
	return mat.NewDense(len(data)/p.space.Dim(), p.space.Dim(), data), nil
}

// bestSample returns the mean of the sample's belief with the largest posterior mean; nil
// without samples.
func bestSample(model *gp.GP) (best []float64) {
	top := 0.0
	for _, o := range model.Observations() {
		if mean, _ := model.Posterior(o.Belief); best == nil || mean > top {
			best, top = o.Belief.Mean, mean
		}
	}
	return best
}

// allot shares n draws out among models by their probabilities.
func allot(n int, models fit.Mixture) []int {
	shares, sum, given := make([]int, len(models)), 0.0, 0
	for i, m := range models {
		sum += m.Weight
		shares[i] = max(int(math.Round(sum*float64(n)))-given, 0)
		given += shares[i]
	}
	return shares
}

// joints returns the joint posteriors of the members at places.
func joints(q *planner.Request, x *mat.Dense) ([]*Joint, error) {
	var list []*Joint
	for _, m := range q.Members.Or(q.Model) {
		j, err := NewJoint(m.Model, q.Execution, x)
		if err != nil {
			return nil, err
		}
		list = append(list, j)
	}
	return list, nil
}

// nextNoise returns the expected noise variance of the next observation about f̂: that of the
// hyper-parameters and the mean of the observations' own.
func nextNoise(model *gp.GP) float64 {
	own := 0.0
	for _, o := range model.Observations() {
		own += o.NoiseVariance / float64(model.Len())
	}
	return model.Hyper().NoiseVariance + own
}

// remaining returns the number of samples still to be taken, most if that is not known or more.
func remaining(q *planner.Request, most int) int {
	if n := q.Left.Samples; n > 0 && n < most {
		return n
	}
	return most
}

// pathLimit returns the length of the longest path through so many targets and home, m.
func pathLimit(q *planner.Request, samples int) float64 {
	if q.Left.Path == nil {
		return q.Reach.Range
	}
	return q.Left.Path(samples)
}

// rowsOf returns the given rows of x.
func rowsOf(x *mat.Dense, rows []int) [][]float64 {
	list := make([][]float64, len(rows))
	for i, r := range rows {
		list[i] = x.RawRowView(r)
	}
	return list
}

// upTo returns 0, 1 … n-1.
func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
