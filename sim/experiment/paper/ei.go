package paper

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
)

// expectedImprovement is the expected improvement over an incumbent y⁺ (Močkus 1975),
//
//	EI(x) = E[max(f̂(P̂_x) - y⁺, 0)] = s·(zΦ(z) + φ(z)),  z = (μ̂(P̂_x) - y⁺)/s
//
// where s is the posterior standard deviation. It allocates at its first gradient, and when
// it screens more rows than before.
type expectedImprovement struct {
	Predictor *gp.Predictor
	Incumbent float64 // y⁺, unit of the values

	dMean, dVar    []float64
	mean, variance []float64 // of the rows of Values
}

var (
	_ acquire.Screening = (*expectedImprovement)(nil)
	_ gp.Scorer         = (*expectedImprovement)(nil)
)

// Dim returns the dimension of the predictor's queries.
func (e *expectedImprovement) Dim() int { return e.Predictor.Dim() }

// Validate returns an error unless there are a predictor and a finite incumbent.
func (e *expectedImprovement) Validate() error {
	if e.Predictor == nil {
		return fmt.Errorf("%w: the predictor must be given", acquire.ErrSearch)
	}
	if !isFinite(e.Incumbent) {
		return fmt.Errorf("%w: Incumbent is %g, want a finite number", acquire.ErrSearch, e.Incumbent)
	}
	return nil
}

// improvement returns the expected improvement of a value N(gain, s²) over 0,
// and its derivatives with respect to gain and s: Φ(z) and φ(z).
func improvement(gain, s float64) (value, dGain, dS float64) {
	if s == 0 {
		if gain > 0 {
			return gain, 1, 0
		}
		return 0, 0, 0
	}
	z := gain / s
	dGain = 0.5 * math.Erfc(-z/math.Sqrt2)
	dS = math.Exp(-0.5*z*z) / math.Sqrt(2*math.Pi)
	return max(s*(z*dGain+dS), 0), dGain, dS // rounding may take the sum below 0
}

// Value returns EI(x).
func (e *expectedImprovement) Value(x []float64) float64 {
	mean, variance := e.Predictor.Predict(x)
	return e.Score(mean, math.Sqrt(variance))
}

// Score returns EI for a posterior mean and standard deviation.
func (e *expectedImprovement) Score(mean, deviation float64) float64 {
	v, _, _ := improvement(mean-e.Incumbent, deviation)
	return v
}

// Most returns EI for the highest of the means.
func (e *expectedImprovement) Most(_, high, deviation float64) float64 {
	return e.Score(high, deviation)
}

// ValueGrad returns EI(x) and writes its gradient with respect to x into dst.
// Where the standard deviation is zero it has no gradient, and its share is left out.
func (e *expectedImprovement) ValueGrad(dst, x []float64) float64 {
	clear(dst)
	return e.addGrad(dst, 1, x)
}

// addGrad returns EI(x) and adds its gradient, w times, to dst.
func (e *expectedImprovement) addGrad(dst []float64, w float64, x []float64) float64 {
	if e.dMean == nil {
		e.dMean, e.dVar = make([]float64, len(x)), make([]float64, len(x))
	}
	mean, variance := e.Predictor.PredictGrad(e.dMean, e.dVar, x)
	s := math.Sqrt(variance)
	v, dGain, dS := improvement(mean-e.Incumbent, s)
	for i := range dst {
		dst[i] += w * dGain * e.dMean[i]
		if s > 0 {
			dst[i] += w * dS * e.dVar[i] / (2 * s) // ∂s = ∂s²/2s
		}
	}
	return v
}

// Values writes EI at every row.
func (e *expectedImprovement) Values(dst []float64, x *mat.Dense) {
	mean, variance := e.predict(x)
	for r := range dst {
		dst[r] = e.Score(mean[r], math.Sqrt(variance[r]))
	}
}

// predict returns the posterior at every row, until the next call.
func (e *expectedImprovement) predict(x *mat.Dense) (mean, variance []float64) {
	m, _ := x.Dims()
	e.mean, e.variance = slices.Grow(e.mean[:0], m)[:m], slices.Grow(e.variance[:0], m)[:m]
	e.Predictor.PredictBatch(e.mean, e.variance, x)
	return e.mean, e.variance
}

// Top leaves the search to the predictor, which computes few of the variances in full.
func (e *expectedImprovement) Top(dst []gp.Candidate, x *mat.Dense, penalty []float64) []gp.Candidate {
	return e.Predictor.Top(dst, x, e, nil, penalty)
}

// Screens marks that Top leaves the search to the predictor.
func (e *expectedImprovement) Screens() {}

// eiValuer is the expected improvement over the largest posterior mean at the places of
// the data.
type eiValuer struct{ ei expectedImprovement }

func (v *eiValuer) Acquisition(c *planner.Case) (acquire.Acquisition, error) {
	v.ei.Predictor = c.Predictor
	v.ei.Incumbent = largest(meansAtData(c.Model, func(dst []float64, x *mat.Dense) { c.Predictor.PredictBatch(dst, nil, x) }))
	return &v.ei, nil
}

// meansAtData returns what predict writes for the places of the model's observations.
func meansAtData(model *gp.GP, predict func(dst []float64, x *mat.Dense)) []float64 {
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
