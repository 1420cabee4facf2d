package fit

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/sim/rig/must"
)

// randomCov returns a covariance with standard deviations up to spread: full or singular,
// diagonal above two dimensions, or nil.
func randomCov(rng *rand.Rand, d int, spread float64) *mat.SymDense {
	rank := rng.IntN(d + 2)
	if rank == 0 {
		return nil
	}
	a := mat.NewDense(d, min(rank, d), nil)
	a.Apply(func(_, _ int, _ float64) float64 { return spread * (2*rng.Float64() - 1) }, a)
	var s mat.SymDense
	s.SymOuterK(1, a)
	for i := range d {
		for j := 0; j < i && d > 2; j++ {
			s.SetSym(i, j, 0)
		}
	}
	return &s
}

func randomVec(rng *rand.Rand, d int, scale float64) []float64 {
	x := make([]float64, d)
	for i := range x {
		x[i] = scale * (2*rng.Float64() - 1)
	}
	return x
}

func randomBelief(rng *rand.Rand, d int) gp.Belief {
	return gp.Belief{Mean: randomVec(rng, d, 3), Cov: randomCov(rng, d, 0.8)}
}

// randomHyper returns hyper-parameters of a random kind.
func randomHyper(rng *rand.Rand, d int) gp.Hyper {
	h := gp.Hyper{SignalVariance: 0.5 + 2*rng.Float64(), NoiseVariance: 0.01 + 0.2*rng.Float64(), Mean: rng.NormFloat64()}
	for range d {
		h.LengthScales = append(h.LengthScales, 0.6+1.5*rng.Float64())
	}
	h.Kind = gp.Kind(rng.IntN(len(gp.Kinds())))
	return h
}

func randomObservations(rng *rand.Rand, n, d int) []gp.Observation {
	obs := make([]gp.Observation, n)
	for i := range obs {
		obs[i] = gp.Observation{Belief: randomBelief(rng, d), Value: 2 * rng.NormFloat64(), NoiseVariance: 0.1 * rng.Float64()}
	}
	return obs
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// near fails unless got is within tol·max(1, |want|) of want.
func near(tb testing.TB, what string, got, want, tol float64) {
	tb.Helper()
	if !(math.Abs(got-want) <= tol*max(1, math.Abs(want))) {
		tb.Errorf("%s: got %.17g, want %.17g (difference %.3g, tolerance %.3g)", what, got, want, got-want, tol)
	}
}

func sym2(a, b, c float64) *mat.SymDense { return mat.NewSymDense(2, []float64{a, b, b, c}) }

func checkError(t *testing.T, err, kind error, want []string) {
	t.Helper()
	if want == nil {
		if err != nil {
			t.Errorf("got %v, want no error", err)
		}
		return
	}
	if !errors.Is(err, kind) {
		t.Fatalf("got %v, want one that is %q", err, kind)
	}
	for _, s := range want {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%q doesn't say %q", err, s)
		}
	}
}

// fieldHyper is for the synthetic field of the benchmarks, in metres.
var fieldHyper = gp.Hyper{SignalVariance: 0.015, LengthScales: []float64{120, 120}, NoiseVariance: 0.005, Mean: 1.4}

// inField reports whether (x, y) lies in the field of the benchmarks, an L of
// 600 m × 900 m.
func inField(x, y float64) bool { return x < 300 || y < 400 }

func randomInField(rng *rand.Rand, x []float64) {
	for {
		x[0], x[1] = 600*rng.Float64(), 900*rng.Float64()
		if inField(x[0], x[1]) {
			return
		}
	}
}

// fieldObservations returns n observations, scattered over the field, of a smooth
// function with noise, each with a correlated covariance of 1 m to 6 m.
func fieldObservations(n int, rng *rand.Rand) []gp.Observation {
	obs := make([]gp.Observation, n)
	for i := range obs {
		x := make([]float64, 2)
		randomInField(rng, x)
		a, b, r := 1+5*rng.Float64(), 1+5*rng.Float64(), 1.6*rng.Float64()-0.8
		f := 1.4 + 0.1*math.Sin(x[0]/130) + 0.1*math.Cos(x[1]/170+x[0]/400)
		obs[i] = gp.Observation{
			Belief: gp.Belief{Mean: x, Cov: mat.NewSymDense(2, []float64{a * a, r * a * b, r * a * b, b * b})},
			Value:  f + 0.07*rng.NormFloat64(),
		}
	}
	return obs
}

func mustGP(tb testing.TB, h gp.Hyper, obs []gp.Observation) *gp.GP {
	tb.Helper()
	g, err := gp.New(h)
	must.OK(tb, err)
	must.OK(tb, g.AddAll(obs))
	return g
}

// pathObservations returns n observations of the benchmarks' field, 3 m apart along
// a wandering path, with the covariances that fieldObservations has.
func pathObservations(n int, rng *rand.Rand) []gp.Observation {
	obs := fieldObservations(n, rng)
	x, y, heading := 100.0, 100.0, 0.3
	for i := range obs {
		for {
			heading += 0.1 * rng.NormFloat64()
			toX, toY := x+3*math.Cos(heading), y+3*math.Sin(heading)
			if toX > 0 && toX < 600 && toY > 0 && toY < 900 && inField(toX, toY) {
				x, y = toX, toY
				break
			}
			heading++
		}
		obs[i].Belief.Mean = []float64{x, y}
		obs[i].Value = 1.4 + 0.1*math.Sin(x/130) + 0.1*math.Cos(y/170+x/400) + 0.07*rng.NormFloat64()
	}
	return obs
}
