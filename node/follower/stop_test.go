// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/ros/exec"
)

var straight = []orb.Point{{0, 0}, {100, 0}}

// fast returns a world in which the robot drives along a straight path at full
// speed, and in which the path is not repeated any more.
func fast(t *testing.T, change func(*follower.Config)) *world {
	t.Helper()
	w := newWorld(t, change)
	w.follow(straight...)
	w.run(10 * time.Second)
	w.repeat = nil
	if v := w.last().v; v != w.cfg.Pursuit.MaxSpeed {
		t.Fatalf("%g m/s after 10 s, want %g", v, w.cfg.Pursuit.MaxSpeed)
	}
	return w
}

// stoppingTime returns the time to stop from full speed with the allowed deceleration,
// and two steps for the delivery of the message and for rounding.
func stoppingTime(w *world) time.Duration {
	s := w.cfg.Pursuit.MaxSpeed / w.cfg.Pursuit.Deceleration
	return time.Duration(s*float64(time.Second)) + 2*tick
}

func TestEmptyPlanStops(t *testing.T) {
	w := fast(t, nil)
	w.sendPlan("") // without a frame: an empty path needs none
	from := w.ex.Now()
	w.run(stoppingTime(w) + 5*time.Second)
	w.mustStand(from+int64(stoppingTime(w)), "after an empty path")
	// The same path, sent again, is driven again.
	w.follow(straight...)
	w.run(5 * time.Second)
	if w.last().v == 0 {
		t.Error("stands though the path was sent again")
	}
}

// NaN in a path stops a driving robot.
func TestBadPathHalts(t *testing.T) {
	w := fast(t, nil)
	from := w.ex.Now()
	w.sendPlan("map", [2]float64{w.x, 0}, [2]float64{w.x + 5, math.NaN()}, [2]float64{100, 0})
	w.run(stoppingTime(w) + 3*time.Second)
	w.mustStand(from+int64(stoppingTime(w)), "after a path with NaN")
	if !strings.Contains(w.log.String(), "NaN") {
		t.Errorf("the log does not show the NaN:\n%s", &w.log)
	}
}

func TestGoalNotRepeatedStops(t *testing.T) {
	w := newWorld(t, func(c *follower.Config) { c.GoalTimeout = 4 })
	w.run(time.Second)
	w.follow(straight...)
	w.run(12 * time.Second) // three times the timeout: repetition keeps the robot driving
	w.repeat = nil
	w.sendPlan("map", straight...)
	w.run(tick)
	sent := w.ex.Now() - int64(tick)
	w.run(3900 * time.Millisecond)
	if v := w.last().v; v != w.cfg.Pursuit.MaxSpeed {
		t.Fatalf("%g m/s %.2f s after the last repetition, goal.timeout is 4 s", v, seconds(w.ex.Now()-sent))
	}
	w.run(10 * time.Second)
	w.mustStand(sent+4e9+int64(stoppingTime(w)), "goal not repeated")
	if !strings.Contains(w.log.String(), "no longer repeated") {
		t.Errorf("the log does not say why:\n%s", &w.log)
	}
	w.sendPlan("map", straight...)
	w.run(3 * time.Second)
	if w.last().v == 0 {
		t.Error("stands though the goal was repeated again")
	}
}

// At the first step with a pose older than allowed the command is zero, regardless of
// the deceleration; with new poses the robot starts from rest.
func TestStalePoseStopsAtOnce(t *testing.T) {
	w := newWorld(t, nil)
	w.follow(straight...)
	w.run(10 * time.Second)
	lastPose := w.ex.Now()
	w.silent = true
	w.run(3 * time.Second)
	limit := int64(w.cfg.Pursuit.MaxPoseAge * 1e9)
	for _, c := range w.since(lastPose) {
		if stale := c.at-lastPose > limit; stale && (c.v != 0 || c.w != 0) {
			t.Fatalf("(%g m/s, %g rad/s) with a pose %.2f s old", c.v, c.w, seconds(c.at-lastPose))
		} else if !stale && c.v != w.cfg.Pursuit.MaxSpeed {
			t.Fatalf("%g m/s with a pose %.2f s old, %g s is allowed", c.v, seconds(c.at-lastPose), w.cfg.Pursuit.MaxPoseAge)
		}
	}
	if !strings.Contains(w.log.String(), "stale pose") {
		t.Errorf("the log does not say why:\n%s", &w.log)
	}
	w.silent = false
	w.run(5 * time.Second)
	if w.last().v == 0 {
		t.Error("stands though poses come again")
	}
}

// Poses that come too rarely stop the robot after each one, and log and /diagnostics say so: each is new, and none is missing.
func TestPosesComeTooRarely(t *testing.T) {
	w := newWorld(t, nil)
	heard := w.diagnoses()
	w.eachTick = func() { w.silent = w.ex.Now()%int64(time.Second) != 0 }
	w.follow(straight...)
	w.run(10 * time.Second)
	for _, words := range []string{"stopped after each pose: poses come too rarely", "raise pose_timeout", "apart_s=1 pose_timeout_s=0.5"} {
		if !strings.Contains(w.log.String(), words) {
			t.Errorf("the log does not say %q:\n%s", words, &w.log)
		}
	}
	if path := heard["path"]; !strings.Contains(path.Message, "poses come too rarely") {
		t.Errorf("/diagnostics: %+v", path)
	}
}

// Poses of another clock are not used, and the log names the parameter that takes the lag off: then the robot drives as without it.
func TestPosesOfAKnownDelay(t *testing.T) {
	drive := func(late, known time.Duration) *world {
		w := newWorld(t, func(c *follower.Config) { c.PoseDelay = known.Seconds() })
		w.late = late
		w.follow(straight...)
		w.run(10 * time.Second)
		return w
	}
	want := drive(0, 0)
	for _, late := range []time.Duration{3 * time.Second, -18 * time.Second} {
		if w := drive(late, late); !slices.Equal(w.track, want.track) || w.x < 5 {
			t.Errorf("stamps %v late, which is known: at %.2f m, want %.2f m", late, w.x, want.x)
		}
	}
	w := drive(3*time.Second, 0)
	w.mustStand(epoch, "with poses of another clock")
	if want := "synchronise both clocks by NTP or PTP, or add 3 s to pose.delay"; !strings.Contains(w.log.String(), want) {
		t.Errorf("the log does not say %q:\n%s", want, &w.log)
	}
}

// Simulated time begins at zero. A missing pose must not pass for a fresh one at the
// origin then.
func TestNoPoseAtTimeZero(t *testing.T) {
	w := newWorldAt(t, 0, nil)
	w.silent = true
	w.follow(straight...)
	w.run(2 * time.Second)
	w.mustStand(0, "without a pose")
}

func TestWrongFrameIsIgnored(t *testing.T) {
	t.Run("plan", func(t *testing.T) {
		w := newWorld(t, nil)
		w.run(time.Second)
		w.repeat = func() { w.sendPlan("odom", straight...) }
		w.run(5 * time.Second)
		w.mustBeSilent(epoch, "a path in odom")
		if log := w.log.String(); !strings.Contains(log, "topic=plan") || !strings.Contains(log, "frame_id=odom") {
			t.Errorf("the log does not name topic and frame:\n%s", log)
		}
		// Nor does it count as a repetition of a path that is followed.
		w.follow(straight...)
		w.run(3 * time.Second)
		from := w.ex.Now()
		w.repeat = func() { w.sendPlan("odom", straight...) }
		w.run(20 * time.Second)
		w.mustStand(from+int64(5*time.Second+stoppingTime(w)), "repeated in odom only")
	})
	t.Run("pose", func(t *testing.T) {
		w := newWorld(t, nil)
		w.frame = "odom"
		w.follow(straight...)
		w.run(5 * time.Second)
		w.mustStand(epoch, "poses in odom")
		w.sendPlan("odom", straight...)
		w.run(tick)
		for _, words := range []string{"topic=odometry/filtered", "topic=plan", "stale pose"} {
			if !strings.Contains(w.log.String(), words) {
				t.Errorf("the log does not contain %q:\n%s", words, &w.log)
			}
		}
		w.frame = "map"
		w.run(time.Second)
		if w.last().v == 0 {
			t.Error("stands though poses are in map now")
		}
	})
}

// A pose without an orientation is ignored, so the previous pose becomes stale.
func TestPoseWithoutOrientationIsIgnored(t *testing.T) {
	w := newWorld(t, nil)
	w.follow(straight...)
	w.run(5 * time.Second)
	w.silent = true
	w.eachTick = func() { w.publishPose(geometry_msgs.Quaternion{}) }
	from := w.ex.Now()
	w.run(3 * time.Second)
	w.mustStand(from+int64(w.cfg.Pursuit.MaxPoseAge*1e9), "orientation of zeros")
}

// The last command is zero, whenever the program ends: between two steps, at the instant
// of a step, and when only the node is closed.
func TestLastCommandIsZero(t *testing.T) {
	for name, end := range map[string]func(w *world){
		"between two steps":        func(w *world) { w.interruptAfter(2*tick + 7*time.Millisecond) },
		"at the instant of a step": func(w *world) { w.interruptAfter(2 * tick) }, // before that step
		"close":                    func(w *world) { w.must(w.node.Close()); w.run(time.Second) },
	} {
		t.Run(name, func(t *testing.T) {
			w := fast(t, nil)
			end(w)
			if c := w.last(); c.v != 0 || c.w != 0 {
				t.Errorf("the last command is (%g m/s, %g rad/s), want zero", c.v, c.w)
			}
			if c := w.heard[len(w.heard)-2]; c.v == 0 {
				t.Error("the robot stood already")
			}
		})
	}
}

// interruptAfter ends the executor after a time.
func (w *world) interruptAfter(d time.Duration) {
	w.t.Helper()
	interrupted := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	w.test.After(d, func() { cancel(interrupted) })
	if err := w.ex.RunTo(ctx, w.ex.Now()+int64(time.Second)); !errors.Is(err, interrupted) {
		w.t.Fatalf("error %v, want %v", err, interrupted)
	}
}

// When poses have ceased and the clock is set back, the time of the last pose comes once more.
// The robot must not drive on by it.
func TestOldPoseIsNotFreshAgain(t *testing.T) {
	w := fast(t, nil)
	w.silent = true
	w.ex.Jump(w.ex.Now() - int64(2500*time.Millisecond))
	w.run(time.Second)
	w.heard = nil // before the jump, at times that come again
	from := w.ex.Now()
	w.run(10 * time.Second)
	w.mustStand(from, "poses have ceased and the clock was set back")
}

// standing is an executor whose clock can be made to stand while its timers run.
type standing struct {
	*exec.Simulated
	at int64 // ns; 0: the clock runs
}

func (s *standing) Now() int64 {
	if s.at != 0 {
		return s.at
	}
	return s.Simulated.Now()
}

// While the clock of its computer stands, a robot that is told to stop slows down, and one
// whose goal or pose does not come any more stops.
func TestStopsWhileTheClockStands(t *testing.T) {
	for name, halt := range map[string]func(*world){
		"the path is withdrawn":    func(w *world) { w.follow() },
		"the goal is not repeated": func(w *world) { w.repeat = nil },
		"the poses have ceased":    func(w *world) { w.silent = true },
	} {
		ex := exec.NewSimulated(epoch)
		clock := &standing{Simulated: ex}
		w := newWorldOn(t, ex, clock, nil)
		w.follow([2]float64{0, 0}, [2]float64{100, 0})
		w.run(5 * time.Second)
		if w.last().v == 0 {
			t.Fatalf("%s: the robot does not drive", name)
		}
		clock.at = ex.Now()
		halt(w)
		w.run(10 * time.Second)
		if c := w.last(); c.v != 0 || c.w != 0 {
			t.Errorf("%s: commanded (%g m/s, %g rad/s) after 10 s", name, c.v, c.w)
		}
	}
}
