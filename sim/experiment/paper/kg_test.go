package paper

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/field/fieldtest"
	"ugp_explorer/planner/plantest"
)

func mustKG(tb testing.TB, model *gp.GP, places *mat.Dense, noise float64) *KG {
	tb.Helper()
	l, err := model.NewLookahead(plantest.Execution)
	if err != nil {
		tb.Fatal(err)
	}
	l.SetPlaces(places)
	return &KG{Lookahead: l, Noise: noise}
}

// The knowledge gradient against its definition: the mean over values of the next
// observation of the best posterior mean after it, less the best one now. The models
// after it are made by adding the observation.
func TestKGIsTheExpectation(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	model := plantest.Model(t, r, 15, 1)
	places := r.Points(30, plantest.Rand(2))
	const own = 0.02
	k := mustKG(t, model, places, model.Hyper().NoiseVariance+own)
	highest := func(g *gp.GP) float64 {
		best := math.Inf(-1)
		for j := range 30 {
			m, _ := g.Posterior(gp.Belief{Mean: places.RawRowView(j), Cov: plantest.Execution})
			best = max(best, m)
		}
		return best
	}
	now := highest(model)
	targets := r.Points(6, plantest.Rand(3))
	seen := 0.0
	for i := range 6 {
		x := targets.RawRowView(i)
		mean, variance := model.Posterior(gp.Belief{Mean: x, Cov: plantest.Execution})
		s := math.Sqrt(variance + k.Noise)
		after := func(z float64) float64 {
			g, err := gp.New(model.Hyper())
			if err != nil {
				t.Fatal(err)
			}
			o := gp.Observation{Belief: gp.Belief{Mean: x, Cov: plantest.Execution}, Value: mean + s*z, NoiseVariance: own}
			if err := g.AddAll(append(append([]gp.Observation(nil), model.Observations()...), o)); err != nil {
				t.Fatal(err)
			}
			return highest(g) * normalDensity(z)
		}
		// The maximum has kinks, so that the rule of the panels is a low one.
		want := 0.0
		for a := -6.0; a < 6; a += 0.25 {
			want += quad.Fixed(after, a, a+0.25, 3, quad.Legendre{}, 0)
		}
		want -= now
		if got := k.Value(x); math.Abs(got-want) > 1e-4*model.Hyper().SignalVariance {
			t.Errorf("at %v %g, the mean over the next observation %g", x, got, want)
		}
		seen = max(seen, want)
	}
	if seen < 0.01 {
		t.Errorf("nothing is to be gained anywhere: %g", seen)
	}
}

// The rise of the envelope against quadrature of the maximum of the lines.
func TestEnvelope(t *testing.T) {
	rng := plantest.Rand(4)
	for trial := range 200 {
		n := 1 + trial%12
		a, b := make([]float64, n), make([]float64, n)
		for j := range n {
			a[j], b[j] = rng.NormFloat64(), rng.NormFloat64()
			if j > 0 && trial%3 == 0 {
				b[j] = b[j-1] // parallel
			}
			if j > 1 && trial%5 == 0 {
				a[j], b[j] = a[0], b[0] // the same
			}
		}
		top := func(z float64) float64 {
			m := math.Inf(-1)
			for j := range n {
				m = max(m, a[j]+b[j]*z)
			}
			return m
		}
		const cells = 20000
		want := -top(0)
		for i := range cells {
			z := -9 + 18*(float64(i)+0.5)/cells
			want += top(z) * normalDensity(z) * 18 / cells
		}
		var e envelope
		if got := e.rise(a, b); math.Abs(got-want) > 1e-5 || got < 0 {
			t.Errorf("lines %v, %v: %g, by quadrature %g", a, b, got, want)
		}
		for i := range e.line { // each is on top where it is said to be
			lo, hi := max(e.from(i), -20), min(e.from(i+1), 20)
			if z := (lo + hi) / 2; math.Abs(a[e.line[i]]+b[e.line[i]]*z-top(z)) > 1e-9 && math.Abs(z) < farZ {
				t.Errorf("lines %v, %v: line %d is not on top at %g", a, b, e.line[i], z)
			}
		}
	}
}

// Where nothing can be learnt there is nothing to be gained, and no gradient.
func TestKGWithoutNoise(t *testing.T) {
	model, err := gp.New(gp.Hyper{SignalVariance: 1, LengthScales: []float64{5, 5}})
	if err != nil {
		t.Fatal(err)
	}
	if err := model.Add(gp.Observation{Belief: gp.Point(3, 4), Value: 1}); err != nil {
		t.Fatal(err)
	}
	l, err := model.NewLookahead(nil)
	if err != nil {
		t.Fatal(err)
	}
	l.SetPlaces(mat.NewDense(2, 2, []float64{3, 4, 9, 9}))
	k := &KG{Lookahead: l}
	g := []float64{7, 7}
	if v := k.ValueGrad(g, []float64{3, 4}); v != 0 || g[0] != 0 || g[1] != 0 {
		t.Errorf("where it was sampled without noise: %g, gradient %v", v, g)
	}
}
