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

// A receiver knows the time from its satellites, and nobody may have set the computer's clock. When the same difference has lasted for two
// seconds, its fixes are used; the log and /diagnostics name it, and no pose is wrong by the way driven in that time. Late fixes with true stamps
// are used, and their age is told. When the clock is set on the way, fixes go on after two seconds.
func TestFixesOfAnotherClock(t *testing.T) {
	const corrected = " this computer's clock, and a fix now counts as measured when it came"
	for _, c := range []struct {
		skew, then time.Duration // from the tenth second on
		late       time.Duration // the true delay
		want       string
	}{
		{skew: 50 * time.Millisecond, then: 50 * time.Millisecond},
		{skew: 300 * time.Millisecond, then: 300 * time.Millisecond, want: "the stamps of the fixes on fix_pose are 0.3 s ahead of" + corrected},
		{skew: 18 * time.Second, then: 18 * time.Second, want: "are 18 s ahead of" + corrected},
		{skew: -1024 * 7 * 24 * time.Hour, then: -1024 * 7 * 24 * time.Hour, want: "are 7168 days behind" + corrected},                                                                                // GPS weeks
		{skew: -time.Duration(wallTime) + 5*time.Second, then: -time.Duration(wallTime) + 5*time.Second, want: corrected + ": set the sender's clock, or in a simulation use_sim_time on both sides"}, // since the sender's start
		{skew: -20 * time.Second, then: -20 * time.Second, want: "are 20 s behind" + corrected},
		{skew: -3 * time.Hour, then: -3 * time.Hour, want: "are 3h0m0s behind" + corrected},
		{then: 3 * time.Second, want: "are 3 s ahead of" + corrected},
		{skew: 18 * time.Second, want: "the stamps of fixes agree with this computer's clock again"},
		{skew: -2500 * time.Millisecond, then: -2500 * time.Millisecond, late: 2500 * time.Millisecond, want: "the stamps of /test on /fix_pose are 2.5 s older than their arrival"},
	} {
		r := newRigAt(t, wallTime, nil)
		for k := range int64(400) { // 20 s at 1 m/s
			stamp := wallTime + (k+1)*step
			r.runTo(stamp)
			x := float64(k) * 0.05
			send(r, r.odom, odometry(stamp, x, 0, 0, 1, 0))
			if k%4 == 0 {
				skew := c.skew
				if k >= 200 {
					skew = c.then
				}
				m := poseMessage(stamp+int64(skew), x-c.late.Seconds(), 0, 0, [3][3]float64{{4e-4, 0, 0}, {0, 4e-4, 0}, {0, 0, 10}})
				m.Pose.Pose.Orientation = geometry_msgs.Quaternion{W: 1}
				send(r, r.fix, m)
			}
		}
		if len(r.filtered) < 200 || !strings.Contains(r.log.String(), c.want) || c.want == "" && strings.Contains(r.log.String(), "WARN") {
			t.Errorf("fixes %v and then %v ahead: %d poses, want %q in the log:\n%s", c.skew, c.then, len(r.filtered), c.want, r.log.String())
		}
		if n := len(r.diagnostics); n == 0 || strings.Contains(c.want, corrected) && !strings.Contains(r.diagnostics[n-1].status.Message, c.want) {
			t.Errorf("fixes %v and then %v ahead: the filter says on /diagnostics %+v, want %q", c.skew, c.then, r.diagnostics[max(0, n-1):], c.want)
		}
		for _, m := range r.filtered {
			if x := float64(ros.TimeNs(m.Header.Stamp)-wallTime)/1e9 - 0.05; m.Pose.Pose.Position.X < x-0.3 || m.Pose.Pose.Position.X > x+0.3 {
				t.Fatalf("fixes %v and then %v ahead: the filter is at %.2f m, and the robot at %.2f m", c.skew, c.then, m.Pose.Pose.Position.X, x)
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
