// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower_test

import (
	"fmt"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
)

// Speed and distances follow the robot's size, for every size; the ones that are given stay,
// and the word auto takes them back, also while the node runs.
func TestScaledToTheRobot(t *testing.T) {
	start := func(rules ...string) (*param.Set, follower.Config, error) {
		o := &param.Overrides{}
		for _, rule := range rules {
			must.OK(t, o.AddAssignment(rule))
		}
		cfg := follower.DefaultConfig()
		set := cfg.Parameters()
		node, err := ros.NewNode(inproc.New(), exec.NewSimulated(int64(time.Second)), "follower", ros.NodeOptions{Parameters: set, Overrides: o})
		if err != nil {
			return set, cfg, err
		}
		t.Cleanup(func() { node.Close() })
		_, err = follower.New(node, &cfg)
		return set, cfg, err
	}
	type sizes struct{ speed, lookaheadMin, lookaheadMax, curve, approach, tolerance float64 }
	for _, c := range []struct {
		rules []string
		want  sizes
	}{
		{nil, sizes{1.6, 1.5, 4, 2, 2, 0.5}},
		{[]string{"robot.radius:=3.0"}, sizes{1.6, 1.5, 4, 2, 2, 0.5}},
		{[]string{"robot.radius:=0.2"}, sizes{0.4, 0.375, 1, 0.5, 0.5, 0.125}},
		{[]string{"robot.radius:=0.2", "max_speed:=0.22"}, sizes{0.22, 0.375, 1, 0.5, 0.5, 0.125}},
		{[]string{"max_speed:=1.0", "max_speed:=auto"}, sizes{1.6, 1.5, 4, 2, 2, 0.5}},
	} {
		_, cfg, err := start(c.rules...)
		if err != nil {
			t.Errorf("%v: %v", c.rules, err)
		}
		p := cfg.Pursuit
		got := sizes{p.MaxSpeed, p.LookaheadMin, p.LookaheadMax, p.CurveRadius, p.ApproachDistance, p.GoalTolerance}
		if got != c.want {
			t.Errorf("%v: %+v, want %+v", c.rules, got, c.want)
		}
	}
	for radius := 0.01; radius < 10; radius *= 1.3 {
		if _, _, err := start(fmt.Sprintf("robot.radius:=%.4f", radius)); err != nil {
			t.Errorf("a robot of %g m: %v", radius, err)
		}
	}
	for _, slow := range []string{"max_speed:=0.01", "deceleration:=0.001"} {
		if _, _, err := start("robot.radius:=0.2", slow); err != nil {
			t.Errorf("%s: %v", slow, err)
		}
	}
	set, _, err := start("robot.radius:=0.2", "max_speed:=0.22")
	must.OK(t, err)
	err = set.Set(param.Assignment{Name: "max_speed", Value: param.NewValue("auto")})
	if v, _ := set.Get("max_speed"); err != nil || v.Any() != 0.4 {
		t.Errorf("error %v, max_speed %v after auto, want 0.4", err, v)
	}
}
