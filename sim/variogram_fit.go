// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/optimize"
)

// lag is one class of distances of an empirical variogram.
type lag struct {
	distance     float64 // mean distance of the pairs, m
	semivariance float64 // half their mean squared difference
	pairs        int
}

// empiricalVariogram returns the omnidirectional variogram of the data by
// Matheron's estimator
//
//	γ̂(h) = 1/(2·N(h)) · Σ (z(xᵢ) − z(xⱼ))²
//
// over the N(h) pairs in each class ((k−½)·width, (k+½)·width], k = 1, 2, …, as
// up to the last class whose centre is at most reach. Classes without a pair are left
// out. width and reach are in metres.
func empiricalVariogram(p *PointData, width, reach float64) []lag {
	lags := make([]lag, int(reach/width+1e-9)+1)
	for i, a := range p.XY {
		for j, b := range p.XY[:i] {
			h := math.Hypot(a[0]-b[0], a[1]-b[1])
			k := math.Ceil(h/width - 0.5)
			if k >= float64(len(lags)) {
				continue
			}
			l := &lags[int(max(k, 0))]
			l.distance += h
			l.semivariance += square(p.Values[i] - p.Values[j])
			l.pairs++
		}
	}
	out := lags[:0]
	for _, l := range lags[1:] {
		if n := float64(l.pairs); n > 0 {
			out = append(out, lag{l.distance / n, l.semivariance / (2 * n), l.pairs})
		}
	}
	return out
}

// minLags is the smallest number of classes for fitting a variogram of three parameters:
// one more than there are parameters.
const minLags = 4

// fitVariogram fits a variogram of a spherical model to an empirical one by least squares, each class
// weighted by its number of pairs, with the nugget and the structured variance not negative.
//
// For a given range the two variances are a linear least-squares problem, so
// only the range is searched: by a scan between a quarter of the shortest
// and four times the longest lag, refined by the simplex method.
func fitVariogram(lags []lag) (Variogram, error) {
	if len(lags) < minLags {
		return Variogram{}, fmt.Errorf("sim: %d lags are too few to fit a variogram; want at least %d: give more points", len(lags), minLags)
	}
	shortest, longest := math.Inf(1), 0.0
	for _, l := range lags {
		shortest, longest = min(shortest, l.distance), max(longest, l.distance)
	}
	var shape Variogram // spherical
	lo, hi := math.Log(shortest/4), math.Log(longest*4)
	misfit := func(logRange float64) float64 {
		v := shape
		v.Range = math.Exp(min(max(logRange, lo), hi))
		_, sse := fitVariances(v, lags)
		return sse
	}
	best, least := lo, math.Inf(1)
	const scan = 100
	for k := range scan + 1 {
		at := lo + (hi-lo)*float64(k)/scan
		if m := misfit(at); m < least {
			best, least = at, m
		}
	}
	if least > 0 {
		problem := optimize.Problem{Func: func(x []float64) float64 { return misfit(x[0]) / least }}
		settings := &optimize.Settings{
			// A ten-thousandth of the misfit is far below what the data can tell.
			Converger: &optimize.FunctionConverge{Absolute: 1e-10, Iterations: 50},
		}
		r, err := optimize.Minimize(problem, []float64{best}, settings, &optimize.NelderMead{SimplexSize: (hi - lo) / scan})
		if err != nil {
			return Variogram{}, fmt.Errorf("sim: fit of a variogram: %w", err)
		}
		best = min(max(r.X[0], lo), hi)
	}
	shape.Range = math.Exp(best)
	v, _ := fitVariances(shape, lags)
	if v.sill() == 0 {
		return Variogram{}, errors.New("sim: no variogram can be fitted: all values are the same")
	}
	return v, nil
}

// fitVariances returns v with the nugget and the structured variance that fit
// the lags best at v's range, and the weighted sum of squares that remains.
func fitVariances(v Variogram, lags []lag) (Variogram, float64) {
	// Normal equations of γ = c₀ + c·g with g = 1 − ρ and weights w.
	var w, wg, wgg, wz, wgz float64
	for _, l := range lags {
		n, g := float64(l.pairs), 1-v.correlationAt(l.distance)
		w += n
		wg += n * g
		wgg += n * g * g
		wz += n * l.semivariance
		wgz += n * g * l.semivariance
	}
	det := w*wgg - wg*wg
	v.Nugget, v.Structured = (wz*wgg-wgz*wg)/det, (w*wgz-wg*wz)/det
	// On the edge of the admissible quadrant one of them is zero and the other is the
	// solution of its own least-squares problem. When all g are equal (a range below
	// all lags), det is zero: the two cannot be distinguished, and all the variance
	// counts as nugget.
	switch {
	case !(det > 1e-12*w*wgg) || v.Structured < 0:
		v.Nugget, v.Structured = wz/w, 0
	case v.Nugget < 0:
		v.Nugget, v.Structured = 0, wgz/wgg
	}
	sse := 0.0
	for _, l := range lags {
		sse += float64(l.pairs) * square(v.semivariance(l.distance)-l.semivariance)
	}
	return v, sse
}
