// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf_test

import (
	"math"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/localization"
	"ugp_explorer/localization/filter"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/ros"
	"ugp_explorer/sim"
)

// origin is the datum of these tests. Package sim converts places by formulas of its own.
var origin = sim.Geodetic{Lon: 8.0471, Lat: 52.2726}

func atOrigin(c *ekf.Config) {
	givenNode(c)
	c.Datum = []float64{origin.Lon, origin.Lat}
}

// navSat returns a fix at a place in the map with a covariance of east and north, written
// as the definition of the message has it, independently of package convert.
func navSat(stamp int64, x, y float64, cov [2][2]float64) sensor_msgs.NavSatFix {
	var m sensor_msgs.NavSatFix
	m.Header.Stamp, m.Header.FrameID = ros.TimeMsg(stamp), "gps_link"
	g := origin.At(x, y)
	m.Longitude, m.Latitude, m.Altitude = g.Lon, g.Lat, 312
	m.PositionCovariance = [9]float64{cov[0][0], cov[0][1], 7, cov[1][0], cov[1][1], 7, 7, 7, 70}
	m.PositionCovarianceType = 3
	return m
}

// receiver adds a satellite receiver to a rig.
func (r *rig) receiver() *ros.Publisher[sensor_msgs.NavSatFix, *sensor_msgs.NavSatFix] {
	return rostest.Publisher[sensor_msgs.NavSatFix](r.t, r.test, "fix", ros.SensorData())
}

// withNavSat has a drive send its fixes as NavSatFix.
func withNavSat(d *drive) *drive {
	pub := d.receiver()
	d.must(d.fix.Close())
	d.sendFix = func(m *geometry_msgs.PoseWithCovarianceStamped) {
		c := &m.Pose.Covariance
		send(d.rig, pub, navSat(ros.TimeNs(m.Header.Stamp), m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y, [2][2]float64{{c[0], c[1]}, {c[6], c[7]}}))
	}
	return d
}

// Fixes in degrees have the effect of the same fixes in metres.
func TestNavSatFix(t *testing.T) {
	lever := localization.Lever{X: 0.5, Y: -0.3}
	d := withNavSat(newDrive(newRig(t, func(c *ekf.Config) {
		atOrigin(c)
		c.Filter.Antenna = lever
	})))
	f := d.reference(func(c *filter.Config) {
		given(c)
		c.Antenna = lever
	})
	d.run(2000)
	d.mustBeNear(f, 1e-6)
	if log := d.log.String(); strings.Contains(log, "WARN") {
		t.Errorf("all is well, and the log says\n%s", log)
	}
}

// first sends one fix to a filter that is told the heading, and returns its pose.
func (r *rig) first(m sensor_msgs.NavSatFix) (p geometry_msgs.PoseWithCovariance, ok bool) {
	r.t.Helper()
	pub := r.receiver()
	m.Header.Stamp = ros.TimeMsg(epoch + step)
	for k := range 3 {
		stamp := epoch + int64(k+1)*step
		r.runTo(stamp)
		send(r, r.odom, odometry(stamp, 0, 0, 0, 0, 0))
		if k == 0 {
			send(r, pub, m)
		}
	}
	if len(r.filtered) == 0 {
		return p, false
	}
	return r.filtered[len(r.filtered)-1].Pose, true
}

// A covariance that is unknown is refused, or replaced by the parameter's; one that is no covariance is refused.
func TestNavSatCovariance(t *testing.T) {
	full := [2][2]float64{{4, 1}, {1, 9}}
	for _, c := range []struct {
		name    string
		typ     uint8
		cov     [2][2]float64
		zero    float64
		want    [2][2]float64
		refused string
	}{
		{"unknown and zeros, as Gazebo sends it", 0, [2][2]float64{}, 0, [2][2]float64{}, "set covariance.zero_stddev"},
		{"unknown with the rule", 0, full, 0.6, [2][2]float64{{0.36, 0}, {0, 0.36}}, ""},
		{"too large", 2, [2][2]float64{{1e6, 0}, {0, 1}}, 0.6, [2][2]float64{}, "covariance.max_stddev is 100 m"},
		{"negative", 2, [2][2]float64{{-1, 0}, {0, 1}}, 0.6, [2][2]float64{}, "x x = -1, limit -1e-06; its sender must state variances and covariances in m²"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, func(cfg *ekf.Config) {
				atOrigin(cfg)
				cfg.Covariance.ZeroPositionStdDev, cfg.Filter.AntennaStdDev = c.zero, 0
			})
			m := navSat(0, 10, 20, c.cov)
			m.PositionCovarianceType = c.typ
			p, ok := r.first(m)
			if c.refused != "" {
				if ok {
					t.Errorf("the fix was used: %+v", p)
				}
				r.mustLog(c.refused)
				return
			}
			for i, got := range [4]float64{p.Covariance[0], p.Covariance[1], p.Covariance[6], p.Covariance[7]} {
				if math.Abs(got-c.want[i/2][i%2]) > 1e-6 {
					t.Fatalf("covariance %v, want %v", p.Covariance, c.want)
				}
			}
		})
	}
}

// Without a datum the first fix that can be used becomes the origin. The log says what
// that means, and ~/datum tells a late subscriber.
func TestFirstFixIsDatum(t *testing.T) {
	d := withNavSat(newDrive(newRig(t, givenNode)))
	bad := d.receiver()
	for _, spoil := range []func(m *sensor_msgs.NavSatFix){ // fixes that cannot be used do not count
		func(m *sensor_msgs.NavSatFix) { m.Status.Status = -1 },
		func(m *sensor_msgs.NavSatFix) { m.PositionCovarianceType = 0 },
		func(m *sensor_msgs.NavSatFix) { m.Latitude = 95 },
	} {
		m := navSat(epoch, 3000, 3000, fixCov)
		spoil(&m)
		send(d.rig, bad, m)
	}
	var sent []sensor_msgs.NavSatFix
	collect := d.sendFix
	d.sendFix = func(m *geometry_msgs.PoseWithCovarianceStamped) {
		collect(m)
		sent = append(sent, navSat(0, m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y, fixCov))
	}
	f := d.reference(given)
	d.run(100)
	p, err := f.Pose()
	d.must(err)
	at := d.filtered[len(d.filtered)-1].Pose.Pose.Position
	if e := math.Hypot(at.X-(p.X-d.firstFix[0]), at.Y-(p.Y-d.firstFix[1])); e > 1e-3 {
		t.Errorf("the pose is %v, want (%.3f, %.3f) less the first fix, %v", at, p.X, p.Y, d.firstFix)
	}
	d.mustLog("the first fix is the origin of map (datum)", "set datum for a fixed origin, or for a field in degrees", "longitude_deg=8.04", "latitude_deg=52.27")
	if n := strings.Count(d.log.String(), "is the origin"); n != 1 {
		t.Errorf("the log says it %d times", n)
	}
	var datum []sensor_msgs.NavSatFix
	rostest.Hear(d.t, rostest.Node(t, d.graph, d.ex, "late", ros.NodeOptions{}), "/ekf/datum", ros.Latched(), func(m *sensor_msgs.NavSatFix) { datum = append(datum, *m) })
	d.run(1)
	if len(datum) != 1 || datum[0].Longitude != sent[0].Longitude || datum[0].Latitude != sent[0].Latitude || datum[0].Header.FrameID != "map" {
		t.Errorf("~/datum is %+v, want (%.9f, %.9f)", datum, sent[0].Longitude, sent[0].Latitude)
	}
}

// A datum that is given is published before any fix comes, and a fix far away from it is
// refused: most likely longitude and latitude are exchanged.
func TestDatumFarAway(t *testing.T) {
	r := newRig(t, func(c *ekf.Config) {
		givenNode(c)
		c.Datum = []float64{origin.Lat, origin.Lon}
	})
	datum := 0
	rostest.Hear(r.t, r.test, "/ekf/datum", ros.Latched(), func(m *sensor_msgs.NavSatFix) {
		datum++
		if m.Longitude != origin.Lat || m.Latitude != origin.Lon {
			t.Errorf("datum %+v", m)
		}
	})
	if _, ok := r.first(navSat(0, 0, 0, fixCov)); ok || datum != 1 {
		t.Errorf("a fix on another continent was used; %d times ~/datum", datum)
	}
	r.mustLog("invalid datum: (8.0471", "km from the datum (52.2726°, 8.0471°)", "longitude comes first")
	if strings.Contains(r.log.String(), "planner:") {
		t.Errorf("the log has the name of a package:\n%s", &r.log)
	}
}
