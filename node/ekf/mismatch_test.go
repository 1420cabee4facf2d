// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf_test

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"strings"
	"testing"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
)

// Odometry whose twist contradicts its pose is named, in the log and on /diagnostics, with what to correct. That of a robot which reverses,
// strafes, slips, or is started again, whose yaw does not begin at 0, or whose driver leaves pose or twist empty, is not.
func TestOdometryThatContradictsItself(t *testing.T) {
	orientation := func(yaw float64) geometry_msgs.Quaternion {
		return geometry_msgs.Quaternion{Z: math.Sin(yaw / 2), W: math.Cos(yaw / 2)}
	}
	yawOf := func(m *nav_msgs.Odometry) float64 {
		return 2 * math.Atan2(m.Pose.Pose.Orientation.Z, m.Pose.Pose.Orientation.W)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for name, c := range map[string]struct {
		distort func(m *nav_msgs.Odometry, k int)
		speed   complex128 // m/s, forward and to the left
		want    string     // "": nothing
	}{
		"right":     {func(*nav_msgs.Odometry, int) {}, 0.8, ""},
		"reversing": {func(*nav_msgs.Odometry, int) {}, -0.5, ""},
		"strafing":  {func(*nav_msgs.Odometry, int) {}, 0.3 + 0.6i, ""},
		"noise": {func(m *nav_msgs.Odometry, _ int) {
			m.Twist.Twist.Linear.X *= 1 + 0.3*rng.NormFloat64()
			m.Twist.Twist.Angular.Z += 0.2 * rng.NormFloat64()
		}, 0.8, ""},
		"noise while it stands": {func(m *nav_msgs.Odometry, _ int) {
			m.Twist.Twist.Linear.X += 0.1 * rng.NormFloat64()
			m.Twist.Twist.Angular.Z = 0.3 * rng.NormFloat64()
			m.Pose.Pose.Position.X += 0.02 * rng.NormFloat64()
			m.Pose.Pose.Orientation = orientation(0.02 * rng.NormFloat64())
		}, 0, ""},
		"noisy poses of a slow robot": {func(m *nav_msgs.Odometry, _ int) {
			m.Pose.Pose.Position.X += 0.03 * rng.NormFloat64()
			m.Pose.Pose.Position.Y += 0.03 * rng.NormFloat64()
		}, 0.15, ""},
		"a pose from a compass and slipping wheels": {func(m *nav_msgs.Odometry, _ int) {
			m.Twist.Twist.Linear.X *= 1.25
			m.Twist.Twist.Angular.Z *= 1.4
		}, 0.8, ""},
		"another origin": {func(m *nav_msgs.Odometry, _ int) {
			at := complex(m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y) * cmplx.Rect(1, 2)
			m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y, m.Pose.Pose.Orientation = real(at)+100, imag(at)-7, orientation(yawOf(m)+2)
		}, 0.8, ""},
		"started again and again": {func(m *nav_msgs.Odometry, k int) {
			if k > 150 {
				m.Pose.Pose.Position.X -= 30 * float64(k/150)
			}
		}, 0.8, ""},
		"no pose":  {func(m *nav_msgs.Odometry, _ int) { m.Pose.Pose = geometry_msgs.Pose{Orientation: orientation(0)} }, 0.8, ""},
		"no twist": {func(m *nav_msgs.Odometry, _ int) { m.Twist.Twist = geometry_msgs.Twist{} }, 0.8, ""},
		"the frame of the pose": {func(m *nav_msgs.Odometry, _ int) {
			v := complex(m.Twist.Twist.Linear.X, m.Twist.Twist.Linear.Y) * cmplx.Rect(1, yawOf(m))
			m.Twist.Twist.Linear.X, m.Twist.Twist.Linear.Y = real(v), imag(v)
		}, 0.8, "its twist points where its pose moves, so it is in the frame of the pose"},
		"km/h":            {func(m *nav_msgs.Odometry, _ int) { m.Twist.Twist.Linear.X *= 3.6 }, 0.8, "its pose moves 0.28 times as far as its twist says"},
		"poses in mm":     {func(m *nav_msgs.Odometry, _ int) { m.Pose.Pose.Position.X *= 1000; m.Pose.Pose.Position.Y *= 1000 }, 0.8, "its pose moves 1e+03 times as far"},
		"deg/s":           {func(m *nav_msgs.Odometry, _ int) { m.Twist.Twist.Angular.Z *= 180 / math.Pi }, 0.8, "its pose turns 0.017 times as far as its twist says"},
		"clockwise rates": {func(m *nav_msgs.Odometry, _ int) { m.Twist.Twist.Angular.Z *= -1 }, 0.8, "its pose turns one way and its twist the other"},
		"clockwise poses": {func(m *nav_msgs.Odometry, _ int) { m.Pose.Pose.Orientation = orientation(-yawOf(m)) }, 0.8, "its pose turns one way and its twist the other"},
		"backwards":       {func(m *nav_msgs.Odometry, _ int) { m.Twist.Twist.Linear.X *= -1 }, 0.8, "its pose moves forwards and its twist backwards"},
		"yaw in degrees":  {func(m *nav_msgs.Odometry, _ int) { m.Pose.Pose.Orientation = orientation(yawOf(m) * 180 / math.Pi) }, 0.8, "its pose turns 57 times as far"},
		// Two wheels 0.5 m apart: the driver publishes the twist of its last cycle of 20 ms.
		"ticks of 5 cm": {func(m *nav_msgs.Odometry, _ int) {
			const tick, cycle = 0.1, 0.02 // rad, s
			at := func(yaw float64) float64 { return math.Floor(yaw/tick) * tick }
			yaw, rate := yawOf(m), m.Twist.Twist.Angular.Z
			m.Pose.Pose.Orientation, m.Twist.Twist.Angular.Z = orientation(at(yaw)), (at(yaw)-at(yaw-rate*cycle))/cycle
		}, 0.8, "its pose and its twist move in different messages"},
		"an empty position": {func(m *nav_msgs.Odometry, _ int) { m.Pose.Pose.Position = geometry_msgs.Point{} }, 0.8, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			place, yaw := 0i, 0.3
			for k := range 1200 { // a minute
				stamp := epoch + int64(k+1)*step
				r.runTo(stamp)
				rate := 0.5 * math.Sin(float64(k)/200)
				place += c.speed * cmplx.Rect(0.05, yaw+rate*0.025)
				yaw += rate * 0.05
				m := odometry(stamp, real(place), imag(place), yaw, real(c.speed), rate)
				m.Twist.Twist.Linear.Y = imag(c.speed)
				c.distort(&m, k)
				send(r, r.odom, m)
			}
			const all = "contradicts itself"
			if log := r.log.String(); !strings.Contains(log, c.want) || strings.Count(log, all) != strings.Count(log, all+": "+c.want) {
				t.Errorf("want %q in the log:\n%s", c.want, log)
			}
		})
	}
}
