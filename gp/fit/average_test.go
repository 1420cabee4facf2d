// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
)

// The draws stand for the posterior: means under it agree with those by a lattice
// over all three parameters.
func TestAverageIsOfThePosterior(t *testing.T) {
	truth := gp.Hyper{SignalVariance: 2, LengthScales: []float64{12, 12}, NoiseVariance: 0.1, Mean: 3}
	cfg := DefaultConfig(15)
	for seed, n := range []int{4, 12, 30} {
		obs := simulate(t, truth, n, 60, 0.3, gptest.Rand(uint64(seed)+50))
		best, err := Hyper(obs, truth, cfg, gptest.Rand(1))
		must.OK(t, err)
		p := posteriorOf(t, best.Kind, obs, cfg)
		want, total, highest := make([]float64, 3), 0.0, math.Inf(-1)
		p.onLattice(func(log float64, _ []float64) { highest = max(highest, log) })
		p.onLattice(func(log float64, theta []float64) {
			w := math.Exp(log - highest)
			total += w
			floats.AddScaled(want, w, theta)
		})
		floats.Scale(1/total, want)
		want[0] += 2 * math.Log(p.scale)
		want[2] += 2 * math.Log(p.scale)

		got := make([]float64, 3)
		weights := 0.0
		const runs = 10
		for run := range uint64(runs) {
			hypers, err := Average(obs, best, cfg, averageDraws, gptest.Rand(run))
			must.OK(t, err)
			for _, h := range hypers {
				floats.AddScaled(got, h.Weight/runs, []float64{math.Log(h.Hyper.SignalVariance), math.Log(h.Hyper.LengthScales[0]), math.Log(h.Hyper.NoiseVariance)})
				weights += h.Weight
			}
		}
		gptest.Near(t, "sum of the weights", weights, runs, 1e-12)
		for k := range want { // the posterior's standard deviations are 0.2 to 1.4, and one run's means are off by a tenth or two
			if math.Abs(got[k]-want[k]) > 0.15 {
				t.Errorf("%d observations: mean of parameter %d is %g, by the lattice %g", n, k, got[k], want[k])
			}
		}
	}
}

// onLattice visits the log posterior's density on a lattice over its three parameters.
func (p *logPosterior) onLattice(visit func(log float64, theta []float64)) {
	const cells = 20
	theta := make([]float64, 3)
	for i := range cells * cells * cells {
		for k, c := range []int{i % cells, i / cells % cells, i / cells / cells} {
			pr := p.priors[k]
			theta[k] = math.Log(pr.Median) + pr.LogStdDev*(-3.5+7*(float64(c)+0.5)/cells)
		}
		visit(p.density(theta), theta)
	}
}

// Kernels share the weight as their marginal likelihoods over all hyper-parameters do,
// by a lattice.
func TestAverageOverKernels(t *testing.T) {
	truth := gp.Hyper{SignalVariance: 2, LengthScales: []float64{15, 15}, NoiseVariance: 0.02, Mean: 3}
	cfg := DefaultConfig(15)
	cfg.Kinds = []gp.Kind{gp.SquaredExponential, gp.Matern52, gp.Matern32}
	for seed := range uint64(2) {
		obs := simulate(t, truth, 15, 60, 0.3, gptest.Rand(seed+60))
		best, err := Hyper(obs, truth, cfg, gptest.Rand(1))
		must.OK(t, err)
		want := make([]float64, len(cfg.Kinds))
		for i, kind := range cfg.Kinds {
			posteriorOf(t, kind, obs, cfg).onLattice(func(log float64, _ []float64) { want[i] += math.Exp(log) })
		}
		floats.Scale(1/floats.Sum(want), want)
		got := make([]float64, len(want))
		const runs = 10
		for run := range uint64(runs) {
			hypers, err := Average(obs, best, cfg, 3*averageDraws, gptest.Rand(run))
			must.OK(t, err)
			for _, h := range hypers {
				got[slices.Index(cfg.Kinds, h.Hyper.Kind)] += h.Weight / runs
			}
		}
		t.Logf("by the lattice %.3f, got %.3f", want, got)
		for i := range want {
			if math.Abs(got[i]-want[i]) > 0.03 {
				t.Errorf("seed %d: %v has the weight %.3f, by the lattice %.3f", seed, cfg.Kinds[i], got[i], want[i])
			}
		}
	}
}

// A few stand for many: at most as many as are wanted, their weights whole shares.
func TestAverageThins(t *testing.T) {
	truth := gp.Hyper{SignalVariance: 2, LengthScales: []float64{12, 12}, NoiseVariance: 0.1, Mean: 3}
	cfg := DefaultConfig(15)
	obs := simulate(t, truth, 15, 60, 0.3, gptest.Rand(7))
	for _, k := range []int{2, 5, 8} {
		hypers, err := Average(obs, truth, cfg, k, gptest.Rand(3))
		if err != nil || len(hypers) == 0 || len(hypers) > k {
			t.Fatalf("%d of at most %d: %v", len(hypers), k, err)
		}
		sum := 0.0
		for i, h := range hypers {
			if err := h.Hyper.Validate(); err != nil {
				t.Error(err)
			}
			if share := h.Weight * float64(k); math.Abs(share-math.Round(share)) > 1e-12 || share < 0.5 {
				t.Errorf("weight %g of %d", h.Weight, k)
			}
			if i > 0 && h.Hyper.LengthScales[0] < hypers[i-1].Hyper.LengthScales[0] {
				t.Error("they are not in the order of the length-scale")
			}
			sum += h.Weight
		}
		gptest.Near(t, "sum of the weights", sum, 1, 1e-12)
		again, err := Average(obs, truth, cfg, k, gptest.Rand(3))
		if err != nil || !reflect.DeepEqual(hypers, again) {
			t.Errorf("the same arguments gave %v and %v: %v", hypers, again, err)
		}
		members, err := NewMixture(obs, hypers)
		if err != nil || len(members) != len(hypers) {
			t.Fatal(err)
		}
		for i, m := range members {
			if m.Model.Len() != len(obs) || m.Weight != hypers[i].Weight || !reflect.DeepEqual(m.Model.Hyper(), hypers[i].Hyper) {
				t.Errorf("member %d is of %v, weight %g", i, m.Model.Hyper(), m.Weight)
			}
		}
	}
}

// Where there is nothing to average over, the fit is alone.
func TestAverageAlone(t *testing.T) {
	best := gp.Hyper{SignalVariance: 2, LengthScales: []float64{12, 12}, NoiseVariance: 0.1, Mean: 3}
	cfg := DefaultConfig(15)
	obs := simulate(t, best, 6, 60, 0.3, gptest.Rand(7))
	equal := append([]gp.Observation(nil), obs...)
	for i := range equal {
		equal[i].Value = 5
	}
	for name, c := range map[string]struct {
		obs []gp.Observation
		k   int
	}{"none": {nil, 8}, "one": {obs[:1], 8}, "equal values": {equal, 8}, "one wanted": {obs, 1}} {
		got, err := Average(c.obs, best, cfg, c.k, gptest.Rand(1))
		if err != nil || len(got) != 1 || got[0].Weight != 1 || !reflect.DeepEqual(got[0].Hyper, best) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	bad := append([]gp.Observation(nil), obs...)
	bad[2].Value = math.NaN()
	if _, err := Average(bad, best, cfg, 8, gptest.Rand(1)); !errors.Is(err, gp.ErrObservation) {
		t.Errorf("a NaN: %v", err)
	}
}

// A curvature that is flat along one oblique axis and steep across it leaves, by rounding, nothing that a Cholesky
// factorisation accepts: the draws then spread as the priors do.
func TestSpreadOfACurvatureBeyondRounding(t *testing.T) {
	p := &logPosterior{priors: []Prior{{Median: 1, LogStdDev: 2}, {Median: 1, LogStdDev: 0.5}, {Median: 1, LogStdDev: 1}}}
	axis := mat.NewVecDense(3, []float64{1 / math.Sqrt(14), 2 / math.Sqrt(14), 3 / math.Sqrt(14)})
	h := mat.NewSymDense(3, nil)
	for i := range 3 {
		h.SetSym(i, i, 1e24)
	}
	h.SymRankOne(h, -1e24, axis)
	root := p.spread(h)
	for i, prior := range p.priors {
		gptest.Near(t, "standard deviation", root.At(i, i), prior.LogStdDev, 1e-12)
	}
}
