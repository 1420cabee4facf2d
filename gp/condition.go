package gp

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// maxCondition is the condition number past which an observation is refused. The
// posterior's relative error is about the condition times 2e-16, so at 1e12 four
// digits are left.
const maxCondition = 1e12

// IllConditionedError says that an observation would make the covariance matrix
// K̂+Λ of the observations so nearly singular that the posterior is noise: as a
// rule because it repeats an earlier one, or the data are dense beside the
// length-scale, and next to no noise is modelled. A larger noise variance cures
// it.
type IllConditionedError struct {
	Index         int     // the observation's index, had it been added
	Pivot         float64 // its variance given all earlier ones plus its noise: the new pivot, squared unit of the values
	Variance      float64 // its prior variance, same unit
	NoiseVariance float64 // its noise variance in total, same unit
	Condition     float64 // estimate of the matrix's condition number; +Inf when the pivot isn't positive
	MaxCondition  float64 // what is allowed
	Nearest       int     // the earlier observation most correlated with it, -1 when there is none
	Correlation   float64 // the prior correlation with Nearest
}

func (e *IllConditionedError) Error() string {
	return fmt.Sprintf("gp: observation %d makes the covariance ill-conditioned: condition %.3g, at most %.3g allowed; "+
		"pivot %.3g beside prior variance %.3g and noise variance %.3g; most like observation %d (correlation %.9g)",
		e.Index, e.Condition, e.MaxCondition, e.Pivot, e.Variance, e.NoiseVariance, e.Nearest, e.Correlation)
}

// conditioner estimates the condition number of the growing matrix A = LLᵀ in
// O(n) an observation. The largest eigenvalue is bounded by the largest row sum,
// all entries being positive. The smallest is estimated as Bischof (1990,
// "Incremental condition estimation", SIAM J. Matrix Anal. Appl. 11) does: it
// keeps y = L⁻¹w for one unit vector w, chosen anew with each row among all
// combinations of the old w and the new coordinate so that |y| is largest;
// 1/|y|² is then an upper bound of the smallest eigenvalue, and close to it.
type conditioner struct {
	row    []float64 // workspace
	rowSum []float64
	max    float64 // largest row sum
	y      []float64
	norm2  float64 // |y|²
}

// step is what a further row would change.
type step struct {
	k         []float64 // row of A, valid until the next prepare
	diag, max float64
	s, last   float64 // y becomes (s·y, last)
	norm2     float64
}

// prepare takes the new row of A, k left of the diagonal, before it is solved for.
func (c *conditioner) prepare(k []float64, diag float64) step {
	c.rowSum = append(c.rowSum[:len(k)], 0)
	t := step{diag: diag, max: c.max}
	sum := diag
	for i, v := range k {
		t.max = max(t.max, c.rowSum[i]+v)
		sum += v
	}
	t.max = max(t.max, sum)
	c.row = append(c.row[:0], k...)
	t.k = c.row
	return t
}

// estimate returns the condition number that A would have with the new row of L,
// v left of the diagonal and √pivot on it; +Inf unless the pivot is positive.
func (c *conditioner) estimate(t *step, v []float64, pivot float64) float64 {
	if !(pivot > 0) {
		return math.Inf(1)
	}
	// w' = (s·w, e) with s²+e² = 1 gives y' = (s·y, (e - s·vᵀy)/γ), γ² the pivot.
	a := floats.Dot(v, c.y)
	// |y'|² = (s,e) Q (s,e)ᵀ; the largest eigenvalue of Q and its vector.
	q11, q12, q22 := c.norm2+a*a/pivot, -a/pivot, 1/pivot
	half := (q11 - q22) / 2
	r := math.Hypot(half, q12)
	t.norm2 = (q11+q22)/2 + r
	// Of the two forms of the eigenvector, the one without cancellation.
	s, e := q12, r-half
	if half > 0 {
		s, e = r+half, q12
	}
	if l := math.Hypot(s, e); l > 0 {
		s, e = s/l, e/l
	} else {
		s, e = 0, 1
	}
	t.s, t.last = s, (e-s*a)/math.Sqrt(pivot)
	return t.max * t.norm2
}

// commit takes the row in.
func (c *conditioner) commit(t *step) {
	n := len(t.k)
	sum := t.diag
	for i, v := range t.k {
		c.rowSum[i] += v
		sum += v
	}
	c.rowSum[n] = sum
	c.max = t.max
	floats.Scale(t.s, c.y)
	c.y = append(c.y, t.last)
	c.norm2 = t.norm2
}

func (c *conditioner) condition() float64 {
	if len(c.y) == 0 {
		return 1
	}
	return c.max * c.norm2
}

func (c *conditioner) clone() conditioner {
	d := *c
	d.row = nil
	d.rowSum = append([]float64(nil), c.rowSum...)
	d.y = append([]float64(nil), c.y...)
	return d
}
