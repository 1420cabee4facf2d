// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/ros"
)

// Fixes whose stamps are later than their arrival are not used: there is no pose that is wrong by the way driven in that
// time, and the log names the sender and the seconds. Late ones with true stamps are, and their age is told.
func TestFixesOfAnotherClock(t *testing.T) {
	for _, c := range []struct {
		skew time.Duration
		used bool
		want string
	}{
		{50 * time.Millisecond, true, ""},
		{300 * time.Millisecond, false, "what /test publishes is refused: its stamp is 0.3 s later than its arrival"},
		{3 * time.Second, false, "what /test publishes is refused: its stamp is 3 s later than its arrival"},
		{18 * time.Second, false, "those of /test are 18 s ahead"},
		{-2500 * time.Millisecond, true, "the stamps of /test on /fix_pose are 2.5 s older than their arrival"},
	} {
		r := newRig(t, nil)
		for k := range int64(400) { // 20 s at 1 m/s
			stamp := epoch + (k+1)*step
			r.runTo(stamp)
			x := float64(k) * 0.05
			send(r, r.odom, odometry(stamp, x, 0, 0, 1, 0))
			if k%4 == 0 {
				m := poseMessage(stamp+int64(c.skew), x+min(0, c.skew.Seconds()), 0, 0, [3][3]float64{{4e-4, 0, 0}, {0, 4e-4, 0}, {0, 0, 10}})
				m.Pose.Pose.Orientation = geometry_msgs.Quaternion{W: 1}
				send(r, r.fix, m)
			}
		}
		if (len(r.filtered) > 0) != c.used || !strings.Contains(r.log.String(), c.want) || c.want == "" && strings.Contains(r.log.String(), "WARN") {
			t.Errorf("fixes %v ahead: %d poses, want %q in the log:\n%s", c.skew, len(r.filtered), c.want, r.log.String())
		}
		if n := len(r.diagnostics); !c.used && (n == 0 || !strings.Contains(r.diagnostics[n-1].status.Message, c.want)) {
			t.Errorf("fixes %v ahead: the filter says on /diagnostics %+v, want %q as the reason for no pose", c.skew, r.diagnostics[max(0, n-1):], c.want)
		}
		for _, m := range r.filtered {
			if x := float64(ros.TimeNs(m.Header.Stamp)-epoch)/1e9 - 0.05; m.Pose.Pose.Position.X < x-0.3 || m.Pose.Pose.Position.X > x+0.3 {
				t.Fatalf("fixes %v ahead: the filter is at %.2f m, and the robot at %.2f m", c.skew, m.Pose.Pose.Position.X, x)
			}
		}
	}
}

// A known delay of the stamps is taken off: the poses are as with true stamps, whatever clock the fixes have, and nothing is wrong. The
// stamp of a pose stays the one of the odometry.
func TestFixesOfAKnownDelay(t *testing.T) {
	var want []nav_msgs.Odometry
	for _, delay := range []time.Duration{0, 300 * time.Millisecond, 18 * time.Second, -18 * time.Second} {
		r := newRig(t, func(c *ekf.Config) { c.FixDelay = delay.Seconds() })
		d := newDrive(r)
		d.sendFix = func(m *geometry_msgs.PoseWithCovarianceStamped) {
			m.Header.Stamp = ros.TimeMsg(ros.TimeNs(m.Header.Stamp) + int64(delay))
			send(r, r.fix, *m)
		}
		d.run(400)
		if delay == 0 {
			want = r.filtered
		}
		if len(want) < 100 || !slices.Equal(r.filtered, want) || strings.Contains(r.log.String(), "WARN") {
			t.Errorf("fix.delay %v: %d poses, want those of %d; %s", delay, len(r.filtered), len(want), r.log.String())
		}
	}
}

// A receiver whose clock is behind is found by the wheels when the robot has stopped and driven on a few times. The log and /diagnostics name
// it and the seconds, and the filter's poses are right.
func TestFixesOfAClockBehind(t *testing.T) {
	r := newRig(t, nil)
	x, worst := 0.0, 0.0
	for k := range int64(20 * 120) {
		stamp := epoch + (k+1)*step
		r.runTo(stamp)
		v := 0.0
		if k%(20*15) < 20*10 {
			v = 1
		}
		x += 0.05 * v
		send(r, r.odom, odometry(stamp, x, 0, 0, v, 0))
		if k > 20*60 {
			worst = max(worst, math.Abs(r.filtered[len(r.filtered)-1].Pose.Pose.Position.X-x))
		}
		if k%4 == 0 {
			send(r, r.fix, poseMessage(stamp-int64(3*time.Second), x, 0, 0, [3][3]float64{{4e-4, 0, 0}, {0, 4e-4, 0}, {0, 0, 10}}))
		}
	}
	if worst > 0.1 {
		t.Errorf("in the last minute the pose was off by up to %.2f m", worst)
	}
	const want = "the fixes of /test match the wheels 3 s after their stamps: its clock is behind that of the odometry, which the filter learnt on the first " +
		"metres and now corrects: set its clock, or set fix.delay of filter and guard to -3"
	if !strings.Contains(r.log.String(), want) {
		t.Errorf("the log does not say so:\n%s", r.log.String())
	}
	if n := len(r.diagnostics); n == 0 || !strings.Contains(r.diagnostics[n-1].status.Message, want) {
		t.Errorf("/diagnostics: %+v", r.diagnostics[max(0, n-1):])
	}
}
