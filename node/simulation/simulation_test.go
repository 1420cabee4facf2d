package simulation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"gonum.org/v1/gonum/stat/distuv"

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

const fiveSamples = "ugp_explorer: {ros__parameters: {budget.samples: 5}}"

// TestMission has the mission done as it was asked for, on several farms: the
// samples in the field, the robot at home, and the beliefs consistent with where
// the samples were truly taken.
func TestMission(t *testing.T) {
	const seeds = 3
	squared, samples := 0.0, 0
	for seed := range int64(seeds) {
		cfg := DefaultConfig(seed + 1)
		s := begin(t, &cfg, Options{Parameters: parameters(t, fiveSamples)})
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

// TestReproducible has two runs of one seed write the same bytes but for the
// wall time, and another seed another mission.
func TestReproducible(t *testing.T) {
	dir := t.TempDir() // one for all: it is among the settings
	record := func(seed int64, second time.Duration) []string {
		cfg := DefaultConfig(seed)
		cfg.Explorer.OutputDir, cfg.Explorer.Report = dir, false
		var now time.Time
		cfg.Explorer.Wall = func() time.Time { now = now.Add(second); return now }
		explore(t, cfg, "ugp_explorer: {ros__parameters: {budget.samples: 3}}")
		data, err := os.ReadFile(filepath.Join(dir, record.MissionFile))
		if err != nil {
			t.Fatal(err)
		}
		return strings.SplitAfter(string(data), "\n")
	}
	a, b := record(7, time.Second), record(7, 2*time.Second)
	if len(a) != len(b) {
		t.Fatalf("%d and %d lines", len(a), len(b))
	}
	var differ []string
	for i := range a {
		if a[i] != b[i] {
			differ = append(differ, a[i])
		}
	}
	if len(differ) != 1 || !strings.Contains(differ[0], `"wall_time_s"`) {
		t.Errorf("lines that differ: %q, want that of wall_time_s alone", differ)
	}
	other := record(8, time.Second)
	if bytes.Equal(section(t, a, `"observations"`), section(t, other, `"observations"`)) {
		t.Error("another seed has the same observations")
	}
}

// section returns the lines from the one with a key to the end of its value, as
// they are indented.
func section(t *testing.T, lines []string, key string) []byte {
	t.Helper()
	for i, line := range lines {
		if !strings.Contains(line, key) {
			continue
		}
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		for j := i + 1; j < len(lines); j++ {
			if strings.HasPrefix(lines[j], indent+"]") {
				return []byte(strings.Join(lines[i:j], ""))
			}
		}
	}
	t.Fatalf("there is no %s", key)
	return nil
}

// TestParametersReachTheNodes changes a parameter of each node, and two whose
// effect shows in the mission.
func TestParametersReachTheNodes(t *testing.T) {
	cfg := DefaultConfig(1)
	m := explore(t, cfg, `
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
`)
	if len(m.Observations) != 2 || m.Method != "grid" || m.Budget.Samples != 2 {
		t.Errorf("%d samples by %s, budget %d; want 2 by grid, 2", len(m.Observations), m.Method, m.Budget.Samples)
	}
	for _, want := range []struct {
		node, name string
		value      any
	}{
		{"ugp_explorer", "budget.samples", int64(2)}, {"fieldsim", "fix.stddev", 4.0},
		{"ekf", "gate_probability", 0.99}, {"follower", "max_speed", 0.7},
	} {
		if got := m.Settings[want.node][want.name]; got != want.value {
			t.Errorf("%s of %s is %v in the record, want %v", want.name, want.node, got, want.value)
		}
	}
	// A robot of at most 0.7 m/s takes its time.
	if speed := m.Distance / m.SimulatedTime; speed > 0.7 {
		t.Errorf("%.2f m/s on the whole, at most 0.7 was allowed", speed)
	}
	// Worse fixes, less certain beliefs.
	better := explore(t, DefaultConfig(1), "ugp_explorer: {ros__parameters: {budget.samples: 2, method: grid}}")
	for i, o := range m.Observations {
		if wide, narrow := o.Belief.XX+o.Belief.YY, better.Observations[i].Belief.XX+better.Observations[i].Belief.YY; wide < 4*narrow {
			t.Errorf("sample %d: belief of %.3f m² with fixes of 4 m, %.3f m² with fixes of %g m", i+1, wide, narrow, cfg.Fieldsim.Fix.StdDev)
		}
	}
}

func TestParameterErrors(t *testing.T) {
	for _, c := range []struct {
		name, yaml string
		want       []string
	}{
		{"unknown node", "\nugp_explorr: {ros__parameters: {method: grid}}\n", []string{"test.yaml:2", "node /ugp_explorr", "not running", "did you mean /ugp_explorer?"}},
		{"unknown parameter", "ugp_explorer:\n  ros__parameters:\n    beta.fixt: 3.0\n",
			[]string{"test.yaml:3", "node /ugp_explorer", `"beta.fixt"`, "no such parameter", `did you mean "beta.fixed"?`}},
		{"wrong type", "follower:\n  ros__parameters:\n\n    max_speed: fast\n",
			[]string{"test.yaml:4", "node /follower", `"max_speed"`, `"fast"`, "double"}},
		{"out of range", "fieldsim:\n  ros__parameters:\n    fix:\n      period: -1.0\n",
			[]string{"test.yaml:4", "node /fieldsim", `"fix.period"`, "given -1", "0.01 to 3600"}},
		{"not among the choices", "ugp_explorer:\n  ros__parameters: {method: magic}\n",
			[]string{"test.yaml:2", "node /ugp_explorer", `"method"`, `"magic"`, "ugp-ucb", "grid"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := DefaultConfig(1)
			_, err := New(&cfg, Options{Parameters: parameters(t, c.yaml)})
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
		})
	}
}

// TestFieldFile explores point data, of which the truth is known by formula.
func TestFieldFile(t *testing.T) {
	f := func(x, y float64) float64 { return 20 + 5*math.Exp(-(sq(x-1150)+sq(y-2080))/2/sq(50)) }
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

func sq(x float64) float64 { return x * x }

// TestCancel interrupts a robot that drives: the last thing that it hears is to
// stop, and what it sampled is on the disk.
func TestCancel(t *testing.T) {
	before := runtime.NumGoroutine()
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
	// Goroutines that have done their work may need a moment to be gone.
	for i := 0; runtime.NumGoroutine() > before && i < 1e6; i++ {
		runtime.Gosched()
	}
	if after := runtime.NumGoroutine(); after > before {
		buf := make([]byte, 1<<16)
		t.Errorf("%d goroutines before, %d after:\n%s", before, after, buf[:runtime.Stack(buf, true)])
	}
}

func TestNothingSampledNothingWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name, yaml string
		ctx        context.Context
		err        error
		outcome    string
	}{
		{"interrupted at once", "", ended, context.Canceled, "interrupted while idle"},
		{"a budget for the reserve alone", "ugp_explorer: {ros__parameters: {budget.distance: 2.0}}", t.Context(), nil, "of the budget of 2 m are left"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := DefaultConfig(1)
			cfg.Explorer.OutputDir = dir
			s, err := New(&cfg, Options{Parameters: parameters(t, c.yaml)})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Run(c.ctx); !errors.Is(err, c.err) {
				t.Errorf("error %v, want %v", err, c.err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if got := s.Explorer().Record().Outcome; !strings.Contains(got, c.outcome) {
				t.Errorf("outcome %q, want %q", got, c.outcome)
			}
			if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s is there (%v)", dir, err)
			}
		})
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
		{2, nil, ""},
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

// TestPatience has the fixes fail for good: the robot halts when it no longer
// knows where it is, and the simulation does not wait for ever.
func TestPatience(t *testing.T) {
	cfg := DefaultConfig(1)
	s := begin(t, &cfg, Options{Parameters: parameters(t, `
fieldsim: {ros__parameters: {fix: {outage_gap: 300.0, outage_length: 1000000.0}}}
`)})
	var last geometry_msgs.Twist
	listen(t, s, "spectator", "cmd_vel", func(m *geometry_msgs.Twist) { last = *m })
	err := s.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "the mission was given up: fault while ") {
		t.Errorf("error %v, want that the mission was given up", err)
	}
	if last != (geometry_msgs.Twist{}) {
		t.Errorf("the last command is %+v, want none", last)
	}
	if now := time.Duration(s.executor.Now()); now < Patience || now > limit {
		t.Errorf("given up after %s, want more than %s and less than %s", now, Patience, limit)
	}
}
