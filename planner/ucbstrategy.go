package planner

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// ucbStrategy is uGP-UCB (Alg. 1), or with points the same planner on a plain
// GP: targets judged at N(x, 0).
//
// A model without observations is the same everywhere. Then the target is the
// centre of the space, for a region that of the largest disc that fits in, or
// the place nearest to it that may be chosen: as far as possible from where
// the robot's errors could take it over the edge, and a start that tells the
// most about what surrounds it.
type ucbStrategy struct {
	name     string
	points   bool
	cfg      StrategyConfig
	base     baseline
	searcher *Searcher

	// The predictor follows its model, and is made anew for another model or Σ̂.
	predictor *gp.Predictor
	model     *gp.GP
	cov       *mat.SymDense // a copy; nil for points
}

var _ Strategy = (*ucbStrategy)(nil)

func (s *ucbStrategy) Name() string      { return s.name }
func (s *ucbStrategy) PointInputs() bool { return s.points }

func (s *ucbStrategy) Next(q Request) (Target, error) {
	if err := q.validate(s.base.space.Dim()); err != nil {
		return Target{}, err
	}
	if s.points {
		q.Execution = nil
	}
	if q.Model.Len() == 0 {
		return s.first(&q)
	}
	if err := s.follow(q.Model, q.Execution); err != nil {
		return Target{}, err
	}
	beta := s.cfg.Beta.Beta(q.Step, q.Model)
	if !finite(beta) {
		return Target{}, fmt.Errorf("%w: β is %g: the information gain is %g nats; give the observations a noise variance", ErrStrategy, beta, q.Model.InformationGain())
	}
	best, err := s.searcher.Maximise(Query{
		Predictor: s.predictor, LengthScales: q.Model.Hyper().LengthScales,
		Beta: beta, TravelWeight: s.travelWeight(q.Model),
		Robot: q.Robot, Reach: q.Reach, Starts: q.Starts, Rng: q.Rng,
	})
	if err != nil {
		return Target{}, err
	}
	return Target{X: best.X, Acquisition: best.Value, Mean: best.Mean, StdDev: best.StdDev, Beta: beta, Length: best.Length}, nil
}

// travelWeight returns what a metre of way takes off, in the unit of the values.
func (s *ucbStrategy) travelWeight(model *gp.GP) float64 {
	return s.cfg.TravelWeight * math.Sqrt(model.Hyper().SignalVariance)
}

// follow sees to it that the predictor is of this model and covariance.
func (s *ucbStrategy) follow(model *gp.GP, cov *mat.SymDense) error {
	same := s.cov == nil && cov == nil || s.cov != nil && cov != nil && mat.Equal(s.cov, cov)
	if s.predictor != nil && s.model == model && same {
		return nil
	}
	p, err := model.NewPredictor(cov)
	if err != nil {
		return fmt.Errorf("%w: Execution: %w", ErrStrategy, err)
	}
	s.predictor, s.model, s.cov = p, model, nil
	if cov != nil {
		s.cov = mat.NewSymDense(cov.SymmetricDim(), nil)
		s.cov.CopySym(cov)
	}
	return nil
}

// first returns the target when nothing has been observed.
func (s *ucbStrategy) first(q *Request) (Target, error) {
	search := s.searcher
	search.filter.begin(q.Robot, q.Reach)
	centre := s.base.space.Centre()
	n := search.starts(&Query{Starts: [][]float64{centre}, Rng: q.Rng})
	if n == 0 {
		e := search.filter.rejects
		return Target{}, &e
	}
	x, nearest := search.rows.RawRowView(0), math.Inf(1)
	for i := range n {
		if row := search.rows.RawRowView(i); distance(row, centre) < nearest {
			x, nearest = row, distance(row, centre)
		}
	}
	beta := s.cfg.Beta.Beta(q.Step, q.Model)
	s.base.filter.begin(q.Robot, q.Reach)
	t := s.base.target(q, x)
	t.Beta = beta
	t.Acquisition = t.Mean + beta*t.StdDev - s.travelWeight(q.Model)*t.Length
	return t, nil
}
