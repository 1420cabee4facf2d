package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp/internal/packed"
	"ugp_explorer/sim/rig/gptest"
)

// randomMean returns a mean with coordinates between -3 and 3.
func randomMean(rng *rand.Rand, d int) []float64 {
	x := make([]float64, d)
	for i := range x {
		x[i] = 3 * (2*rng.Float64() - 1)
	}
	return x
}

// randomCov returns a covariance: full or singular, diagonal above two dimensions, or nil.
func randomCov(rng *rand.Rand, d int) *mat.SymDense {
	rank := rng.IntN(d + 2)
	if rank == 0 {
		return nil
	}
	a := mat.NewDense(d, min(rank, d), nil)
	a.Apply(func(_, _ int, _ float64) float64 { return 0.8 * (2*rng.Float64() - 1) }, a)
	var s mat.SymDense
	s.SymOuterK(1, a)
	for i := range d {
		for j := 0; j < i && d > 2; j++ {
			s.SetSym(i, j, 0)
		}
	}
	return &s
}

// naive is the mixture of Eq. k_use for σ_f = 1, with explicit inverse and
// determinant.
func naive(mix Mixture, lengthScales, x, y []float64, covX, covY *mat.SymDense) float64 {
	d := len(lengthScales)
	total := 0.0
	for _, c := range mix {
		a, m := mat.NewDense(d, d, nil), mat.NewDense(d, d, nil) // W+Σ+Σ', I+W⁻¹(Σ+Σ')
		for _, cov := range []*mat.SymDense{covX, covY} {
			if cov != nil {
				a.Add(a, cov)
			}
		}
		delta := mat.NewVecDense(d, nil)
		for i, l := range lengthScales {
			w := l * l * c.Scale * c.Scale
			for j := range d {
				m.Set(i, j, a.At(i, j)/w)
			}
			m.Set(i, i, m.At(i, i)+1)
			delta.SetVec(i, x[i]-y[i])
		}
		for i, l := range lengthScales {
			a.Set(i, i, a.At(i, i)+l*l*c.Scale*c.Scale)
		}
		var inv mat.Dense
		if err := inv.Inverse(a); err != nil {
			panic(err)
		}
		total += c.Weight * math.Exp(-0.5*mat.Inner(delta, &inv, delta)) / math.Sqrt(mat.Det(m))
	}
	return total
}

// TestUnit: values are those of the equation, and derivatives those of finite differences.
func TestUnit(t *testing.T) {
	rng := gptest.Rand(5)
	for d := 1; d <= 7; d++ { // in seven nothing is on the stack
		for range 40 {
			mix := Mixtures[rng.IntN(len(Mixtures))]
			lengthScales := make([]float64, d)
			for a := range lengthScales {
				lengthScales[a] = 0.6 + 1.5*rng.Float64()
			}
			k := NewUnit(mix, lengthScales)
			x, y := randomMean(rng, d), randomMean(rng, d)
			covX, covY := randomCov(rng, d), randomCov(rng, d)
			sx, sy := make([]float64, packed.Len(d)), make([]float64, packed.Len(d))
			packed.Pack(sx, covX)
			packed.Pack(sy, covY)
			grad := make([]float64, d)
			v := Cov(mix, lengthScales, x, y, covX, covY)
			gptest.Near(t, "Cov", v, naive(mix, lengthScales, x, y, covX, covY), 1e-12)
			gptest.Near(t, "Eval", k.Eval(x, y, sx, sy), v, 1e-14)
			gptest.Near(t, "EvalGrad", k.EvalGrad(grad, x, y, sx, sy, make([]float64, d)), v, 1e-14)
			logL := make([]float64, d)
			for i, l := range lengthScales {
				logL[i] = math.Log(l)
			}
			want := fd.Gradient(nil, func(logL []float64) float64 {
				scales := make([]float64, d)
				for i, l := range logL {
					scales[i] = math.Exp(l)
				}
				return math.Log(naive(mix, scales, x, y, covX, covY))
			}, logL, &fd.Settings{Formula: fd.Central})
			for i := range d {
				gptest.Near(t, "derivative", grad[i], want[i], 1e-6)
			}
		}
	}
}
