// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"os"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/std_srvs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/host"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
	"ugp_explorer/sim/experiment/paper"
)

const (
	epoch = 100 * int64(time.Second)
	// patience is the simulated time in which anything here is over.
	patience = 2 * time.Hour
)

// fieldEdge is the edge of the square field, from the origin, m. With the margin
// of 2 m targets lie in [2, 98]².
const fieldEdge = 100.0

func square(edge float64) field.Field {
	return field.Field{Boundary: orb.Polygon{{{0, 0}, {edge, 0}, {edge, edge}, {0, edge}, {0, 0}}}}
}

// small is a mission of four samples on the square field, one reading each, by a
// robot of 5 m/s, with a search and a fit that are quick.
func small() settings.Config {
	c := settings.DefaultConfig()
	c.Catalogue = paper.Catalogue()
	c.Outline = square(fieldEdge)
	c.Mission.Budget.Samples = 4
	c.Mission.Speed = 5
	c.Search.Starts = 60
	c.Model.Prior.Starts = 2
	c.Model.Average, c.Recommend = 1, planner.RecommendTarget // the paper's
	c.Travel = 0.05
	c.Reading.Count = 1
	c.SkipRadius = 5
	c.MapCell = 10
	return c
}

// hill is the true field in most tests: highest, 10, at (70, 60).
func hill(x, y float64) float64 {
	return 10 * math.Exp(-((x-70)*(x-70)+(y-60)*(y-60))/(2*30*30))
}

// newWorld starts explorer and robot. The robot stands at (20, 10).
func newWorld(t testing.TB, cfg settings.Config, overrides ...string) *world {
	t.Helper()
	return openWorldAt(t, cfg, false, epoch, 20, 10, overrides...)
}

// openWorldAt is newWorld with the robot at a place, at a time.
func openWorldAt(t testing.TB, cfg settings.Config, deaf bool, at int64, x, y float64, overrides ...string) *world {
	t.Helper()
	return joinWorld(t, cfg, deaf, exec.NewSimulated(at), inproc.New(), "", x, y, overrides...)
}

// joinWorld adds explorer and robot to a graph, in a namespace.
func joinWorld(t testing.TB, cfg settings.Config, deaf bool, ex *exec.Simulated, graph ros.Transport, namespace string, x, y float64, overrides ...string) *world {
	t.Helper()
	return joinWorldOn(t, cfg, deaf, ex, ex, graph, namespace, x, y, overrides...)
}

// joinWorldOn has the explorer run on an executor of its own making, on top of the
// world's.
func joinWorldOn(t testing.TB, cfg settings.Config, deaf bool, ex *exec.Simulated, on exec.Executor, graph ros.Transport, namespace string, x, y float64, overrides ...string) *world {
	t.Helper()
	w := &world{
		deaf: deaf,
		t:    t, cfg: &cfg, ex: ex, graph: graph,
		x: x, y: y, speed: 5, field: hill,
		cov: [3][3]float64{{0.04, 0.01, 0}, {0.01, 0.09, 0}, {0, 0, 0.0025}},
	}
	set := &param.Overrides{}
	for _, rule := range overrides {
		must.OK(t, set.AddAssignment(rule))
	}
	node := rostest.Node(t, w.graph, on, explorer.DefaultName, ros.NodeOptions{
		Namespace: namespace, Parameters: w.cfg.Parameters(), Overrides: set,
		LogHandler: slog.NewTextHandler(&w.log, nil),
	})
	h, err := host.New(node, w.cfg)
	must.OK(t, err)
	w.explorer = h.Explorer()
	w.node = rostest.Node(t, w.graph, w.ex, "robot", ros.NodeOptions{Namespace: namespace, NoRosout: true})
	w.connect()
	return w
}

// until runs the graph until the condition holds.
func (w *world) until(what string, met func() bool) {
	w.t.Helper()
	limit := w.ex.Now() + int64(patience)
	w.must(w.ex.Run(context.Background(), func() bool { return met() || w.ex.Now() > limit }))
	if !met() {
		w.t.Fatalf("still waiting for %s: %s\n%s", what, w.explorer.Status(), w.log.String())
	}
}

func (w *world) run(d time.Duration) {
	w.t.Helper()
	w.must(w.ex.RunTo(context.Background(), w.ex.Now()+int64(d)))
}

func (w *world) state(want mission.State) {
	w.t.Helper()
	w.until("state "+string(want), func() bool { return w.explorer.State() == want })
}

// call asks a service of the explorer.
func (w *world) call(service string) (ok bool, text string) {
	w.t.Helper()
	c, err := ros.NewClient[std_srvs.TriggerRequest, std_srvs.TriggerResponse](w.node, "ugp_explorer/"+service)
	w.must(err)
	answered := false
	w.must(c.Call(&std_srvs.TriggerRequest{}, time.Second, func(r *std_srvs.TriggerResponse, err error) {
		w.must(err)
		answered, ok, text = true, r.Success, r.Message
	}))
	w.until("an answer of "+service, func() bool { return answered })
	w.must(c.Close())
	return ok, text
}

// do gives a command that must be followed.
func (w *world) do(command string) {
	w.t.Helper()
	if ok, text := w.call(command); !ok {
		w.t.Fatalf("%s: %s", command, text)
	}
}

// setsOutAfter runs until the robot drives to its next target after a number of samples.
func (w *world) setsOutAfter(samples int) {
	w.t.Helper()
	w.until("samples", func() bool { return len(w.observations) == samples })
	w.state(mission.StateTravelling)
}

// interrupted ends the run as Ctrl-C does.
func (w *world) interrupted() {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	w.ex.Post(cancel)
	if err := w.ex.Run(ctx, nil); !errors.Is(err, context.Canceled) {
		w.t.Fatalf("Run: %v", err)
	}
}

// start starts the mission as soon as there is a pose, and with Nav2's action as soon as it is known whether its server accepts goals.
func (w *world) start() {
	w.t.Helper()
	w.run(300 * time.Millisecond)
	if w.cfg.Interface == settings.GoalAction {
		w.run(2 * time.Second)
	}
	w.do("start")
}

// finish runs the mission to its end and returns the record.
func (w *world) finish() *record.Mission {
	w.t.Helper()
	w.until("the end of the mission", w.explorer.Finished)
	w.run(3 * time.Second) // what was published arrives
	w.must(w.explorer.Err())
	return w.explorer.Record()
}

// mission is start and finish.
func (w *world) mission() *record.Mission {
	w.t.Helper()
	w.start()
	return w.finish()
}

// driving reports whether the last plan sends the robot somewhere.
func (w *world) driving() bool { return len(w.plans) > 0 && len(w.plans[len(w.plans)-1]) > 0 }

// begun starts a mission with a folder.
func begun(t *testing.T, change ...func(*settings.Config)) *world {
	t.Helper()
	cfg := small()
	cfg.OutputDir = t.TempDir()
	for _, f := range change {
		f(&cfg)
	}
	w := newWorld(t, cfg)
	w.exactly()
	w.start()
	return w
}

// crashed starts another explorer, a while later and with those files of the folder that are on
// the disk now, as if this one had been killed. The robot stands where it is.
func (w *world) crashed(later time.Duration, change ...func(*settings.Config)) *world {
	w.t.Helper()
	dir := w.t.TempDir()
	w.must(os.CopyFS(dir, os.DirFS(w.cfg.OutputDir)))
	cfg := small()
	cfg.OutputDir, cfg.Mission = dir, w.cfg.Mission
	for _, f := range change {
		f(&cfg)
	}
	n := openWorldAt(w.t, cfg, false, w.ex.Now()+int64(later), w.x, w.y)
	n.yaw = w.yaw
	n.exactly()
	return n
}

func targets(m *record.Mission) (list []float64) {
	for _, d := range m.Decisions {
		list = append(list, d.Target[0], d.Target[1])
	}
	return list
}

// say sends a word on ~/command and lets it arrive.
func (w *world) say(word string) {
	w.t.Helper()
	w.must(w.command.Publish(&std_msgs.String{Data: word}))
	w.run(time.Millisecond)
}

// between is a square field with a keep-out in the middle of its southern half.
func between() field.Field {
	f := square(fieldEdge)
	f.KeepOuts = []orb.Polygon{{{{40, -1}, {60, -1}, {60, 60}, {40, 60}, {40, -1}}}}
	return f
}

func near(t testing.TB, name string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.10g, want %.10g ± %.2g", name, got, want, tolerance)
	}
}
