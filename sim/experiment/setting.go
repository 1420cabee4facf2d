package experiment

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/planner"
)

// ErrPlan is wrapped by the errors about a plan.
var ErrPlan = errors.New("experiment: invalid plan")

// NoiseMatched is the convention for λ beside those of package planner: the
// variance that the observations truly have about f̂, σ_ζ² and the function's own
// variance where samples may have been taken. It is what a fit of λ would find,
// and known to an experiment alone.
const NoiseMatched planner.Noise = "matched"

// Noises lists the conventions for λ.
func Noises() []planner.Noise { return append([]planner.Noise{NoiseMatched}, planner.Noises()...) }

// Setting is what methods are compared under.
type Setting struct {
	Ratio float64 `json:"ratio"` // σ̂/σ_x
	Beta  string  `json:"beta"`  // exploration weight as ParseBeta reads it; empty for a method without
}

// Beta is an exploration weight: a number, or a share of a theorem's.
type Beta struct {
	Number  float64
	Theorem bool // Number times the theorem's
	Maximum bool // the theorem with the largest information gain
}

// ParseBeta reads "3", "theorem", "maximum", "0.1*theorem" or "0.1*maximum".
func ParseBeta(text string) (Beta, error) {
	b := Beta{Number: 1}
	factor, name, product := strings.Cut(text, "*")
	if !product {
		name = text
	}
	switch name {
	case "theorem", "maximum":
		b.Theorem, b.Maximum = true, name == "maximum"
		if !product {
			return b, nil
		}
	default:
		if factor = text; product {
			factor = ""
		}
	}
	number, err := strconv.ParseFloat(factor, 64)
	if err != nil || !(number >= 0) || math.IsInf(number, 1) {
		return Beta{}, fmt.Errorf("%w: β is %q, want a number ≥ 0, theorem, maximum, or one of them with a factor, such as 0.1*theorem", ErrPlan, text)
	}
	b.Number = number
	return b, nil
}

// isotropic returns σ²I in d dimensions.
func isotropic(d int, stdDev float64) *mat.SymDense {
	s := mat.NewSymDense(d, nil)
	for i := range d {
		s.SetSym(i, i, stdDev*stdDev)
	}
	return s
}
