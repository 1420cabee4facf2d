// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/mission"
)

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

// A target that is skipped in a pause is in no status any more, and a run that resumes the mission
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
