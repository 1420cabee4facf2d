package planner

import (
	"fmt"

	"ugp_explorer/gp"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/internal/valid"
)

// spacePlaces is how many places stand for the whole space: in a square of ten
// length-scales they lie half of one apart.
const spacePlaces = 400

// acquirer makes the acquisitions for one model. Its predictors follow the model
// and Σ̂ from decision to decision.
type acquirer struct {
	ucb    acquire.UCB
	placed acquire.PlacedUCB
	bound  acquire.Bound
	fall   acquire.Variance
	rule   Valuer // nil: the upper confidence bound

	starts, space predictorCache // for the places that are searched, and for those that stand for the space
}

// acquisition returns what the strategy maximises under a model, and β where it has
// a part.
func (v *acquirer) acquisition(s *searchStrategy, model *gp.GP, q *Request) (acquire.Acquisition, float64, error) {
	if err := v.starts.update(model, s.data.Judge(q.Execution)); err != nil {
		return nil, 0, fmt.Errorf("%w: Execution: %w", ErrStrategy, err)
	}
	c := Case{Model: model, Predictor: v.starts.predictor, Execution: q.Execution, Places: s.places, acquirer: v}
	switch o := s.cfg.Objective; {
	case o == ObjectiveMap:
		lookahead, err := c.Lookahead(s.places)
		v.fall.Lookahead, v.fall.Noise = lookahead, c.NextNoise()
		return &v.fall, 0, err
	case v.rule == nil || o == ObjectiveThreshold:
		beta := s.cfg.Beta.Beta(q.Step, model)
		if !valid.Finite(beta) {
			return nil, 0, fmt.Errorf("%w: β is %g: the information gain is %g nats; give the observations a noise variance", ErrStrategy, beta, model.InformationGain())
		}
		if o == ObjectiveThreshold {
			v.bound = acquire.Bound{Predictor: c.Predictor, Beta: beta, Merit: o.Merit(s.cfg.Level)}
			return &v.bound, beta, nil
		}
		if s.placed(q) {
			v.placed.Model, v.placed.Beta, v.placed.Place = model, beta, q.Place
			return &v.placed, beta, nil
		}
		v.ucb.Predictor, v.ucb.Beta = c.Predictor, beta
		return &v.ucb, beta, nil
	}
	acquisition, err := v.rule.Acquisition(&c)
	return acquisition, 0, err
}
