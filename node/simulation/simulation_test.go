package simulation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"gonum.org/v1/gonum/stat/distuv"

	"ugp_explorer/localization/filter"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
	"ugp_explorer/sim"
)

// parameters returns the contents of a parameter file called test.yaml.
func parameters(t *testing.T, yaml string) *param.Overrides {
	t.Helper()
	o := &param.Overrides{}
	if err := o.AddYAML("test.yaml", []byte(yaml)); err != nil {
		t.Fatal(err)
	}
	return o
}

// begin starts a simulation that ends with the test.
func begin(t *testing.T, cfg *Config, opts Options) *Simulation {
	t.Helper()
	s, err := New(cfg, opts)
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	s.nodes = append(s.nodes, node)
	if _, err := ros.Subscribe[M, PM](node, topic, ros.SensorData(), func(m *M, _ ros.MessageInfo) { fn(m) }); err != nil {
		t.Fatal(err)
	}
}

// explore runs a mission to its end.
func explore(t *testing.T, cfg Config, yaml string) *record.Mission {
	t.Helper()
	s := begin(t, &cfg, Options{Parameters: parameters(t, yaml)})
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s.Explorer().Record()
}

// TestMission has the mission done as it was asked for, on several farms: the
// samples in the field, the robot at home, and the beliefs consistent with where
// the samples were truly taken.
func TestMission(t *testing.T) {
	const seeds = 3
	squared, samples := 0.0, 0
	for seed := range int64(seeds) {
		cfg := DefaultConfig(seed + 1)
		s := begin(t, &cfg, Options{Parameters: parameters(t, "ugp_explorer: {ros__parameters: {budget.samples: 5}}")})
		var first, last [2]float64
		listen(t, s, "spectator", "ground_truth/odom", func(m *nav_msgs.Odometry) {
			last = [2]float64{m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y}
			if first == ([2]float64{}) {
				first = last
			}
		})
		if err := s.Run(t.Context()); err != nil {
			t.Fatalf("seed %d: %v", seed+1, err)
		}
		m := s.Explorer().Record()
		if len(m.Observations) != 5 || len(m.Skipped) != 0 {
			t.Errorf("seed %d: %d samples, %d targets skipped; want 5, 0", seed+1, len(m.Observations), len(m.Skipped))
		}
		if s.Explorer().State() != mission.StateDone || m.Outcome != "the budget of 5 samples is used" {
			t.Errorf("seed %d: %s: %s", seed+1, s.Explorer().State(), m.Outcome)
		}
		// 2 m are the tolerance; the filter knows the place to some decimetres.
		if d := apart(first, last); d > 4 {
			t.Errorf("seed %d: the robot ended %.1f m from home", seed+1, d)
		}
		// The driven way is at least that between the true places of the samples.
		way, at := 0.0, first
		for i, o := range m.Observations {
			if o.TruePlace == nil {
				t.Fatalf("seed %d: sample %d has no true place", seed+1, i+1)
			}
			if !onFarm(o.Target) || !onFarm(*o.TruePlace) {
				t.Errorf("seed %d: sample %d for %.1f was taken at %.1f, outside the field", seed+1, i+1, o.Target, *o.TruePlace)
			}
			squared += o.Belief.SquaredDistance(*o.TruePlace)
			samples++
			way, at = way+apart(at, *o.TruePlace), *o.TruePlace
		}
		if way += apart(at, last); m.Distance < 0.95*way {
			t.Errorf("seed %d: %.0f m driven, but there are %.0f m between the places", seed+1, m.Distance, way)
		}
	}
	// The sum of the squared Mahalanobis distances is χ² with two degrees of
	// freedom a sample.
	chi := distuv.ChiSquared{K: float64(2 * samples)}
	if lo, hi := chi.Quantile(0.001), chi.Quantile(0.999); squared < lo || squared > hi {
		t.Errorf("squared Mahalanobis distances of %d samples add up to %.1f, want %.1f to %.1f", samples, squared, lo, hi)
	}
}

// onFarm reports whether a place lies in the made-up farm and in no keep-out.
func onFarm(p record.Place) bool {
	if !planar.PolygonContains(sim.DefaultOutline(), orb.Point(p)) {
		return false
	}
	for _, k := range sim.DefaultKeepOuts() {
		if planar.PolygonContains(k, orb.Point(p)) {
			return false
		}
	}
	return true
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
  ros__parameters: {gate_probability: 0.99}
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
		{"ekf", "gate_probability", 0.99}, {"follower", "max_speed", 0.7}, {"guard", "timeout", 0.4},
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

// TestFieldFile explores point data, of which the truth is known by formula.
func TestFieldFile(t *testing.T) {
	f := func(x, y float64) float64 { return 20 + 5*math.Exp(-(square(x-1150)+square(y-2080))/2/square(50)) }
	var csv strings.Builder
	csv.WriteString("easting,northing,clay\n")
	for x := 1000.0; x <= 1200; x += 20 {
		for y := 2000.0; y <= 2200; y += 20 {
			fmt.Fprintf(&csv, "%g,%g,%.6f\n", x, y, f(x, y))
		}
	}
	path := filepath.Join(t.TempDir(), "clay.csv")
	if err := os.WriteFile(path, []byte(csv.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	cfg := DefaultConfig(1)
	cfg.Fieldsim.Field.File = path
	m := explore(t, cfg, "ugp_explorer: {ros__parameters: {budget.samples: 8}}")
	if m.Quantity != "clay" {
		t.Errorf("the quantity is %q, want the column's name, clay", m.Quantity)
	}
	if d := apart(m.Truth.Raw.BestAt, record.Place{1150, 2080}); d > 15 || math.Abs(m.Truth.Raw.Best-25) > 0.5 {
		t.Errorf("the true best is %.2f at %.0f, want 25 at (1150, 2080)", m.Truth.Raw.Best, m.Truth.Raw.BestAt)
	}
	for i, o := range m.Observations {
		// The reading is of the true place, with the probe's noise.
		want, sd := f(o.TruePlace[0], o.TruePlace[1]), math.Sqrt(o.Variance)
		if math.Abs(o.Value-want) > 4*sd+0.3 { // 0.3: of kriging at the data's spacing
			t.Errorf("sample %d is %.2f ± %.2f, the field has %.2f there", i+1, o.Value, sd, want)
		}
	}
}

func square(x float64) float64 { return x * x }

func apart(a, b record.Place) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }

// TestCancel interrupts a robot that drives: the last thing that it hears is to
// stop, and what it sampled is on the disk.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	dir := filepath.Join(t.TempDir(), "out")
	cfg := DefaultConfig(3)
	cfg.Explorer.OutputDir = dir
	var commands []geometry_msgs.Twist
	samples := uint32(0)
	s, err := New(&cfg, Options{Status: func(m *ugp_explorer_msgs.MissionStatus) {
		samples = m.SamplesTaken
		if n := len(commands); samples == 2 && m.State == string(mission.StateTravelling) && commands[n-1].Linear.X > 0.5 {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	listen(t, s, "spectator", "cmd_vel", func(m *geometry_msgs.Twist) { commands = append(commands, *m) })
	if err := s.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want %v", err, context.Canceled)
	}
	n := len(commands)
	if commands[n-1] != (geometry_msgs.Twist{}) {
		t.Errorf("the last command is %+v, want none", commands[n-1])
	}
	if commands[n-2].Linear.X <= 0.5 {
		t.Errorf("the robot had stopped already: the test shows nothing")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	m, err := record.ReadMission(filepath.Join(dir, record.MissionFile))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Observations) != 2 || m.Outcome != "interrupted while travelling" {
		t.Errorf("%d samples were saved, %q; want 2, interrupted while travelling", len(m.Observations), m.Outcome)
	}
}

// TestHome refuses a home that the robot cannot come back to, with the numbers:
// from (50, 50) to (50, 150) are 100 m, 1.25 times that and 2 m in reserve 127 m.
func TestHome(t *testing.T) {
	square := orb.Polygon{{{0, 0}, {300, 0}, {300, 300}, {0, 300}, {0, 0}}}
	wall := orb.Polygon{{{-10, 200}, {310, 200}, {310, 220}, {-10, 220}, {-10, 200}}}
	region, err := field.NewRegion(field.Field{Boundary: square, KeepOuts: []orb.Polygon{wall}}, 2)
	if err != nil {
		t.Fatal(err)
	}
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
		cfg.Explorer.Resolve(explorer.Spacious(cfg.Explorer.Radius))
		switch err := cfg.checkHome(region); {
		case c.want == "" && err != nil:
			t.Errorf("%g m home to %v: %v", c.budget, c.home, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%g m home to %v: error %v, want %q", c.budget, c.home, err, c.want)
		}
	}
}

// A mission that nothing begins, or that stays in a fault, is given up after an hour, and the error says why. The
// robot halts when it no longer knows where it is.
func TestGivenUp(t *testing.T) {
	for name, c := range map[string]struct {
		yaml   string
		change func(*Config)
		want   []string
	}{
		"no heading": {"ekf: {ros__parameters: {heading: drive}}", nil, []string{"waits for a pose: no heading yet", "filter's state: " + filter.PositionKnown.String()}},
		"poor poses": {"", func(c *Config) { c.Explorer.Covariance.MaxPositionStdDev = 0.01 }, []string{"waits for a pose that can be used", "at most 0.01 m", filter.Running.String()}},
		"no fixes":   {"fieldsim: {ros__parameters: {fix: {outage_gap: 300.0, outage_length: 1000000.0}}}", nil, []string{"the mission was given up: fault while "}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := DefaultConfig(1)
			if c.change != nil {
				c.change(&cfg)
			}
			s := begin(t, &cfg, Options{Parameters: parameters(t, c.yaml)})
			var last geometry_msgs.Twist
			listen(t, s, "spectator", "cmd_vel", func(m *geometry_msgs.Twist) { last = *m })
			err := s.Run(t.Context())
			if begun := name == "no fixes"; errors.Is(err, ErrGivenUp) != begun {
				t.Fatalf("error %v", err)
			} else if !begun {
				c.want = append(c.want, "has not begun within 1 h")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
			if last != (geometry_msgs.Twist{}) {
				t.Errorf("the last command is %+v, want none", last)
			}
			if now := time.Duration(s.executor.Now()); now < Patience || now > 2*Patience {
				t.Errorf("given up after %s, want %s after the last that it did", now, Patience)
			}
		})
	}
}
