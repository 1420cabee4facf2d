package planner

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/acquire"
)

// Rule makes the acquisition of a method that is not an upper confidence bound.
type Rule struct {
	// New returns what values places under one model of several; it is kept from
	// decision to decision.
	New func() Valuer

	Places bool // [Case.Places] are used
	Slow   bool // valuing a place takes long: fewer places are compared
}

// Valuer makes a rule's acquisition for one model. One is for one goroutine.
type Valuer interface {
	// Acquisition returns what a decision maximises. The result is used until the
	// next call.
	Acquisition(*Case) (acquire.Acquisition, error)
}

// TargetJudge is a [Valuer] that estimates the outcomes of past targets in its own way
// when one of them is recommended. In the whole space places are judged under Σ̂.
type TargetJudge interface {
	// TargetMeans writes the estimated outcome of each target, a row of x, into dst.
	TargetMeans(dst []float64, model *gp.GP, execution *mat.SymDense, x *mat.Dense) error
}

// Case is one model at a decision, as a [Valuer] sees it.
type Case struct {
	Model     *gp.GP
	Predictor *gp.Predictor // of the model, under Judgement
	Execution *mat.SymDense // Σ̂, m²; nil: none
	Places    *mat.Dense    // m×d, spread over the space; nil unless the rule uses them

	acquirer *acquirer
}

// Judgement returns the covariance under which targets are judged; nil: as points.
func (c *Case) Judgement() *mat.SymDense { return c.acquirer.starts.cov }

// Best writes the places of the space that have the largest upper confidence bounds
// μ̂ + β·σ̂ into dst, best first, and returns them.
func (c *Case) Best(dst []gp.Candidate, beta float64) ([]gp.Candidate, error) {
	if err := c.acquirer.space.update(c.Model, c.Judgement()); err != nil {
		return nil, fmt.Errorf("%w: Execution: %w", ErrStrategy, err)
	}
	return c.acquirer.space.predictor.TopUCB(dst, c.Places, beta, nil), nil
}

// Lookahead returns one at places, for targets judged as the method judges them.
func (c *Case) Lookahead(places *mat.Dense) (*gp.Lookahead, error) {
	l, err := c.Model.NewLookahead(c.Judgement())
	if err != nil {
		return nil, fmt.Errorf("%w: Execution: %w", ErrStrategy, err)
	}
	l.SetPlaces(places)
	return l, nil
}

// NextNoise returns the noise variance that the next observation is likely to have.
func (c *Case) NextNoise() float64 { return c.Model.Hyper().NoiseVariance + ownNoise(c.Model) }

// ownNoise returns the mean of the observations' own noise variances, 0 without any.
func ownNoise(model *gp.GP) float64 {
	own := 0.0
	for _, o := range model.Observations() {
		own += o.NoiseVariance
	}
	return own / float64(max(model.Len(), 1))
}
