// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"fmt"
	"math"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/ros/param"
)

// The drive without the nodes takes the samples that the whole robot takes, up to one, on a
// path of nearly the same length, in nearly the same time; its regret is that of a place in the field.
func TestDriveLattice(t *testing.T) {
	for method, points := range map[string]int{BudgetGrid: 9, BudgetLines: 30} {
		trial := BudgetTrial{Method: method, BudgetSetting: BudgetSetting{"farm", BudgetLimit{Distance: 2500}}, Points: points, Seed: TuningSeed}
		open := func() *Simulation {
			cfg, o := DefaultConfig(trial.Seed), &param.Overrides{}
			for _, rule := range []string{"budget.distance:=2500.0", fmt.Sprint("budget.samples:=", points), "method:=" + method} {
				must.OK(t, o.AddAssignment(explorer.DefaultName+":"+rule))
			}
			s, err := New(&cfg, Options{Parameters: o})
			must.OK(t, err)
			t.Cleanup(func() { s.Close() })
			return s
		}
		got, err := open().DriveLattice(trial)
		must.OK(t, err)
		whole := open()
		must.OK(t, whole.Run(t.Context()))
		want := whole.Explorer().Record()
		if math.Abs(float64(got.Samples-len(want.Observations))) > 1 || math.Abs(got.Driven/want.Distance-1) > 0.05 || math.Abs(got.Duration/want.SimulatedTime-1) > 0.15 {
			t.Errorf("%s: %d samples, %.0f m, %.0f s; the whole robot %d, %.0f m, %.0f s", method, got.Samples, got.Driven, got.Duration, len(want.Observations), want.Distance, want.SimulatedTime)
		}
		best := want.Truth.Smooth.Best
		if !(got.Smooth >= 0 && got.Smooth < best-0.5) {
			t.Errorf("%s: regret %.3f, with a maximum of %.3f", method, got.Smooth, best)
		}
	}
}
