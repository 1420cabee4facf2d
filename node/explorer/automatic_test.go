// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"cmp"
	"math"
	"strings"
	"testing"

	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/planner/field"
	"ugp_explorer/sim"
)

// On the farm of the demonstration the automatic values are the largest.
func TestAutomaticOnTheFarm(t *testing.T) {
	cfg := settings.DefaultConfig()
	cfg.Outline = field.Field{Boundary: sim.DefaultOutline(), KeepOuts: sim.DefaultKeepOuts()}
	set := cfg.Parameters()
	if v, _ := set.Get("field.margin"); v.String() != "auto" {
		t.Errorf("field.margin is %v before there is a field", v)
	}
	w := openWorldAt(t, cfg, true, epoch, 300, 300)
	for name, want := range map[string]float64{
		"field.margin": 2, "goal.tolerance": 2, "execution.stddev": 1,
		"budget.speed": 1, "path.length": 10,
	} {
		if v, _ := w.cfg.Parameters().Get(name); v.Any() != want {
			t.Errorf("%s is %v, want %g", name, v, want)
		}
	}
	if c := w.cfg; c.MapCell != 10 || c.Covariance.MaxPositionStdDev != 50 || c.Mission.HomeTolerance != 2 || c.SkipRadius != 10 || c.Mission.ReserveDistance != 2 || c.Travel != 1.2 || c.Reading.Wait != 20 || c.Mission.SampleTimeout != 60 {
		t.Errorf("cells of %g m, poses up to %g m, home tolerance %g m, skip radius %g m, reserve %g m, price %g per km, wait %g s, timeout %g s; want 10, 50, 2, 10, 2, 1.2, 20, 60",
			c.MapCell, c.Covariance.MaxPositionStdDev,
			c.Mission.HomeTolerance, c.SkipRadius, c.Mission.ReserveDistance, c.Travel, c.Reading.Wait, c.Mission.SampleTimeout)
	}
	if log := w.log.String(); strings.Contains(log, "WARN") || strings.Count(log, "parameters that follow the size of the field and the robot") != 1 {
		t.Errorf("the log has\n%s", log)
	}
}

// Each rule gives a configuration that is valid, at every size.
func TestAutomaticValuesAreValid(t *testing.T) {
	for size := 0.5; size < 1e5; size *= 1.7 {
		for radius := 0.01; radius < 100; radius *= 2 {
			cfg := settings.DefaultConfig()
			cfg.Resolve(settings.Size{Radius: radius, Inscribed: size / 2, Room: size / 3, Side: 0.8 * size, Box: size})
			if err := cmp.Or(cfg.Validate(), cfg.Mission.Validate()); err != nil {
				t.Errorf("a field of %g m and a robot of %g m: %v", size, radius, err)
			}
			if n := size / cfg.MapCell; cfg.Field.Margin < radius || n*n > 90_001 || math.IsNaN(cfg.SkipRadius) {
				t.Errorf("a field of %g m and a robot of %g m: margin %g m, %.0f cells a side", size, radius, cfg.Field.Margin, n)
			}
		}
	}
}
