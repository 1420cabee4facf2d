// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/field"
)

// A robot that steers as a car does takes all its samples between keep-outs and comes home, if the follower knows its turning circle.
// If not, it stands at the first turn, and is told what to set.
func TestRobotThatSteers(t *testing.T) {
	outline := field.Field{
		Boundary: orb.Polygon{{{0, 0}, {120, 0}, {120, 90}, {0, 90}, {0, 0}}},
		KeepOuts: []orb.Polygon{{{{50, 30}, {70, 30}, {70, 60}, {50, 60}, {50, 30}}}, {{{20, 60}, {30, 60}, {30, 70}, {20, 70}, {20, 60}}}},
	}
	const samples = 8
	for _, radius := range []float64{3, 6} {
		for _, receiver := range []string{"rtk", "consumer"} {
			for _, known := range []bool{true, false} {
				cfg := DefaultConfig(1)
				cfg.Fieldsim.Field.Boundary, cfg.Fieldsim.Receiver, cfg.Fieldsim.Plant.TurnRadius = outlineFile(t, outline), receiver, radius
				cfg.Explorer.Mission.Budget.Samples = samples
				if known {
					cfg.Follower.Pursuit.TurnRadius = radius
				}
				s := begin(t, &cfg, Options{})
				if !known {
					s.patience = 5 * time.Minute // it stands from the first turn on
				}
				err := s.Run(t.Context())
				if !known {
					if text := fmt.Sprint(err); !strings.Contains(text, "needs the follower's parameter turn_radius") {
						t.Errorf("radius %g m, %s, which the follower does not know: %s", radius, receiver, text)
					}
					continue
				}
				must.OK(t, err)
				if n, d := len(s.Explorer().Record().Observations), s.FromHome(); n != samples || d > 5 {
					t.Errorf("radius %g m, %s: %d samples, %.1f m from home", radius, receiver, n, d)
				}
			}
		}
	}
}
