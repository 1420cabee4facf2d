// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/internal/testkit/gptest"
	"ugp_explorer/internal/testkit/must"
)

// TestPosterior compares mean, variance, joint covariance, likelihood and
// information gain with R&W Alg. 2.1 on the full matrix.
func TestPosterior(t *testing.T) {
	rng := gptest.Rand(10)
	for d := 1; d <= 4; d++ {
		for _, n := range []int{1, 2, 7, 40} {
			t.Run(fmt.Sprintf("d=%d n=%d", d, n), func(t *testing.T) {
				h, obs := randomHyper(rng, d), randomObservations(rng, n, d)
				g, want := mustGP(t, h, obs), newNaiveGP(t, h, obs)
				gptest.Near(t, "log likelihood", g.LogMarginalLikelihood(), want.logLikelihood(), 1e-10)
				gptest.Near(t, "information gain", g.InformationGain(), naiveGain(want), 1e-10)
				q := []Belief{randomBelief(rng, d), randomBelief(rng, d), Point(gptest.Vec(rng, d, 3)...), obs[0].Belief}
				for _, b := range q {
					m, v := g.Posterior(b)
					wantM, wantV := want.posterior(b)
					gptest.Near(t, "mean", m, wantM, 1e-10)
					gptest.Near(t, "variance", v, wantV, 1e-10)
				}
			})
		}
	}
}

// naiveGain is ½ log|I + Λ^-½ K̂ Λ^-½| as it stands (Eq. uibo-ig).
func naiveGain(g *naiveGP) float64 {
	n := len(g.obs)
	noise := func(i int) float64 { return naiveNoise(g.h, g.obs[i]) }
	m := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			k := g.k.At(i, j)
			if i == j {
				k -= noise(i)
				m.Set(i, j, 1)
			}
			m.Set(i, j, m.At(i, j)+k/math.Sqrt(noise(i)*noise(j)))
		}
	}
	logDet, _ := mat.LogDet(m)
	return logDet / 2
}

// TestAddEqualsBatch: one at a time, all at once, and in two batches are the same
// to the last bit, since the factor is extended row by row in each case.
func TestAddEqualsBatch(t *testing.T) {
	rng := gptest.Rand(12)
	h, obs := randomHyper(rng, 2), randomObservations(rng, 60, 2)
	all := mustGP(t, h, obs)
	one := mustGP(t, h, nil)
	for _, o := range obs {
		must.OK(t, one.Add(o))
	}
	two := mustGP(t, h, obs[:25])
	must.OK(t, two.AddAll(obs[25:]))
	for _, g := range []*GP{one, two} {
		if d := difference(all, g); d != "" {
			t.Error(d)
		}
	}
}

// difference names the first thing in which two GPs are not the same.
func difference(a, b *GP) string {
	switch {
	case a.Len() != b.Len():
		return fmt.Sprintf("lengths %d and %d", a.Len(), b.Len())
	case !reflect.DeepEqual(a.Observations(), b.Observations()):
		return "observations differ"
	case !reflect.DeepEqual(a.chol.A, b.chol.A):
		return "factors differ"
	case !reflect.DeepEqual(a.alpha, b.alpha):
		return "weights differ"
	case a.InformationGain() != b.InformationGain():
		return "information gains differ"
	case a.LogMarginalLikelihood() != b.LogMarginalLikelihood():
		return "likelihoods differ"
	case conditionNumber(a) != conditionNumber(b):
		return "conditions differ"
	}
	return ""
}

// TestAddKeepsNothing: changing what was passed in changes nothing inside.
func TestAddKeepsNothing(t *testing.T) {
	h := Hyper{SignalVariance: 1, LengthScales: []float64{1, 1}, NoiseVariance: 0.1}
	g := mustGP(t, h, nil)
	o := Observation{Belief: Belief{[]float64{1, 2}, mat.NewSymDense(2, []float64{1, 0, 0, 1})}, Value: 3}
	must.OK(t, g.Add(o))
	m, v := g.Posterior(Point(1, 1))
	h.LengthScales[0] = 9
	g.Hyper().LengthScales[1] = 9
	o.Belief.Mean[0] = 7
	o.Belief.Cov.SetSym(0, 0, 50)
	if m2, v2 := g.Posterior(Point(1, 1)); m2 != m || v2 != v {
		t.Errorf("posterior went from %g, %g to %g, %g", m, v, m2, v2)
	}
	if got := g.Observations()[0].Belief; got.Mean[0] != 1 || got.Cov.At(0, 0) != 1 {
		t.Errorf("observation became %v", got)
	}
}

// TestNoiselessInterpolates: without noise the posterior passes through the
// values, and the information gain is infinite by its definition.
func TestNoiselessInterpolates(t *testing.T) {
	g := mustGP(t, Hyper{SignalVariance: 2, LengthScales: []float64{1}},
		[]Observation{{Belief: Point(0), Value: 1}, {Belief: Point(1.5), Value: -1}, {Belief: Point(4), Value: 3}})
	for _, o := range g.Observations() {
		m, v := g.Posterior(o.Belief)
		gptest.Near(t, "mean", m, o.Value, 1e-14)
		gptest.Near(t, "variance", v, 0, 1e-14)
	}
	if !math.IsInf(g.InformationGain(), 1) {
		t.Errorf("information gain is %g, want +Inf", g.InformationGain())
	}
}

func TestEmptyGP(t *testing.T) {
	h := Hyper{SignalVariance: 2, LengthScales: []float64{1, 1}, NoiseVariance: 0.1, Mean: 7}
	g := mustGP(t, h, nil)
	m, v := g.Posterior(Point(1, 2))
	if m != 7 || v != 2 || g.Len() != 0 || g.Dim() != 2 || g.InformationGain() != 0 || g.LogMarginalLikelihood() != 0 || conditionNumber(g) != 1 {
		t.Errorf("mean %g variance %g length %d dimension %d gain %g likelihood %g condition %g",
			m, v, g.Len(), g.Dim(), g.InformationGain(), g.LogMarginalLikelihood(), conditionNumber(g))
	}
}

// TestIllConditioned: observations that the matrix can't bear are refused with
// the numbers, and the GP stays as it was.
func TestIllConditioned(t *testing.T) {
	h := Hyper{SignalVariance: 3, LengthScales: []float64{1, 1}}
	g := mustGP(t, h, []Observation{{Belief: Point(5, 5), Value: 1}, {Belief: Point(0, 0), Value: 2}})
	before := mustGP(t, h, g.Observations())
	for _, x := range [][]float64{{0, 0}, {1e-9, 0}} {
		err := g.Add(Observation{Belief: Point(x...), Value: 2.1})
		var ill *IllConditionedError
		if !errors.As(err, &ill) {
			t.Fatalf("at %v: got %v, want an IllConditionedError", x, err)
		}
		if ill.Index != 2 || ill.Nearest != 1 || ill.Variance != 3 || ill.NoiseVariance != 0 ||
			math.Abs(ill.Pivot) > 1e-14 || ill.Condition <= maxCondition || ill.Correlation < 1-1e-15 {
			t.Errorf("at %v: %+v", x, *ill)
		}
		if d := difference(before, g); d != "" {
			t.Errorf("after the error: %s", d)
		}
	}
	// A little noise makes it bearable, and later additions work as ever.
	for _, o := range []Observation{{Belief: Point(0, 0), Value: 2.1, NoiseVariance: 1e-6}, {Belief: Point(1, 1), Value: 0}} {
		must.OK(t, g.Add(o))
		must.OK(t, before.Add(o))
	}
	if d := difference(before, g); d != "" {
		t.Error(d)
	}
	// Dense data without noise fail before anything turns to noise or NaN.
	g = mustGP(t, Hyper{SignalVariance: 1, LengthScales: []float64{1}}, nil)
	var err error
	for i := 0; i < 100 && err == nil; i++ {
		err = g.Add(Observation{Belief: Point(float64(i) / 20), Value: math.Sin(float64(i) / 20)})
		if m, v := g.Posterior(Point(0.33)); i > 8 && !(math.Abs(m-math.Sin(0.33)) < 1e-3 && v >= 0) {
			t.Errorf("n=%d: mean %g, variance %g", i, m, v)
		}
	}
	if err == nil {
		t.Error("100 points within 5 length-scales were accepted without noise")
	}
}

// TestAddAllOrNothing: one bad observation among good ones leaves the GP alone.
func TestAddAllOrNothing(t *testing.T) {
	rng := gptest.Rand(14)
	h, obs := randomHyper(rng, 2), randomObservations(rng, 20, 2)
	g, before := mustGP(t, h, obs[:10]), mustGP(t, h, obs[:10])
	bad := append([]Observation(nil), obs[10:]...)
	bad[6].Value = math.NaN()
	if err := g.AddAll(bad); !errors.Is(err, ErrObservation) {
		t.Errorf("got %v, want ErrObservation", err)
	}
	if d := difference(before, g); d != "" {
		t.Error(d)
	}
	for _, x := range []*GP{g, before} {
		must.OK(t, x.AddAll(obs[10:]))
	}
	if d := difference(before, g); d != "" {
		t.Error(d)
	}
}

// TestConditionEstimate compares with the eigenvalues. The row sum is at most √n
// times the largest eigenvalue, and 1/|y|² can't be below the smallest, so the
// estimate is at most √n times the truth; from below it is only usually close.
func TestConditionEstimate(t *testing.T) {
	rng := gptest.Rand(15)
	for range 40 {
		d, n := 1+rng.IntN(3), 2+rng.IntN(60)
		h, obs := randomHyper(rng, d), randomObservations(rng, n, d)
		h.NoiseVariance = math.Pow(10, -8*rng.Float64())
		for i := range obs {
			obs[i].NoiseVariance = 0
		}
		g := mustGP(t, h, obs)
		h.MeanStdDev = 0 // the mean is beside the matrix, not in it
		k := newNaiveGP(t, h, obs).k
		scaled := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range i + 1 {
				scaled.SetSym(i, j, k.At(i, j)/math.Sqrt(k.At(i, i)*k.At(j, j)))
			}
		}
		var e mat.EigenSym
		if !e.Factorize(scaled, false) {
			t.Fatal("no eigenvalues")
		}
		// What the estimate rests on: y = (DL)⁻¹w with |w| = 1, and norm2 is |y|².
		y2, w2 := 0.0, 0.0
		for i, y := range g.cond.y {
			w := 0.0
			for j, l := range g.chol.Row(i) {
				w += l * g.cond.y[j] * g.cond.scale[i]
			}
			y2, w2 = y2+y*y, w2+w*w
		}
		gptest.Near(t, "|w|²", w2, 1, 1e-9)
		gptest.Near(t, "|y|²", y2/g.cond.norm2, 1, 1e-6)
		v := e.Values(nil)
		truth := v[n-1] / v[0]
		if r := conditionNumber(g) / truth; r > math.Sqrt(float64(n))*(1+1e-6) || r < 1/float64(n) {
			t.Errorf("d=%d n=%d: estimate %.3g, truth %.3g", d, n, conditionNumber(g), truth)
		}
	}
}

// conditionNumber returns the estimate by which observations are refused, 1 without any.
func conditionNumber(g *GP) float64 {
	switch {
	case g.sparse != nil:
		return 1 + g.sparse.trace
	case g.Len() == 0:
		return 1
	}
	return g.cond.max * g.cond.norm2
}

// TestConditionUncorrelated: where nothing is correlated the matrix is as well-conditioned
// as can be, however different the noise.
func TestConditionUncorrelated(t *testing.T) {
	g := mustGP(t, Hyper{SignalVariance: 1, LengthScales: []float64{1}}, nil)
	for i, v := range []float64{0.1, 1e20, 0.5, 0, 1} {
		must.OK(t, g.Add(Observation{Belief: Point(1000 * float64(i)), NoiseVariance: v}))
		gptest.Near(t, "condition", conditionNumber(g), 1, 1e-14)
	}
}

// TestNoiseOfAllSizes: observations so noisy that they tell nothing, among others that are
// almost exact, are neither refused nor change what the others tell.
func TestNoiseOfAllSizes(t *testing.T) {
	rng := gptest.Rand(16)
	h, obs := randomHyper(rng, 2), randomObservations(rng, 24, 2)
	h.NoiseVariance = 0
	var telling []Observation
	for i := range obs {
		obs[i].NoiseVariance = h.SignalVariance * 1e-6
		if i%3 == 1 {
			obs[i].NoiseVariance = h.SignalVariance * math.Pow(10, 12+float64(i))
			continue
		}
		telling = append(telling, obs[i])
	}
	all, want := mustGP(t, h, obs), mustGP(t, h, telling)
	for range 20 {
		q := randomBelief(rng, 2)
		m, v := all.Posterior(q)
		wantM, wantV := want.Posterior(q)
		gptest.Near(t, "mean", m, wantM, 1e-6)
		gptest.Near(t, "variance", v, wantV, 1e-6)
	}
}

// TestOnePlaceAtAPoint: a place that is known for certain has no variance of f within it, of either sign, so a value of it without noise
// gains as much as one of the mean over it.
func TestOnePlaceAtAPoint(t *testing.T) {
	for _, kind := range Kinds() {
		g := mustGP(t, Hyper{Kind: kind, SignalVariance: 1.7, LengthScales: []float64{3, 3}}, []Observation{{Belief: Point(1, 2), Value: 1, OnePlace: true}})
		if gain := g.InformationGain(); !(gain > 15) {
			t.Errorf("%v: the gain is %g nats, want it without bound but for rounding", kind, gain)
		}
	}
}
