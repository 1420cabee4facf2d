package planner

import (
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// Data says as what a sample enters a strategy's model.
type Data int

const (
	DataBelief       Data = iota // P^L, where it was probably taken by the localisation
	DataTargetBelief             // P̂_x = N(x, Σ̂), where a sample with its target is probably taken
	DataTarget                   // its target, as a point
	DataMean                     // the mean of P^L, as a point
)

// Points reports whether the model is one of points, so that targets are judged
// as points too.
func (d Data) Points() bool { return d == DataTarget || d == DataMean }

// Of returns what enters the model for a sample with the given target that was
// probably taken at located. execution is Σ̂; nil is certainty. The result shares
// what it is made of.
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

// Judge returns the covariance of P̂_x by which a target x is judged: Σ̂, or nil
// for a model of points.
func (d Data) Judge(execution *mat.SymDense) *mat.SymDense {
	if d.Points() {
		return nil
	}
	return execution
}

// Off returns the covariance of where a sample was truly taken about what enters
// the model for it: what makes its value differ from f̂ there, beside the noise of
// the reading.
func (d Data) Off(located gp.Belief, execution *mat.SymDense) *mat.SymDense {
	if d == DataBelief || d == DataMean {
		return located.Cov
	}
	return execution
}
