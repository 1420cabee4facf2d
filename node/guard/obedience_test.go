// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/planner/field"
)

// A base that moves although it is commanded to stand, or obeys late, is named, in the log and in the status, with what was measured. One that
// accelerates slowly, is stuck, has noisy or drifting odometry, or is moved by hand is not.
func TestBaseThatDisobeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var queue []float64
	speed := 0.0
	for name, c := range map[string]struct {
		base  func(told float64) float64
		state string
		want  string // "": nothing
	}{
		"it obeys":      {nil, ugp_explorer_msgs.MissionStatusStateTravelling, ""},
		"it creeps":     {func(told float64) float64 { return max(told, 0.06) }, ugp_explorer_msgs.MissionStatusStateSampling, "its odometry says that it drives at 0.06 m/s"},
		"by hand":       {func(told float64) float64 { return max(told, 0.06) }, ugp_explorer_msgs.MissionStatusStatePassive, ""},
		"noise":         {func(told float64) float64 { return told + 0.05*rng.NormFloat64() }, ugp_explorer_msgs.MissionStatusStateSampling, ""},
		"drift":         {func(told float64) float64 { return told + 0.02 }, ugp_explorer_msgs.MissionStatusStateSampling, ""},
		"it is stuck":   {func(float64) float64 { return 0 }, ugp_explorer_msgs.MissionStatusStateTravelling, ""},
		"slow to start": {func(told float64) float64 { speed += max(-0.015, min(0.015, told-speed)); return speed }, ugp_explorer_msgs.MissionStatusStateTravelling, ""}, // 0.3 m/s²
		"2 s late": {func(told float64) float64 {
			queue = append(queue, told)
			return queue[max(0, len(queue)-41)]
		}, ugp_explorer_msgs.MissionStatusStateTravelling, "the base follows velocity commands 2 s late"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := fenced()
			cfg.Outline = field.Field{Boundary: orb.Polygon{{{-99, -99}, {99, -99}, {99, 99}, {-99, 99}}}}
			r := newRobot(t, cfg)
			r.obeys = c.base
			r.ask(0, time.Second)
			for range 12 {
				r.mission(c.state)
				r.ask(0.8, 2*time.Second)
				r.mission(c.state)
				r.ask(-0.8, 2*time.Second)
			}
			for range 40 {
				r.mission(c.state)
				r.ask(0, time.Second)
			}
			const any = "the base "
			if log := r.log.String(); !strings.Contains(log, c.want) || (c.want != "") != strings.Contains(log, any) {
				t.Errorf("want %q in the log:\n%s", c.want, log)
			}
			if !strings.Contains(r.status, c.want) || (c.want != "") != strings.Contains(r.status, any) || (c.want != "") != (r.level == ugp_explorer_msgs.GuardStatusLevelWarn) {
				t.Errorf("want %q, and the guard %s (level %d)", c.want, r.status, r.level)
			}
		})
	}
}
