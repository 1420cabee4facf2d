package planner

import (
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// Data is the form in which a sample enters the model.
type Data int

const (
	DataBelief       Data = iota // P^L, the belief of the localisation about its place
	DataTargetBelief             // P̂_x = N(x, Σ̂), the expected distribution about its target x
	DataTarget                   // its target, a point
	DataMean                     // the mean of P^L, a point
)

// Points reports whether samples enter the model as points. Then targets are judged as
// points too.
func (d Data) Points() bool { return d == DataTarget || d == DataMean }

// Of returns the input of the model for a sample with the given target and the belief
// located about its place. execution is Σ̂; nil: zero. The result shares its arguments.
func (d Data) Of(located gp.Belief, target []float64, execution *mat.SymDense) gp.Belief {
	switch d {
	case DataTargetBelief:
		return gp.Belief{Mean: target, Cov: execution}
	case DataTarget:
		return gp.Point(target...)
	case DataMean:
		return gp.Point(located.Mean...)
	}
	return located
}

// Judge returns the covariance of the P̂_x by which a target x is judged: Σ̂, or nil for a
// model of points.
func (d Data) Judge(execution *mat.SymDense) *mat.SymDense {
	if d.Points() {
		return nil
	}
	return execution
}

// Off returns the covariance of the true place of a sample about its input in the model.
// It makes the value differ from f̂ in addition to the noise of the reading.
func (d Data) Off(located gp.Belief, execution *mat.SymDense) *mat.SymDense {
	if d == DataBelief || d == DataMean {
		return located.Cov
	}
	return execution
}
