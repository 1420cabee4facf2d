// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/nav2test"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/replay"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

// Goldens hold what the robot decides, observes, writes and estimates from one version of the program to
// the next, to the last bit. `UPDATE_GOLDEN=1 go test ./node/simulation -run Golden` writes them
// again; a commit that does so says why.

// compareGolden compares with testdata/golden/<name>.txt.
func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	file := goldenFile(name)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		must.OK(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	have, want := strings.Split(got, "\n"), goldenLines(t, name)
	for i := range max(len(have), len(want)) {
		h, w := at(have, i), at(want, i)
		if h != w {
			t.Errorf("%s:%d: this version has\n\t%s\nwant\n\t%s", file, i+1, h, w)
			return
		}
	}
}

func goldenFile(name string) string { return filepath.Join("testdata", "golden", name+".txt") }

func goldenLines(t *testing.T, name string) []string {
	return strings.Split(readText(t, goldenFile(name)), "\n")
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(no line)"
}

// skipElsewhere skips a golden test on processors that round differently: their compilers fuse products
// and sums.
func skipElsewhere(t *testing.T) {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		t.Skipf("the goldens are those of amd64, and this is %s", runtime.GOARCH)
	}
}

// digest is a hash of what is printed to it.
func digest(what ...any) string {
	h := fnv.New64a()
	fmt.Fprint(h, what...)
	return fmt.Sprintf("%016x", h.Sum64())
}

// told is what a mission tells about itself while it runs.
type told struct {
	bytes.Buffer
	name  string
	poses [2]bytes.Buffer // the filter's estimates and the true ones since the last line about them
	since time.Duration
	state string
}

// hear writes down the targets and states, the observations, and every five minutes a digest of the poses.
func hear(t *testing.T, s *Simulation, name string) *told {
	t.Helper()
	o := &told{name: name}
	prefix := s.namespace + "/"
	listen(t, s, "ear"+name, prefix+explorer.DefaultName+"/status", func(m *ugp_explorer_msgs.MissionStatus) {
		line := m.State
		if m.HasTarget {
			line += fmt.Sprint(" to ", m.Target.X, " ", m.Target.Y)
		}
		if line != o.state {
			o.state = line
			fmt.Fprintf(o, "%v %s\n", time.Duration(s.executor.Now()), line)
		}
	})
	listen(t, s, "ear"+name+"_samples", prefix+explorer.DefaultName+"/observation", func(m *ugp_explorer_msgs.FieldObservation) {
		c := m.Belief.Covariance
		fmt.Fprintf(o, "observation %d at %v %v, covariance %v %v %v: %v ± %v\n", m.Sequence+1,
			m.Belief.Pose.Position.X, m.Belief.Pose.Position.Y, c[0], c[1], c[7], m.Value, m.Variance)
	})
	for i, topic := range []string{"odometry/filtered", "ground_truth/odom"} {
		listen(t, s, fmt.Sprintf("ear%s_%d", name, i), prefix+topic, func(m *nav_msgs.Odometry) {
			fmt.Fprintln(&o.poses[i], m.Header.Stamp, m.Pose, m.Twist)
			if now := time.Duration(s.executor.Now()); now-o.since >= 5*time.Minute {
				o.since = now
				o.pose(m)
			}
		})
	}
	return o
}

func (o *told) pose(m *nav_msgs.Odometry) {
	fmt.Fprintf(o, "poses %s, true ones %s, now at %v %v\n", digest(o.poses[0].String()), digest(o.poses[1].String()), m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y)
	o.poses[0].Reset()
	o.poses[1].Reset()
}

// written adds digests of the mission's files: of the record by section, of the journal by kind of line. What
// the wall clock says, and the settings, are left out.
func (o *told) written(t *testing.T, dir string) {
	t.Helper()
	sections := map[string]json.RawMessage{}
	data, err := os.ReadFile(filepath.Join(dir, record.MissionFile))
	must.OK(t, errors.Join(err, json.Unmarshal(data, &sections)))
	for _, name := range slices.Sorted(maps.Keys(sections)) {
		if name != "settings" && name != "wall_time_s" {
			fmt.Fprintf(o, "record %s %s\n", name, digest(string(sections[name])))
		}
	}
	if _, err := os.Stat(filepath.Join(dir, journal.FileName)); errors.Is(err, fs.ErrNotExist) {
		return // of a replay
	}
	kinds, counts := map[string]string{}, map[string]int{}
	for _, line := range lines(t, dir) {
		kind, entry := kindOf(t, line)
		kinds[kind] = digest(kinds[kind], entry)
		counts[kind]++
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(o, "journal %d %s %s\n", counts[kind], kind, kinds[kind])
	}
}

// lines returns the lines of the journal.
func lines(t *testing.T, dir string) [][]byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, journal.FileName))
	must.OK(t, err)
	return bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
}

// kindOf returns what a line of the journal is about, and its content.
func kindOf(t *testing.T, line []byte) (kind, entry string) {
	t.Helper()
	fields := map[string]json.RawMessage{}
	must.OK(t, json.Unmarshal(line, &fields))
	delete(fields, "n")
	delete(fields, "crc32c")
	kinds := slices.Sorted(maps.Keys(fields))
	for _, name := range kinds {
		content := map[string]json.RawMessage{}
		if json.Unmarshal(fields[name], &content) == nil {
			delete(content, "settings")
			delete(content, "wall_ns")
			delete(content, "id") // of a goal: random
			fields[name], _ = json.Marshal(content)
		}
	}
	text, err := json.Marshal(fields)
	must.OK(t, err)
	return strings.Join(kinds, "+"), string(text)
}

// goldenConfig is a mission that writes into a new folder.
func goldenConfig(t *testing.T) Config {
	cfg := DefaultConfig(1)
	cfg.Explorer.OutputDir = t.TempDir()
	cfg.Explorer.Wall = func() time.Time { return time.Unix(1e9, 0) }
	cfg.Explorer.Path.Time = 8 // where the robot does not stop
	return cfg
}

// driving is a mission without stops.
const driving = "{ugp_explorer: {ros__parameters: {sample: {stop: false}, budget: {samples: 0, distance: %g}}}, fieldsim: {ros__parameters: {probe: {only_standing: false}}}}"

// Missions that choose, drive, observe and write the same as those of the version before.
func TestGoldenMissions(t *testing.T) {
	skipElsewhere(t)
	for name, c := range map[string]struct {
		yaml string
		with func(*testing.T, *Simulation)
	}{
		"stops":   {yaml: "ugp_explorer: {ros__parameters: {budget.samples: 8}}"},
		"driving": {yaml: fmt.Sprintf(driving, 900.)},
		"grid":    {yaml: "ugp_explorer: {ros__parameters: {budget.samples: 6, method: grid}}"},
		"nav2":    {"ugp_explorer: {ros__parameters: {budget.samples: 4, goal.interface: navigate_to_pose}}", navigated},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := goldenConfig(t)
			s := begin(t, &cfg, Options{Parameters: parameters(t, c.yaml)})
			if c.with != nil {
				c.with(t, s)
			}
			o := hear(t, s, "")
			must.OK(t, s.Run(t.Context()))
			o.written(t, cfg.Explorer.OutputDir)
			compareGolden(t, name, o.String())
		})
	}
}

// navigated adds Nav2's action server, whose planner knows the field.
func navigated(t *testing.T, s *Simulation) {
	t.Helper()
	node, err := ros.NewNode(s.graph, s.executor, "bt_navigator", ros.NodeOptions{})
	must.OK(t, err)
	s.nodes = append(s.nodes, node)
	_, err = nav2test.NewNavigator(node, 500*time.Millisecond, func(from, to orb.Point) ([]orb.Point, error) {
		region, inside := s.Explorer().Region(), to
		region.Project(inside[:], to[:])
		way, _, err := region.Path(from, inside)
		return append(way, to), err
	})
	must.OK(t, err)
}

// A robot that somebody drives round in a circle suggests and observes the same.
func TestGoldenPassive(t *testing.T) {
	skipElsewhere(t)
	cfg := goldenConfig(t)
	cfg.Explorer.Path.Time = settings.DefaultConfig().Path.Time
	s := begin(t, &cfg, Options{Parameters: parameters(t, "ugp_explorer: {ros__parameters: {passive: true, path: {length: 15.0}}}")})
	node, err := ros.NewNode(s.graph, s.executor, "driver", ros.NodeOptions{})
	must.OK(t, err)
	s.nodes = append(s.nodes, node)
	wheel, err := ros.Advertise[geometry_msgs.Twist](node, "cmd_vel_in", ros.Commands())
	must.OK(t, err)
	const drive = 10 * time.Minute
	_, err = node.NewTimer(100*time.Millisecond, func() {
		m := geometry_msgs.Twist{}
		if time.Duration(s.executor.Now()) < drive {
			m.Linear.X, m.Angular.Z = 1.2, -0.02
		}
		if err := wheel.Publish(&m); err != nil {
			t.Error(err)
		}
	})
	must.OK(t, err)
	o := hear(t, s, "")
	listen(t, s, "suggested", explorer.DefaultName+"/suggestion", func(m *geometry_msgs.PoseStamped) {
		fmt.Fprintf(o, "suggestion %v %v\n", m.Pose.Position.X, m.Pose.Position.Y)
	})
	must.OK(t, s.executor.Run(t.Context(), func() bool { return time.Duration(s.executor.Now()) > drive+time.Minute }))
	must.OK(t, s.Close())
	o.written(t, cfg.Explorer.OutputDir)
	compareGolden(t, "passive", o.String())
}

// Two robots that tell each other what they observe.
func TestGoldenTeam(t *testing.T) {
	skipElsewhere(t)
	executor, graph := exec.NewSimulated(epoch), inproc.New()
	team := make([]*Simulation, 2)
	heard := make([]*told, len(team))
	for i := range team {
		cfg := goldenConfig(t)
		cfg.Explorer.Seed = int64(i + 1)
		team[i] = &Simulation{executor: executor, graph: graph, cfg: &cfg, namespace: fmt.Sprintf("/robot%d", i+1)}
		yaml := fmt.Sprintf("/**: {ros__parameters: {team: [/robot%d/ugp_explorer], budget.samples: 4}}", 2-i)
		must.OK(t, team[i].start(&cfg, Options{Parameters: parameters(t, yaml)}))
		heard[i] = hear(t, team[i], fmt.Sprint(i+1))
	}
	over := func() bool { return team[0].explorer.Finished() && team[1].explorer.Finished() }
	must.OK(t, executor.Run(t.Context(), over))
	for i, s := range team {
		if n := len(s.explorer.Record().Team); n != 4 {
			t.Errorf("robot %d knows %d samples of the other, want 4", i+1, n)
		}
		heard[i].written(t, s.cfg.Explorer.OutputDir)
	}
	compareGolden(t, "team", heard[0].String()+"\n"+heard[1].String())
	for _, s := range team {
		for i := len(s.nodes) - 1; i >= 0; i-- {
			if err := s.nodes[i].Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// A mission that was killed after a line of its journal continues the same for three minutes. Of each kind of
// line the first three count, and of those about the progress, of which there is one a second, every 300th.
// With GOLDEN=all in the environment, as `make faults` has it, all of them are tried, otherwise every fourth.
func TestGoldenResume(t *testing.T) {
	skipElsewhere(t)
	all := os.Getenv("GOLDEN") == "all" || os.Getenv("UPDATE_GOLDEN") != ""
	for name, yaml := range map[string]string{
		"resume":         "ugp_explorer: {ros__parameters: {budget.samples: 2}}",
		"resume_driving": fmt.Sprintf(driving, 300.),
	} {
		t.Run(name, func(t *testing.T) {
			cfg := goldenConfig(t)
			s := begin(t, &cfg, Options{Parameters: parameters(t, yaml)})
			must.OK(t, s.Run(t.Context()))
			var o strings.Builder
			whole, held := lines(t, cfg.Explorer.OutputDir), goldenLines(t, name)
			counts, tried := map[string]int{}, 0
			for i, line := range whole {
				kind, _ := kindOf(t, line)
				if counts[kind]++; kind == "progress" && counts[kind]%300 > 0 || kind != "progress" && counts[kind] > 3 {
					continue
				}
				if all || tried%4 == 0 {
					fmt.Fprintf(&o, "%d %s: %s\n", i+1, kind, goesOn(t, yaml, whole[:i+1]))
				} else {
					fmt.Fprintln(&o, at(held, tried))
				}
				tried++
			}
			compareGolden(t, name, o.String())
		})
	}
}

// goesOn says how a mission continues whose journal ends here. The robot stands where the journal says.
func goesOn(t *testing.T, yaml string, lines [][]byte) string {
	t.Helper()
	cfg := goldenConfig(t)
	cfg.Explorer.Existing, cfg.Explorer.AutoResume = settings.ExistingResume, true
	cfg.Explorer.Truth = false // it decides nothing, and the regret would be evaluated for each look at the record
	must.OK(t, os.WriteFile(filepath.Join(cfg.Explorer.OutputDir, journal.FileName), append(bytes.Join(lines, []byte("\n")), '\n'), 0o644))
	for _, line := range slices.Backward(lines) {
		var entry struct {
			Progress struct {
				Track [][2]float64 `json:"track_m"`
			} `json:"progress"`
		}
		must.OK(t, json.Unmarshal(line, &entry))
		if track := entry.Progress.Track; len(track) > 0 {
			cfg.Fieldsim.Start = []float64{track[len(track)-1][0], track[len(track)-1][1], 1}
			break
		}
	}
	s, err := New(&cfg, Options{Parameters: parameters(t, yaml)})
	if err != nil {
		return "refused: " + strings.ReplaceAll(err.Error(), cfg.Explorer.OutputDir, "FOLDER")
	}
	defer s.Close()
	o := hear(t, s, "")
	before := len(s.explorer.Record().Observations)
	deadline := s.executor.Now() + int64(3*time.Minute)
	err = s.executor.Run(t.Context(), func() bool {
		return s.explorer.Finished() || len(s.explorer.Record().Observations) > before || s.executor.Now() > deadline
	})
	must.OK(t, err)
	m := s.explorer.Record()
	return fmt.Sprintf("%d samples, then %d; %v; %v m; %s", before, len(m.Observations), s.explorer.State(), m.Distance, digest(o.String()))
}

// The replay of a bag that rosbag2 recorded learns, suggests and writes the same.
func TestGoldenReplay(t *testing.T) {
	skipElsewhere(t)
	src, err := replay.Open(t.Context(), filepath.Join("..", "..", "msgs", "bag", "testdata", "lawnmower_mcap_zstd"))
	must.OK(t, err)
	defer src.Close()
	cfg := replay.DefaultConfig()
	e := &cfg.Explorer
	e.OutputDir = t.TempDir()
	e.Path.Every = 20
	e.Wall = func() time.Time { return time.Unix(1e9, 0) }
	yaml := "ugp_explorer: {ros__parameters: {reading: {stddev: 0.02, delay: 0.2}, probe.x: -0.4, path.length: 25.0}}"
	r, err := replay.New(src, &cfg, replay.Options{Parameters: parameters(t, yaml)})
	must.OK(t, err)
	defer r.Close()
	must.OK(t, r.Run(t.Context()))
	m := r.Explorer().Record()
	o := &told{}
	for _, s := range m.Suggestions {
		fmt.Fprintf(o, "suggestion %v %v\n", s.Target[0], s.Target[1])
	}
	for i, s := range m.Observations {
		b := s.Belief
		fmt.Fprintf(o, "observation %d at %v %v, covariance %v %v %v: %v ± %v\n", i+1, b.X, b.Y, b.XX, b.XY, b.YY, s.Value, s.Variance)
	}
	o.written(t, e.OutputDir)
	compareGolden(t, "replay", o.String())
}
