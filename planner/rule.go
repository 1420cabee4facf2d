package planner

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/acquire"
)

// Rule makes the acquisition of a method that is not an upper confidence bound.
type Rule struct {
	// New returns a valuer for one model. It is kept from decision to decision.
	New func() Valuer

	Places bool // the rule uses [Case.Places]
	Slow   bool // evaluating a place takes long, so fewer are compared
}

// Valuer makes a rule's acquisition for one model. It is not safe for concurrent use.
type Valuer interface {
	// Acquisition returns the acquisition to maximise. It is valid until the next call.
	Acquisition(*Case) (acquire.Acquisition, error)
}

// TargetJudge is a [Valuer] with its own estimate of the outcomes of past targets, used to
// recommend one of them. Over the whole space, places are judged under Σ̂.
type TargetJudge interface {
	// TargetMeans writes the estimated outcome of each target, a row of x, into dst.
	TargetMeans(dst []float64, model *gp.GP, execution *mat.SymDense, x *mat.Dense) error
}

// Case is the input of a [Valuer]: one model at a decision.
type Case struct {
	Model     *gp.GP
	Predictor *gp.Predictor // of the model, with covariance QueryCov
	Execution *mat.SymDense // Σ̂, m²; nil: zero
	Places    *mat.Dense    // m×d, places spread over the space; nil unless the rule uses them

	acquirer *acquirer
}

// queryCov returns the covariance by which targets are judged, m²; nil: as points.
func (c *Case) queryCov() *mat.SymDense { return c.acquirer.starts.cov }

// Best writes the len(dst) of c.Places with the largest upper confidence bounds μ̂ + β·σ̂
// into dst, best first, and returns them.
func (c *Case) Best(dst []gp.Candidate, beta float64) ([]gp.Candidate, error) {
	if err := c.acquirer.space.update(c.Model, c.queryCov()); err != nil {
		return nil, fmt.Errorf("%w: Execution: %w", ErrStrategy, err)
	}
	return c.acquirer.space.predictor.TopUCB(dst, c.Places, beta, nil), nil
}

// Lookahead returns a lookahead at places, for targets judged under [Case.queryCov].
func (c *Case) Lookahead(places *mat.Dense) (*gp.Lookahead, error) {
	l, err := c.Model.NewLookahead(c.queryCov())
	if err != nil {
		return nil, fmt.Errorf("%w: Execution: %w", ErrStrategy, err)
	}
	l.SetPlaces(places)
	return l, nil
}

// NextNoise returns the expected noise variance of the next observation.
func (c *Case) NextNoise() float64 { return c.Model.Hyper().NoiseVariance + ownNoise(c.Model) }

// ownNoise returns the mean of the observations' own noise variances, 0 if there are none.
func ownNoise(model *gp.GP) float64 {
	own := 0.0
	for _, o := range model.Observations() {
		own += o.NoiseVariance
	}
	return own / float64(max(model.Len(), 1))
}
