package gp

import (
	"testing"
)

// The negated posterior is that of the negated values, and what is added to it
// leaves the one that it came from as it was.
func TestNegated(t *testing.T) {
	rng := newRand(12)
	for _, c := range []struct {
		kind   Kind
		sparse bool // beyond 15 observations
	}{{SquaredExponential, false}, {Matern32, false}, {SquaredExponential, true}} {
		h, obs := randomHyper(rng, 2), randomObservations(rng, 21, 2)
		h.Kind = c.kind
		mirrored := h
		mirrored.Mean = -h.Mean
		opposite := make([]Observation, len(obs))
		for i, o := range obs {
			o.Value = -o.Value
			opposite[i] = o
		}
		limit := DefaultSparseConfig()
		limit.ExactLimit = 30
		if c.sparse {
			limit.ExactLimit = 15
		}
		g, want := mustSparse(t, h, limit, obs[:20]), mustSparse(t, mirrored, limit, opposite[:20])
		q := randomBelief(rng, 2)
		mean, variance := g.Posterior(q)
		n := g.Negated()
		for _, g := range []*GP{n, want} {
			if err := g.Add(opposite[20]); err != nil {
				t.Fatal(err)
			}
		}
		gotMean, gotVariance := n.Posterior(q)
		wantMean, wantVariance := want.Posterior(q)
		near(t, "mean", gotMean, wantMean, 1e-10)
		near(t, "variance", gotVariance, wantVariance, 1e-10)
		near(t, "log likelihood", n.LogMarginalLikelihood(), want.LogMarginalLikelihood(), 1e-10)
		near(t, "information gain", n.InformationGain(), want.InformationGain(), 1e-10)
		near(t, "prior mean", n.Hyper().Mean, -h.Mean, 0)
		for i, o := range n.Observations() {
			near(t, "value", o.Value, -obs[i].Value, 0)
		}
		if m, v := g.Posterior(q); m != mean || v != variance || g.Len() != 20 || g.Hyper().Mean != h.Mean || g.Observations()[3].Value != obs[3].Value {
			t.Errorf("the original has %g ± %g of %d, had %g ± %g of 20", m, v, g.Len(), mean, variance)
		}
		if err := g.Add(obs[20]); err != nil {
			t.Fatal(err)
		}
		m, v := g.Posterior(q)
		near(t, "mean, one more added", m, -wantMean, 1e-10)
		near(t, "variance, one more added", v, wantVariance, 1e-10)
	}
}

// A refused observation leaves nothing behind that a clone shares with what it was made
// from: each then has only its own observations.
func TestCloneAfterRefusal(t *testing.T) {
	g, err := New(Hyper{SignalVariance: 1, LengthScales: []float64{1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{0, 3, 6, 9, 12} {
		if err := g.Add(Observation{Belief: Point(x, 0), Value: x}); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Add(Observation{Belief: Point(0, 0)}); err == nil {
		t.Fatal("a repeated observation without noise is not refused")
	}
	c := g.Clone()
	if err := g.Add(Observation{Belief: Point(20, 0), Value: 1}); err != nil {
		t.Fatal(err)
	}
	if err := c.Add(Observation{Belief: Point(30, 0), Value: 7}); err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct {
		name string
		of   *GP
		x    float64
		want float64
	}{{"the original", g, 20, 1}, {"the clone", c, 30, 7}} {
		mean, _ := s.of.Posterior(Point(s.x, 0))
		near(t, s.name+" at its last observation", mean, s.want, 1e-9)
	}
}
