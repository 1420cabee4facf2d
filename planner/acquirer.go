package planner

import (
	"fmt"

	"ugp_explorer/gp"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/internal/valid"
)

// spacePlaces is the number of places that represent the whole space. In a square of ten
// by ten length-scales they lie half a length-scale apart.
const spacePlaces = 400

// acquirer makes the acquisitions for one model, from decision to decision.
type acquirer struct {
	ucb    acquire.UCB
	placed acquire.PlacedUCB
	fall   acquire.Variance
	valuer Valuer // nil: the upper confidence bound
}

// acquisition returns the acquisition of the strategy under a model, and β, 0 if the
// method has none.
func (a *acquirer) acquisition(s *searchStrategy, model *gp.GP, q *Request) (acquire.Acquisition, float64, error) {
	cov := s.form.QueryCov(q.Execution)
	predictor, err := model.NewPredictor(cov)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: Execution: %w", ErrStrategy, err)
	}
	switch o := s.cfg.Objective; {
	case o == ObjectiveMap:
		lookahead, err := model.NewLookahead(cov, s.places)
		if err != nil {
			return nil, 0, fmt.Errorf("%w: Execution: %w", ErrStrategy, err)
		}
		a.fall.Lookahead, a.fall.Noise = lookahead, model.Hyper().NoiseVariance+ownNoise(model)
		return &a.fall, 0, nil
	case a.valuer == nil || o == ObjectiveThreshold:
		beta := s.cfg.Beta.Beta(q.Step, model)
		if !valid.Finite(beta) {
			return nil, 0, fmt.Errorf("%w: β is %g because the information gain is %g nats; give the observations a noise variance", ErrStrategy, beta, model.InformationGain())
		}
		if o == ObjectiveThreshold {
			a.ucb.Merit = o.Merit(s.cfg.Level)
		}
		if s.placed(q) {
			a.placed.Model, a.placed.Beta, a.placed.Place = model, beta, q.Place
			return &a.placed, beta, nil
		}
		a.ucb.Predictor, a.ucb.Beta = predictor, beta
		return &a.ucb, beta, nil
	}
	acquisition, err := a.valuer.Acquisition(&Case{Model: model, Predictor: predictor, Execution: q.Execution})
	return acquisition, 0, err
}
