package gp

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Small symmetric matrices (d×d, one to a belief) and their Cholesky factors are
// kept as the rows of their lower triangle, one after the other, d(d+1)/2
// numbers: entry (i, j), j ≤ i, is at packed(i, j).

// maxStackDim is the largest dimension for which short-lived small matrices live
// on the stack.
const (
	maxStackDim    = 6
	maxStackPacked = maxStackDim * (maxStackDim + 1) / 2
)

func packed(i, j int) int { return i*(i+1)/2 + j }

func packedLen(n int) int { return n * (n + 1) / 2 }

// packCov writes the lower triangle of s into dst; a nil s is zero.
func packCov(dst []float64, s *mat.SymDense) {
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

// diagonal reports whether the packed a has zeros off its diagonal, as points and
// beliefs with independent coordinates have.
func diagonal(a []float64, d int) bool {
	at := 1
	for i := 1; i < d; i++ {
		for _, v := range a[at : at+i] {
			if v != 0 {
				return false
			}
		}
		at += i + 1
	}
	return true
}

// choleskySmall overwrites the packed a with its Cholesky factor L, a = LLᵀ, and
// reports whether a is positive definite.
func choleskySmall(a []float64, d int) bool {
	for i := range d {
		row := a[packed(i, 0):]
		for j := range i + 1 {
			s := row[j]
			other := a[packed(j, 0):]
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

// forwardSmall overwrites t with L⁻¹t.
func forwardSmall(l, t []float64, d int) {
	for i := range d {
		row := l[packed(i, 0):]
		s := t[i]
		for k := range i {
			s -= row[k] * t[k]
		}
		t[i] = s / row[i]
	}
}

// backwardSmall overwrites t with L⁻ᵀt.
func backwardSmall(l, t []float64, d int) {
	for i := d - 1; i >= 0; i-- {
		s := t[i]
		for k := i + 1; k < d; k++ {
			s -= l[packed(k, i)] * t[k]
		}
		t[i] = s / l[packed(i, i)]
	}
}
