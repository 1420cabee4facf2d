// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/field"
)

// A rule that two faults break together is shrunk to these two. A third that breaks another
// rule does not mislead.
func TestShrink(t *testing.T) {
	run := func(only []int) (Result, error) {
		r := Result{Seed: 7, Faults: 5, Only: only}
		switch {
		case slices.Contains(only, 2) && slices.Contains(only, 5):
			r.Violation = &Violation{Rule: "outside"}
		case slices.Contains(only, 3):
			r.Violation = &Violation{Rule: "stands"}
		}
		return r, nil
	}
	whole, _ := run([]int{1, 2, 3, 4, 5})
	whole.Only = nil
	r, err := shrink(whole, run)
	if err != nil || !slices.Equal(r.Only, []int{2, 5}) || r.Violation.Rule != "outside" {
		t.Errorf("%+v, %v", r, err)
	}
	if got, want := command(r), "go test ./node/simulation/faults -run TestSeeds -v -seeds 7 -only 2,5"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	kept := Result{Seed: 8}
	if r, err := shrink(kept, run); err != nil || r.Violation != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// The places of the checks are those of the planner's geometry, which they share no code
// with.
func TestGround(t *testing.T) {
	rng := stream(1, "test")
	for range 40 {
		f := drawField(rng)
		region, err := field.NewRegion(f, 0.01)
		if err != nil {
			continue
		}
		g := ground{f.Boundary, f.KeepOuts}
		b := f.Boundary.Bound()
		for range 50 {
			p := orb.Point{between(rng, b.Min[0]-2, b.Max[0]+2), between(rng, b.Min[1]-2, b.Max[1]+2)}
			if got, want := g.depth(p) > 0, region.SignedDistance(p) > 0; got != want {
				t.Fatalf("%v: inside is %v, want %v", p, got, want)
			}
		}
	}
}

// How far the robot may leave the field, without a guard and with one, counts from where it was put
// until it is inside.
func TestLeftTheField(t *testing.T) {
	for _, c := range []struct {
		guard  bool
		put    float64
		byHand float64   // until when a person answers for it, s
		out    []float64 // one after the other, m
		broken bool
	}{
		{false, 0, -1, []float64{0, 4.9}, false},
		{false, 0, -1, []float64{0, 5.1}, true},
		{false, 7, -1, []float64{7, 11.9}, false},
		{false, 7, -1, []float64{7, 12.1}, true},
		{false, 7, -1, []float64{7, 0, 5.1}, true},
		{true, 0, -1, []float64{0, 0.4}, false},
		{true, 0, -1, []float64{0, 0.6}, true},
		{true, 7, -1, []float64{7, 7.9}, false},
		{true, 7, -1, []float64{7, 8.5}, true},
		{true, 7, -1, []float64{7, 0, 0.6}, true},
		{true, 0, 0, []float64{0, 0.6}, false},
	} {
		w := staged(t, 1)
		w.trial.guard, w.watcher.motion.put, w.watcher.motion.byHand = c.guard, c.put, c.byHand
		for _, out := range c.out {
			w.watcher.checkField(orb.Point{}, out)
		}
		if v := w.watcher.violation; (v != nil) != c.broken || v != nil && v.Rule != "left the field" {
			t.Errorf("guard %v, put %g m outside, then at %v m: %v", c.guard, c.put, c.out, v)
		}
		w.close()
	}
}
