package localization

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// roundOff is the largest error that elimination leaves in an exactly singular correlation matrix
// of order 3: a few dozen times ε = 2.2e-16.
const roundOff = 1e-14

// checkDefinite refuses or clips the negative eigenvalues of the symmetric q, scaled to a
// correlation matrix: C = D⁻¹·Q·D⁻¹ with D the standard deviations.
func (c *Checker) checkDefinite(q *[3][3]float64, n int) *CovarianceError {
	var d [3]float64
	for i := range n {
		d[i] = rowScale(q, i)
	}
	var r [3][3]float64
	for i := range n {
		for j := range n {
			r[i][j] = q[i][j] / (d[i] * d[j])
		}
	}
	if semiDefinite(r, n) {
		return nil
	}
	for i := range n {
		for j := range n {
			// The eigenvalues of entries that overflow cannot be computed, so a
			// correlation above 1e3 is refused without them.
			if v := math.Abs(r[i][j]); v > 1e3 {
				return &CovarianceError{NotPSD, "correlation " + entryNames[i][j], v, 1}
			}
		}
	}
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			sym.SetSym(i, j, r[i][j])
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(sym, true) {
		return &CovarianceError{NotPSD, "eigenvalue", math.NaN(), 0}
	}
	values := eig.Values(nil) // ascending
	if values[0] < -negativeTolerance {
		return &CovarianceError{NotPSD, "eigenvalue", values[0], -negativeTolerance}
	}
	if values[0] >= -roundOff {
		return nil
	}
	c.treat(Clipped)
	var vec mat.Dense
	eig.VectorsTo(&vec)
	for i := range n {
		for j := i; j < n; j++ {
			var sum float64
			for k, l := range values {
				if l > 0 {
					sum += vec.At(i, k) * l * vec.At(j, k)
				}
			}
			q[i][j] = sum * d[i] * d[j]
			q[j][i] = q[i][j]
		}
	}
	return nil
}

// semiDefinite reports whether the symmetric r with entries near one is
// positive semi-definite to round-off, by elimination with the largest
// diagonal first (Higham, Accuracy and Stability of Numerical Algorithms,
// 2002, §10.3).
func semiDefinite(r [3][3]float64, n int) bool {
	var done [3]bool
	for range n {
		k := -1
		for i := range n {
			if !done[i] && (k < 0 || r[i][i] > r[k][k]) {
				k = i
			}
		}
		pivot := r[k][k]
		if !(pivot > roundOff) {
			for i := range n {
				for j := range n {
					if !done[i] && !done[j] && !(math.Abs(r[i][j]) <= roundOff) {
						return false
					}
				}
			}
			return true
		}
		done[k] = true
		for i := range n {
			if done[i] {
				continue
			}
			f := r[i][k] / pivot
			for j := range n {
				if !done[j] {
					r[i][j] -= f * r[k][j]
				}
			}
		}
	}
	return true
}
