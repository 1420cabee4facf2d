package paper

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
)

// The conventions written out for σ_f² = 2, length-scales 3 and 1.5, Σ̂ = diag(0.3, 0.2).
func TestNoise(t *testing.T) {
	k := gp.Kernel{Variance: 2, LengthScales: []float64{3, 1.5}}
	off := mat.NewSymDense(2, []float64{0.3, 0, 0, 0.2})
	c := NoiseConfig{Reading: 0.01, Norm: 1.2, Total: 50}
	// Eq. k_use at equal beliefs: σ_f²/√|I + 2W⁻¹Σ|.
	spread := 2 - 2/math.Sqrt((1+2*0.3/9)*(1+2*0.2/2.25))
	gaussian := 1.2 * 1.2 * 2 * 0.5 / 2.25           // ‖f‖²σ_f² tr Σ/ℓ²
	bounded := 1.2 * 1.2 * 2 / 2.25 * (16 * 0.5) / 4 // ¼‖f‖²σ_f²/ℓ² Σ(4σ_i)²
	for noise, want := range map[Noise]float64{
		NoiseReading: 0.01, NoisePrior: 0.01 + spread, NoiseTheorem: 0.01 + gaussian,
		NoiseBounded: 0.01 + bounded, NoiseChowdhury: 2 * (1 + 2.0/50),
	} {
		if got, err := noise.Variance(k, off, c); err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %g, want %g: %v", noise, got, want, err)
		}
		certain := 0.01
		if noise == NoiseChowdhury {
			certain = want
		}
		if got, err := noise.Variance(k, nil, c); err != nil || math.Abs(got-certain) > 1e-12 {
			t.Errorf("%s under certainty: %g, want %g: %v", noise, got, certain, err)
		}
	}
	if len(Noises()) != 5 {
		t.Errorf("%v", Noises())
	}
	if _, err := Noise("pink").Variance(k, off, c); !errors.Is(err, planner.ErrStrategy) || !strings.Contains(err.Error(), "pink") {
		t.Errorf("%v", err)
	}
}
