package paper

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/plantest"
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

// UEI written out for an isotropic Σ̂ in two dimensions: x and four places at
// σ√(2+κ) along the axes, κ/(2+κ) and 1/(2(2+κ)) their weights.
func TestUEIIsTheSumWrittenOut(t *testing.T) {
	r := mustRegion(t, starField(), 2)
	model := plantest.Model(t, r, 25, 1)
	const kappa, sigma = 1.0, 3.0
	u, err := NewUnscented(2, mat.NewSymDense(2, []float64{sigma * sigma, 0, 0, sigma * sigma}), kappa)
	if err != nil {
		t.Fatal(err)
	}
	plain := &EI{Predictor: plantest.Predictor(t, model, nil), Incumbent: 1.2}
	uei := &UEI{EI: EI{Predictor: plantest.Predictor(t, model, nil), Incumbent: 1.2}, Transform: u}
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
	r := mustRegion(t, starField(), 2)
	model := plantest.Model(t, r, 25, 1)
	plain := &EI{Predictor: plantest.Predictor(t, model, nil), Incumbent: 1}
	points := r.Points(30, plantest.Rand(8))
	worst := func(cov *mat.SymDense) float64 {
		u, err := NewUnscented(2, cov, DefaultKappa)
		if err != nil {
			t.Fatal(err)
		}
		uei := &UEI{EI: EI{Predictor: plain.Predictor, Incumbent: 1}, Transform: u}
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

func TestBestUnscented(t *testing.T) {
	r := mustRegion(t, starField(), 2)
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
