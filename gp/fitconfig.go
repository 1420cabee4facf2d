package gp

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrFitConfig is wrapped by every error about a [FitConfig].
var ErrFitConfig = errors.New("gp: invalid fit configuration")

// Prior is a log-normal prior between hard bounds: the logarithm of the parameter
// is normal around log Median with deviation LogStdDev. The bounds are there for
// the arithmetic, not for belief: they keep K̂+Λ well-conditioned and exp finite.
// They are reached smoothly, and only in the limit, through a logistic map.
type Prior struct {
	Median, LogStdDev float64
	Min, Max          float64
}

// FitConfig says how [Fit] looks for hyper-parameters.
type FitConfig struct {
	// Kinds are the kernels to choose from: each is fitted, with the same priors, and
	// the one with the largest posterior taken, the earlier of equals. Empty: the
	// start's kind is kept.
	Kinds []Kind
	// Isotropic ties the length-scales of all dimensions together.
	Isotropic bool
	// LengthScales are the priors of the length-scales in the unit of the inputs:
	// one a dimension, or one for all of them. One if Isotropic.
	LengthScales []Prior
	// SignalVariance and NoiseVariance are relative to the scale of the values: 1
	// is the sample variance, or what that and GuessedVariance come to.
	SignalVariance, NoiseVariance Prior
	// GuessedVariance is what the variance of the values is thought to be before
	// there are any, in their squared unit; 0: there is no guess. The sample variance
	// of two to four values may by chance be next to nothing, and with it all that
	// is relative to it. So the guess counts beside it, as a log-normal prior of
	// deviation GuessLogStdDev (of the variance's logarithm) beside the χ²
	// likelihood of a sample variance with n-1 degrees of freedom: the scale is the
	// maximum of their product. A guess that is wrong by orders of magnitude is
	// outvoted by two values when it is too low, by some five when too high.
	GuessedVariance, GuessLogStdDev float64
	// Likelihood has Fit maximise the likelihood alone: the priors then bound the
	// parameters and spread the starts, and count no further.
	Likelihood bool
	// Starts is the number of starting points, ≥ 1: the given one, the prior
	// medians, and then quasi-random ones around both in turn.
	Starts int
	// MaxEvaluations bounds the likelihood's evaluations from each start, ≥ 1.
	MaxEvaluations int
	// MaxObservations bounds how many observations are fitted to, ≥ 2, as an
	// evaluation takes time with the cube of their number. Of more a random choice is
	// taken: pairs of neighbours in order, an equal share of every part of the order, so
	// that the distances between them are long and short.
	MaxObservations int
}

// DefaultFitConfig returns the defaults for length-scales whose prior medians are
// given, one for all dimensions or one for each, in the unit of the inputs. A
// fifth of the field's side is a good median when nothing is known.
//
// The length-scales are within a factor of e² of the medians with probability
// 0.95, and so is the signal variance of the sample variance; the noise variance
// is around a tenth of it, within a factor of e³. This is weak beside 20
// observations but keeps 3 from choosing a field of pure noise or of none. The
// noise is at least 1e-6 and the signal at most 100 of the sample variance, which
// bounds the condition number of K̂+Λ by 1e8·n. There is no guess of the values'
// variance; one that is set counts as right within a factor of e⁶, which is 20 in
// the deviation, with probability 0.95.
func DefaultFitConfig(lengthScales ...float64) FitConfig {
	c := FitConfig{
		SignalVariance:  Prior{Median: 1, LogStdDev: 1, Min: 1e-3, Max: 100},
		NoiseVariance:   Prior{Median: 0.1, LogStdDev: 1.5, Min: 1e-6, Max: 10},
		GuessLogStdDev:  3,
		Starts:          6,
		MaxEvaluations:  100,
		MaxObservations: 300,
	}
	for _, l := range lengthScales {
		c.LengthScales = append(c.LengthScales, Prior{Median: l, LogStdDev: 1, Min: l / 100, Max: 100 * l})
	}
	return c
}

// Validate returns an error, wrapping [ErrFitConfig], that names the first field
// out of its range in dim dimensions and its value.
func (c FitConfig) Validate(dim int) error {
	for i, k := range c.Kinds {
		if !slices.Contains(Kinds(), k) {
			return fmt.Errorf("%w: Kinds[%d] is %v, want one of %v", ErrFitConfig, i, k, Kinds())
		}
	}
	switch n := len(c.LengthScales); {
	case c.Isotropic && n != 1:
		return fmt.Errorf("%w: LengthScales has %d priors, want 1 as Isotropic is set", ErrFitConfig, n)
	case n != 1 && n != dim:
		return fmt.Errorf("%w: LengthScales has %d priors, want 1 or %d", ErrFitConfig, n, dim)
	}
	for i, p := range c.LengthScales {
		if err := p.validate(fmt.Sprintf("LengthScales[%d]", i)); err != nil {
			return err
		}
	}
	if err := c.SignalVariance.validate("SignalVariance"); err != nil {
		return err
	}
	if err := c.NoiseVariance.validate("NoiseVariance"); err != nil {
		return err
	}
	if !finite(c.GuessedVariance) || c.GuessedVariance < 0 {
		return fmt.Errorf("%w: GuessedVariance is %g, want a finite number ≥ 0", ErrFitConfig, c.GuessedVariance)
	}
	if c.GuessedVariance > 0 && !(finite(c.GuessLogStdDev) && c.GuessLogStdDev > 0) {
		return fmt.Errorf("%w: GuessLogStdDev is %g, want a finite number > 0", ErrFitConfig, c.GuessLogStdDev)
	}
	if c.Starts < 1 {
		return fmt.Errorf("%w: Starts is %d, want at least 1", ErrFitConfig, c.Starts)
	}
	if c.MaxEvaluations < 1 {
		return fmt.Errorf("%w: MaxEvaluations is %d, want at least 1", ErrFitConfig, c.MaxEvaluations)
	}
	if c.MaxObservations < 2 {
		return fmt.Errorf("%w: MaxObservations is %d, want at least 2", ErrFitConfig, c.MaxObservations)
	}
	return nil
}

func (p Prior) validate(name string) error {
	if !finite(p.LogStdDev) || p.LogStdDev <= 0 {
		return fmt.Errorf("%w: %s.LogStdDev is %g, want a finite number > 0", ErrFitConfig, name, p.LogStdDev)
	}
	if !finite(p.Min) || p.Min <= 0 {
		return fmt.Errorf("%w: %s.Min is %g, want a finite number > 0", ErrFitConfig, name, p.Min)
	}
	if !finite(p.Max) || p.Max <= p.Min {
		return fmt.Errorf("%w: %s.Max is %g, want a finite number > Min, %g", ErrFitConfig, name, p.Max, p.Min)
	}
	if !(p.Median > p.Min && p.Median < p.Max) {
		return fmt.Errorf("%w: %s.Median is %g, want a number between Min, %g, and Max, %g", ErrFitConfig, name, p.Median, p.Min, p.Max)
	}
	return nil
}

// logDensity returns the prior's log density at the log parameter v, without
// regard to the bounds, and its derivative.
func (p Prior) logDensity(v float64) (f, df float64) {
	r := (v - math.Log(p.Median)) / p.LogStdDev
	return -0.5*r*r - math.Log(p.LogStdDev*math.Sqrt(2*math.Pi)), -r / p.LogStdDev
}

// bounded maps t in ℝ to a log parameter between the bounds, and gives the
// derivative: v = lo + (hi - lo)/(1 + exp(-t)).
func (p Prior) bounded(t float64) (v, dv float64) {
	lo, hi := math.Log(p.Min), math.Log(p.Max)
	s := 1 / (1 + math.Exp(-t))
	return lo + (hi-lo)*s, (hi - lo) * s * (1 - s)
}

// unbounded is the inverse of bounded. A v on or beyond a bound is first pulled a
// hundredth of the range inside, where the map still has a slope to leave by.
func (p Prior) unbounded(v float64) float64 {
	lo, hi := math.Log(p.Min), math.Log(p.Max)
	s := min(max((v-lo)/(hi-lo), 0.01), 0.99)
	return math.Log(s / (1 - s))
}
