package paper

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
	"ugp_explorer/sim/rig/plantest"
)

// The greedy gain is the log determinant of what was chosen: no set of places
// drawn at random tells more, and the model's own observations do not.
func TestMaximumGain(t *testing.T) {
	b, err := field.NewBox([]float64{0, 0}, []float64{40, 40})
	if err != nil {
		t.Fatal(err)
	}
	for _, cov := range []*mat.SymDense{nil, plantest.Execution} {
		g, err := NewMaximumGain(b, 400, cov, plantest.Rand(1))
		if err != nil {
			t.Fatal(err)
		}
		model, err := gp.New(gp.Hyper{SignalVariance: 2, LengthScales: []float64{9, 7}, NoiseVariance: 0.03})
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Of(model); got != 0 {
			t.Errorf("γ_0 is %g", got)
		}
		rng := plantest.Rand(2)
		last := 0.0
		for n := 1; n <= 30; n++ {
			x := []float64{40 * rng.Float64(), 40 * rng.Float64()}
			if err := model.Add(gp.Observation{Belief: gp.Belief{Mean: x, Cov: cov}, Value: 1, NoiseVariance: 0.01}); err != nil {
				t.Fatal(err)
			}
			got := g.Of(model)
			if got < model.InformationGain() || got <= last {
				t.Errorf("γ_%d is %g, but observations at random tell %g and γ_%d is %g", n, got, model.InformationGain(), n-1, last)
			}
			last = got
		}
		// A first observation anywhere tells ½ log(1 + k̂/λ).
		one, err := gp.New(gp.Hyper{SignalVariance: 2, LengthScales: []float64{9, 7}, NoiseVariance: 0.04})
		if err != nil {
			t.Fatal(err)
		}
		belief := gp.Belief{Mean: []float64{3, 4}, Cov: cov}
		if err := one.Add(gp.Observation{Belief: belief, Value: 1}); err != nil {
			t.Fatal(err)
		}
		if got, want := g.Of(one), 0.5*math.Log(1+one.Hyper().Kernel().Cov(belief, belief)/0.04); math.Abs(got-want) > 1e-12 || math.Abs(one.InformationGain()-want) > 1e-12 {
			t.Errorf("γ_1 is %g, want %g", got, want)
		}
	}
	exact, err := gp.New(gp.Hyper{SignalVariance: 1, LengthScales: []float64{1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewMaximumGain(b, 10, nil, plantest.Rand(1))
	if err != nil {
		t.Fatal(err)
	}
	if g.Of(exact) != 0 {
		t.Error("nothing tells something")
	}
	if err := exact.Add(gp.Observation{Belief: gp.Point(1, 1), Value: 1}); err != nil {
		t.Fatal(err)
	}
	if !math.IsInf(g.Of(exact), 1) {
		t.Errorf("without noise γ is %g", g.Of(exact))
	}
}

// For more observations than are chosen one by one the gain stays what the greedy
// choice would have found, to a hundredth, and goes on where that ended.
func TestGainOfMany(t *testing.T) {
	b, err := field.NewBox([]float64{0, 0}, []float64{40, 40})
	if err != nil {
		t.Fatal(err)
	}
	const n = 2000
	for _, h := range []gp.Hyper{
		{Kind: gp.SquaredExponential, SignalVariance: 2, LengthScales: []float64{9, 7}, NoiseVariance: 0.2},
		{Kind: gp.Matern32, SignalVariance: 2, LengthScales: []float64{5, 5}, NoiseVariance: 0.02},
	} {
		g, err := NewMaximumGain(b, 150, plantest.Execution, plantest.Rand(1))
		if err != nil {
			t.Fatal(err)
		}
		g.begin(h, h.NoiseVariance/h.SignalVariance)
		for len(g.gains) <= n {
			g.choose()
		}
		greedy := g.gains
		g.begin(h, g.lambda)
		if got := g.most(gainChoices, g.lambda); got != greedy[gainChoices] {
			t.Errorf("%v: γ_%d is %g, want %g", h.Kind, gainChoices, got, greedy[gainChoices])
		}
		last := greedy[gainChoices]
		for k := gainChoices + 1; k <= n; k++ {
			got := g.most(k, g.lambda)
			if got <= last || got-last > 1e-3*last {
				t.Errorf("%v: γ_%d is %g, and the one before %g", h.Kind, k, got, last)
			}
			last = got
		}
		if math.Abs(last/greedy[n]-1) > 0.01 {
			t.Errorf("%v: γ_%d is %g, the greedy choice finds %g", h.Kind, n, last, greedy[n])
		}
		if g.told != nil {
			t.Errorf("%v: what the choices told of each place is kept, %d columns", h.Kind, len(g.told))
		}
	}
}

// With many observations the next one, whose noise is its own, does not have all
// computed anew; other hyper-parameters do.
func TestGainOfOneMore(t *testing.T) {
	b, err := field.NewBox([]float64{0, 0}, []float64{40, 40})
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewMaximumGain(b, 50, plantest.Execution, plantest.Rand(1))
	if err != nil {
		t.Fatal(err)
	}
	model, err := gp.NewSparse(gp.Hyper{SignalVariance: 2, LengthScales: []float64{20, 20}, NoiseVariance: 0.2}, gp.SparseConfig{ExactLimit: 50, MaxInducing: 100, Tolerance: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	rng := plantest.Rand(2)
	more := func(n int) {
		for range n {
			o := gp.Observation{Belief: gp.Belief{Mean: []float64{40 * rng.Float64(), 40 * rng.Float64()}, Cov: plantest.Execution}, Value: 1, NoiseVariance: 0.01 * rng.Float64()}
			if err := model.Add(o); err != nil {
				t.Fatal(err)
			}
		}
	}
	more(gainChoices)
	last, at := g.Of(model), g.lambda
	for n := gainChoices + 1; n < gainChoices+10; n++ {
		more(1)
		got, mu := g.Of(model), &g.mu[0]
		if got <= last || got > 1.01*last {
			t.Errorf("γ_%d is %g, and the one before %g", n, got, last)
		}
		if n > gainChoices+1 && g.lambda != at || g.Of(model) != got || &g.mu[0] != mu {
			t.Errorf("γ_%d is computed anew", n)
		}
		last, at = got, g.lambda
	}
	other, err := gp.NewSparse(gp.Hyper{SignalVariance: 2, LengthScales: []float64{10, 20}, NoiseVariance: 0.2}, gp.SparseConfig{ExactLimit: 50, MaxInducing: 100, Tolerance: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	if err := other.AddAll(model.Observations()); err != nil {
		t.Fatal(err)
	}
	if got := g.Of(other); got < 1.1*last {
		t.Errorf("with half the length-scale γ is %g, as with the whole %g", got, last)
	}
}

// BenchmarkMaximumGain is of a new fit: all is computed anew.
func BenchmarkMaximumGain(b *testing.B) {
	box, err := field.NewBox([]float64{0, 0}, []float64{100, 100})
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{30, 400, 10_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			g, err := NewMaximumGain(box, 1000, plantest.Execution, plantest.Rand(1))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				g.begin(gp.Hyper{SignalVariance: 1, LengthScales: []float64{16, 16}, NoiseVariance: 0.1}, 0.1)
				g.most(n, 0.1)
			}
		})
	}
}

// Both theorems, written out on two observations so far apart that each tells
// ½ log(1 + σ_f²/λ), and a share of one.
func TestTheoremOfTheMaximumGain(t *testing.T) {
	b, err := field.NewBox([]float64{0}, []float64{1000})
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewMaximumGain(b, 200, nil, plantest.Rand(1))
	if err != nil {
		t.Fatal(err)
	}
	model, err := gp.New(gp.Hyper{SignalVariance: 4, LengthScales: []float64{1}, NoiseVariance: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the model's own are at one place, and tell less: ½ log(1 + 2·8)
		if err := model.Add(gp.Observation{Belief: gp.Point(5), Value: 1}); err != nil {
			t.Fatal(err)
		}
	}
	own := Theorem{Bound: 1.5, ExecutionStdDev: 0.3, ObservationStdDev: 0.4, Delta: 0.4}
	most := own
	most.Maximum = g
	beta := func(gain float64) float64 { return 1.5 + 0.25*math.Sqrt(2*(gain+1+math.Log(2.5))) }
	for _, tt := range []struct {
		name     string
		schedule planner.Schedule
		want     float64
	}{
		{"thr:main", own, beta(0.5 * math.Log(17))},
		{"thr:bo", most, beta(math.Log(9))},
		{"a tenth", Scaled{By: 0.1, Of: most}, 0.1 * beta(math.Log(9))},
	} {
		if got := tt.schedule.Beta(2, model); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: β is %.12g, want %.12g", tt.name, got, tt.want)
		}
		if err := tt.schedule.Validate(); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	for name, s := range map[string]planner.Schedule{
		"negative": Scaled{By: -1, Of: own}, "NaN": Scaled{By: math.NaN(), Of: own}, "nothing": Scaled{By: 1}, "its schedule": Scaled{By: 1, Of: planner.Fixed(-1)},
	} {
		if err := s.Validate(); !errors.Is(err, planner.ErrSchedule) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMaximumGainErrors(t *testing.T) {
	b, err := field.NewBox([]float64{0}, []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"space":      plantest.Second(NewMaximumGain(nil, 5, nil, plantest.Rand(1))),
		"source":     plantest.Second(NewMaximumGain(b, 5, nil, nil)),
		"places":     plantest.Second(NewMaximumGain(b, 0, nil, plantest.Rand(1))),
		"covariance": plantest.Second(NewMaximumGain(b, 5, mat.NewSymDense(1, []float64{-1}), plantest.Rand(1))),
	} {
		if !errors.Is(err, planner.ErrSchedule) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Proposition ig-iid: with the same places, beliefs of one covariance tell no more
// than points do, whatever the covariance.
func TestBeliefsTellLess(t *testing.T) {
	rng := plantest.Rand(4)
	for range 50 {
		a, c := 20*rng.Float64(), 20*rng.Float64()
		b := (2*rng.Float64() - 1) * math.Sqrt(a*c)
		gains := [2]float64{}
		points := make([][]float64, 1+rng.IntN(40))
		for i := range points {
			points[i] = []float64{40 * rng.Float64(), 40 * rng.Float64()}
		}
		for i, cov := range []*mat.SymDense{nil, mat.NewSymDense(2, []float64{a, b, b, c})} {
			model, err := gp.New(gp.Hyper{SignalVariance: 1, LengthScales: []float64{6, 4}, NoiseVariance: 0.05})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range points {
				if err := model.Add(gp.Observation{Belief: gp.Belief{Mean: x, Cov: cov}, Value: 1}); err != nil {
					t.Fatal(err)
				}
			}
			gains[i] = model.InformationGain()
		}
		if gains[1] > gains[0] {
			t.Errorf("%d beliefs of covariance %g, %g, %g tell %g, points %g", len(points), a, b, c, gains[1], gains[0])
		}
	}
}
