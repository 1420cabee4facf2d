package paper

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/planner"
)

// The transform is exact for polynomials up to the third degree: means and
// covariances come out as they went in, third moments as zero.
func TestUnscentedMoments(t *testing.T) {
	for _, kappa := range []float64{0, 1, 2.5} {
		for _, cov := range []*mat.SymDense{
			mat.NewSymDense(3, []float64{2, 0.3, -0.4, 0.3, 1, 0.2, -0.4, 0.2, 0.5}),
			mat.NewSymDense(3, []float64{1, 1, 0, 1, 1, 0, 0, 0, 0}), // singular
		} {
			u, err := NewUnscented(3, cov, kappa)
			if err != nil {
				t.Fatal(err)
			}
			total := 0.0
			var first [3]float64
			var second [3][3]float64
			third := 0.0
			for i, w := range u.weights {
				d := u.offsets.RawRowView(i)
				total += w
				third += w * d[0] * d[1] * d[2]
				for a := range d {
					first[a] += w * d[a]
					for b := range d {
						second[a][b] += w * d[a] * d[b]
					}
				}
			}
			if math.Abs(total-1) > 1e-12 || math.Abs(third) > 1e-12 {
				t.Errorf("κ = %g: weights add up to %g, third moment %g", kappa, total, third)
			}
			for a := range first {
				if math.Abs(first[a]) > 1e-12 {
					t.Errorf("κ = %g: mean %v", kappa, first)
				}
				for b := range first {
					if math.Abs(second[a][b]-cov.At(a, b)) > 1e-12 {
						t.Errorf("κ = %g: covariance %v, want %v", kappa, second, mat.Formatted(cov))
					}
				}
			}
		}
	}
}

func TestUnscentedErrors(t *testing.T) {
	for name, tt := range map[string]struct {
		cov   *mat.SymDense
		kappa float64
	}{
		"kappa":      {nil, -2},
		"NaN":        {nil, math.NaN()},
		"covariance": {mat.NewSymDense(2, []float64{1, 2, 2, 1}), 1},
		"size":       {mat.NewSymDense(1, []float64{1}), 1},
	} {
		if _, err := NewUnscented(2, tt.cov, tt.kappa); !errors.Is(err, planner.ErrStrategy) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
