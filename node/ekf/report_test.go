// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/node/ekf"
)

// play sends odometry at 20 Hz and a fix a second for some seconds. The wheels drive straight on at
// speed m/s; the fixes follow at fixSpeed m/s in a direction (rad), from x.
func (r *rig) play(seconds int, speed, fixSpeed, direction float64, x *float64) {
	r.t.Helper()
	for k := range seconds * 20 {
		now := r.ex.Now() + int64(50*time.Millisecond)
		r.runTo(now)
		*x += fixSpeed * 0.05
		send(r, r.odom, odometry(now, 0, 0, 0, speed, 0))
		if k%20 == 0 {
			send(r, r.fix, poseMessage(now, *x*math.Cos(direction), *x*math.Sin(direction), 0, [3][3]float64{{0.04, 0, 0}, {0, 0.04, 0}, {0, 0, noHeading}}))
		}
	}
}

func TestRepairsAreSaid(t *testing.T) {
	given := func(c *ekf.Config) { c.Heading, c.Filter.InitialYaw = "given", 0 }
	for name, c := range map[string]struct {
		play func(r *rig)
		want []string
	}{
		"wrong heading": {func(r *rig) {
			x := 0.0
			r.play(60, 1, 1, 1.8, &x)
			if n := r.diagnostics[len(r.diagnostics)-1].values["times the heading was corrected"]; n != "1" || r.corrected != 1 {
				r.t.Errorf("/diagnostics has %q corrections of the heading, and %d were published, want 1", n, r.corrected)
			}
		}, []string{"the heading was wrong and has been corrected: the fixes moved in a different direction", "old_heading_deg=", "new_heading_deg=10"}},
		"carried": {func(r *rig) {
			x := 0.0
			r.play(20, 0, 0, 0, &x)
			x = 40
			r.play(5, 0, 0, 0, &x)
			const refused = "fixes are refused: position and heading are doubtful; drive some metres by hand, or send /initialpose"
			if last := r.diagnostics[len(r.diagnostics)-1].status; last.Level == 0 || last.Message != refused {
				r.t.Errorf("/diagnostics says %+v", last)
			}
			if position := r.diagnostics[len(r.diagnostics)-1].values["position"]; !strings.HasPrefix(position, "refused, 5 in a row, innovation ") {
				r.t.Errorf("/diagnostics says of the position %q", position)
			}
			r.play(15, 0, 0, 0, &x)
			if values := r.diagnostics[len(r.diagnostics)-1].values; !strings.HasPrefix(values["position"], "used, innovation ") || values["wheels"] != "used" || values["gyroscope"] != "none" {
				r.t.Errorf("/diagnostics says %q", values)
			}
		}, []string{"fixes disagreed with the filter too often in a row: the pose now follows them", "refused_fixes=10 difference_m=39."}},
		"stuck": {func(r *rig) {
			x := 0.0
			r.play(30, 1, 1, 0, &x)
			r.play(20, 1, 0, 0, &x)
			last := r.diagnostics[len(r.diagnostics)-1].status
			if last.Level == 0 || !strings.Contains(last.Message, "the wheels slip, or the receiver or the heading is wrong") {
				r.t.Errorf("/diagnostics says %+v", last)
			}
			r.play(20, 1, 1, 0, &x)
		}, []string{"fixes and wheels contradict each other, and the position is uncertain", "wheels_m=", "fixes_m=", "lasts_s=", "fixes and wheels agree again"}},
		"heading lost": {func(r *rig) {
			x := 0.0
			r.play(20, 1, 1, 0, &x)
			r.runTo(r.ex.Now() + int64(2*time.Second))
			r.play(2, 1, 1, 0, &x)
		}, []string{"the heading has become too uncertain", "max_stddev_deg=57.3", "drive straight ahead"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, given)
			c.play(r)
			r.mustLog(c.want...)
			for _, w := range c.want[:1] {
				if n := strings.Count(r.log.String(), w); n != 1 {
					t.Errorf("%q said %d times:\n%s", w, n, r.log.String())
				}
			}
		})
	}
}

// The log tells the distance that a heading takes with the fixes that the receiver has.
func TestDistanceForAHeading(t *testing.T) {
	for stdDev, want := range map[float64]string{0.3: "drive the robot 6 m straight ahead", 1: "drive the robot 10 m straight ahead"} {
		r := newRig(t, func(*ekf.Config) {})
		for range 20 {
			now := r.ex.Now() + int64(50*time.Millisecond)
			r.runTo(now)
			send(r, r.odom, odometry(now, 0, 0, 0, 0, 0))
			send(r, r.fix, poseMessage(now, 0, 0, 0, [3][3]float64{{stdDev * stdDev, 0, 0}, {0, stdDev * stdDev, 0}, {0, 0, noHeading}}))
		}
		r.mustLog("there is no pose because the heading is unknown: " + want)
	}
}

// Until turns have shown the antenna's place, a robot whose antenna nobody has configured knows its own place less well than one with a measured
// antenna.
func TestUnknownAntenna(t *testing.T) {
	variance := func(at localization.Lever) float64 {
		r := newRig(t, func(c *ekf.Config) {
			atOrigin(c)
			c.Filter.Antenna = at
		})
		p, _ := r.first(navSat(0, 10, 20, [2][2]float64{{0.0004, 0}, {0, 0.0004}}))
		if said := strings.Contains(r.log.String(), "antenna.x and antenna.y are not set"); said != (at == localization.Lever{}) {
			t.Errorf("an antenna at %v: the log is\n%s", at, &r.log)
		}
		return p.Covariance[0]
	}
	if more := variance(localization.Lever{}) - variance(localization.Lever{X: 0.3}); more < 0.03 || more > 0.05 {
		t.Errorf("the variance is larger by %g m²", more)
	}
}

// An antenna that is not where the parameters say is found by turns, and the log and /diagnostics name its place.
func TestAntennaIsSaid(t *testing.T) {
	r := newRig(t, nil)
	var x, y, yaw float64
	for k := range int64(20 * 180) {
		stamp := epoch + (k+1)*step
		r.runTo(stamp)
		v, w := 0.0, 0.0
		switch at := k % (20 * 30); { // a lane, a turn to the left, a lane, a turn to the right
		case at < 20*12, at >= 20*15 && at < 20*27:
			v = 1
		case at < 20*15:
			w = 0.5
		default:
			w = -0.5
		}
		yaw += w * 0.05
		x, y = x+v*0.05*math.Cos(yaw), y+v*0.05*math.Sin(yaw)
		send(r, r.odom, odometry(stamp, x, y, yaw, v, w))
		if k%4 == 0 {
			send(r, r.fix, poseMessage(stamp, x+0.5*math.Cos(yaw), y+0.5*math.Sin(yaw), 0, [3][3]float64{{4e-4, 0, 0}, {0, 4e-4, 0}, {0, 0, 10}}))
		}
	}
	const want = "turns show the antenna at about x = 0.5 m, y = 0 m of base_link, which the filter now uses, and not at 0 and 0: measure its place, and set antenna.x " +
		"and antenna.y of filter and guard"
	if !strings.Contains(r.log.String(), want) {
		t.Errorf("the log does not say so:\n%s", r.log.String())
	}
	if n := len(r.diagnostics); n == 0 || r.diagnostics[n-1].status.Message != want {
		t.Errorf("/diagnostics: %+v", r.diagnostics[max(0, n-1):])
	}
	if at := r.filtered[len(r.filtered)-1].Pose.Pose.Position; math.Hypot(at.X-x, at.Y-y) > 0.05 {
		t.Errorf("the pose is at %.2f, %.2f, want %.2f, %.2f", at.X, at.Y, x, y)
	}
}
