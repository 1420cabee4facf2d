// Package packed holds lower triangles in one slice: row after row, d(d+1)/2 numbers
// for a d×d matrix, with entry (i, j), j ≤ i, at index At(i, j). A symmetric matrix,
// such as the covariance of a belief, is stored as its lower triangle, and so is a
// Cholesky factor. [Triangle] is one that grows by rows.
package packed

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// At returns the index of entry (i, j), j ≤ i.
func At(i, j int) int { return i*(i+1)/2 + j }

// Len returns the number of entries of an n×n triangle.
func Len(n int) int { return n * (n + 1) / 2 }

// Pack writes the lower triangle of s into dst; a nil s is zero.
func Pack(dst []float64, s *mat.SymDense) {
	if s == nil {
		clear(dst)
		return
	}
	k := 0
	for i := range s.SymmetricDim() {
		for j := range i + 1 {
			dst[k] = s.At(i, j)
			k++
		}
	}
}

// Cholesky overwrites the d×d matrix a with its Cholesky factor L, a = LLᵀ, and
// reports whether a is positive definite. If it is not, the contents of a are
// undefined.
func Cholesky(a []float64, d int) bool {
	for i := range d {
		row := a[At(i, 0):]
		for j := range i + 1 {
			s := row[j]
			other := a[At(j, 0):]
			for k := range j {
				s -= row[k] * other[k]
			}
			if j < i {
				row[j] = s / other[j]
				continue
			}
			if !(s > 0) {
				return false
			}
			row[i] = math.Sqrt(s)
		}
	}
	return true
}
