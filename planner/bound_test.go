package planner_test

import (
	"math"
	"testing"

	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/sim/rig/plantest"
)

// TestBoundMost: no mean between two is worth more than the bound has it, and where
// they are one it is the score.
func TestBoundMost(t *testing.T) {
	rng := plantest.Rand(7)
	for _, o := range planner.Objectives() {
		b := &acquire.UCB{Beta: 1.3, Merit: o.Merit(0.4)}
		for range 200 {
			low, width, s := rng.NormFloat64(), math.Abs(rng.NormFloat64()), math.Abs(rng.NormFloat64())
			most := b.Most(low, low+width, s)
			best := math.Inf(-1)
			for i := range 101 {
				best = max(best, b.Score(low+width*float64(i)/100, s))
			}
			if most < best-1e-12 || most > best+width/100+1e-12 {
				t.Errorf("%s: at most %g from %g to %g, found %g", o, most, low, low+width, best)
			}
			if b.Most(low, low, s) != b.Score(low, s) {
				t.Errorf("%s: at %g alone %g, want %g", o, low, b.Most(low, low, s), b.Score(low, s))
			}
		}
	}
}
