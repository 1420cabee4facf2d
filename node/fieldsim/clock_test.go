// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim_test

import (
	"testing"
	"time"

	"ugp_explorer/msgs/builtin_interfaces"
	"ugp_explorer/node/ros"
)

// When the clock of the computer is set, the stamps of all messages follow it at once, and the world goes on as before: the robot drives as
// far, and each sensor measures as often.
func TestWorldWhileTheClockIsSet(t *testing.T) {
	type trip struct {
		x, y                      float64
		truth, odom, fix, reading int
	}
	drive := func(by time.Duration) trip {
		r := newRig(t, nil)
		r.drive(10*time.Second, 1, 0.1)
		r.wall.Set = int64(by)
		r.truth, r.odom, r.fix, r.reading, r.clock = r.truth[:0], r.odom[:0], r.fix[:0], r.reading[:0], r.clock[:0]
		r.drive(10*time.Second, 1, 0.1)
		r.run(20 * time.Second)
		fits := func(topic string, at int64, stamp builtin_interfaces.Time) {
			if age := at + int64(by) - ros.TimeNs(stamp); age < 0 || age > int64(500*time.Millisecond) {
				t.Fatalf("the clock is set by %v: a message on %s is %v old when it comes", by, topic, time.Duration(age))
			}
		}
		for _, h := range r.clock {
			fits("/clock", h.at, h.m.Clock)
		}
		for _, h := range r.odom {
			fits("odom", h.at, h.m.Header.Stamp)
		}
		for _, h := range r.fix {
			fits("fix_pose", h.at, h.m.Header.Stamp)
		}
		for _, h := range r.reading {
			fits("reading", h.at, h.m.Header.Stamp)
		}
		at := r.truth[len(r.truth)-1].m.Pose.Pose.Position
		return trip{at.X, at.Y, len(r.truth), len(r.odom), len(r.fix), len(r.reading)}
	}
	want := drive(0)
	if want.odom < 500 || want.fix < 25 || want.reading < 10 {
		t.Fatalf("%+v", want)
	}
	for _, by := range []time.Duration{-time.Hour, -2 * time.Second, 2 * time.Second, time.Hour} {
		if got := drive(by); got != want {
			t.Errorf("the clock is set by %v: %+v, want %+v", by, got, want)
		}
	}
}
