// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package acquire

import (
	"math"

	"ugp_explorer/internal/num"
	"ugp_explorer/planner/field"
)

// climb is projected gradient ascent with spectral step lengths, the monotone form of
// Birgin, Martínez and Raydan (SIAM J. Optim. 2000). The length of a step follows from the
// change of the gradient over the step before (Barzilai and Borwein). The step is
// projected onto the space and shortened until the value rises enough. Coordinates are
// measured in length-scales.
type climb struct {
	space  field.Space
	acq    *netValue
	filter *Filter
	scales []float64
	cfg    *SearchConfig

	x, grad          []float64
	trial, trialGrad []float64
	best             []float64
	value            float64 // at x
}

const (
	firstStep = 0.25 // length-scales
	longStep  = 1    // length-scales, longest step before projection
	armijo    = 1e-4 // smallest share of the predicted rise that a step must achieve
)

// run climbs from start, which may be chosen, and leaves the result in x and value.
func (c *climb) run(start []float64) {
	copy(c.x, start)
	c.value = c.acq.value(c.x)
	c.acq.grad(c.grad)
	slope := c.slope()
	step := firstStep / slope
	for n := 1; n < c.cfg.MaxEvaluations && slope > 0; n++ {
		step = min(step, longStep/slope)
		if step*slope < c.cfg.Tolerance {
			return
		}
		for i, l := range c.scales {
			c.trial[i] = c.x[i] + step*l*l*c.grad[i]
		}
		c.space.Project(c.trial, c.trial)
		moved2, promised := 0.0, 0.0
		for i, l := range c.scales {
			d := c.trial[i] - c.x[i]
			moved2 += d * d / (l * l)
			promised += d * c.grad[i]
		}
		if moved2 < c.cfg.Tolerance*c.cfg.Tolerance {
			return
		}
		if _, ok := c.filter.Pass(c.trial, false); !ok {
			step /= 2
			continue
		}
		v := c.acq.value(c.trial)
		if !(v > c.value) || v < c.value+armijo*promised {
			// The parabola through both values and this slope has its maximum at this share of the step.
			share := 0.5
			if fall := promised - (v - c.value); promised > 0 && fall > 0 {
				share = min(max(promised/(2*fall), 0.1), 0.5)
			}
			step *= share
			continue
		}
		c.acq.grad(c.trialGrad)
		turned := 0.0 // decrease of the gradient along the step
		for i := range c.x {
			turned -= (c.trial[i] - c.x[i]) * (c.trialGrad[i] - c.grad[i])
		}
		c.value = v
		c.x, c.trial = c.trial, c.x
		c.grad, c.trialGrad = c.trialGrad, c.grad
		slope = c.slope()
		if turned > 0 {
			step = moved2 / turned
		} else {
			step = longStep / slope
		}
	}
}

// slope returns the norm of the gradient in length-scales, 0 if it is not finite.
func (c *climb) slope() float64 {
	s := 0.0
	for i, l := range c.scales {
		s += c.grad[i] * c.grad[i] * l * l
	}
	if s = math.Sqrt(s); !num.Finite(s) {
		return 0
	}
	return s
}

// netValue is an acquisition less the cost of travel,
//
//	h(x) - w·ℓ(x)
//
// with ℓ(x) the length of the path to x. It allocates at its first value only.
type netValue struct {
	acq    Acquisition
	weight float64      // w ≥ 0, unit of the values per metre
	travel field.Travel // from the robot; not used if weight is 0

	dLength []float64
}

// value returns the net value at x.
func (a *netValue) value(x []float64) float64 {
	h := a.acq.Value(x)
	if a.weight != 0 {
		a.dLength = sized(a.dLength, len(x))
		h -= a.weight * a.travel.LengthGrad(a.dLength, x)
	}
	return h
}

// grad writes the gradient at the x of the last value into dst.
func (a *netValue) grad(dst []float64) {
	a.acq.Grad(dst)
	if a.weight != 0 {
		for i, g := range a.dLength {
			dst[i] -= a.weight * g
		}
	}
}
