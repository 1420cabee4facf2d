// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/earth"
)

// With a datum the fixes are those of a satellite receiver: the same places, at the same
// times, in degrees. Nothing is published on fix_pose, since a filter would use both.
func TestNavSatFix(t *testing.T) {
	datum := earth.Datum{Lon: 8.0471, Lat: 52.2726}
	change := func(c *fieldsim.Config) { c.Fix.StdDev, c.Fix.OutageGap, c.Start = 1.5, 0, []float64{200, 300, 1} }
	poses := newRig(t, change)
	poses.drive(20*time.Second, 1.5, 0.2)
	r := newRig(t, func(c *fieldsim.Config) { change(c); c.Datum = []float64{datum.Lon, datum.Lat} })
	r.drive(20*time.Second, 1.5, 0.2)
	if len(poses.fix) < 20 || len(poses.navSat) != 0 || len(r.navSat) != len(poses.fix) || len(r.fix) != 0 {
		t.Fatalf("without a datum %d poses and %d NavSatFix, with it %d and %d", len(poses.fix), len(poses.navSat), len(r.fix), len(r.navSat))
	}
	for i, h := range r.navSat {
		want := poses.fix[i]
		east, north, err := datum.Plane(h.m.Longitude, h.m.Latitude)
		must.OK(t, err)
		if at := want.m.Pose.Pose.Position; math.Hypot(east-at.X, north-at.Y) > 1e-6 || h.at != want.at || h.m.Header.Stamp != want.m.Header.Stamp {
			t.Errorf("fix %d is (%g, %g) at %v, want %v at %v", i, east, north, h.m.Header.Stamp, at, want.m.Header.Stamp)
		}
		c := h.m.PositionCovariance
		if c[0] != 2.25 || c[4] != 2.25 || c[1] != 0 || c[3] != 0 || h.m.PositionCovarianceType == 0 || h.m.Status.Status != 0 {
			t.Errorf("fix %d has the status %d and covariance %v of type %d", i, h.m.Status.Status, c, h.m.PositionCovarianceType)
		}
	}
}

// A fix states what such a receiver states, and its kind of solution.
func TestReceiver(t *testing.T) {
	r := newRig(t, func(c *fieldsim.Config) { c.Receiver, c.Datum, c.Fix.OutageGap = "rtk_mixed", []float64{8, 52}, 0 })
	r.run(time.Hour)
	stated := map[int8]map[float64]int{}
	for _, h := range r.navSat {
		s := h.m.Status.Status
		if stated[s] == nil {
			stated[s] = map[float64]int{}
		}
		stated[s][math.Sqrt(h.m.PositionCovariance[0])]++
	}
	fixed, single := stated[sensor_msgs.NavSatStatusStatusGbasFix], stated[sensor_msgs.NavSatStatusStatusFix]
	if len(stated) != 2 || fixed[0.011] == 0 || fixed[0.064] == 0 || len(fixed) != 2 || single[0.89] == 0 || len(single) != 1 {
		t.Errorf("number of fixes for each status and stated standard deviation: %v", stated)
	}
}

// With a recording the fixes have its errors, on a robot that stands here.
func TestRecordedReceiver(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.csv")
	must.OK(t, os.WriteFile(file, []byte("t_s,east_err_m,north_err_m,stated_stddev_m\n0,2,-3,\n50,2,-3,\n100,2,-3,\n"), 0o600))
	r := newRig(t, func(c *fieldsim.Config) { c.Trace, c.Fix.StdDev = file, 0.5 })
	r.run(10 * time.Minute)
	if len(r.fix) < 600 {
		t.Errorf("%d fixes in 10 min of a recording without gaps", len(r.fix))
	}
	for _, h := range r.fix {
		at, truth := h.m.Pose.Pose.Position, r.truth[0].m.Pose.Pose.Position
		if math.Abs(at.X-truth.X-2) > 1e-9 || math.Abs(at.Y-truth.Y+3) > 1e-9 || h.m.Pose.Covariance[0] != 0.25 {
			t.Fatalf("a fix at (%g, %g) with the variance %g, the robot at (%g, %g)", at.X, at.Y, h.m.Pose.Covariance[0], truth.X, truth.Y)
		}
	}
	r = newRig(t, func(c *fieldsim.Config) { c.Trace = file })
	r.run(time.Second)
	if got := r.fix[0].m.Pose.Covariance[0]; math.Abs(got-6.5) > 1e-9 {
		t.Errorf("fixes state the variance %g m², want the mean square of the errors, 6.5", got)
	}
	if _, err := start(t, func(c *fieldsim.Config) { c.Trace = file + ".missing" }); err == nil || !strings.Contains(err.Error(), "fix.trace: open") {
		t.Errorf("%v, want an error with the file", err)
	}
}

// The IMU tells the true yaw rate with the noise that it states, and that it knows neither
// orientation nor acceleration. It changes nothing else in the world.
func TestImu(t *testing.T) {
	without := newRig(t, nil)
	r := newRig(t, func(c *fieldsim.Config) {
		c.PublishIMU, c.Gyro.BiasStdDev, c.Gyro.ScaleStdDev, c.Gyro.DriftStdDev = true, 0, 0, 0
	})
	for _, r := range []*rig{without, r} {
		r.drive(10*time.Second, 1, 0.4)
	}
	if len(without.imu) != 0 || len(r.imu) < 195 { // one a step
		t.Fatalf("%d messages of a robot without an IMU, %d in 10 s of one with it", len(without.imu), len(r.imu))
	}
	for i, h := range r.imu {
		m, stamp := h.m, ros.TimeNs(h.m.Header.Stamp)
		rate := m.AngularVelocity.Z - r.truthAt(stamp).Twist.Twist.Angular.Z
		if rate*rate > 36*m.AngularVelocityCovariance[8] || m.OrientationCovariance[0] != -1 || m.LinearAccelerationCovariance[0] != -1 || m.AngularVelocityCovariance[0] == -1 || h.at != stamp {
			t.Fatalf("message %d: %+v", i, m)
		}
	}
	if a, b := without.odom[len(without.odom)-1], r.odom[len(r.odom)-1]; a != b {
		t.Errorf("with an IMU the odometry is\n%+v, without\n%+v", b, a)
	}
}
