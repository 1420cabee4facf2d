package paper

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/acquire"
)

// KG is the knowledge gradient over beliefs: by how much a sample with target x is
// expected to raise the mean of the place that will be recommended after it,
//
//	KG(x) = E[max_j μ̂_{n+1}(P̂_j)] - max_j μ̂_n(P̂_j),  P̂_j = N(x_j, Σ̂)
//
// over places x_j that are given (Frazier, Powell and Dayanik, INFORMS J. Comput.
// 2009). The posterior means after a sample at P̂_x are a_j + b_j(x)·Z with Z a standard
// normal variable, so that the expectation is one of the upper envelope of lines,
// which is known in closed form, and so is its gradient. A line counts only where it
// is on top. It allocates at its first use, and when it screens more rows than before.
type KG struct {
	Lookahead *gp.Lookahead // with the places set
	Noise     float64       // ≥ 0, noise variance of the next observation about f̂(P̂_x), squared unit of the values

	b, weight []float64
	envelope  envelope
	sum, dVar []float64
	rows      acquire.Exhaustive
}

var _ acquire.Acquisition = (*KG)(nil)

// Dim returns the dimension of the queries.
func (k *KG) Dim() int { return k.Lookahead.Dim() }

// Validate wants places and a finite noise variance ≥ 0.
func (k *KG) Validate() error {
	return (&acquire.Variance{Lookahead: k.Lookahead, Noise: k.Noise}).Validate()
}

// Value returns KG(x).
func (k *KG) Value(x []float64) float64 {
	v, _, _ := k.eval(x)
	return v
}

// eval returns KG(x) and the posterior mean and variance at x, and leaves the lines
// and their envelope.
func (k *KG) eval(x []float64) (value, mean, variance float64) {
	means := k.Lookahead.Means()
	k.b = slices.Grow(k.b[:0], len(means))[:len(means)]
	mean, variance = k.Lookahead.Covariances(k.b, x)
	deviation := math.Sqrt(variance + k.Noise)
	if deviation == 0 { // nothing can be learnt here
		k.envelope.line = k.envelope.line[:0]
		return 0, mean, variance
	}
	for j := range k.b {
		k.b[j] /= deviation
	}
	return k.envelope.rise(means, k.b), mean, variance
}

// ValueGrad returns KG(x) and writes its gradient with respect to x into dst. The
// share of line j is E[Z; j is on top] ∂b_j: the means do not change with x, and where
// two lines cross they are equal.
func (k *KG) ValueGrad(dst, x []float64) float64 {
	k.weight, k.sum, k.dVar = slices.Grow(k.weight[:0], len(k.Lookahead.Means()))[:len(k.Lookahead.Means())], slices.Grow(k.sum[:0], len(x))[:len(x)], slices.Grow(k.dVar[:0], len(x))[:len(x)]
	value, _, variance := k.eval(x)
	clear(dst)
	if len(k.envelope.line) < 2 {
		return value
	}
	deviation := math.Sqrt(variance + k.Noise)
	clear(k.weight)
	slope := 0.0 // Σ E[Z; j] b_j
	for i, j := range k.envelope.line {
		w := normalDensity(k.envelope.from(i)) - normalDensity(k.envelope.from(i+1))
		k.weight[j] = w
		slope += w * k.b[j]
	}
	k.Lookahead.Gradients(k.sum, k.dVar, k.weight, x)
	for i := range dst {
		dst[i] = k.sum[i] / deviation
		if variance > 0 {
			dst[i] -= slope * k.dVar[i] / (2 * deviation * deviation) // b = c/s, ∂s = ∂s²/2s
		}
	}
	return value
}

// Values writes KG at every row.
func (k *KG) Values(dst []float64, x *mat.Dense) { k.rows.Values(dst, x, k.eval) }

// Top computes the value at every row.
func (k *KG) Top(dst []gp.Candidate, x *mat.Dense, penalty []float64) []gp.Candidate {
	return k.rows.Top(dst, x, penalty, k.eval)
}

// envelope is the upper envelope of lines a_j + b_j·z.
type envelope struct {
	order []int
	line  []int     // on top, from left to right
	at    []float64 // where line i+1 takes over from line i
}

// farZ is beyond what a standard normal variable comes to: Φ(-9) is 1e-19.
const farZ = 9

// rise returns E[max_j a_j + b_j·Z] - max_j a_j, as the sum of
// (b_{j+1} - b_j)·f(-|z_j|), f(z) = φ(z) + zΦ(z), over the crossings of the envelope,
// none of whose terms is negative (Frazier et al., Eq. 14).
func (e *envelope) rise(a, b []float64) float64 {
	best := 0
	for j := range a {
		if a[j] > a[best] {
			best = j
		}
	}
	e.order = e.order[:0]
	for j := range a {
		if j == best || a[j]+farZ*math.Abs(b[j]-b[best]) > a[best] {
			e.order = append(e.order, j)
		}
	}
	slices.SortFunc(e.order, func(i, j int) int {
		return cmp.Or(cmp.Compare(b[i], b[j]), cmp.Compare(a[i], a[j]), i-j)
	})
	e.line, e.at = e.line[:0], e.at[:0]
	for _, j := range e.order {
		for len(e.line) > 0 {
			last := e.line[len(e.line)-1]
			if b[j] == b[last] { // parallel and not below
				e.pop()
				continue
			}
			z := (a[last] - a[j]) / (b[j] - b[last])
			if len(e.at) > 0 && z <= e.at[len(e.at)-1] {
				e.pop()
				continue
			}
			e.at = append(e.at, z)
			break
		}
		e.line = append(e.line, j)
	}
	sum := 0.0
	for i, z := range e.at {
		z = -math.Abs(z)
		sum += (b[e.line[i+1]] - b[e.line[i]]) * max(normalDensity(z)+z*0.5*math.Erfc(-z/math.Sqrt2), 0)
	}
	return sum
}

func (e *envelope) pop() {
	e.line = e.line[:len(e.line)-1]
	if len(e.at) > 0 {
		e.at = e.at[:len(e.at)-1]
	}
}

// from returns where the i-th line on top begins to be so; the one after the last,
// where that ends.
func (e *envelope) from(i int) float64 {
	switch {
	case i == 0:
		return math.Inf(-1)
	case i > len(e.at):
		return math.Inf(1)
	}
	return e.at[i-1]
}

func normalDensity(z float64) float64 { return math.Exp(-0.5*z*z) / math.Sqrt(2*math.Pi) }
