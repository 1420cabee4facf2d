// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization/filter"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner/field"
)

// parameters returns the contents of a parameter file called test.yaml.
func parameters(t *testing.T, yaml string) *param.Overrides {
	t.Helper()
	o := &param.Overrides{}
	must.OK(t, o.AddYAML("test.yaml", []byte(yaml)))
	return o
}

// begin starts a simulation that ends with the test.
func begin(t *testing.T, cfg *Config, opts Options) *Simulation {
	t.Helper()
	s, err := New(cfg, opts)
	must.OK(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// listen has fn called with every message on a topic.
func listen[M any, PM ros.MessagePtr[M]](t *testing.T, s *Simulation, name, topic string, fn func(*M)) {
	t.Helper()
	node, err := ros.NewNode(s.graph, s.executor, name, ros.NodeOptions{})
	must.OK(t, err)
	s.nodes = append(s.nodes, node)
	if _, err := ros.Subscribe[M, PM](node, topic, ros.SensorData(), func(m *M, _ ros.MessageInfo) { fn(m) }); err != nil {
		t.Fatal(err)
	}
}

// A parameter of each node reaches it, and the record.
func TestParametersReachTheNodes(t *testing.T) {
	cfg := DefaultConfig(1)
	s := begin(t, &cfg, Options{Parameters: parameters(t, `
/**:
  ros__parameters: {use_sim_time: true}
ugp_explorer:
  ros__parameters:
    budget: {samples: 2}
    method: grid
fieldsim:
  ros__parameters:
    fix: {stddev: 4.0}
ekf:
  ros__parameters: {slip.turn: 0.8}
/follower:
  ros__parameters: {max_speed: 0.7}
guard:
  ros__parameters: {timeout: 0.4}
`)})
	for _, want := range []struct {
		node, name string
		value      any
	}{
		{"ugp_explorer", "budget.samples", int64(2)}, {"ugp_explorer", "method", "grid"}, {"fieldsim", "fix.stddev", 4.0},
		{"ekf", "slip.turn", 0.8}, {"follower", "max_speed", 0.7}, {"guard", "timeout", 0.4},
	} {
		if got := s.Explorer().Record().Settings[want.node][want.name]; got != want.value {
			t.Errorf("%s of %s is %v in the record, want %v", want.name, want.node, got, want.value)
		}
	}
	if e := &cfg.Explorer; e.Mission.Budget.Samples != 2 || e.Method != "grid" || cfg.Fieldsim.Fix.StdDev != 4 || cfg.Follower.Pursuit.MaxSpeed != 0.7 {
		t.Errorf("the nodes have %+v", cfg)
	}
	for yaml, want := range map[string][]string{
		"\nugp_explorr: {ros__parameters: {method: grid}}\n":            {"test.yaml:2", "node /ugp_explorr", "did you mean /ugp_explorer?"},
		"fieldsim:\n  ros__parameters:\n    fix:\n      period: -1.0\n": {"test.yaml:4", "node /fieldsim", `"fix.period"`, "given -1", "0.01 to 3600"},
	} {
		cfg := DefaultConfig(1)
		_, err := New(&cfg, Options{Parameters: parameters(t, yaml)})
		for _, part := range want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("error %v does not say %q", err, part)
			}
		}
	}
}

func square(x float64) float64 { return x * x }

func apart(a, b record.Place) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }

// TestHome refuses a home that the robot cannot come back to, with the numbers:
// from (50, 50) to (50, 150) are 100 m, 1.25 times that and 2 m in reserve 127 m.
func TestHome(t *testing.T) {
	square := orb.Polygon{{{0, 0}, {300, 0}, {300, 300}, {0, 300}, {0, 0}}}
	wall := orb.Polygon{{{-10, 200}, {310, 200}, {310, 220}, {-10, 220}, {-10, 200}}}
	region, err := field.NewRegion(field.Field{Boundary: square, KeepOuts: []orb.Polygon{wall}}, 2)
	must.OK(t, err)
	for _, c := range []struct {
		budget float64
		home   []float64
		want   string // "" when it is fine
	}{
		{127, []float64{50, 150}, ""},
		{126.9, []float64{50, 150}, "budget of 126.9 m is too small to return home: 127 m needed"},
		{1.9, nil, "budget of 1.9 m is too small to return home: 2 m needed"},
		{0, []float64{50, 290}, "home (50, 290) cannot be reached"},
	} {
		cfg := DefaultConfig(1)
		cfg.Fieldsim.Start, cfg.Explorer.Home = []float64{50, 50, 0}, c.home
		cfg.Explorer.Mission.Budget.Distance = c.budget
		cfg.Explorer.Resolve(settings.Spacious(cfg.Explorer.Radius))
		switch err := cfg.checkHome(region); {
		case c.want == "" && err != nil:
			t.Errorf("%g m home to %v: %v", c.budget, c.home, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%g m home to %v: error %v, want %q", c.budget, c.home, err, c.want)
		}
	}
}

// A configured home is where the robot has to be in the end, and not its start.
func TestFromHome(t *testing.T) {
	for want, home := range map[float64][]float64{0: nil, 100: {50, 150}} {
		cfg := DefaultConfig(1)
		cfg.Fieldsim.Start, cfg.Explorer.Home = []float64{50, 50, 0}, home
		if got := begin(t, &cfg, Options{}).FromHome(); got != want {
			t.Errorf("home %v: %g m from it, want %g", home, got, want)
		}
	}
}

// A mission that nothing begins, or that stays in a fault, is given up after an hour, here less, and the error says why. The
// robot halts when it no longer knows where it is.
func TestGivenUp(t *testing.T) {
	for name, c := range map[string]struct {
		patience time.Duration
		yaml     string
		change   func(*Config)
		want     []string
	}{
		"no heading": {6 * time.Minute, "ekf: {ros__parameters: {heading: drive}}", nil, []string{"waits for a pose: no heading yet", "filter's state: " + filter.PositionKnown.String()}},
		"poor poses": {6 * time.Minute, "fieldsim: {ros__parameters: {fix.stddev: 1.0}}", func(c *Config) { c.Explorer.Covariance.MaxPositionStdDev = 0.01 }, []string{"waits for a pose that can be used", "at most 0.01 m", filter.Running.String()}},
		"no fixes":   {20 * time.Minute, "fieldsim: {ros__parameters: {fix: {outage_gap: 300.0, outage_length: 1000000.0}}}", nil, []string{"the mission was given up: fault while "}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := DefaultConfig(1)
			if c.change != nil {
				c.change(&cfg)
			}
			s := begin(t, &cfg, Options{Parameters: parameters(t, c.yaml)})
			if s.patience != time.Hour {
				t.Errorf("given up after %s, want an hour", s.patience)
			}
			s.patience = c.patience
			var last geometry_msgs.Twist
			listen(t, s, "spectator", "cmd_vel", func(m *geometry_msgs.Twist) { last = *m })
			err := s.Run(t.Context())
			if !errors.Is(err, ErrGivenUp) {
				t.Fatalf("error %v", err)
			} else if name != "no fixes" {
				c.want = append(c.want, "has not begun within 0.1 h")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
			if last != (geometry_msgs.Twist{}) {
				t.Errorf("the last command is %+v, want none", last)
			}
			if now := time.Duration(s.executor.Now()); now < c.patience || now > 2*c.patience {
				t.Errorf("given up after %s, want %s after the last that it did", now, c.patience)
			}
		})
	}
}
