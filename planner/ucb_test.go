package planner

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// fieldHyper is for bumps in the star field.
var fieldHyper = gp.Hyper{SignalVariance: 1.5, LengthScales: []float64{14, 11}, NoiseVariance: 0.01, Mean: 0.3}

// fieldModel returns a model with n observations of a smooth bumpy function in
// the star field, each with its own covariance.
func fieldModel(tb testing.TB, space Space, n int, seed uint64) *gp.GP {
	tb.Helper()
	model, err := gp.New(fieldHyper)
	if err != nil {
		tb.Fatal(err)
	}
	if err := model.AddAll(fieldData(space, n, seed)); err != nil {
		tb.Fatal(err)
	}
	return model
}

func fieldData(space Space, n int, seed uint64) []gp.Observation {
	rng := newRand(seed)
	points := space.Points(n, rng)
	obs := make([]gp.Observation, n)
	for i := range n {
		x := points.RawRowView(i)
		a, b, c := 0.2+2*rng.Float64(), 0.4*rng.Float64()-0.2, 0.2+2*rng.Float64()
		obs[i] = gp.Observation{
			Belief: gp.Belief{Mean: []float64{x[0], x[1]}, Cov: mat.NewSymDense(2, []float64{a, b, b, c})},
			Value:  bumps(x) + 0.1*rng.NormFloat64(), NoiseVariance: 0.01 * (1 + rng.Float64()),
		}
	}
	return obs
}

func bumps(x []float64) float64 {
	return math.Sin(x[0]/17) + math.Cos(x[1]/13) + 0.5*math.Sin((x[0]+x[1])/9)
}

var execution = mat.NewSymDense(2, []float64{2.5, 0.4, 0.4, 1.5})

func mustPredictor(tb testing.TB, model *gp.GP, cov *mat.SymDense) *gp.Predictor {
	tb.Helper()
	p, err := model.NewPredictor(cov)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// The value against the model's own posterior, the gradient against differences
// of the value.
func TestUCBValueAndGradient(t *testing.T) {
	r := mustRegion(t, starField(), 2)
	model := fieldModel(t, r, 25, 1)
	for _, weight := range []float64{0, 0.03} {
		travel := r.NewDistanceField()
		travel.From([]float64{20, 60})
		u := &UCB{Predictor: mustPredictor(t, model, execution), Beta: 1.7}
		net := &netOfWay{acq: u, weight: weight, travel: travel}
		points := r.Points(60, newRand(2))
		g := make([]float64, 2)
		checked := 0
		for i := range 60 {
			x := points.RawRowView(i)
			if r.SignedDistance([2]float64(x)) < 2.01 {
				continue // differences would leave the region
			}
			checked++
			mean, variance := model.Posterior(gp.Belief{Mean: x, Cov: execution})
			_, way, err := r.Path([2]float64{20, 60}, [2]float64(x))
			if err != nil {
				t.Fatal(err)
			}
			want := mean + 1.7*math.Sqrt(variance) - weight*way
			value := net.valueGrad(g, x)
			plain := func(x []float64) float64 { return u.Value(x) - weight*travel.Length(x) }
			if math.Abs(value-want) > 1e-9 || math.Abs(plain(x)-want) > 1e-9 {
				t.Errorf("value at %v is %.12g and %.12g, want %.12g", x, plain(x), value, want)
			}
			diff := fd.Gradient(nil, plain, x, &fd.Settings{Formula: fd.Central, Step: 1e-4})
			for k := range g {
				if math.Abs(g[k]-diff[k]) > 1e-6 {
					t.Errorf("∂/∂x%d at %v is %.9g, by differences %.9g", k, x, g[k], diff[k])
				}
			}
		}
		if checked < 40 {
			t.Errorf("only %d places checked", checked)
		}
	}
}

// Beyond a wall, the value is -Inf as soon as the way counts.
func TestNoWay(t *testing.T) {
	r := mustRegion(t, Field{Boundary: orb.Polygon{rect(0, 0, 30, 10)}, KeepOuts: []orb.Polygon{{rect(10, -1, 11, 11)}}}, 1)
	travel := r.Travel()
	travel.From([]float64{3, 5})
	u := &netOfWay{acq: &UCB{Predictor: mustPredictor(t, fieldModel(t, r, 3, 1), nil), Beta: 1}, weight: 0.1, travel: travel}
	g := make([]float64, 2)
	if v := u.valueGrad(g, []float64{20, 5}); !math.IsInf(v, -1) {
		t.Errorf("value %g, want -Inf", v)
	}
	if v := u.valueGrad(g, []float64{4, 5}); !finite(v) {
		t.Errorf("value %g on this side", v)
	}
}

func TestUCBDoesNotAllocate(t *testing.T) {
	r := mustRegion(t, starField(), 2)
	travel := r.Travel()
	u := &UCB{Predictor: mustPredictor(t, fieldModel(t, r, 30, 1), execution), Beta: 1}
	net := &netOfWay{acq: u, weight: 0.1, travel: travel}
	x, g := []float64{40, 70}, make([]float64, 2)
	net.valueGrad(g, x)
	if n := testing.AllocsPerRun(50, func() { u.Value(x); net.valueGrad(g, x) }); n != 0 {
		t.Errorf("%g allocations, want none", n)
	}
}
