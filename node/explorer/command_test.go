// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

// order gives a command as a service or as a word.
func (w *world) order(asWord bool, command string) {
	w.t.Helper()
	if asWord {
		w.say(command)
	} else {
		w.do(command)
	}
}

// parked asserts that the robot has been told to stay where it was a moment (s)
// ago, stays for 10 s, and is told nothing else.
func (w *world) parked(moment float64) {
	w.t.Helper()
	w.run(time.Millisecond)
	if w.driving() {
		w.t.Fatalf("the last plan is not empty while %s", w.explorer.State())
	}
	last := w.goals[len(w.goals)-1]
	if d := math.Hypot(last.x-w.x, last.y-w.y); d > w.speed*moment {
		w.t.Errorf("the last goal is %g m from the robot, want where it stands", d)
	}
	goals, driven := len(w.goals), w.driven
	w.run(10 * time.Second)
	if len(w.goals) != goals || w.driven != driven {
		w.t.Errorf("while %s: %d goals and %g m", w.explorer.State(), len(w.goals)-goals, w.driven-driven)
	}
}

// Pause, resume, home and stop, each as a service and as a word.
func TestCommands(t *testing.T) {
	for _, asWord := range []bool{false, true} {
		w := newWorld(t, small())
		w.speed = 1
		w.run(1500 * time.Millisecond)
		if len(w.states) != 1 || w.states[0] != "idle" || w.driven != 0 || len(w.goals) != 0 {
			t.Fatalf("before the start: states %v, %g m, %d goals", w.states, w.driven, len(w.goals))
		}
		w.order(asWord, "start")
		w.state(mission.StateTravelling)
		started := w.explorer.Record().Started
		w.run(3 * time.Second)
		if w.order(asWord, "start"); w.explorer.Record().Started != started {
			t.Errorf("started at %g s, after a second start %g s", started, w.explorer.Record().Started)
		}
		target := w.goals[len(w.goals)-1]
		if w.driven < 1 {
			t.Fatalf("driven %g m in 3 s", w.driven)
		}

		w.order(asWord, "pause")
		if got := w.explorer.State(); got != mission.StatePaused {
			t.Fatalf("after pause: %s", got)
		}
		w.parked(0.1)

		w.order(asWord, "resume")
		w.state(mission.StateTravelling)
		w.run(time.Millisecond)
		again := w.goals[len(w.goals)-1]
		if math.Hypot(again.x-target.x, again.y-target.y) > 1e-9 || len(w.explorer.Record().Decisions) != 1 {
			t.Errorf("resumed to (%g, %g) after %d decisions, want (%g, %g) after 1", again.x, again.y, len(w.explorer.Record().Decisions), target.x, target.y)
		}
		w.setsOutAfter(1)
		w.run(2 * time.Second)

		w.order(asWord, "home")
		if got := w.explorer.State(); got != mission.StateReturning {
			t.Fatalf("after home: %s", got)
		}
		w.run(time.Millisecond)
		if g := w.goals[len(w.goals)-1]; math.Hypot(g.x-20, g.y-10) > 1e-9 {
			t.Errorf("the goal is (%g, %g), want home (20, 10)", g.x, g.y)
		}
		w.run(2 * time.Second)

		w.order(asWord, "stop")
		m := w.finish()
		if m.Outcome != "stop was requested" || len(m.Observations) != 1 {
			t.Errorf("outcome %q with %d observations", m.Outcome, len(m.Observations))
		}
		w.parked(0.1)
	}
}

// A mission whose robot could not come back does not start, and says so at once.
func TestNoStartWithoutAPathHome(t *testing.T) {
	for _, auto := range []bool{false, true} {
		cfg := small()
		cfg.Outline.KeepOuts = []orb.Polygon{{{{60, -1}, {65, -1}, {65, 101}, {60, 101}, {60, -1}}}}
		cfg.Home = []float64{80, 15}
		cfg.AutoStart = auto
		w := newWorld(t, cfg)
		w.run(time.Second)
		if !auto {
			if ok, text := w.call("start"); ok || !strings.Contains(text, "the robot could not return home: planner: no path from (20, 10) to (80, 15)") || !strings.HasSuffix(text, "; start where home is, or change home or the keep-outs") {
				t.Errorf("the answer to start is %v, %q", ok, text)
			}
		}
		w.run(10 * time.Second)
		if w.driven > 0 || len(w.goals) > 0 || w.explorer.State() != mission.StateIdle {
			t.Errorf("%g m driven, %d goals, the mission is %s", w.driven, len(w.goals), w.explorer.State())
		}
		if auto && !strings.Contains(w.log.String(), "the mission cannot start: the robot could not return home") {
			t.Errorf("the log does not say why:\n%s", w.log.String())
		}
	}
}

// Every command of the list is known to an explorer, whether it sends the robot on a mission or not.
func TestEveryCommandIsKnown(t *testing.T) {
	if got, want := explorer.Words(), "start, pause, resume, stop, home, more, skip, goto x y, strike n, restore n, save"; got != want {
		t.Errorf("the commands are %q, want %q", got, want)
	}
	for name, e := range map[string]*explorer.Explorer{"active": newWorld(t, small()).explorer, "passive": newWanderer(t, nil).explorer} {
		for command := range strings.SplitSeq(explorer.Words(), ", ") {
			// With a word too many nothing is done.
			if done, text, err := e.Order(command + " now"); done || err != nil || !strings.Contains(text, "takes no more") && !strings.Contains(text, "needs two numbers") && !strings.Contains(text, "needs a number") && !strings.Contains(text, "needs the number") {
				t.Errorf("%s: %s: %v, %q, %v", name, command, done, text, err)
			}
		}
	}
}

// What is refused says why, and changes nothing.
func TestCommandsThatCannotBeDone(t *testing.T) {
	w := newWorld(t, small())
	w.noPoses = true
	w.run(time.Second)
	for _, c := range []struct{ command, want string }{
		{"start", "no pose yet"},
		{"pause", "idle"},
		{"resume", "idle"},
		{"home", "idle"},
		{"save", "output_dir is empty"},
	} {
		if ok, text := w.call(c.command); ok || !strings.Contains(text, c.want) {
			t.Errorf("%s: %v, %q, want a refusal with %q", c.command, ok, text, c.want)
		}
		if got := w.explorer.State(); got != mission.StateIdle {
			t.Fatalf("after %s: %s", c.command, got)
		}
	}
	w.noPoses = false
	w.start()
	w.state(mission.StateTravelling)
	before := w.log.Len()
	w.say("explode")
	if !strings.Contains(w.log.String()[before:], `given=explode`) || w.explorer.State() != mission.StateTravelling {
		t.Errorf("an unknown word: %s, log %q", w.explorer.State(), w.log.String()[before:])
	}
	if ok, _ := w.call("resume"); !ok || w.explorer.State() != mission.StateTravelling {
		t.Errorf("resume while travelling: %v, %s; it is under way, as was wanted", ok, w.explorer.State())
	}
}

// ~/save writes what is known now, and the mission goes on.
func TestSave(t *testing.T) {
	cfg := small()
	cfg.OutputDir = filepath.Join(t.TempDir(), "out")
	w := newWorld(t, cfg)
	w.start()
	w.setsOutAfter(2)
	if ok, text := w.call("save"); !ok || !strings.Contains(text, cfg.OutputDir) {
		t.Fatalf("save: %v, %q", ok, text)
	}
	m, err := record.ReadMission(filepath.Join(cfg.OutputDir, record.MissionFile))
	if err != nil || len(m.Observations) != 2 || m.Outcome != "interrupted while travelling" {
		t.Fatalf("saved: %+v, %v", m, err)
	}
	w.finish()
	if m, err = record.ReadMission(filepath.Join(cfg.OutputDir, record.MissionFile)); err != nil || len(m.Observations) != 4 {
		t.Errorf("at the end: %d observations, %v", len(m.Observations), err)
	}
}

// Before the first sample ~/save writes nothing, so that the record of an earlier mission stays until its folder is
// used again.
func TestSaveWithoutSample(t *testing.T) {
	w := begun(t)
	before := w.finish()
	replacing := w.crashed(time.Second, func(c *settings.Config) { c.Existing = settings.ExistingReplace })
	if ok, text := replacing.call("save"); ok || !strings.Contains(text, "no sample") {
		t.Errorf("save: %v, %q", ok, text)
	}
	m, err := record.ReadMission(filepath.Join(replacing.cfg.OutputDir, record.MissionFile))
	if err != nil || len(m.Observations) != len(before.Observations) {
		t.Errorf("the record of the earlier mission: %+v, %v", m, err)
	}
}

// Home is where the mission starts, not where the first pose was.
func TestHomeIsWhereTheMissionStarts(t *testing.T) {
	cfg := small()
	cfg.Mission.Budget.Samples = 1
	w := newWorld(t, cfg)
	w.run(time.Second)
	w.x, w.y = 60, 70 // carried
	w.run(time.Second)
	m := w.mission()
	if d := math.Hypot(w.x-60, w.y-70); d > w.cfg.Mission.HomeTolerance || *m.Home != (record.Place{60, 70}) {
		t.Errorf("%g m from home, which is %v", d, m.Home)
	}
}

// target asserts where the robot is sent.
func (w *world) target(x, y float64) {
	w.t.Helper()
	w.run(time.Millisecond)
	g := w.goals[len(w.goals)-1]
	if math.Hypot(g.x-x, g.y-y) > 1e-9 || !w.driving() {
		w.t.Fatalf("the robot is sent to (%g, %g), driving %v; want (%g, %g)", g.x, g.y, w.driving(), x, y)
	}
}

// A person skips the target and gives others, as a service and as words. The sample of a
// given target is like any other, and the mission then chooses again.
func TestPersonsTargets(t *testing.T) {
	w := newWorld(t, small())
	w.start()
	w.state(mission.StateTravelling)
	w.run(time.Second)
	first := w.goals[len(w.goals)-1]
	w.do("skip")
	w.state(mission.StateTravelling)
	w.run(time.Millisecond)
	if g := w.goals[len(w.goals)-1]; math.Hypot(g.x-first.x, g.y-first.y) < w.cfg.SkipRadius {
		t.Errorf("after the skip of (%g, %g) the robot is sent to (%g, %g), within skip.radius", first.x, first.y, g.x, g.y)
	}
	w.say("goto 50 60.5")
	w.target(50, 60.5)
	w.say("goto 40 30")
	w.target(40, 30)
	w.until("a sample", func() bool { return len(w.observations) == 1 })
	if at := w.observations[0].Target; at.X != 40 || at.Y != 30 {
		t.Errorf("the sample was meant for (%g, %g), want (40, 30)", at.X, at.Y)
	}
	w.state(mission.StateTravelling)
	m := w.finish()
	if len(m.Observations) != 4 || len(m.Skipped) != 1 || m.Skipped[0].Reason != "a person skipped it" || len(m.Decisions) != 5 {
		t.Errorf("%d samples, skipped %+v, %d decisions; want 4, one, 5", len(m.Observations), m.Skipped, len(m.Decisions))
	}
}

// A target that is skipped in a pause disappears from the status, and a run that resumes the mission
// does not drive there.
func TestSkippedInAPauseStaysSkipped(t *testing.T) {
	w := begun(t)
	w.setsOutAfter(1)
	skipped := w.goals[len(w.goals)-1]
	w.call("pause")
	w.do("skip")
	w.run(100 * time.Millisecond)
	if w.status.HasTarget {
		t.Errorf("the status still has the target (%g, %g)", w.status.Target.X, w.status.Target.Y)
	}
	n := w.crashed(10 * time.Second)
	n.run(time.Second)
	n.call("resume")
	n.until("the next drive", func() bool { return n.driving() && len(n.goals) > 0 })
	if g := n.goals[len(n.goals)-1]; math.Hypot(g.x-skipped.x, g.y-skipped.y) < w.cfg.SkipRadius {
		t.Errorf("the resumed mission drives to (%.1f, %.1f), which is within %g m of the skipped target", g.x, g.y, w.cfg.SkipRadius)
	}
}

// What a person cannot have is refused with the reason, and the robot drives on to its target.
func TestPersonsTargetsRefused(t *testing.T) {
	cfg := small()
	cfg.Mission.Budget.Distance = 300
	cfg.Outline.KeepOuts, cfg.Outline.KeepOutNames = []orb.Polygon{{{{3, 90}, {8, 90}, {8, 95}, {3, 90}}}}, []string{"pond"}
	w := newWorld(t, cfg)
	refused := func(words, want string) {
		t.Helper()
		before, goals, state := w.log.Len(), len(w.goals), w.explorer.State()
		w.say(words)
		if got := w.log.String()[before:]; !strings.Contains(got, want) {
			t.Errorf("%s: the log says %q, want %q", words, got, want)
		}
		if len(w.goals) != goals || w.explorer.State() != state {
			t.Errorf("%s: %d goals and %s, before %d and %s", words, len(w.goals), w.explorer.State(), goals, state)
		}
		w.run(1100 * time.Millisecond) // such warnings come once a second
	}
	refused("goto 50 50", "there is no pose yet")
	refused("skip", "the mission has no target to skip while it is idle")
	refused("goto 50 50", "the mission has not started")
	w.start()
	w.state(mission.StateTravelling)
	w.speed = 0.01
	w.run(1100 * time.Millisecond)
	w.say("pause")
	w.run(1100 * time.Millisecond)
	refused("goto 7 92", `it is in keep-out \"pond\"`)
	refused("goto 120 50", "outside the field, by 20 m")
	refused("goto 99 50", "it is 1.00 m from the edge of the field or of a keep-out, and field.margin is 2.00 m")
	refused("goto 50", "goto needs two numbers")
	refused("goto 1e999 5", "goto needs two numbers")
	refused("skip it", "skip takes no more words")
	refused("go 5 5", "not a command")
	w.say("home")
	w.run(1100 * time.Millisecond)
	w.speed = 5
	w.finish()
	refused("goto 50 50", "no target can be given while the mission is done")
}

// Whoever holds the robot by the mission's status hears it at least once a second, and a command that
// changes it before its answer.
func TestStatusIsHeard(t *testing.T) {
	cfg := small()
	cfg.HeadingDrive = 4
	w := openWorldAt(t, cfg, false, epoch, 50, 50)
	positioned(w)
	hear(w, "heading_drive", ros.DefaultQoS(), func(m *std_msgs.Float64) { w.x += 0.1 * m.Data })
	w.run(2 * time.Second)
	last, longest, state := w.ex.Now(), int64(0), ""
	hear(w, "ugp_explorer/status", ros.Latched(), func(m *ugp_explorer_msgs.MissionStatus) {
		longest, last, state = max(longest, w.ex.Now()-last), w.ex.Now(), m.State
	})
	for _, c := range []struct{ command, want string }{
		{"start", "heading"}, {"pause", "idle"}, {"start", "heading"}, {"", "travelling"}, {"pause", "paused"}, {"resume", "travelling"}, {"home", "returning"}, {"stop", "done"},
	} {
		if c.command == "" {
			w.noPoses = false
			w.until("the drive", func() bool { return state == c.want })
			w.speed = 0.1
		} else if ok, text := w.call(c.command); !ok {
			t.Fatalf("%s: %s", c.command, text)
		}
		if state != c.want {
			t.Errorf("with the answer to %q the state is %s, want %s", c.command, state, c.want)
		}
		w.run(3 * time.Second)
	}
	if d := time.Duration(longest); d > time.Second+robotStep {
		t.Errorf("for %v no status was heard", d)
	}
}
