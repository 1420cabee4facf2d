package gp

import "gonum.org/v1/gonum/floats"

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
