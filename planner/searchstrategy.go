package planner

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// rule is how a searchStrategy values places.
type rule int

const (
	ruleUCB      rule = iota
	ruleEI            // over the largest posterior mean at the places of the data
	ruleUEI           // over the largest unscented posterior mean at the places of the data
	ruleUEINoisy      // over the largest value observed
)

// searchStrategy is uGP-UCB (Alg. 1) and those of its rivals that maximise an
// acquisition function over the space.
//
// A model without observations is the same everywhere. Then the target is the
// centre of the space, for a region that of the largest disc that fits in, or
// the place nearest to it that may be chosen: as far as possible from where
// the robot's errors could take it over the edge, and a start that tells the
// most about what surrounds it.
type searchStrategy struct {
	name     string
	rule     rule
	data     Data
	cfg      StrategyConfig
	base     baseline
	searcher *Searcher

	ucb   UCB
	bound Bound
	ei    EI
	uei   UEI

	// The predictor and the transform follow the model and Σ̂.
	predictor    *gp.Predictor
	model        *gp.GP
	predicted    *mat.SymDense // a copy of the predictor's covariance; nil for points
	transform    *Unscented
	transformed  *mat.SymDense // a copy of the transform's covariance
	hasTransform bool
}

var _ Strategy = (*searchStrategy)(nil)

func (s *searchStrategy) Name() string { return s.name }
func (s *searchStrategy) Data() Data   { return s.data }

func (s *searchStrategy) Next(q Request) (Target, error) {
	if err := q.validate(s.base.space.Dim()); err != nil {
		return Target{}, err
	}
	if q.Model.Len() == 0 {
		return s.first(&q)
	}
	acquisition, beta, err := s.acquisition(&q)
	if err != nil {
		return Target{}, err
	}
	best, err := s.searcher.Maximise(Query{
		Acquisition: acquisition, LengthScales: q.Model.Hyper().LengthScales,
		TravelWeight: s.travelWeight(q.Model),
		Robot:        q.Robot, Reach: q.Reach, Starts: q.Starts, Rng: q.Rng,
	})
	if err != nil {
		return Target{}, err
	}
	mean, variance := s.predictor.Predict(best.X)
	return Target{X: best.X, Acquisition: best.Value, Mean: mean, StdDev: math.Sqrt(variance), Beta: beta, Length: best.Length}, nil
}

// acquisition returns what the rule makes of the request, and β where it has a
// part.
func (s *searchStrategy) acquisition(q *Request) (Acquisition, float64, error) {
	if err := s.follow(q.Model, s.data.Judge(q.Execution)); err != nil {
		return nil, 0, err
	}
	switch o := s.cfg.Objective; {
	case o == ObjectiveMap:
		s.bound = Bound{Predictor: s.predictor, Beta: 1, Merit: o.Merit(0)} // whatever β, the place is the same
		return &s.bound, 0, nil
	case s.rule == ruleUCB || o == ObjectiveThreshold:
		beta := s.cfg.Beta.Beta(q.Step, q.Model)
		if !finite(beta) {
			return nil, 0, fmt.Errorf("%w: β is %g: the information gain is %g nats; give the observations a noise variance", ErrStrategy, beta, q.Model.InformationGain())
		}
		if o == ObjectiveThreshold {
			s.bound = Bound{Predictor: s.predictor, Beta: beta, Merit: o.Merit(s.cfg.Level)}
			return &s.bound, beta, nil
		}
		s.ucb.Predictor, s.ucb.Beta = s.predictor, beta
		return &s.ucb, beta, nil
	}
	observations := q.Model.Observations()
	if s.rule == ruleEI {
		incumbent := math.Inf(-1)
		for _, mean := range means(observations, q.Model.Dim(), func(dst []float64, x *mat.Dense) { s.predictor.PredictBatch(dst, nil, x) }) {
			incumbent = max(incumbent, mean)
		}
		s.ei.Predictor, s.ei.Incumbent = s.predictor, incumbent
		return &s.ei, 0, nil
	}
	if err := s.transforms(q.Execution); err != nil {
		return nil, 0, err
	}
	incumbent := math.Inf(-1)
	if s.rule == ruleUEINoisy {
		for _, o := range observations {
			incumbent = max(incumbent, o.Value)
		}
	} else {
		for _, mean := range means(observations, q.Model.Dim(), func(dst []float64, x *mat.Dense) { s.transform.Means(dst, s.predictor, x) }) {
			incumbent = max(incumbent, mean)
		}
	}
	s.uei.EI.Predictor, s.uei.EI.Incumbent, s.uei.Transform = s.predictor, incumbent, s.transform
	return &s.uei, 0, nil
}

// means returns what predict says of the places of the observations.
func means(observations []gp.Observation, dim int, predict func(dst []float64, x *mat.Dense)) []float64 {
	x := mat.NewDense(len(observations), dim, nil)
	for i, o := range observations {
		x.SetRow(i, o.Belief.Mean)
	}
	dst := make([]float64, len(observations))
	predict(dst, x)
	return dst
}

// Recommend judges as the rule does: by the posterior mean at P̂_x or at points,
// and UEI past targets by its unscented mean. That is an approximation of the mean
// of a model of points under N(x, Σ̂), which is at hand as a closed form and takes
// its place where UEI recommends from the whole space.
func (s *searchStrategy) Recommend(q Inquiry) (Recommendation, error) {
	if s.rule != ruleUEI && s.rule != ruleUEINoisy {
		return s.base.adviser.recommend(&q, s.data.Judge(q.Execution))
	}
	if s.cfg.Recommend == RecommendAnywhere {
		return s.base.adviser.recommend(&q, q.Execution)
	}
	if err := s.transforms(q.Execution); err != nil {
		return Recommendation{}, err
	}
	return bestUnscented(q.Model, s.transform, q.Execution, q.Targets)
}

// travelWeight returns what a metre of way takes off, in the unit of the values.
func (s *searchStrategy) travelWeight(model *gp.GP) float64 {
	return s.cfg.TravelWeight * math.Sqrt(model.Hyper().SignalVariance)
}

// follow sees to it that the predictor is of this model and covariance.
func (s *searchStrategy) follow(model *gp.GP, cov *mat.SymDense) error {
	if s.predictor != nil && s.model == model && sameCov(s.predicted, cov) {
		return nil
	}
	p, err := model.NewPredictor(cov)
	if err != nil {
		return fmt.Errorf("%w: Execution: %w", ErrStrategy, err)
	}
	s.predictor, s.model, s.predicted = p, model, copyCov(cov)
	return nil
}

// transforms sees to it that the transform is of this covariance.
func (s *searchStrategy) transforms(cov *mat.SymDense) error {
	if s.hasTransform && sameCov(s.transformed, cov) {
		return nil
	}
	u, err := NewUnscented(s.base.space.Dim(), cov, s.cfg.Kappa)
	if err != nil {
		return err
	}
	s.transform, s.transformed, s.hasTransform = u, copyCov(cov), true
	return nil
}

func sameCov(a, b *mat.SymDense) bool {
	return a == nil && b == nil || a != nil && b != nil && mat.Equal(a, b)
}

func copyCov(cov *mat.SymDense) *mat.SymDense {
	if cov == nil {
		return nil
	}
	c := mat.NewSymDense(cov.SymmetricDim(), nil)
	c.CopySym(cov)
	return c
}

// first returns the target when nothing has been observed.
func (s *searchStrategy) first(q *Request) (Target, error) {
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
	s.base.filter.begin(q.Robot, q.Reach)
	t := s.base.target(q, x, s.data)
	if s.rule == ruleUCB {
		t.Beta = s.cfg.Beta.Beta(q.Step, q.Model)
	}
	t.Acquisition = t.Mean + t.Beta*t.StdDev - s.travelWeight(q.Model)*t.Length
	return t, nil
}
