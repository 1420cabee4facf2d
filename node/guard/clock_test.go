// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/ros"
)

// However the clock of its computer is set, the guard stops the robot as soon as with a clock that runs: when commands
// cease, when the explorer is gone, and after a person has let go; and it stops nothing for it.
func TestStopsWhileTheClockIsSet(t *testing.T) {
	stops := map[string]func(r *robot, set func()){
		"the commands cease": func(r *robot, set func()) {
			r.ask(1, 2*time.Second)
			set()
			r.ask(1, time.Second)
			set()
			for range 60 * 20 {
				r.step()
			}
		},
		"the explorer is gone": func(r *robot, set func()) {
			r.mission("travelling")
			r.ask(1, 2*time.Second)
			set()
			r.ask(1, 60*time.Second)
		},
		"a person has let go": func(r *robot, set func()) {
			r.ask(0, time.Second)
			r.must(r.person.Publish(&std_msgs.Bool{Data: true}))
			r.ask(1, 100*time.Millisecond)
			set()
			r.ask(1, 60*time.Second)
		},
		"the fence": func(r *robot, set func()) {
			r.ask(0, time.Second)
			r.ask(1, 3*time.Second)
			set()
			r.ask(1, 60*time.Second)
		},
	}
	for name, stop := range stops {
		drive := func(by time.Duration) float64 {
			cfg := fenced()
			if name == "the commands cease" || name == "the explorer is gone" {
				cfg = guard.DefaultConfig()
			}
			r := newRobot(t, cfg)
			stop(r, func() { r.clock.Set += int64(by) })
			return r.x
		}
		want := drive(0)
		for _, by := range []time.Duration{-time.Second, -30 * time.Second, -time.Hour, 2 * time.Second, 10 * time.Minute, 170 * 24 * time.Hour, -20 * 365 * 24 * time.Hour} {
			if got := drive(by); got < want-0.01 || got > want+0.01 {
				t.Errorf("%s, the clock is set by %v: the robot drives %.2f m, and %.2f m if it runs", name, by, got, want)
			}
		}
	}
}

// Fixes whose stamps follow a clock that is set are as good as before.
func TestFixesWhileTheClockIsSet(t *testing.T) {
	for _, by := range []time.Duration{-time.Hour, -2 * time.Second, 2 * time.Second, 24 * time.Hour} {
		r := newRobot(t, fenced())
		r.stamped = true
		r.ask(0, time.Second)
		r.ask(0.5, 4*time.Second)
		r.ask(0, 3*time.Second)
		r.clock.Set += int64(by)
		if way := r.ask(0.5, 10*time.Second); way < 4.9 {
			t.Errorf("the clock is set by %v: %.2f m in 10 s at 0.5 m/s; %s", by, way, r.status)
		}
		for range 20 * 60 {
			r.send(geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 1}, Angular: geometry_msgs.Vector3{Z: 0.5}})
			r.step()
		}
		if r.x > 10.2 {
			t.Errorf("the clock is set by %v: it stands at x = %.2f m; %s", by, r.x, r.status)
		}
	}
}

// When a simulation begins again, the robot is where it was at the start, which the guard believes like the first fix; the fence is as before.
// A jump of fixes while time is only in disorder, or passes, remains one.
func TestSimulationBeginsAgain(t *testing.T) {
	for _, back := range []time.Duration{0, 100 * time.Millisecond, 10 * time.Second} {
		for _, stamped := range []bool{false, true} {
			r := newRobot(t, fenced())
			r.stamped = stamped
			r.ask(0, time.Second)
			if r.ask(1, 12*time.Second); r.x < 6 {
				t.Fatalf("the robot is at x = %.2f m; %s", r.x, r.status)
			}
			r.ex.Jump(r.ex.Now() - int64(back))
			r.x = 0
			r.ask(0, 3*time.Second)
			if way, again := r.ask(0.5, 10*time.Second), back > time.Second; again && way < 4.5 || !again && way > 2 {
				t.Errorf("time goes back by %v, stamps %v: %.2f m in 10 s at 0.5 m/s; %s", back, stamped, way, r.status)
			}
			if r.ask(1, 60*time.Second); r.x > 10.2 {
				t.Errorf("time goes back by %v, stamps %v: the robot comes to x = %.2f m; %s", back, stamped, r.x, r.status)
			}
		}
	}
}

// Fixes of a receiver whose clock differs from that of the computer are as good as others after two seconds, and the log names the difference. A
// fix that is repeated with its old stamp is not.
func TestFixesOfAnotherClock(t *testing.T) {
	for _, skew := range []time.Duration{0, 50 * time.Millisecond, 200 * time.Millisecond, 2500 * time.Millisecond, 18 * time.Second, 2 * time.Hour,
		-18 * time.Second, -2 * time.Hour} {
		r := newRobot(t, fenced())
		r.stamped, r.skew = true, skew
		r.ask(0, 7*time.Second)
		way := r.ask(0.5, 10*time.Second)
		if right := skew.Abs() < 100*time.Millisecond; way < 4.5 || strings.Contains(r.log.String(), "a fix now counts as measured when it came") == right {
			t.Errorf("stamps %v ahead: %.2f m in 10 s at 0.5 m/s; %s\n%s", skew, way, r.status, &r.log)
		}
		if r.ask(1, 60*time.Second); r.x > 10.2 {
			t.Errorf("stamps %v ahead: the robot comes to x = %.2f m; %s", skew, r.x, r.status)
		}
	}
	r := newRobot(t, fenced())
	r.stamped = true
	way := 0.0
	for range 20 * 30 {
		r.skew -= 50 * time.Millisecond
		way += r.ask(0.5, 50*time.Millisecond)
	}
	if way > 2 || strings.Contains(r.log.String(), "counts as measured") {
		t.Errorf("a fix is repeated for 30 s: %.2f m at 0.5 m/s; %s\n%s", way, r.status, &r.log)
	}
}

// With a known delay such fixes are as good as those with true stamps, from the first on.
func TestFixesOfAKnownDelay(t *testing.T) {
	drive := func(off time.Duration) float64 {
		cfg := fenced()
		cfg.FixDelay = off.Seconds()
		r := newRobot(t, cfg)
		r.stamped, r.skew = true, off
		r.ask(0, time.Second)
		return r.ask(0.5, 10*time.Second)
	}
	want := drive(0)
	for _, off := range []time.Duration{2500 * time.Millisecond, 18 * time.Second, -18 * time.Second} {
		if way := drive(off); way != want || want < 4.5 {
			t.Errorf("stamps %v late, which is known: %.2f m in 10 s at 0.5 m/s, want %.2f m", off, way, want)
		}
	}
}

// NaN for a covariance that nobody knows is used like zeros.
func TestFixesWithoutACovariance(t *testing.T) {
	for _, known := range []float64{0, 0.02} {
		cfg := fenced()
		cfg.FixStdDev = known
		r := newRobot(t, cfg)
		r.variance = math.NaN()
		r.ask(0, 7*time.Second)
		if way := r.ask(0.5, 10*time.Second); (way > 4) != (known > 0) || known == 0 && !strings.Contains(r.status, "set fix_stddev") {
			t.Errorf("fix_stddev %g m: %.2f m in 10 s at 0.5 m/s; %s", known, way, r.status)
		}
	}
}

// The status has the allowance that the owner gave, and no number that is not known; /diagnostics has the same.
func TestStatusHasWhatIsKnown(t *testing.T) {
	r := newRobot(t, fenced())
	var said ugp_explorer_msgs.GuardStatus
	rostest.Hear(t, r.test, "guard/status", ros.Latched(), func(m *ugp_explorer_msgs.GuardStatus) { said = *m })
	values := map[string]string{}
	rostest.Hear(t, r.test, "/diagnostics", ros.DefaultQoS(), func(m *diagnostic_msgs.DiagnosticArray) {
		clear(values)
		for _, v := range m.Status[0].Values {
			if values[v.Key] = v.Value; strings.Contains(v.Value, "Inf") || strings.Contains(v.Value, "NaN") {
				t.Errorf("%s: %s", v.Key, v.Value)
			}
		}
	})
	const clearance = "guaranteed distance from the fence, m"
	r.broken = true
	r.ask(0.5, 2*time.Second)
	if _, known := values[clearance]; known || !math.IsNaN(said.Clearance) || said.Reason != ugp_explorer_msgs.GuardStatusReasonNoFix || strings.Contains(r.log.String(), "Inf") {
		t.Errorf("without a fix: %v, %+v\n%s", values, said, &r.log)
	}
	r.broken = false
	r.ask(0.5, 5*time.Second)
	if values["allowance, m"] != "0.00" || values[clearance] != fmt.Sprintf("%.2f", said.Clearance) || said.Allowance != 0 {
		t.Errorf("with fixes: %v, %+v", values, said)
	}
}

// While the guard holds the robot for its mission, it says what would keep the robot from driving after that.
func TestFenceReasonWhileHeld(t *testing.T) {
	r := newRobot(t, fenced())
	var said ugp_explorer_msgs.GuardStatus
	rostest.Hear(t, r.test, "guard/status", ros.Latched(), func(m *ugp_explorer_msgs.GuardStatus) { said = *m })
	held := func(want string) {
		t.Helper()
		for range 3 {
			r.mission("fault")
			r.ask(0.2, time.Second)
		}
		if m := said; m.State != ugp_explorer_msgs.GuardStatusStateHolds || m.Reason != ugp_explorer_msgs.GuardStatusReasonMission || m.FenceReason != want {
			t.Errorf("want the reason of the fence %q: %+v", want, m)
		}
	}
	r.broken = true
	held(ugp_explorer_msgs.GuardStatusReasonNoFix)
	if !strings.Contains(r.status, "no credible position fix has come") {
		t.Errorf("the text is %q", r.status)
	}
	r.broken = false
	held(ugp_explorer_msgs.GuardStatusReasonNone)
}
