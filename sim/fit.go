package sim

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/optimize"
)

// minLags is the smallest number of classes for fitting a variogram of three parameters:
// one more than there are parameters.
const minLags = 4

// FitVariogram fits a variogram of the given model to an empirical one by least squares, each class
// weighted by its number of pairs, with the nugget and the structured variance not negative.
//
// For a given range the two variances are a linear least-squares problem, so
// only the range is searched: by a scan between a quarter of the shortest
// and four times the longest lag, refined by the simplex method.
func FitVariogram(lags []Lag, model Model) (Variogram, error) {
	if len(lags) < minLags {
		return Variogram{}, fmt.Errorf("sim: %d lags are too few to fit a variogram; want at least %d", len(lags), minLags)
	}
	shortest, longest := math.Inf(1), 0.0
	for i, l := range lags {
		if !(l.Distance > 0) || !(l.Semivariance >= 0) || !finite(l.Distance, l.Semivariance) || l.Pairs < 1 {
			return Variogram{}, fmt.Errorf("sim: lag %d is %+v: distance and pairs must be positive, the semivariance not negative, all finite", i, l)
		}
		shortest, longest = min(shortest, l.Distance), max(longest, l.Distance)
	}
	shape := Variogram{Model: model, Range: 1}
	if err := shape.Validate(); err != nil {
		return Variogram{}, err
	}
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
			return Variogram{}, fmt.Errorf("sim: fit of a %v variogram: %w", model, err)
		}
		best = min(max(r.X[0], lo), hi)
	}
	shape.Range = math.Exp(best)
	v, _ := fitVariances(shape, lags)
	if v.Sill() == 0 {
		return Variogram{}, fmt.Errorf("sim: no variogram can be fitted: all values are the same")
	}
	return v, nil
}

// fitVariances returns v with the nugget and the structured variance that fit
// the lags best at v's range, and the weighted sum of squares that remains.
func fitVariances(v Variogram, lags []Lag) (Variogram, float64) {
	// Normal equations of γ = c₀ + c·g with g = 1 − ρ and weights w.
	var w, wg, wgg, wz, wgz float64
	for _, l := range lags {
		n, g := float64(l.Pairs), 1-v.Correlation(l.Distance)
		w += n
		wg += n * g
		wgg += n * g * g
		wz += n * l.Semivariance
		wgz += n * g * l.Semivariance
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
		sse += float64(l.Pairs) * square(v.Semivariance(l.Distance)-l.Semivariance)
	}
	return v, sse
}
