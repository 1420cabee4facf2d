// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
)

// view is a way to look at the same beliefs in other coordinates.
type view struct {
	name string
	a    *mat.Dense // of the new coordinates, by row, in the old ones
}

func (v view) of(b Belief) Belief {
	mean, cov := gptest.Mapped(v.a, b.Mean, b.Cov)
	return Belief{mean, cov}
}

// views returns a rotation, a permutation, and the plane or space in one of another dimension, which is aslant in it.
// In that the covariances are singular.
func views(rng *rand.Rand, d int) []view {
	permuted := mat.NewDense(d, d, nil)
	for i, j := range rng.Perm(d) {
		permuted.Set(i, j, 1)
	}
	aslant := mat.NewDense(d+1, d, nil)
	aslant.Copy(gptest.Rotation(rng, d+1).Slice(0, d+1, 0, d))
	return []view{{"rotated", gptest.Rotation(rng, d)}, {"permuted", permuted}, {"aslant", aslant}}
}

// TestViews: with one length-scale for all coordinates, no result depends on the coordinates: neither on their axes and
// order nor on how many there are. The plane, which has code of its own, is among the views of a line and of space.
func TestViews(t *testing.T) {
	rng := gptest.Rand(70)
	for d := 1; d <= 4; d++ {
		for _, kind := range Kinds() {
			h := randomHyper(rng, d)
			h.Kind = kind
			h.LengthScales = slices.Repeat([]float64{1.3}, d)
			obs := randomObservations(rng, 25, d)
			query, at := queryCov(d), gptest.Vec(rng, d, 2)
			for _, v := range views(rng, d) {
				t.Run(v.name, func(t *testing.T) {
					n, _ := v.a.Dims()
					other := h
					other.LengthScales = slices.Repeat([]float64{1.3}, n)
					seen := slices.Clone(obs)
					for i := range seen {
						seen[i].Belief = v.of(seen[i].Belief)
					}
					there := v.of(Belief{at, query})
					for i := range obs {
						gptest.Near(t, "kernel", other.Kernel().Cov(seen[i].Belief, there), h.Kernel().Cov(obs[i].Belief, Belief{at, query}), 1e-12)
						gptest.Near(t, "spread", other.Spread(seen[i].Belief), h.Spread(obs[i].Belief), 1e-12)
					}
					g, s := mustGP(t, h, obs), mustGP(t, other, seen)
					gptest.Near(t, "log likelihood", s.LogMarginalLikelihood(), g.LogMarginalLikelihood(), 1e-9)
					gptest.Near(t, "information gain", s.InformationGain(), g.InformationGain(), 1e-9)
					sameAnswers(t, v, g, s, at, query, 1e-9)
				})
			}
		}
	}
}

// sameAnswers compares what g says of N(at, query) with what s says in another view.
func sameAnswers(t *testing.T, v view, g, s *GP, at []float64, query *mat.SymDense, tol float64) {
	t.Helper()
	n, d := v.a.Dims()
	there := v.of(Belief{at, query})
	mean, variance := g.Posterior(Belief{at, query})
	gotMean, gotVariance := s.Posterior(there)
	gptest.Near(t, "mean", gotMean, mean, tol)
	gptest.Near(t, "variance", gotVariance, variance, tol)

	dMean, dVar, gotDMean, gotDVar := make([]float64, d), make([]float64, d), make([]float64, n), make([]float64, n)
	p, q := mustPredictor(t, g, query), mustPredictor(t, s, there.Cov)
	p.Predict(at)
	p.Gradient(dMean, dVar)
	gotMean, gotVariance = q.Predict(there.Mean)
	q.Gradient(gotDMean, gotDVar)
	gptest.Near(t, "mean of the predictor", gotMean, mean, tol)
	gptest.Near(t, "variance of the predictor", gotVariance, variance, tol)
	for i, want := range v.of(Point(dMean...)).Mean {
		gptest.Near(t, "gradient of the mean", gotDMean[i], want, tol)
	}
	for i, want := range v.of(Point(dVar...)).Mean {
		gptest.Near(t, "gradient of the variance", gotDVar[i], want, tol)
	}

	places, seen := mat.NewDense(3, d, nil), mat.NewDense(3, n, nil)
	for j := range 3 {
		places.SetRow(j, g.Observations()[j].Belief.Mean)
		seen.SetRow(j, s.Observations()[j].Belief.Mean)
	}
	l, err := g.NewLookahead(query, places)
	must.OK(t, err)
	other, err := s.NewLookahead(there.Cov, seen)
	must.OK(t, err)
	want, got := make([]float64, 3), make([]float64, 3)
	l.Covariances(want, at)
	other.Covariances(got, there.Mean)
	for j := range want {
		gptest.Near(t, "covariance with a place", got[j], want[j], tol)
	}
	weight := []float64{0.5, -1, 0.3}
	l.Gradients(dMean, dVar, weight, at)
	other.Gradients(gotDMean, gotDVar, weight, there.Mean)
	for i, want := range v.of(Point(dMean...)).Mean {
		gptest.Near(t, "gradient of the covariances", gotDMean[i], want, tol)
	}
}

// TestZeroCovariance: a covariance of zeros, and one that shrinks to it, is a point.
func TestZeroCovariance(t *testing.T) {
	rng := gptest.Rand(71)
	for d := 1; d <= 4; d++ {
		h, points := randomHyper(rng, d), randomObservations(rng, 20, d)
		for i := range points {
			points[i].Belief.Cov = nil
		}
		plain := mustGP(t, h, points)
		x := gptest.Vec(rng, d, 3)
		mean, variance := plain.Posterior(Point(x...))
		for _, c := range []struct{ size, tol float64 }{{0, 0}, {1e-12, 1e-9}} {
			small := queryCov(d)
			small.ScaleSym(c.size, small)
			obs := slices.Clone(points)
			for i := range obs {
				obs[i].Belief.Cov = small
			}
			m, v := mustGP(t, h, obs).Posterior(Belief{x, small})
			if math.Abs(m-mean) > c.tol || math.Abs(v-variance) > c.tol {
				t.Errorf("d=%d, covariances of %g: %g ± %g, want %g ± %g", d, c.size, m, v, mean, variance)
			}
		}
	}
}

// TestSparseInSpace: with correlated, singular and certain places along a path through space, the sparse posterior is
// within a few hundredths of the exact standard deviation.
func TestSparseInSpace(t *testing.T) {
	rng := gptest.Rand(72)
	for d := 2; d <= 4; d++ {
		h := Hyper{SignalVariance: 1, LengthScales: []float64{3, 4, 3.5, 5}[:d], NoiseVariance: 0.05}
		var obs []Observation
		x := make([]float64, d)
		for range 400 {
			for i := range x {
				x[i] = min(max(x[i]+0.4*rng.NormFloat64(), -4), 4)
			}
			obs = append(obs, Observation{Belief: Belief{slices.Clone(x), gptest.Cov(rng, d, 1)}, Value: math.Sin(x[0]) + x[1]/4})
		}
		exact, g := mustGP(t, h, obs), mustSparse(t, h, SparseConfig{ExactLimit: 50, MaxInducing: 512, Tolerance: 1e-3}, obs)
		for range 50 {
			b := Belief{obs[rng.IntN(len(obs))].Belief.Mean, gptest.Cov(rng, d, 0.5)}
			m, v := g.Posterior(b)
			wantM, wantV := exact.Posterior(b)
			if off := math.Abs(m-wantM) / math.Sqrt(wantV); off > 0.1 || math.Abs(math.Log(v/wantV)) > 0.05 {
				t.Errorf("d=%d: %g ± %g, exact %g ± %g; %d points, tolerance %g", d, m, math.Sqrt(v), wantM, math.Sqrt(wantV), g.Inducing(), g.sparse.tolerance)
			}
		}
	}
}

// TestSparseSingular: a belief along a line gets as many inducing points in the plane and in space as on the line itself.
func TestSparseSingular(t *testing.T) {
	var want int
	for d := 1; d <= 4; d++ {
		h := Hyper{SignalVariance: 1, LengthScales: slices.Repeat([]float64{1}, d), NoiseVariance: 0.01}
		cov := mat.NewSymDense(d, nil)
		for a := range d {
			for b := range a + 1 {
				cov.SetSym(a, b, 3/float64(d))
			}
		}
		g := mustSparse(t, h, SparseConfig{ExactLimit: 1, MaxInducing: 50, Tolerance: 1e-3}, nil)
		for range 2 {
			must.OK(t, g.Add(Observation{Belief: Belief{make([]float64, d), cov}, Value: 1}))
		}
		if d == 1 {
			want = g.Inducing()
		}
		if g.Inducing() != want || want < 3 {
			t.Errorf("d=%d: %d points, want those in one dimension, %d", d, g.Inducing(), want)
		}
	}
}
