package execution

import "gonum.org/v1/gonum/mat"

// Noise is the distribution of the true place of a sample with target x: x̃ ~ N(x + b, Σ̂).
type Noise struct {
	Bias []float64     // b, m; along and across the approach if Directional
	Cov  *mat.SymDense // Σ̂ for a path of length 0, m²

	Directional bool
	Growth      float64 // γ ≥ 0, 1/m; for a path of length ℓ the covariance is (1 + γℓ)·Cov
	Length      float64 // m, mean length of the paths that it was learnt from
}

// At returns the bias and the covariance in x and y for an approach in the given direction,
// a unit vector, on a path of the given length, m. The result may share e's.
func (e *Noise) At(direction []float64, length float64) (bias []float64, cov *mat.SymDense) {
	bias, cov = e.Bias, e.Cov
	if e.Directional {
		bias, cov = turned(direction, bias), turnedCov(direction, cov)
	}
	if e.Growth > 0 {
		grown := mat.NewSymDense(len(bias), nil)
		grown.ScaleSym(1+e.Growth*length, cov)
		cov = grown
	}
	return bias, cov
}

// Overall returns the bias and the covariance for an unknown approach: a path of mean length
// from any direction. A bias along the approach then counts as noise. The result may share
// e's.
func (e *Noise) Overall() (bias []float64, cov *mat.SymDense) {
	bias, cov = e.Bias, e.Cov
	d := len(bias)
	if e.Growth > 0 {
		grown := mat.NewSymDense(d, nil)
		grown.ScaleSym(1+e.Growth*e.Length, cov)
		cov = grown
	}
	if !e.Directional {
		return bias, cov
	}
	var second float64
	for i, b := range bias {
		second += (cov.At(i, i) + b*b) / float64(d)
	}
	cov = mat.NewSymDense(d, nil)
	for i := range d {
		cov.SetSym(i, i, second)
	}
	return make([]float64, d), cov
}

// turned returns in x and y the vector v, given along and across the direction u.
func turned(u, v []float64) []float64 {
	return []float64{u[0]*v[0] - u[1]*v[1], u[1]*v[0] + u[0]*v[1]}
}

// turnedCov returns in x and y the covariance s, given along and across u: R Σ Rᵀ.
func turnedCov(u []float64, s *mat.SymDense) *mat.SymDense {
	c, n := u[0], u[1]
	aa, ac, cc := s.At(0, 0), s.At(0, 1), s.At(1, 1)
	return mat.NewSymDense(2, []float64{
		c*c*aa - 2*c*n*ac + n*n*cc, c*n*(aa-cc) + (c*c-n*n)*ac,
		0, n*n*aa + 2*c*n*ac + c*c*cc,
	})
}
