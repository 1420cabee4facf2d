package planner

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

const (
	// spacePlaces is how many places stand for the whole space: in a square of ten
	// length-scales they lie half of one apart.
	spacePlaces = 400
	// fewStarts bounds the places that are compared where each takes long to value.
	fewStarts = 300
	// knowledgeBest is how many places of the space may come to be recommended: those
	// with the highest upper confidence bounds, with knowledgeBeta for β.
	knowledgeBest = 60
	knowledgeBeta = 2
)

// valuer makes the acquisition of a rule for one model. Its predictor follows the
// model and Σ̂.
type valuer struct {
	ucb    UCB
	placed PlacedUCB
	bound  Bound
	ei     EI
	uei    UEI
	kg     KG
	fall   Variance

	model         *gp.GP
	predictor     *gp.Predictor // of starts
	starts, space follower      // for the places that are searched, and for those that stand for the space
	chosen        [knowledgeBest]gp.Candidate
}

// acquisition returns what the strategy's rule makes of a model.
func (v *valuer) acquisition(s *searchStrategy, model *gp.GP, q *Request) (Acquisition, float64, error) {
	if err := v.follow(model, s.data.Judge(q.Execution)); err != nil {
		return nil, 0, err
	}
	switch o := s.cfg.Objective; {
	case o == ObjectiveMap:
		lookahead, err := v.lookahead(s.places)
		v.fall.Lookahead, v.fall.Noise = lookahead, nextNoise(model)
		return &v.fall, 0, err
	case s.rule == ruleUCB || o == ObjectiveThreshold:
		beta := s.cfg.Beta.Beta(q.Step, model)
		if !finite(beta) {
			return nil, 0, fmt.Errorf("%w: β is %g: the information gain is %g nats; give the observations a noise variance", ErrStrategy, beta, model.InformationGain())
		}
		if o == ObjectiveThreshold {
			v.bound = Bound{Predictor: v.predictor, Beta: beta, Merit: o.Merit(s.cfg.Level)}
			return &v.bound, beta, nil
		}
		if s.placed(q) {
			v.placed.Model, v.placed.Beta, v.placed.Place = model, beta, q.Place
			return &v.placed, beta, nil
		}
		v.ucb.Predictor, v.ucb.Beta = v.predictor, beta
		return &v.ucb, beta, nil
	}
	switch s.rule {
	case ruleEI:
		v.ei.Predictor, v.ei.Incumbent = v.predictor, largest(means(model, func(dst []float64, x *mat.Dense) { v.predictor.PredictBatch(dst, nil, x) }))
		return &v.ei, 0, nil
	case ruleAEI, ruleEIAnywhere:
		if s.rule == ruleAEI {
			v.ei.Noise = nextNoise(model)
		}
		top, err := v.best(v.chosen[:1], s.places, 0)
		if err != nil {
			return nil, 0, err
		}
		v.ei.Predictor, v.ei.Incumbent = v.predictor, top[0].Mean
		return &v.ei, 0, nil
	case ruleKG:
		return v.knowledge(s.places)
	}
	if err := s.transforms(q.Execution); err != nil {
		return nil, 0, err
	}
	v.uei.EI.Predictor, v.uei.Transform = v.predictor, s.transform
	if s.rule == ruleUEINoisy {
		v.uei.EI.Incumbent = math.Inf(-1)
		for _, o := range model.Observations() {
			v.uei.EI.Incumbent = max(v.uei.EI.Incumbent, o.Value)
		}
	} else {
		v.uei.EI.Incumbent = largest(means(model, func(dst []float64, x *mat.Dense) { s.transform.Means(dst, v.predictor, x) }))
	}
	return &v.uei, 0, nil
}

// knowledge returns the knowledge gradient over those of the places that may come to
// be recommended, by their upper confidence bounds.
func (v *valuer) knowledge(places *mat.Dense) (Acquisition, float64, error) {
	top, err := v.best(v.chosen[:], places, knowledgeBeta)
	if err != nil {
		return nil, 0, err
	}
	x := mat.NewDense(len(top), v.model.Dim(), nil)
	for i, c := range top {
		x.SetRow(i, places.RawRowView(c.Row))
	}
	lookahead, err := v.lookahead(x)
	v.kg.Lookahead, v.kg.Noise = lookahead, nextNoise(v.model)
	return &v.kg, 0, err
}

// lookahead returns one at the places, for targets judged as the strategy does.
func (v *valuer) lookahead(places *mat.Dense) (*gp.Lookahead, error) {
	l, err := v.model.NewLookahead(v.starts.cov)
	if err != nil {
		return nil, fmt.Errorf("%w: Execution: %w", ErrStrategy, err)
	}
	l.SetPlaces(places)
	return l, nil
}

// nextNoise returns the noise variance that the next observation is likely to have.
func nextNoise(model *gp.GP) float64 { return model.Hyper().NoiseVariance + ownNoise(model) }

// ownNoise returns the mean of the observations' own noise variances, 0 without any.
func ownNoise(model *gp.GP) float64 {
	own := 0.0
	for _, o := range model.Observations() {
		own += o.NoiseVariance
	}
	return own / float64(max(model.Len(), 1))
}

// means returns what predict says of the places of the model's observations.
func means(model *gp.GP, predict func(dst []float64, x *mat.Dense)) []float64 {
	observations := model.Observations()
	x := mat.NewDense(len(observations), model.Dim(), nil)
	for i, o := range observations {
		x.SetRow(i, o.Belief.Mean)
	}
	dst := make([]float64, len(observations))
	predict(dst, x)
	return dst
}

func largest(values []float64) float64 {
	top := math.Inf(-1)
	for _, v := range values {
		top = max(top, v)
	}
	return top
}

// follow sees to it that the predictor is of this model and covariance.
func (v *valuer) follow(model *gp.GP, cov *mat.SymDense) error {
	v.model = model
	if err := v.starts.follow(model, cov); err != nil {
		return fmt.Errorf("%w: Execution: %w", ErrStrategy, err)
	}
	v.predictor = v.starts.predictor
	return nil
}

// best writes those of the places of the space into dst that have the largest upper
// confidence bounds.
func (v *valuer) best(dst []gp.Candidate, places *mat.Dense, beta float64) ([]gp.Candidate, error) {
	if err := v.space.follow(v.model, v.starts.cov); err != nil {
		return nil, fmt.Errorf("%w: Execution: %w", ErrStrategy, err)
	}
	return v.space.predictor.TopUCB(dst, places, beta, nil), nil
}
