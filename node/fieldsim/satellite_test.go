package fieldsim_test

import (
	"math"
	"testing"
	"time"

	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/field"
	"ugp_explorer/sim/rig/must"
)

// With a datum the fixes are those of a satellite receiver: the same places, at the same
// times, in degrees. Nothing is published on fix_pose, since a filter would use both.
func TestNavSatFix(t *testing.T) {
	datum := field.Datum{Lon: 8.0471, Lat: 52.2726}
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
