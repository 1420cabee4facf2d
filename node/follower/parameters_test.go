// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
)

// Limits can be changed while the robot drives; one that is refused changes nothing.
func TestParametersWhileDriving(t *testing.T) {
	w := newWorld(t, nil)
	w.follow(straight...)
	w.run(10 * time.Second)
	set := func(name string, value float64) error {
		return w.node.Parameters().Set(param.Assignment{Name: name, Value: param.NewValue(value)})
	}
	for name, value := range map[string]float64{"max_speed": -1, "deceleration": 0, "robot.radius": 5} {
		if err := set(name, value); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s = %g: %v", name, value, err)
		}
	}
	w.run(3 * time.Second)
	if v := w.last().v; v != 1.6 || w.cfg.Pursuit.Deceleration != 0.8 {
		t.Errorf("%g m/s after refused changes, want 1.6 as before", v)
	}
	w.must(set("max_speed", 0.7))
	w.run(3 * time.Second)
	if v := w.last().v; v != 0.7 {
		t.Errorf("%g m/s after max_speed was set to 0.7", v)
	}
	w.must(set("goal.timeout", 0.5))
	w.repeat = nil
	from := w.ex.Now()
	w.run(6 * time.Second)
	w.mustStand(from+int64(500*time.Millisecond+stoppingTime(w)), "goal.timeout of 0.5 s")
}

// Errors in a configuration that a program fills in name the field, too.
func TestNewRefusesABadConfiguration(t *testing.T) {
	for want, change := range map[string]func(*follower.Config){
		"goal.source":        func(c *follower.Config) { c.Source = "hearsay" },
		"frame_id":           func(c *follower.Config) { c.FrameID = "" },
		"acceleration":       func(c *follower.Config) { c.Pursuit.Acceleration = math.Inf(1) },
		"LookaheadMin is -1": func(c *follower.Config) { c.Pursuit.LookaheadMin = -1 },
	} {
		cfg := follower.DefaultConfig()
		node, err := ros.NewNode(inproc.New(), exec.NewSimulated(0), "follower", ros.NodeOptions{Parameters: cfg.Parameters()})
		must.OK(t, err)
		change(&cfg)
		if _, err := follower.New(node, &cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
		if err := node.Close(); err != nil {
			t.Error(err)
		}
	}
}
