package rivals

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// Joint is the joint posterior of f̂ at m places x_j, each taken as N(x_j, Σ̂).
type Joint struct {
	Mean []float64     // unit of the values
	Cov  *mat.SymDense // m×m, squared unit of the values
}

// NewJoint returns the joint posterior at the rows of x under the covariance cov; nil: at
// points. It takes O(mn² + m²n) for n observations.
func NewJoint(model *gp.GP, cov *mat.SymDense, x *mat.Dense) (*Joint, error) {
	l, err := model.NewLookahead(cov)
	if err != nil {
		return nil, fmt.Errorf("rivals: %w", err)
	}
	l.SetPlaces(x)
	m, _ := x.Dims()
	j := &Joint{Mean: make([]float64, m), Cov: mat.NewSymDense(m, nil)}
	row := make([]float64, m)
	for i := range m {
		l.Covariances(row, x.RawRowView(i))
		for k := i; k < m; k++ {
			j.Cov.SetSym(i, k, row[k])
		}
	}
	copy(j.Mean, l.Means())
	return j, nil
}

const (
	leastJitter = 1e-10
	mostJitter  = 1e-4
)

// Draws returns n draws from the joint posterior, n×m. To the variances it adds the smallest
// of 1e-10, 1e-9 … 1e-4 of the largest one with which the covariance can be factorised: the
// values at places that lie close together differ less than rounding.
func (j *Joint) Draws(n int, rng *rand.Rand) (*mat.Dense, error) {
	m := len(j.Mean)
	top := 0.0
	for i := range m {
		top = max(top, j.Cov.At(i, i))
	}
	var factor mat.Cholesky
	cov := mat.NewSymDense(m, nil)
	for share, ok := leastJitter, false; !ok; share *= 10 {
		if share > mostJitter {
			return nil, fmt.Errorf("rivals: the posterior covariance of %d places cannot be factorised", m)
		}
		cov.CopySym(j.Cov)
		for i := range m {
			cov.SetSym(i, i, cov.At(i, i)+share*top)
		}
		ok = factor.Factorize(cov)
	}
	normal, draws, lower := mat.NewDense(n, m, nil), mat.NewDense(n, m, nil), mat.NewTriDense(m, mat.Lower, nil)
	for i := range n {
		for k := range m {
			normal.Set(i, k, rng.NormFloat64())
		}
	}
	factor.LTo(lower)
	draws.Mul(normal, lower.T())
	for i := range n {
		row := draws.RawRowView(i)
		for k, mean := range j.Mean {
			row[k] += mean
		}
	}
	return draws, nil
}
