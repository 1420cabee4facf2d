// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package settings_test

import (
	"cmp"
	"math"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/planner"
)

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

// A program that fills the configuration gets the checks of the parameters, by
// their names.
func TestConfigurationOfAProgram(t *testing.T) {
	good := settings.DefaultConfig()
	must.OK(t, good.Validate())
	for name, change := range map[string]func(*settings.Config){
		"home has 1 number,": func(c *settings.Config) { c.Home = []float64{1} },
		"StdDev is 0 m":      func(c *settings.Config) { c.Learn.On, c.Execution = true, 0 },
		"threshold is -1, but the model needs its logarithm": func(c *settings.Config) {
			c.Objective, c.Threshold, c.Reading.Transform = planner.ObjectiveThreshold, -1, "log10"
		},
	} {
		cfg := settings.DefaultConfig()
		change(&cfg)
		if err := cfg.Validate(); err == nil || !strings.HasPrefix(err.Error(), "explorer: ") || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
