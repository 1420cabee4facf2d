// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
)

func mustSparse(tb testing.TB, h Hyper, cfg SparseConfig, obs []Observation) *GP {
	tb.Helper()
	g, err := NewSparse(h, cfg)
	must.OK(tb, err)
	must.OK(tb, g.AddAll(obs))
	return g
}

// TestSparseIsExact: with an inducing point at every observation, and points for
// inputs, nothing is approximate.
func TestSparseIsExact(t *testing.T) {
	rng := gptest.Rand(60)
	cfg := SparseConfig{ExactLimit: 1, MaxInducing: 100, Tolerance: 1e-9}
	for d := 1; d <= 4; d++ {
		for _, kind := range Kinds() {
			h, obs := randomHyper(rng, d), randomObservations(rng, 30, d)
			h.Kind = kind
			for i := range h.LengthScales {
				h.LengthScales[i] *= 0.2
			}
			for i := range obs { // not so near to each other that one point would do for two
				obs[i].Belief = Point(obs[i].Belief.Mean...)
				obs[i].Belief.Mean[0] = 0.2*float64(i) - 3
			}
			g, want := mustSparse(t, h, cfg, obs), newNaiveGP(t, h, obs)
			if g.Inducing() != len(obs) {
				t.Errorf("%v d=%d: %d inducing points for %d places", kind, d, g.Inducing(), len(obs))
			}
			gptest.Near(t, "log likelihood", g.LogMarginalLikelihood(), want.logLikelihood(), 1e-6)
			gptest.Near(t, "information gain", g.InformationGain(), naiveGain(want), 1e-6)
			for range 10 {
				b := randomBelief(rng, d)
				mean, variance := g.Posterior(b)
				wantMean, wantVariance := want.posterior(b)
				gptest.Near(t, "mean", mean, wantMean, 1e-6)
				gptest.Near(t, "variance", variance, wantVariance, 1e-6)
			}
		}
	}
}

// compare asks both posteriors at random places of the benchmarks' field, seen and
// unseen ones, and returns by how much g is off: the mean, in the exact standard deviations,
// and the logarithm of the standard deviation.
func compare(tb testing.TB, g, exact *GP, rng *rand.Rand) (worst, rms, worstLog float64) {
	tb.Helper()
	cov := mat.NewSymDense(2, []float64{4, 0, 0, 4})
	want, got := mustPredictor(tb, exact, cov), mustPredictor(tb, g, cov)
	const queries = 300
	x := make([]float64, 2)
	for range queries {
		gptest.RandomInField(rng, x)
		m, v := predict(got, x)
		wantM, wantV := predict(want, x)
		e := (m - wantM) / math.Sqrt(wantV)
		rms += e * e / queries
		worst = max(worst, math.Abs(e))
		worstLog = max(worstLog, math.Abs(0.5*math.Log(v/wantV)))
	}
	return worst, math.Sqrt(rms), worstLog
}

// TestSparseAccuracy asserts how far the posterior of the defaults is from the
// exact one.
func TestSparseAccuracy(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		n    int
		make func(int, *rand.Rand) []Observation
		once bool // added one by one
	}{
		{SquaredExponential, 1500, pathObservations, true},
		{Matern52, 700, fieldObservations, false},
		{RationalQuadratic, 700, pathObservations, true},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		obs := c.make(c.n, rng)
		h := fieldHyper
		h.Kind = c.kind
		exact := mustGP(t, h, obs)
		g := mustSparse(t, h, DefaultSparseConfig(), nil)
		if c.once {
			for _, o := range obs {
				must.OK(t, g.Add(o))
			}
		} else if err := g.AddAll(obs); err != nil {
			t.Fatal(err)
		}
		worst, rms, worstLog := compare(t, g, exact, rng)
		t.Logf("%v, %d observations, %d points: mean off by %.3g deviations (root mean square %.3g), deviation by %.3g %%",
			c.kind, c.n, g.Inducing(), worst, rms, 100*worstLog)
		if worst > 0.2 || rms > 0.05 || worstLog > 0.03 {
			t.Errorf("%v: off by %g deviations, root mean square %g, and a factor of e^%g in the deviation; want 0.2, 0.05, 0.03",
				c.kind, worst, rms, worstLog)
		}
		gptest.Near(t, "information gain", g.InformationGain()/exact.InformationGain(), 1, 0.02)
		gptest.Near(t, "log likelihood", g.LogMarginalLikelihood()-exact.LogMarginalLikelihood(), 0, 1)
		if g.Inducing() > c.n/2 {
			t.Errorf("%v: %d inducing points for %d observations", c.kind, g.Inducing(), c.n)
		}
	}
}

// TestSparsePredictor: a predictor's answers are those of the posterior, gradients included,
// on both sides of the limit.
func TestSparsePredictor(t *testing.T) {
	rng := gptest.Rand(63)
	for d := 1; d <= 4; d++ {
		h := randomHyper(rng, d)
		g := mustSparse(t, h, SparseConfig{ExactLimit: 20, MaxInducing: 24, Tolerance: 0.02}, nil)
		cov := queryCov(d)
		x, dMean, dVar := make([]float64, d), make([]float64, d), make([]float64, d)
		for i, o := range randomObservations(rng, 80, d) {
			must.OK(t, g.Add(o))
			copy(x, gptest.Vec(rng, d, 3))
			p := mustPredictor(t, g, cov)
			m, v := p.Predict(x)
			p.Gradient(dMean, dVar)
			wantM, wantV := g.Posterior(Belief{x, cov})
			gptest.Near(t, "mean", m, wantM, 1e-9)
			gptest.Near(t, "variance", v, wantV, 1e-9)
			if i%10 != 9 {
				continue
			}
			central := &fd.Settings{Formula: fd.Central}
			fdMean := fd.Gradient(nil, func(x []float64) float64 { m, _ := g.Posterior(Belief{x, cov}); return m }, x, central)
			fdVar := fd.Gradient(nil, func(x []float64) float64 { _, v := g.Posterior(Belief{x, cov}); return v }, x, central)
			for a := range d {
				gptest.Near(t, "gradient of the mean", dMean[a], fdMean[a], 1e-6)
				gptest.Near(t, "gradient of the variance", dVar[a], fdVar[a], 1e-6)
			}
		}
		if m := g.Inducing(); m == 0 || m > 24 || g.Len() != 80 {
			t.Errorf("d=%d: %d inducing points with %d observations", d, m, g.Len())
		}
	}
}

// TestSparseRefuses: what cannot be added leaves everything as it was, alone and in
// a batch.
func TestSparseRefuses(t *testing.T) {
	h := Hyper{SignalVariance: 1, LengthScales: []float64{1}}
	obs := []Observation{{Belief: Point(0), Value: 1, NoiseVariance: 0.1}, {Belief: Point(0.5), Value: 2, NoiseVariance: 0.1}, {Belief: Point(2), Value: 2, NoiseVariance: 0.1}}
	for _, add := range []func(*GP, Observation) error{
		(*GP).Add,
		func(g *GP, o Observation) error {
			return g.AddAll([]Observation{{Belief: Point(7), Value: 3, NoiseVariance: 0.1}, o})
		},
	} {
		g := mustSparse(t, h, SparseConfig{ExactLimit: 2, MaxInducing: 8, Tolerance: 0.1}, obs)
		mean, variance := g.Posterior(Point(0.7))
		var repeated *IllConditionedError
		if err := add(g, Observation{Belief: Point(0.5), Value: 2}); !errors.As(err, &repeated) || repeated.Nearest != 1 {
			t.Errorf("repeated without noise: %v", err)
		}
		if err := add(g, Observation{Belief: Point(math.NaN()), Value: 2}); !errors.Is(err, ErrBelief) {
			t.Errorf("NaN: %v", err)
		}
		if m, v := g.Posterior(Point(0.7)); m != mean || v != variance || g.Len() != 3 {
			t.Errorf("changed by what was refused: %g ± %g, was %g ± %g; %d observations", m, v, mean, variance, g.Len())
		}
	}
}

// TestClone: adding to a clone or to what it was made from leaves the other alone,
// on either side of the limit and across it.
func TestClone(t *testing.T) {
	rng := gptest.Rand(64)
	h, obs := randomHyper(rng, 2), randomObservations(rng, 60, 2)
	cfg := SparseConfig{ExactLimit: 20, MaxInducing: 40, Tolerance: 0.01}
	for _, n := range []int{0, 10, 20, 30} {
		g := mustSparse(t, h, cfg, obs[:n])
		c := g.Clone()
		var want, wantClone *GP
		for i := range 15 { // in turn, so that one could write behind the other
			for _, add := range []struct {
				g *GP
				o Observation
			}{{g, obs[n+i]}, {c, obs[59-i]}} {
				must.OK(t, add.g.Add(add.o))
			}
		}
		want, wantClone = mustSparse(t, h, cfg, obs[:n]), mustSparse(t, h, cfg, obs[:n])
		for i := range 15 {
			must.OK(t, errors.Join(want.Add(obs[n+i]), wantClone.Add(obs[59-i])))
		}
		for range 5 {
			b := randomBelief(rng, 2)
			for k, pair := range [][2]*GP{{g, want}, {c, wantClone}} {
				m, v := pair[0].Posterior(b)
				wantM, wantV := pair[1].Posterior(b)
				if m != wantM || v != wantV || pair[0].Len() != pair[1].Len() {
					t.Errorf("n=%d, clone %d: %g ± %g, want %g ± %g", n, k, m, v, wantM, wantV)
				}
			}
		}
	}
}

// TestTranslated: asked elsewhere it gives the same answers, on both sides of the
// limit, settled or not, and as it grows.
func TestTranslated(t *testing.T) {
	rng := gptest.Rand(67)
	by := []float64{0.7, -1.1}
	for _, c := range []struct {
		n    int
		read bool
	}{{10, true}, {30, true}, {30, false}} {
		n := c.n
		h, obs := randomHyper(rng, 2), randomObservations(rng, n+1, 2)
		g := mustSparse(t, h, SparseConfig{ExactLimit: 20, MaxInducing: 40, Tolerance: 0.01}, obs[:n])
		if c.read {
			g.Posterior(obs[0].Belief)
		}
		moved := func(b Belief) Belief {
			return Belief{Mean: []float64{b.Mean[0] + by[0], b.Mean[1] + by[1]}, Cov: b.Cov}
		}
		c := g.Translated(by)
		for round := range 2 {
			for range 5 {
				b := randomBelief(rng, 2)
				m, v := c.Posterior(moved(b))
				wantM, wantV := g.Posterior(b)
				gptest.Near(t, "mean", m, wantM, 1e-9)
				gptest.Near(t, "variance", v, wantV, 1e-9)
			}
			if o := obs[n]; round == 0 {
				must.OK(t, g.Add(o))
				o.Belief = moved(o.Belief)
				must.OK(t, c.Add(o))
			}
		}
		if got, want := c.Observations()[3].Belief.Mean[1], obs[3].Belief.Mean[1]+by[1]; got != want || c.Len() != n+1 {
			t.Errorf("%d observations, the mean of one is %g, want %g", c.Len(), got, want)
		}
	}
}

// TestSparseReaders: several goroutines may read one that nobody has read yet.
func TestSparseReaders(t *testing.T) {
	rng := gptest.Rand(65)
	g := mustSparse(t, randomHyper(rng, 2), SparseConfig{ExactLimit: 10, MaxInducing: 40, Tolerance: 0.01}, randomObservations(rng, 40, 2))
	var all sync.WaitGroup
	means := make([]float64, 4)
	for i := range means {
		all.Go(func() {
			switch i {
			case 0, 1:
				means[i], _ = g.Posterior(Point(0.3, 0.4))
			case 2:
				g.InformationGain()
				means[i], _ = predict(mustPredictor(t, g, nil), []float64{0.3, 0.4})
			default:
				means[i], _ = g.Clone().Posterior(Point(0.3, 0.4))
			}
		})
	}
	all.Wait()
	for _, m := range means {
		gptest.Near(t, "mean", m, means[0], 1e-9)
	}
}

// TestSparseAllocations: predictions allocate nothing, and an observation what it
// takes to keep it, whatever the number before it.
func TestSparseAllocations(t *testing.T) {
	rng := gptest.Rand(66)
	obs := fieldObservations(900, rng)
	g := mustSparse(t, fieldHyper, SparseConfig{ExactLimit: 50, MaxInducing: 300, Tolerance: 1e-3}, obs[:600])
	p := mustPredictor(t, g, queryCov(2))
	x, dMean, dVar := []float64{50, 60}, make([]float64, 2), make([]float64, 2)
	rows, mean, variance := mat.NewDense(8, 2, nil), make([]float64, 8), make([]float64, 8)
	for name, f := range map[string]func(){
		"Gradient":     func() { p.Predict(x); p.Gradient(dMean, dVar) },
		"PredictBatch": func() { p.PredictBatch(mean, variance, rows) },
	} {
		if n := testing.AllocsPerRun(20, f); n != 0 {
			t.Errorf("%s allocates %g times", name, n)
		}
	}
	space := Hyper{SignalVariance: 1, LengthScales: []float64{2, 3, 2}, NoiseVariance: 0.1}
	for _, c := range []struct {
		h   Hyper
		obs []Observation
	}{{fieldHyper, obs}, {space, randomObservations(rng, 900, 3)}} {
		g := mustSparse(t, c.h, SparseConfig{ExactLimit: 50, MaxInducing: 300, Tolerance: 1e-3}, c.obs[:600])
		next := 600
		if n := testing.AllocsPerRun(200, func() {
			must.OK(t, g.Add(c.obs[next]))
			next++
		}); n > 10 {
			t.Errorf("%d dimensions: Add allocates %g times", g.Dim(), n)
		}
	}
}

func TestSpreadOrder(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 8, 100} {
		order := spreadOrder(n)
		seen := make([]bool, n)
		for _, i := range order {
			seen[i] = true
		}
		if len(order) != n {
			t.Fatalf("n=%d: %v", n, order)
		}
		for i, s := range seen {
			if !s {
				t.Errorf("n=%d: %d is missing in %v", n, i, order)
			}
		}
	}
	if got, want := fmt.Sprint(spreadOrder(8)), "[0 4 2 6 1 5 3 7]"; got != want {
		t.Errorf("of 8: %s, want %s", got, want)
	}
}

// pathObservations returns n observations, along a path over the field of the benchmarks.
func pathObservations(n int, rng *rand.Rand) []Observation {
	return observed(gptest.PathSamples(n, rng))
}

// TestSparseOnePlace: a sparse posterior of values of single places is nearly the exact one.
func TestSparseOnePlace(t *testing.T) {
	rng := gptest.Rand(65)
	obs := fieldObservations(200, rng)
	for i := range obs {
		obs[i].Belief.Cov, obs[i].OnePlace = gptest.Sym2(400, 0, 3000*rng.Float64()), true
	}
	h := fieldHyper
	h.NoiseVariance = 0
	g := mustSparse(t, h, SparseConfig{ExactLimit: 1, MaxInducing: 300, Tolerance: 1e-3}, obs)
	worst, _, worstLog := compare(t, g, mustGP(t, h, obs), rng)
	if worst > 0.05 || worstLog > 0.01 {
		t.Errorf("the mean is off by %g deviations, and the deviation by a factor of e^%g", worst, worstLog)
	}
	for i := range obs {
		obs[i].OnePlace, obs[i].NoiseVariance = false, 1e-4
	}
	if worst, _, _ := compare(t, mustGP(t, h, obs), g, rng); worst < 0.5 {
		t.Errorf("means over the beliefs are within %g deviations of single places", worst)
	}
}
