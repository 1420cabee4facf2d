// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/ros"
)

// Targets keep as far inside the field as the guard needs for the position fixes that come, and a
// person is told that. Where too few places are so far inside, or home is not, the mission does not start.
func TestTargetsKeepAsFarInsideAsTheGuardNeeds(t *testing.T) {
	for name, c := range map[string]struct {
		stdDev, allowance, least, most float64 // least and most distance of the nearest target from the edges, m
		log, refusal                   string
	}{
		"small":         {0.4, 0, 4.5, 30, "and the margin is 2.0 m: raise allowance", ""},
		"allowed":       {0.2, 30, 2, 30, "", ""},
		"home too near": {2.5, 0, 2, 50, "the robot returns to the place nearest to home", ""},
		"too large":     {9, 5, 2, 50, "", "% of it: raise allowance of the guard by"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := small()
			cfg.Mission.Budget.Samples = 12
			if name == "too large" {
				cfg.Home = []float64{50, 50}
			}
			w := newWorld(t, cfg)
			of := guard.DefaultConfig()
			of.Outline, of.Allowance = cfg.Outline, c.allowance
			node := rostest.Node(t, w.graph, w.ex, guard.DefaultName, ros.NodeOptions{Parameters: of.Parameters(), NoRosout: true})
			_, err := guard.New(node, &of)
			w.must(err)
			fix, wheels := advertise[geometry_msgs.PoseWithCovarianceStamped](w, "fix_pose", ros.SensorData()), advertise[nav_msgs.Odometry](w, "odom", ros.SensorData())
			rng := rand.New(rand.NewPCG(1, 2))
			_, err = w.node.NewTimer(time.Second, func() {
				var m geometry_msgs.PoseWithCovarianceStamped
				m.Header.FrameID, m.Header.Stamp = "map", ros.TimeMsg(w.ex.Now())
				m.Pose.Pose.Position = geometry_msgs.Point{X: w.x + c.stdDev*rng.NormFloat64(), Y: w.y + c.stdDev*rng.NormFloat64()}
				m.Pose.Covariance[0], m.Pose.Covariance[7] = c.stdDev*c.stdDev, c.stdDev*c.stdDev
				w.must(fix.Publish(&m))
			})
			w.must(err)
			before := [3]float64{w.x, w.y, w.yaw}
			const period = 100 * time.Millisecond
			_, err = w.node.NewTimer(period, func() {
				var speed nav_msgs.Odometry
				speed.Twist.Twist.Linear.X = math.Hypot(w.x-before[0], w.y-before[1]) / period.Seconds()
				speed.Twist.Twist.Angular.Z = math.Remainder(w.yaw-before[2], 2*math.Pi) / period.Seconds()
				before = [3]float64{w.x, w.y, w.yaw}
				w.must(wheels.Publish(&speed))
			})
			w.must(err)
			w.run(10 * time.Second)
			if ok, text := w.call("start"); ok != (c.refusal == "") || !strings.Contains(text, c.refusal) {
				t.Fatalf("the start is answered with %v, %q", ok, text)
			}
			if c.refusal != "" {
				return
			}
			m := w.mission()
			nearest := fieldEdge
			for _, d := range m.Decisions {
				nearest = min(nearest, w.explorer.Region().SignedDistance(orb.Point(d.Target)))
			}
			if nearest < c.least || nearest > c.most || len(m.Observations) != 12 {
				t.Errorf("targets keep %.1f m inside, and there are %d samples: %s", nearest, len(m.Observations), m.Outcome)
			}
			if log := w.log.String(); !strings.Contains(log, c.log) || c.log == "" && strings.Contains(log, "the guard lets") {
				t.Error(log)
			}
		})
	}
}
