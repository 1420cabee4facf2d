package paper

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/sim/rig/fieldtest"
	"ugp_explorer/sim/rig/plantest"
)

// unscentedImprovement written out for an isotropic Σ̂ in two dimensions: x and four places at
// σ√(2+κ) along the axes, κ/(2+κ) and 1/(2(2+κ)) their weights.
func TestUEIIsTheSumWrittenOut(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	model := plantest.Model(t, r, 25, 1)
	const kappa, sigma = 1.0, 3.0
	u, err := NewUnscented(2, mat.NewSymDense(2, []float64{sigma * sigma, 0, 0, sigma * sigma}), kappa)
	if err != nil {
		t.Fatal(err)
	}
	plain := &expectedImprovement{Predictor: plantest.Predictor(t, model, nil), Incumbent: 1.2}
	uei := &unscentedImprovement{EI: expectedImprovement{Predictor: plantest.Predictor(t, model, nil), Incumbent: 1.2}, Transform: u}
	points := r.Points(30, plantest.Rand(7))
	means := make([]float64, 30)
	u.Means(means, plain.Predictor, points)
	a := sigma * math.Sqrt(2+kappa)
	for i := range 30 {
		x := points.RawRowView(i)
		ei := func(dx, dy float64) float64 { return plain.Value([]float64{x[0] + dx, x[1] + dy}) }
		mean := func(dx, dy float64) float64 {
			m, _ := model.Posterior(gp.Point(x[0]+dx, x[1]+dy))
			return m
		}
		for name, f := range map[string]func(dx, dy float64) float64{"ei": ei, "mean": mean} {
			want := kappa/(2+kappa)*f(0, 0) + (f(a, 0)+f(-a, 0)+f(0, a)+f(0, -a))/(2*(2+kappa))
			got := means[i]
			if name == "ei" {
				got = uei.Value(x)
			}
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("%s at %v is %.15g, want %.15g", name, x, got, want)
			}
		}
	}
}

// Without execution noise UEI is EI, and the nearer the less there is.
func TestUEIWithoutNoiseIsEI(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	model := plantest.Model(t, r, 25, 1)
	plain := &expectedImprovement{Predictor: plantest.Predictor(t, model, nil), Incumbent: 1}
	points := r.Points(30, plantest.Rand(8))
	worst := func(cov *mat.SymDense) float64 {
		u, err := NewUnscented(2, cov, DefaultKappa)
		if err != nil {
			t.Fatal(err)
		}
		uei := &unscentedImprovement{EI: expectedImprovement{Predictor: plain.Predictor, Incumbent: 1}, Transform: u}
		w := 0.0
		for i := range 30 {
			x := points.RawRowView(i)
			w = max(w, math.Abs(uei.Value(x)-plain.Value(x)))
		}
		return w
	}
	if w := worst(nil); w != 0 {
		t.Errorf("under certainty they differ by %g", w)
	}
	// The difference is of the order of the variance.
	if a, b := worst(mat.NewSymDense(2, []float64{1e-2, 0, 0, 1e-2})), worst(mat.NewSymDense(2, []float64{1e-4, 0, 0, 1e-4})); a == 0 || math.Abs(a/b-100) > 5 {
		t.Errorf("differences %g and %g, want 100 times as much", a, b)
	}
}

func TestBestUnscented(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	model := plantest.Model(t, r, 20, 1)
	u, err := NewUnscented(2, plantest.Execution, DefaultKappa)
	if err != nil {
		t.Fatal(err)
	}
	points := r.Points(15, plantest.Rand(5))
	var targets [][]float64
	for i := range 15 {
		targets = append(targets, points.RawRowView(i))
	}
	want, at := math.Inf(-1), -1
	for i, x := range targets {
		s := 0.0
		for k, w := range u.weights {
			d := u.offsets.RawRowView(k)
			m, _ := model.Posterior(gp.Point(x[0]+d[0], x[1]+d[1]))
			s += w * m
		}
		if s > want {
			want, at = s, i
		}
	}
	m, err := Catalogue().Method("uei")
	if err != nil {
		t.Fatal(err)
	}
	uei, err := m.NewStrategy(r, planner.DefaultStrategyConfig(), plantest.Rand(21))
	if err != nil {
		t.Fatal(err)
	}
	got, err := uei.Recommend(planner.Inquiry{Model: model, Execution: plantest.Execution, Targets: targets})
	_, variance := model.Posterior(gp.Belief{Mean: targets[at], Cov: plantest.Execution})
	if err != nil || !slices.Equal(got.X, targets[at]) || math.Abs(got.Mean-want) > 1e-9 || math.Abs(got.StdDev-math.Sqrt(variance)) > 1e-9 {
		t.Errorf("got %+v, want target %d with %g ± %g: %v", got, at, want, math.Sqrt(variance), err)
	}
	if _, err := uei.Recommend(planner.Inquiry{Model: model, Execution: plantest.Execution}); !errors.Is(err, planner.ErrRecommend) {
		t.Errorf("no targets: %v", err)
	}
	if _, err := uei.Recommend(planner.Inquiry{Model: model, Execution: plantest.Execution, Targets: [][]float64{{1}}}); !errors.Is(err, planner.ErrRecommend) {
		t.Errorf("dimension: %v", err)
	}
}
