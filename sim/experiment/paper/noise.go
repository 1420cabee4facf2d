package paper

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
)

// Noise is a convention for λ, the noise variance of the model. The paper leaves λ open
// ("simply a parameter"), and results depend on it strongly.
type Noise string

const (
	NoiseReading   Noise = "reading"   // σ_ζ²: the reading's alone
	NoisePrior     Noise = "prior"     // σ_ζ² + σ_f² - k̂(P, P): the reading's plus the variance of f that the model expects within P, where the sample was taken
	NoiseTheorem   Noise = "theorem"   // σ_ν² = σ_ζ² + σ_F², the bound of Proposition thr:subg for Gaussian P
	NoiseBounded   Noise = "bounded"   // the same for a P that ends at two standard deviations
	NoiseChowdhury Noise = "chowdhury" // 1 + 2/n in units of σ_f², as Theorem 3 of Chowdhury and Gopalan has it
)

// Noises lists the conventions.
func Noises() []Noise {
	return []Noise{NoiseReading, NoisePrior, NoiseTheorem, NoiseBounded, NoiseChowdhury}
}

// NoiseConfig is what the conventions are computed from.
type NoiseConfig struct {
	Reading float64 // σ_ζ², squared unit of the values
	Norm    float64 // ‖f‖_k, a pure number
	Total   int     // n, number of observations of the whole run
}

// Variance returns λ for an observation whose true place differs from the place in the
// model by N(0, off). A nil off is certainty. The error wraps [planner.ErrStrategy].
func (n Noise) Variance(k gp.Kernel, off *mat.SymDense, c NoiseConfig) (float64, error) {
	switch n {
	case NoiseReading:
		return c.Reading, nil
	case NoisePrior:
		return c.Reading + k.Spread(gp.Belief{Mean: make([]float64, len(k.LengthScales)), Cov: off}), nil
	case NoiseTheorem:
		s := ExecutionStdDev(c.Norm, k, off)
		return c.Reading + s*s, nil
	case NoiseBounded:
		if off == nil {
			return c.Reading, nil
		}
		widths := make([]float64, len(k.LengthScales))
		for i := range widths {
			widths[i] = 4 * math.Sqrt(off.At(i, i))
		}
		s := boundedExecutionStdDev(c.Norm, k, widths)
		return c.Reading + s*s, nil
	case NoiseChowdhury:
		return k.Variance * (1 + 2/float64(c.Total)), nil
	}
	return 0, fmt.Errorf("%w: there is no noise convention %q, want one of %v", planner.ErrStrategy, string(n), Noises())
}
