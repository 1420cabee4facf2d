// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/record"
)

// Whatever way a robot heads that does not know it, it finds its heading with white fixes of 1 m within nine metres, and then does
// its mission, within the field.
func TestHeadingByDriving(t *testing.T) {
	outline := outlineFile(t, rectangle(100, 100))
	for i := range 8 {
		yaw := -math.Pi + float64(i)*math.Pi/4
		t.Run(fmt.Sprintf("%.2f rad", yaw), func(t *testing.T) {
			t.Parallel()
			cfg := DefaultConfig(1)
			cfg.Fieldsim.Field.Boundary, cfg.Fieldsim.Start = outline, []float64{20, 25, yaw}
			cfg.EKF.Heading, cfg.Explorer.HeadingDrive = "drive", 9
			cfg.Explorer.Mission.Budget.Samples = 1
			s := begin(t, &cfg, Options{Parameters: parameters(t, fmt.Sprintf("fieldsim: {ros__parameters: {seed: %d, fix.stddev: 1.0, imu.publish: false}}", 10*i))})
			furthest, outside, located := 0.0, 0.0, false // m, the true distance from the start before the first pose, and outside the field
			listen(t, s, "spectator", "ground_truth/odom", func(m *nav_msgs.Odometry) {
				p := m.Pose.Pose.Position
				outside = max(outside, -p.X, -p.Y, p.X-100, p.Y-100)
				if !located {
					furthest = max(furthest, apart(record.Place{p.X, p.Y}, record.Place{20, 25}))
				}
			})
			listen(t, s, "navigator", "odometry/filtered", func(*nav_msgs.Odometry) { located = true })
			must.OK(t, s.Run(t.Context()))
			if furthest > 9.3 || furthest < 3 || outside > 0 {
				t.Errorf("the robot was %.2f m from its start before it had a pose, want 3 to 9, and %.2f m outside the field", furthest, outside)
			}
			if m := s.Explorer().Record(); len(m.Observations) != 1 {
				t.Errorf("%d samples, want 1: %s", len(m.Observations), m.Outcome)
			}
		})
	}
}

// A robot whose position is so uncertain that the longest drive would not tell its heading makes none, and says which would.
func TestHeadingDriveThatIsTooShort(t *testing.T) {
	cfg := DefaultConfig(1)
	cfg.Fieldsim.Field.Boundary, cfg.Fieldsim.Start = outlineFile(t, rectangle(200, 200)), []float64{100, 100, 0.5}
	cfg.EKF.Heading, cfg.Explorer.HeadingDrive, cfg.Follower.BlindDistance, cfg.Fieldsim.Fix.StdDev = "drive", 45, 50, 8
	s := begin(t, &cfg, Options{})
	const want = "a drive of at most 45 m is too short: with a standard deviation of the position of 8.0 m, about 69 m are needed; drive the robot 69 m by hand or give initial_yaw"
	err := s.Run(t.Context())
	if at := s.world.Pose(); err == nil || !strings.Contains(err.Error(), want) || math.Hypot(at.X-100, at.Y-100) > 0.1 {
		t.Errorf("at (%.1f, %.1f) m: %v", at.X, at.Y, err)
	}
}
