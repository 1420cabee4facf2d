// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

// A mission whose own pose leaves the field ends in a fault that says so, again after each resume as
// long as the robot goes on; and it goes on when the robot does what it is told.
func TestAstrayMissionEndsInAFault(t *testing.T) {
	cfg := small()
	cfg.Mission.StuckTime = 0
	w := newWorld(t, cfg)
	w.x, w.y = 50, 50
	w.spread(0.5, 0.5)
	wrong := true
	w.ex.Every(robotStep, func() {
		if wrong && w.driving() { // it drives east, whatever it is told
			w.way = []orb.Point{{w.x + 10, w.y}}
		}
	})
	w.start()
	w.state(mission.StateFault)
	const why = "according to its pose, the robot is leaving the field: ("
	if s := w.explorer.Status(); !strings.Contains(s, why) {
		t.Fatal(s)
	}
	// Three standard deviations and a metre, and then a second at 5 m/s.
	if w.x < fieldEdge+2.5 || w.x > fieldEdge+2.5+6 {
		t.Errorf("the fault came %.1f m outside", w.x-fieldEdge)
	}
	from := w.x
	w.do("resume")
	w.until("another fault", func() bool { return w.explorer.State() == mission.StateFault && w.x > from })
	if s := w.explorer.Status(); !strings.Contains(s, why) {
		t.Error(s)
	}
	if w.x < from+2.5 || w.x > from+2.5+6 {
		t.Errorf("the second fault came %.1f m farther out", w.x-from)
	}
	wrong = false
	w.do("resume")
	if m := w.finish(); len(m.Observations) != 4 {
		t.Errorf("%d samples: %s", len(m.Observations), m.Outcome)
	}
}

// When only the pose was outside, as while a receiver errs by far more than it states, the mission goes on once it is back.
func TestAstrayPoseComesBack(t *testing.T) {
	w := newWorld(t, small())
	w.spread(0.5, 0.5)
	off := 0.0
	w.estimate = func(p *localization.Pose) { p.X += off }
	w.start()
	w.until("a drive", func() bool { return w.driving() && w.driven > 3 })
	off = 200
	w.state(mission.StateFault)
	if w.run(time.Minute); w.explorer.State() != mission.StateFault {
		t.Fatalf("its pose is 200 m off, and it goes on: %s", w.explorer.Status())
	}
	off = 0
	w.until("a drive", w.driving)
	if m := w.finish(); len(m.Observations) != 4 {
		t.Errorf("%d samples: %s", len(m.Observations), m.Outcome)
	}
}

// A robot that starts outside drives in, and home again, which is outside.
func TestStartOutsideIsNotAstray(t *testing.T) {
	w := openWorldAt(t, small(), false, epoch, fieldEdge+6, 50)
	w.spread(0.02, 0.02)
	if m := w.mission(); len(m.Observations) != 4 || strings.Contains(w.log.String(), "is leaving the field") {
		t.Errorf("%d samples: %s", len(m.Observations), m.Outcome)
	}
	if w.x < fieldEdge+5 {
		t.Errorf("the mission ended at %.1f m", w.x)
	}
}

// A pose that is far outside once is no fault.
func TestOnePoseOutsideIsNotAstray(t *testing.T) {
	w := newWorld(t, small())
	n := 0
	w.estimate = func(p *localization.Pose) {
		if n++; n == 30 {
			p.X += 200
		}
	}
	if m := w.mission(); len(m.Observations) != 4 || strings.Contains(w.log.String(), "is leaving the field") {
		t.Errorf("%d samples: %s", len(m.Observations), m.Outcome)
	}
	if n < 30 {
		t.Errorf("%d poses", n)
	}
}

// A mission whose heading is corrected again and again ends in a fault that says so, again after a
// resume; one whose heading is corrected now and then goes on.
func TestHeadingCorrectedAgainAndAgainIsAFault(t *testing.T) {
	cfg := small()
	cfg.Mission.Budget.Samples = 10
	w := newWorld(t, cfg)
	filter := advertise[std_msgs.Empty](w, "ekf/heading_corrected", ros.DefaultQoS())
	correct := func(metres float64) { // after this distance
		to := w.driven + metres
		w.until("the way", func() bool { return w.driven >= to })
		w.must(filter.Publish(&std_msgs.Empty{}))
		w.run(robotStep)
	}
	for range 3 { // by hand, before the mission
		correct(0)
	}
	w.start()
	for range 3 {
		correct(55)
	}
	for range 2 {
		if s := w.explorer.State(); s == mission.StateFault {
			t.Fatal(w.explorer.Status())
		}
		correct(1)
		const why = "the heading was wrong and has been corrected 3 times within "
		if s := w.explorer.Status(); w.explorer.State() != mission.StateFault || !strings.Contains(s, why) {
			t.Fatal(s)
		}
		w.do("resume")
		correct(1)
		correct(1)
	}
	if m := w.finish(); len(m.Observations) != 10 {
		t.Errorf("%d samples: %s", len(m.Observations), m.Outcome)
	}
}

// With a guard, and a receiver whose fixes wander as a robot drives, a heading that is corrected again and again ends the drive only: its
// errors may look like another heading. With a better receiver a person has to look at it.
func TestHeadingCorrectedWithACoarseReceiver(t *testing.T) {
	for stdDev, goesOn := range map[float64]bool{2: true, 0.02: false} {
		w := newWorld(t, small())
		filter := advertise[std_msgs.Empty](w, "ekf/heading_corrected", ros.DefaultQoS())
		says := ugp_explorer_msgs.GuardStatus{FenceReason: ugp_explorer_msgs.GuardStatusReasonNone, FixStddev: stdDev, Allowance: 25}
		w.guarded(&says)
		w.start()
		w.until("a drive", func() bool { return w.driving() && w.driven > 3 })
		for range 3 {
			w.must(filter.Publish(&std_msgs.Empty{}))
			w.run(robotStep)
		}
		if fault := w.explorer.State() == mission.StateFault; fault == goesOn {
			t.Fatalf("fixes state %g m: %s", stdDev, w.explorer.Status())
		} else if !goesOn {
			continue
		}
		if skipped := w.explorer.Record().Skipped; len(skipped) != 1 || !strings.Contains(skipped[0].Reason, "the heading was wrong") {
			t.Errorf("given up: %v", skipped)
		}
		if m := w.finish(); len(m.Observations) != 4 {
			t.Errorf("%d samples: %s", len(m.Observations), m.Outcome)
		}
	}
}
