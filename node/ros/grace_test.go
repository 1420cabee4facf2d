// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros_test

import (
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
)

// A message is late, and not missing, for half a second of wall time after the last one, if
// the time comes from /clock.
func TestGrace(t *testing.T) {
	simulated := &param.Overrides{}
	must.OK(t, simulated.AddAssignment("use_sim_time:=true"))
	realTime := func() exec.Executor { return exec.NewRealTime() }
	for _, c := range []struct {
		name  string
		ex    func() exec.Executor
		over  *param.Overrides
		lasts bool
	}{
		{"from /clock", realTime, simulated, true},
		{"wall clock", realTime, nil, false},
		{"lock step", func() exec.Executor { return exec.NewSimulated(0) }, simulated, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := rostest.Node(t, inproc.New(), c.ex(), "n", ros.NodeOptions{Overrides: c.over})
			g := n.NewGrace(ros.DefaultGrace)
			now := time.Unix(1000, 0)
			g.SetWall(func() time.Time { return now })
			if g.Lasts() {
				t.Error("lasts before the first message")
			}
			g.Came()
			for _, at := range []struct {
				after time.Duration
				lasts bool
			}{{0, c.lasts}, {499 * time.Millisecond, c.lasts}, {500 * time.Millisecond, false}, {time.Hour, false}} {
				if now = time.Unix(1000, int64(at.after)); g.Lasts() != at.lasts {
					t.Errorf("%v after the last message: lasts is %v, want %v", at.after, g.Lasts(), at.lasts)
				}
			}
		})
	}
}
