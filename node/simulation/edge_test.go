// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/planner/field"
)

// With fixes of 1 m that fail for 20 s each minute, a robot stays in its field but for the tails
// of the errors, and takes all its samples. Without field.margin_sigmas it strays by 5 to 12 m
// with these seeds.
func TestRobotStaysInTheField(t *testing.T) {
	for _, seed := range []int64{20, 25, 29, 30} {
		cfg := DefaultConfig(seed)
		cfg.Fieldsim.Field.Boundary = outlineFile(t, rectangle(100, 100))
		cfg.Explorer.Model.Fit, cfg.Explorer.Search.Starts = false, 150
		s := begin(t, &cfg, Options{Parameters: parameters(t, `
/**/fieldsim: {ros__parameters: {fix.stddev: 1.0, fix.outage_gap: 60.0, fix.outage_length: 20.0}}
`)})
		least, region := math.Inf(1), s.Explorer().Region()
		listen(t, s, "spectator", "ground_truth/odom", func(m *nav_msgs.Odometry) {
			least = min(least, region.SignedDistance(orb.Point{m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y}))
		})
		must.OK(t, s.Run(t.Context()))
		m := s.Explorer().Record()
		t.Logf("seed %d: %.2f m from the edge, %d samples, %.0f s", seed, least, len(m.Observations), m.SimulatedTime)
		if least < -1 || len(m.Observations) != 30 {
			t.Errorf("seed %d: %.2f m from the edge, %d samples: %s", seed, least, len(m.Observations), m.Outcome)
		}
	}
}

// A mission that would get stuck in a lane on its way home, or for which the whole field is too narrow with fixes whose errors
// last, is refused at once, with the width that is needed. A strip that is wide enough is explored, and so is the lane with
// better fixes.
func TestNarrowFields(t *testing.T) {
	lane := field.Field{Boundary: orb.Polygon{{{0, -1}, {40, -1}, {40, -3}, {46, -3}, {46, 3}, {40, 3}, {40, 1}, {0, 1}, {0, -1}}}}
	for _, c := range []struct {
		name     string
		outline  field.Field
		y        float64 // where the robot starts
		receiver string
		fix      float64 // standard deviation of white fixes, m
		want     string  // "": it is explored
	}{
		{"lane", lane, 0, "white", 1, "the passage from home into the field is only "},
		{"lane, better fixes", lane, 0, "white", 0.02, ""},
		{"strip", rectangle(60, 5), 2.5, "white", 1, ""},
		{"strip, lasting errors", rectangle(60, 5), 2.5, "consumer", 0, "the field is at most 5.0 m wide between its edges and keep-outs, at "},
	} {
		cfg := DefaultConfig(1)
		cfg.Fieldsim.Field.Boundary, cfg.Explorer.Mission.Budget.Samples = outlineFile(t, c.outline), 1
		cfg.Fieldsim.Receiver, cfg.Fieldsim.Start = c.receiver, []float64{2, c.y, 0}
		if c.fix > 0 {
			cfg.Fieldsim.Fix.StdDev = c.fix
		}
		s := begin(t, &cfg, Options{})
		err := s.Run(t.Context())
		switch got := fmt.Sprint(err); {
		case c.want == "" && (err != nil || len(s.Explorer().Record().Observations) != 1):
			t.Errorf("%s: %v, %s", c.name, err, s.Explorer().Status())
		case c.want != "" && (!strings.HasPrefix(got, "the mission was given up: it does not start: "+c.want) || !strings.Contains(got, " m are needed: ")):
			t.Errorf("%s: %s", c.name, got)
		case c.want != "" && s.executor.Now() > epoch+int64(5*time.Minute):
			t.Errorf("%s: refused after %v of simulated time", c.name, time.Duration(s.executor.Now()-epoch))
		}
	}
}
