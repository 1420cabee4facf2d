// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package surface

import (
	"fmt"
	"math"
)

// Expectation computes E[f(x̃)] for x̃ ~ N(x, Σ) with one Σ and many x: the value
// that a robot sent to x measures on average when Σ is the covariance of the places
// where it arrives.
//
// The rule is the trapezoidal one on the principal axes of Σ, over ± 6 standard
// deviations (2e-9 of the mass per axis lies outside). The nodes are at most half a
// standard deviation and at most a quarter of the field's resolution apart. For smooth f
// the rule is exact except for the tails: the error of the
// trapezoidal rule against a normal density of standard deviation s with nodes
// h apart is about 2·exp(−2π²s²/h²), e^-79 at h = s/2.
//
// Fields on a grid are not smooth: they have a kink at every edge of a cell. A
// Gauss–Hermite rule puts its nodes several cells apart as soon as Σ is wider
// than a cell. It then uses a sample of the cells, and a higher order uses another
// sample, so that even its error cannot be estimated. Here every cell within the extent
// has at least 16 nodes in it.
//
// An Expectation is safe for concurrent use.
type Expectation struct {
	dx, dy []float64 // positions of the nodes relative to x, m
	weight []float64 // sums to 1
}

// The extent of the exact rule and of the one that screens candidates, in
// standard deviations.
const (
	exactExtent  = 6
	screenExtent = 3
)

// maxRule is the largest number of nodes of a rule.
const maxRule = 1 << 22

// NewExpectation returns the rule for covariance cov in m², which may be
// singular or zero, and a field of the given Resolution in metres.
func NewExpectation(cov [2][2]float64, resolution float64) (*Expectation, error) {
	return newExpectation(cov, exactExtent, 0.5, resolution/4)
}

// newExpectation returns a rule over ± extent standard deviations with nodes at
// most fraction standard deviations and at most widest metres apart.
func newExpectation(cov [2][2]float64, extent, fraction, widest float64) (*Expectation, error) {
	major, minor, angle, err := principalAxes(cov)
	if err != nil {
		return nil, err
	}
	if !(widest > 0) {
		return nil, fmt.Errorf("surface: field resolution must be positive")
	}
	u, wu, err := normalRule(major, extent, fraction, widest)
	if err != nil {
		return nil, err
	}
	v, wv, err := normalRule(minor, extent, fraction, widest)
	if err != nil {
		return nil, err
	}
	if n := len(u) * len(v); n > maxRule {
		return nil, fmt.Errorf("surface: expectation over standard deviations of %v and %v m of a field with resolution %v m takes %d nodes, at most %d are allowed", major, minor, 4*widest, n, maxRule)
	}
	e := &Expectation{}
	s, c := math.Sincos(angle)
	for j := range v {
		for i := range u {
			e.dx = append(e.dx, c*u[i]-s*v[j])
			e.dy = append(e.dy, s*u[i]+c*v[j])
			e.weight = append(e.weight, wu[i]*wv[j])
		}
	}
	return e, nil
}

// principalAxes returns the standard deviations along the axes of cov, the
// larger one first, and the angle of the first one from x.
func principalAxes(cov [2][2]float64) (major, minor, angle float64, err error) {
	a, b, d := cov[0][0], (cov[0][1]+cov[1][0])/2, cov[1][1]
	mid, half := (a+d)/2, math.Hypot((a-d)/2, b)
	// Allow a billionth of the larger variance for rounding in a singular matrix.
	if !(mid+half <= math.MaxFloat64) || cov[0][1] != cov[1][0] || mid-half < -1e-9*(mid+half) || mid < 0 {
		return 0, 0, 0, fmt.Errorf("surface: %v is not a covariance: must be finite, symmetric and without negative eigenvalues", cov)
	}
	return math.Sqrt(mid + half), math.Sqrt(max(mid-half, 0)), 0.5 * math.Atan2(2*b, a-d), nil
}

// normalRule returns nodes and weights of the trapezoidal rule against a normal
// density; a single node when the standard deviation is 0.
func normalRule(stdDev, extent, fraction, widest float64) (node, weight []float64, err error) {
	if stdDev == 0 {
		return []float64{0}, []float64{1}, nil
	}
	half := math.Ceil(extent * stdDev / min(fraction*stdDev, widest))
	if half > maxRule {
		return nil, nil, fmt.Errorf("surface: expectation over a standard deviation of %v m with nodes %v m apart takes too many nodes", stdDev, widest)
	}
	n := int(half)
	sum := 0.0
	for k := -n; k <= n; k++ {
		t := extent * float64(k) / half
		w := math.Exp(-t * t / 2)
		node, weight = append(node, stdDev*t), append(weight, w)
		sum += w
	}
	for k := range weight {
		weight[k] /= sum
	}
	return node, weight, nil
}

// At returns E[f(x̃)] at (x, y). It does not allocate.
func (e *Expectation) At(f Surface, x, y float64) float64 {
	sum := 0.0
	for k, w := range e.weight {
		sum += w * f(x+e.dx[k], y+e.dy[k])
	}
	return sum
}
