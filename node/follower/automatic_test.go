package follower_test

import (
	"math"
	"testing"
	"time"

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
			if err := o.AddAssignment(rule); err != nil {
				t.Fatal(err)
			}
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
	value := func(set *param.Set, name string) float64 {
		v, _ := set.Get(name)
		f, _ := v.Any().(float64)
		return f
	}
	for _, c := range []struct {
		rules []string
		want  map[string]float64
	}{
		{nil, map[string]float64{"max_speed": 1.6, "lookahead.min": 1.5, "lookahead.max": 4, "curve.radius": 2, "approach.distance": 2, "goal.tolerance": 0.5}},
		{[]string{"robot.radius:=3.0"}, map[string]float64{"max_speed": 1.6, "lookahead.min": 1.5, "lookahead.max": 4, "curve.radius": 2, "approach.distance": 2, "goal.tolerance": 0.5}},
		{[]string{"robot.radius:=0.2"}, map[string]float64{"max_speed": 0.4, "lookahead.min": 0.375, "lookahead.max": 1, "curve.radius": 0.5, "approach.distance": 0.5, "goal.tolerance": 0.125}},
		{[]string{"robot.radius:=0.2", "max_speed:=0.22", "lookahead.min:=0.3"}, map[string]float64{"max_speed": 0.22, "lookahead.min": 0.3, "lookahead.max": 1}},
		{[]string{"max_speed:=1.0", "max_speed:=auto"}, map[string]float64{"max_speed": 1.6}},
	} {
		set, _, err := start(c.rules...)
		if err != nil {
			t.Errorf("%v: %v", c.rules, err)
		}
		for name, want := range c.want {
			if got := value(set, name); math.Abs(got-want) > 1e-12 {
				t.Errorf("%v: %s is %g, want %g", c.rules, name, got, want)
			}
		}
	}
	for radius := 0.01; radius < 10; radius *= 1.3 {
		cfg := follower.DefaultConfig()
		cfg.Radius = radius
		if err := cfg.Validate(); err != nil {
			t.Errorf("a robot of %g m: %v", radius, err)
		}
	}

	set, _, err := start("robot.radius:=0.2", "max_speed:=0.22")
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Set(param.Assignment{Name: "max_speed", Value: param.NewValue("auto")}); err != nil || value(set, "max_speed") != 0.4 {
		t.Errorf("error %v, max_speed %g after auto, want 0.4", err, value(set, "max_speed"))
	}
}
