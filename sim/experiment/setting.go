package experiment

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/sim/experiment/paper"
)

// ErrPlan is wrapped by the errors about a plan.
var ErrPlan = errors.New("experiment: invalid plan")

// noiseMatched is a convention for λ that only an experiment can follow: the true variance
// of the observations about f̂, which is σ_ζ² plus the variance of the function where a
// sample may have been taken. A fit of λ would find it.
const noiseMatched paper.Noise = "matched"

// noises lists the conventions for λ.
func noises() []paper.Noise { return append([]paper.Noise{noiseMatched}, paper.Noises()...) }

// Setting is a setting under which methods are compared.
type Setting struct {
	Ratio float64 `json:"ratio"` // σ̂/σ_x
	Beta  string  `json:"beta"`  // exploration weight as ParseBeta reads it; empty for a method without
}

// weight is an exploration weight: a number, or a share of a theorem's.
type weight struct {
	Number  float64
	Theorem bool // Number times the theorem's
	Maximum bool // the theorem with the largest information gain
}

// parseBeta reads "3", "theorem", "maximum", "0.1*theorem" or "0.1*maximum".
func parseBeta(text string) (weight, error) {
	b := weight{Number: 1}
	factor := text
	for _, name := range []string{"theorem", "maximum"} {
		if before, found := strings.CutSuffix("*"+text, "*"+name); found {
			b.Theorem, b.Maximum = true, name == "maximum"
			factor = strings.TrimPrefix(before, "*")
			if before == "" {
				return b, nil
			}
		}
	}
	number, err := strconv.ParseFloat(factor, 64)
	if err != nil || !(number >= 0) || math.IsInf(number, 1) {
		return weight{}, fmt.Errorf("%w: β is %q, want a number ≥ 0, theorem, maximum, or one of them with a factor, such as 0.1*theorem", ErrPlan, text)
	}
	b.Number = number
	return b, nil
}

// atLeast returns an error, wrapping [ErrPlan], unless n is at least least.
func atLeast(name string, n, least int) error {
	if n < least {
		return fmt.Errorf("%w: %s is %d, want at least %d", ErrPlan, name, n, least)
	}
	return nil
}

// positive returns an error, wrapping [ErrPlan], unless x is a finite number > 0.
func positive(name string, x float64) error {
	if !(x > 0) || math.IsInf(x, 1) {
		return fmt.Errorf("%w: %s is %g, want a finite number > 0", ErrPlan, name, x)
	}
	return nil
}

// each returns an error, wrapping [ErrPlan], unless a list of things has at least one
// value, every value passes the check, and none is there twice.
func each[T comparable](thing string, list []T, check func(T) error) error {
	if len(list) == 0 {
		return fmt.Errorf("%w: there is no %s, want at least one", ErrPlan, thing)
	}
	for i, v := range list {
		switch err := check(v); {
		case errors.Is(err, ErrPlan):
			return err
		case err != nil:
			return fmt.Errorf("%w: the %s is %#v: %w", ErrPlan, thing, v, err)
		case slices.Contains(list[:i], v):
			return fmt.Errorf("%w: the %s %#v is there twice", ErrPlan, thing, v)
		}
	}
	return nil
}

// isotropic returns σ²I in d dimensions.
func isotropic(d int, stdDev float64) *mat.SymDense {
	s := mat.NewSymDense(d, nil)
	for i := range d {
		s.SetSym(i, i, stdDev*stdDev)
	}
	return s
}
