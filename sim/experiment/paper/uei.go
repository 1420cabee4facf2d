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

// unscentedImprovement is the unscented expected improvement: the unscented mean of the expected improvement
// of a plain GP over the places where a sample with target x is probably taken (Nogueira et
// al., IROS 2016, Alg. 1). EI's predictor must predict at points.
type unscentedImprovement struct {
	EI        expectedImprovement
	Transform *Unscented

	x      []float64
	points []float64
}

var _ acquire.Screening = (*unscentedImprovement)(nil)

// Dim returns the dimension of the predictor's queries.
func (e *unscentedImprovement) Dim() int { return e.EI.Dim() }

// Validate returns an error where EI's does, and unless the transform has its dimension.
func (e *unscentedImprovement) Validate() error {
	if err := e.EI.Validate(); err != nil {
		return err
	}
	if e.Transform == nil {
		return fmt.Errorf("%w: the unscented transform must be given", acquire.ErrSearch)
	}
	if _, d := e.Transform.offsets.Dims(); d != e.Dim() {
		return fmt.Errorf("%w: the unscented transform has dimension %d, the model %d", acquire.ErrSearch, d, e.Dim())
	}
	return nil
}

// Value returns the unscented mean of EI about x.
func (e *unscentedImprovement) Value(x []float64) float64 {
	s := 0.0
	for i, w := range e.Transform.weights {
		s += w * e.EI.Value(e.sigma(i, x))
	}
	return s
}

// ValueGrad returns Value and writes its gradient with respect to x into dst.
func (e *unscentedImprovement) ValueGrad(dst, x []float64) float64 {
	clear(dst)
	s := 0.0
	for i, w := range e.Transform.weights {
		s += w * e.EI.addGrad(dst, w, e.sigma(i, x))
	}
	return s
}

// sigma returns the i-th sigma point about x, until the next call.
func (e *unscentedImprovement) sigma(i int, x []float64) []float64 {
	e.x = slices.Grow(e.x[:0], len(x))[:len(x)]
	for k, o := range e.Transform.offsets.RawRowView(i) {
		e.x[k] = x[k] + o
	}
	return e.x
}

// Values writes the unscented mean of EI about every row.
func (e *unscentedImprovement) Values(dst []float64, x *mat.Dense) {
	points := e.Transform.spread(e.points, x)
	e.points = points.RawMatrix().Data
	mean, variance := e.EI.predict(points)
	k := e.Transform.Len()
	for r := range dst {
		dst[r] = 0
		for i, w := range e.Transform.weights {
			dst[r] += w * e.EI.Score(mean[r*k+i], math.Sqrt(variance[r*k+i]))
		}
	}
}

// Top leaves the search to the predictor, which computes few of the variances in full.
func (e *unscentedImprovement) Top(dst []gp.Candidate, x *mat.Dense, penalty []float64) []gp.Candidate {
	points := e.Transform.spread(e.points, x)
	e.points = points.RawMatrix().Data
	return e.EI.Predictor.Top(dst, points, &e.EI, e.Transform.weights, penalty)
}

// Screens marks that Top leaves the search to the predictor.
func (e *unscentedImprovement) Screens() {}

// ueiValuer is the unscented expected improvement over the largest unscented posterior
// mean at the places of the data, or over the largest value observed.
type ueiValuer struct {
	noisy bool
	uei   unscentedImprovement
}

var _ planner.TargetJudge = (*ueiValuer)(nil)

func (v *ueiValuer) Acquisition(c *planner.Case) (acquire.Acquisition, error) {
	var err error
	if v.uei.Transform, err = NewUnscented(c.Model.Dim(), c.Execution, DefaultKappa); err != nil {
		return nil, err
	}
	v.uei.EI.Predictor = c.Predictor
	if v.noisy {
		v.uei.EI.Incumbent = math.Inf(-1)
		for _, o := range c.Model.Observations() {
			v.uei.EI.Incumbent = max(v.uei.EI.Incumbent, o.Value)
		}
	} else {
		v.uei.EI.Incumbent = largest(meansAtData(c.Model, func(dst []float64, x *mat.Dense) { v.uei.Transform.Means(dst, c.Predictor, x) }))
	}
	return &v.uei, nil
}

// TargetMeans writes the unscented means of the posterior mean of a model of points
// (Nogueira et al., IROS 2016, Eq. 12). The target with the largest one is the unscented
// optimal incumbent.
func (v *ueiValuer) TargetMeans(dst []float64, model *gp.GP, execution *mat.SymDense, x *mat.Dense) error {
	transform, err := NewUnscented(model.Dim(), execution, DefaultKappa)
	if err != nil {
		return err
	}
	p, err := model.NewPredictor(nil)
	if err != nil {
		return err
	}
	transform.Means(dst, p, x)
	return nil
}
