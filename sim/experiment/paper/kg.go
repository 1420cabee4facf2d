package paper

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
)

// KG is the knowledge gradient over beliefs: the expected rise, by a sample with target x,
// of the posterior mean at the place that will be recommended after it,
//
//	KG(x) = E[max_j μ̂_{n+1}(P̂_j)] - max_j μ̂_n(P̂_j),  P̂_j = N(x_j, Σ̂)
//
// over given places x_j (Frazier, Powell and Dayanik, INFORMS J. Comput. 2009). The
// posterior means after a sample at P̂_x are a_j + b_j(x)·Z, where Z is a standard normal
// variable. So the expectation is that of the upper envelope of lines, which has a closed
// form, and so has its gradient. A line counts only where it is on top. It allocates at its
// first use, and when it screens more rows than before.
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

// Validate returns an error unless there are places and a finite noise variance ≥ 0.
func (k *KG) Validate() error {
	return (&acquire.Variance{Lookahead: k.Lookahead, Noise: k.Noise}).Validate()
}

// Value returns KG(x).
func (k *KG) Value(x []float64) float64 {
	v, _, _ := k.eval(x)
	return v
}

// eval returns KG(x) and the posterior mean and variance at x. It sets the lines and their
// envelope.
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

// ValueGrad returns KG(x) and writes its gradient with respect to x into dst. Line j
// contributes E[Z; j is on top] ∂b_j: the means a_j do not depend on x, and crossing lines
// are equal where they cross.
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

// farZ is a value that a standard normal variable does not exceed in practice: Φ(-9) is 1e-19.
const farZ = 9

// rise returns E[max_j a_j + b_j·Z] - max_j a_j. It is the sum of
// (b_{j+1} - b_j)·f(-|z_j|), f(z) = φ(z) + zΦ(z), over the crossings z_j of the envelope
// (Frazier et al., Eq. 14). No term is negative.
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

// from returns where the i-th line of the envelope begins, and for the index behind the
// last one where that ends.
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

const (
	// knowledgeBest is the number of places of the space that may be recommended after the
	// next sample: those with the highest upper confidence bounds with β = knowledgeBeta.
	knowledgeBest = 60
	knowledgeBeta = 2
)

// kgValuer is the knowledge gradient over the places with the highest upper confidence
// bounds.
type kgValuer struct {
	kg     KG
	chosen [knowledgeBest]gp.Candidate
}

func (v *kgValuer) Acquisition(c *planner.Case) (acquire.Acquisition, error) {
	top, err := c.Best(v.chosen[:], knowledgeBeta)
	if err != nil {
		return nil, err
	}
	x := mat.NewDense(len(top), c.Model.Dim(), nil)
	for i, t := range top {
		x.SetRow(i, c.Places.RawRowView(t.Row))
	}
	lookahead, err := c.Lookahead(x)
	v.kg.Lookahead, v.kg.Noise = lookahead, c.NextNoise()
	return &v.kg, err
}
