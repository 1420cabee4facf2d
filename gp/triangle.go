package gp

import (
	"math"

	"gonum.org/v1/gonum/floats"
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

// triangle is a lower-triangular n×n matrix that grows by rows: its rows one
// after the other in one slice, so that every solve runs along memory and adding
// a row copies nothing but that row (and all of it whenever the slice's capacity
// is used up, which is O(n) a row on average).
type triangle struct {
	n int
	a []float64
}

// row returns the entries left of the diagonal and the diagonal of row i.
func (l *triangle) row(i int) []float64 {
	o := packed(i, 0)
	return l.a[o : o+i+1 : o+i+1]
}

// grow appends a row: left of the diagonal v, which has n entries, then diag.
func (l *triangle) grow(v []float64, diag float64) {
	l.a = append(l.a, v...)
	l.a = append(l.a, diag)
	l.n++
}

func (l *triangle) truncate(n int) {
	l.n = n
	l.a = l.a[:packedLen(n)]
}

// forward overwrites z, which has at least n entries, with L⁻¹z.
func (l *triangle) forward(z []float64) { l.forwardRows(z, 0, l.n) }

// forwardRows does rows from ≤ i < to of the forward substitution; the rows
// before are done.
func (l *triangle) forwardRows(z []float64, from, to int) {
	for i := from; i < to; i++ {
		r := l.row(i)
		z[i] = (z[i] - floats.Dot(r[:i], z[:i])) / r[i]
	}
}

// backward overwrites z with L⁻ᵀz.
func (l *triangle) backward(z []float64) {
	for i := l.n - 1; i >= 0; i-- {
		r := l.row(i)
		z[i] /= r[i]
		floats.AddScaled(z[:i], -z[i], r[:i])
	}
}

// forwardBatch does rows from ≤ i < to of the forward substitution on several
// right-hand sides, each n long, that stand one after the other in z.
func (l *triangle) forwardBatch(z []float64, from, to int) {
	n := l.n
	for i := from; i < to; i++ {
		r := l.row(i)
		for o := 0; o < len(z); o += n {
			z[o+i] = (z[o+i] - floats.Dot(r[:i], z[o:o+i])) / r[i]
		}
	}
}
