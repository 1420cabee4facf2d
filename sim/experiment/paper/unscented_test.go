package paper

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/sim/rig/must"
)

// The transform is exact for polynomials up to the third degree: means and
// covariances come out as they went in, third moments as zero.
func TestUnscentedMoments(t *testing.T) {
	for _, cov := range []*mat.SymDense{
		mat.NewSymDense(3, []float64{2, 0.3, -0.4, 0.3, 1, 0.2, -0.4, 0.2, 0.5}),
		mat.NewSymDense(3, []float64{1, 1, 0, 1, 1, 0, 0, 0, 0}), // singular
	} {
		u, err := NewUnscented(3, cov)
		must.OK(t, err)
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
			t.Errorf("weights add up to %g, third moment %g", total, third)
		}
		for a := range first {
			if math.Abs(first[a]) > 1e-12 {
				t.Errorf("mean %v", first)
			}
			for b := range first {
				if math.Abs(second[a][b]-cov.At(a, b)) > 1e-12 {
					t.Errorf("covariance %v, want %v", second, mat.Formatted(cov))
				}
			}
		}
	}
}
