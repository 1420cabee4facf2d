// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package interop

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/buildtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/record"
)

// What cyclone/robot.c is made of, beside its arguments.
const (
	startX, startY           = 6.0, 5.0
	varX, covXY, varY        = 0.04, 0.01, 0.09
	readingVariance          = 0.01 * 0.01
	hill, hillX, hillY, wide = 3.0, 25.0, 12.0, 10.0
	plain                    = 5.0
)

func field(x, y float64) float64 {
	dx, dy := (x-hillX)/wide, (y-hillY)/wide
	return plain + hill*math.Exp(-(dx*dx+dy*dy)/2)
}

// outline is that of the field, m. No cell's centre of a map with cells of 0.2 m
// lies on it.
var outline = [][2]float64{{0, 0}, {40, 0}, {40, 20}, {0, 30}}

const (
	cell       = 0.2 // m, of a map of this field
	samples    = 4
	perSample  = 3   // readings
	execution  = 0.3 // m
	tolerance  = 0.5 // m
	parameters = `ugp_explorer:
  ros__parameters:
    auto_start: false
    output_dir: %q
    ground_truth: false
    field: {file: %q, margin: 1.0}
    execution.stddev: %g
    budget.samples: %d
    goal.tolerance: %g
    pose.timeout: 20.0
    probe: {x: 0.0, y: 0.0}
    sample.readings: %d
    model.length_scale: 10.0
`
)

// startExplorer builds the executable and starts it on the field.
func startExplorer(t *testing.T, dir string) *process {
	t.Helper()
	program := filepath.Join(dir, "explorer")
	must.OK(t, buildtest.Programs(program, "ugp_explorer/node/cmd/explorer"))
	geojson := filepath.Join(dir, "field.geojson")
	ring := strings.NewReplacer("{", "[", "}", "]").Replace(commas(append(outline, outline[0])))
	must.OK(t, os.WriteFile(geojson, fmt.Appendf(nil, `{"type": "Polygon", "coordinates": [[%s]]}`, ring), 0o644))
	yaml := filepath.Join(dir, "explorer.yaml")
	must.OK(t, os.WriteFile(yaml, fmt.Appendf(nil, parameters, dir, geojson, execution, samples, tolerance, perSample), 0o644))
	return start(t, program, "--ros-args", "--params-file", yaml)
}

func commas(points [][2]float64) string {
	words := make([]string, len(points))
	for i, p := range points {
		words[i] = fmt.Sprintf("{%g,%g}", p[0], p[1])
	}
	return strings.Join(words, ",")
}

// points is the outline as arguments.
func points() (args []string) {
	for _, p := range outline {
		args = append(args, fmt.Sprint(p[0]), fmt.Sprint(p[1]))
	}
	return args
}

// A mission of the explorer's executable with a robot that is all Cyclone DDS.
func TestRobot(t *testing.T) {
	for _, c := range []struct{ reliability, gid string }{{"best_effort", "16"}, {"reliable", "24"}} {
		t.Run(c.reliability+" "+c.gid, func(t *testing.T) {
			needCyclone(t)
			program := buildCyclone(t, c.gid, "robot.c", "endpoints.c", "explored.c", "graph.c", "maps.c", "start.c")
			dir := t.TempDir()
			explorer := startExplorer(t, dir)
			robot := start(t, program, append([]string{"drive", fmt.Sprint(domain()), c.reliability}, points()...)...)
			robot.succeed(t, explorer)
			watcher := start(t, program, append([]string{"watch", fmt.Sprint(domain())}, points()...)...)
			watcher.succeed(t, explorer)
			must.OK(t, explorer.Process.Signal(os.Interrupt))
			explorer.succeed(t)

			mission, err := record.ReadMission(filepath.Join(dir, "mission.json"))
			must.OK(t, err)
			live, late := parse(t, robot), parse(t, watcher)
			checkGraph(t, live, c.gid)
			checkStart(t, live)
			checkStates(t, live, late)
			checkDriving(t, live, mission)
			for _, heard := range []heard{live, late} {
				checkObservations(t, heard, mission)
				checkModel(t, heard, mission)
				checkMap(t, heard, mission)
			}
			t.Logf("%d goals, %d m, %s answers; the mission took %.1f s, its maps are %s bytes",
				len(live["goal"]), int(mission.Distance), fmt.Sprint(len(live["answer"])), mission.WallTime, live.one(t, "map")[5])
		})
	}
}

// ~/start is refused until there is a pose, and then done, each time with a reason.
func checkStart(t *testing.T, h heard) {
	t.Helper()
	answers := h["answer"]
	if len(answers) < 2 {
		t.Fatalf("the answers of ~/start are %v, want a refusal first", answers)
	}
	for i, a := range answers {
		text := strings.Join(a[1:], " ")
		switch last := i == len(answers)-1; {
		case last && (a[0] != "1" || !strings.HasPrefix(text, "planning")):
			t.Errorf("the last answer of ~/start is %v, want yes, and planning", a)
		case !last && (a[0] != "0" || !strings.Contains(text, "no pose")):
			t.Errorf("answer %d of ~/start is %v, want no for want of a pose", i+1, a)
		}
	}
}

// The robot heard of a mission; who came late of its end alone, however often it
// was said.
func checkStates(t *testing.T, live, late heard) {
	t.Helper()
	var states []string
	for _, s := range live["status"] {
		states = append(states, s[0])
	}
	for _, want := range []string{"planning", "travelling", "sampling", "done"} {
		if !slices.Contains(states, want) {
			t.Errorf("the robot heard of the states %v, not of %s", states, want)
		}
	}
	for name, h := range map[string]heard{"robot": live, "watcher": late} {
		last := h["status"][len(h["status"])-1]
		if last[0] != "done" || last[1] != fmt.Sprint(samples) {
			t.Errorf("the %s's last status is %v, want done with %d samples", name, last, samples)
		}
		if n := h.numbers(t, h.one(t, "received")); n[1] != samples || n[2] < 1 || n[3] < 1 {
			t.Errorf("the %s received %v statuses, observations, means and clouds", name, n)
		}
	}
	if len(late["status"]) != 1 {
		t.Errorf("who came late heard of %v", late["status"])
	}
}

// Goals are the targets of the record and then home, and the robot went that way.
func checkDriving(t *testing.T, h heard, m *record.Mission) {
	t.Helper()
	var goals []record.Place
	for _, g := range h["goal"] {
		n := h.numbers(t, g)
		goals = append(goals, record.Place{n[0], n[1]})
	}
	way, at := 0.0, record.Place{startX, startY}
	for _, g := range goals {
		way, at = way+math.Hypot(g[0]-at[0], g[1]-at[1]), g
	}
	for _, o := range m.Observations {
		if !slices.Contains(goals, o.Target) {
			t.Errorf("the target %v is none of the goals %v", o.Target, goals)
		}
	}
	home := record.Place{startX, startY}
	if m.Home == nil || *m.Home != home || !slices.Contains(goals, home) {
		t.Errorf("home is %v and the goals are %v, want the last of them to be where the robot was", m.Home, goals)
	}
	// The record has the speed of each odometry for the time since the one before, and
	// some may have been lost.
	if driven := h.numbers(t, h.one(t, "odometer"))[0]; math.Abs(driven-way) > 1e-6 || math.Abs(m.Distance-driven) > driven/4 {
		t.Errorf("the robot drove %g m; its goals are %g m apart, and the record has %g m", driven, way, m.Distance)
	}
}
