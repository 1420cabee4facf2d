// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/planner/surface"
)

func TestYawOfQuaternion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		yaw := rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "yaw")
		got, err := Yaw(Quaternion(yaw))
		must.OK(t, err)
		if d := math.Remainder(got-yaw, 2*math.Pi); math.Abs(d) > 1e-9 {
			t.Fatalf("yaw %g came back as %g", yaw, got)
		}
	})
	// A roll of π turns the rotation about the vertical axis of a heading of
	// zero into a heading of zero with y pointing right.
	if got, err := Yaw(geometry_msgs.Quaternion{X: 1}); err != nil || got != 0 {
		t.Errorf("yaw of a half turn about x = %g, %v; want 0", got, err)
	}
	for name, q := range map[string]geometry_msgs.Quaternion{
		"all zeros": {},
		"not unit":  {Z: 1, W: 1},
		"NaN":       {W: math.NaN()},
	} {
		if yaw, err := Yaw(q); err == nil {
			t.Errorf("%s: no error, yaw %g", name, yaw)
		}
	}
}

func TestPlanarPoseRoundTrip(t *testing.T) {
	want := localization.Pose{
		Stamp: 42, X: 3, Y: -4, Yaw: 2.5,
		Cov: [3][3]float64{{1, 0.1, 0.2}, {0.1, 2, 0.3}, {0.2, 0.3, 0.5}},
	}
	var m geometry_msgs.PoseWithCovariance
	PoseWithCovariance(&m, want)
	// REP-103 and geometry_msgs/PoseWithCovariance: row-major x, y, z, rot x, rot y, rot z.
	for entry, v := range map[int]float64{0: 1, 1: 0.1, 5: 0.2, 6: 0.1, 7: 2, 11: 0.3, 30: 0.2, 31: 0.3, 35: 0.5} {
		if m.Covariance[entry] != v {
			t.Errorf("covariance[%d] = %g, want %g", entry, m.Covariance[entry], v)
		}
	}
	got, err := PlanarPose(42, &m)
	must.OK(t, err)
	got.Yaw = math.Round(got.Yaw*1e12) / 1e12
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}

	m.Pose.Position.X = math.Inf(1)
	if _, err := PlanarPose(42, &m); err == nil || !strings.Contains(err.Error(), "+Inf") {
		t.Errorf("infinite position: error %v, want one that shows it", err)
	}
}

func TestPath(t *testing.T) {
	points := []orb.Point{{0, 0}, {0, 2}, {3, 2}}
	var m nav_msgs.Path
	m.Header.FrameID = "map"
	Path(&m, points)
	for i, want := range []float64{math.Pi / 2, 0, 0} {
		if got, err := Yaw(m.Poses[i].Pose.Orientation); err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("heading of way point %d = %g, %v; want %g", i, got, err, want)
		}
	}
	if diff := cmp.Diff(points, WayPoints(nil, &m)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestOccupancyGrid(t *testing.T) {
	g := surface.Grid{X0: 10, Y0: 20, DX: 2, DY: 2, NX: 5, NY: 1}
	var m nav_msgs.OccupancyGrid
	OccupancyGrid(&m, g, []float64{math.NaN(), -1, 1, 2, 9}, 0, 4)
	if diff := cmp.Diff([]int8{-1, 1, 25, 50, 98}, m.Data); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if x, y := m.Info.Origin.Position.X, m.Info.Origin.Position.Y; x != 9 || y != 19 {
		t.Errorf("origin (%g, %g), want the first cell's corner (9, 19)", x, y)
	}
	OccupancyGrid(&m, g, []float64{7, 7, 7, 7, 7}, 7, 7)
	if m.Data[2] != 1 {
		t.Errorf("a constant map is %d, want 1", m.Data[2])
	}
}

func TestCloudRoundTrip(t *testing.T) {
	g := surface.Grid{X0: 10, Y0: 20, DX: 2.5, DY: 2.5, NX: 3, NY: 2}
	mean := []float64{1, 2, 3, 4, math.Pi, 6}
	sd := []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}
	var m sensor_msgs.PointCloud2
	Cloud(&m, g, Column{"mean", mean}, Column{"stddev", sd})
	got, columns, err := CloudColumns(&m, "stddev", "mean")
	must.OK(t, err)
	if got != g {
		t.Errorf("grid %v, want %v", got, g)
	}
	if diff := cmp.Diff([][]float64{sd, mean}, columns); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}

	for name, spoil := range map[string]func(*sensor_msgs.PointCloud2){
		"no grid":     func(m *sensor_msgs.PointCloud2) { m.Height = 1 },
		"big endian":  func(m *sensor_msgs.PointCloud2) { m.IsBigendian = true },
		"too short":   func(m *sensor_msgs.PointCloud2) { m.Data = m.Data[:len(m.Data)-1] },
		"field gone":  func(m *sensor_msgs.PointCloud2) { m.Fields = m.Fields[:4] },
		"field out":   func(m *sensor_msgs.PointCloud2) { m.Fields[4].Offset = m.PointStep },
		"too many":    func(m *sensor_msgs.PointCloud2) { m.Width, m.Height = 1<<31, 1<<31 },     // 2⁶², of no bytes
		"overflow":    func(m *sensor_msgs.PointCloud2) { m.Width, m.Height = 1<<32-1, 1<<32-1 }, // a negative number as an int64
		"zero stride": func(m *sensor_msgs.PointCloud2) { m.PointStep = 0 },
	} {
		bad := m
		bad.Fields = append([]sensor_msgs.PointField(nil), m.Fields...)
		spoil(&bad)
		if _, _, err := CloudColumns(&bad, "mean", "stddev"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestSampleMarkers(t *testing.T) {
	boundary := orb.Polygon{{{0, 0}, {300, 0}, {300, 200}, {0, 200}, {0, 0}}}
	m := SampleMarkers(std_msgs.Header{FrameID: "map"}, boundary, []localization.Belief{{X: 1, Y: 2, XX: 4}, {X: 5, Y: 6, XX: 1, YY: 1}},
		[]float64{3, 7}).Markers
	if len(m) != 3 {
		t.Fatalf("%d markers, want two ellipses and the dots", len(m))
	}
	if e := m[0]; e.Scale.X != 8 || e.Scale.Y != thinnestMarker || e.Pose.Position.X != 1 || e.Color != colour(0) {
		t.Errorf("%+v, want diameters of 8 m (2σ either way) and %g m", e, thinnestMarker)
	}
	if m[0].ID == m[1].ID || m[0].Ns == m[2].Ns {
		t.Errorf("two markers replace each other: %+v", m)
	}
	dots := m[2]
	if dots.Scale.X != 2 || len(dots.Points) != 2 || len(dots.Colors) != 2 || dots.Colors[1] != colour(1) || dots.Points[1].Y != 6 || dots.Header.FrameID != "map" {
		t.Errorf("dots %+v, want two of 2 m on a field of 300 m", dots)
	}
	if m := SampleMarkers(std_msgs.Header{}, boundary, nil, nil).Markers; len(m) != 0 {
		t.Errorf("without samples: %+v", m)
	}
}

func TestNavSatFixRoundTrip(t *testing.T) {
	want := [2][2]float64{{4, -1}, {-1, 9}}
	var m sensor_msgs.NavSatFix
	NavSatFix(&m, -71.25, 42.5, want, sensor_msgs.NavSatStatusStatusGbasFix)
	if !math.IsNaN(m.Altitude) || m.Status.Status != 2 || m.PositionCovariance[1] != -1 || m.PositionCovariance[4] != 9 {
		t.Errorf("%+v", m)
	}
	lon, lat, cov, err := SatellitePosition(&m)
	if lon != -71.25 || lat != 42.5 || cov != want || err != nil {
		t.Errorf("(%v, %v), %v, %v", lon, lat, cov, err)
	}
	for name, spoil := range map[string]func(m *sensor_msgs.NavSatFix){
		"no fix": func(m *sensor_msgs.NavSatFix) { m.Status.Status = sensor_msgs.NavSatStatusStatusNoFix },
		"NaN":    func(m *sensor_msgs.NavSatFix) { m.Latitude = math.NaN() },
		"zeros":  func(m *sensor_msgs.NavSatFix) { m.Longitude, m.Latitude = 0, 0 },
	} {
		bad := m
		spoil(&bad)
		if _, _, _, err := SatellitePosition(&bad); !errors.Is(err, ErrNoFix) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for typ, want := range map[uint8][2][2]float64{0: {}, 1: want, 2: {{4, 0}, {0, 9}}, 3: want, 9: {}} {
		m.PositionCovarianceType, m.Status.Status = typ, -2 // Gazebo and many drivers never set the status
		if _, _, cov, err := SatellitePosition(&m); cov != want || err != nil {
			t.Errorf("covariance of type %d: %v, %v; want %v", typ, cov, err, want)
		}
	}
}

func TestYawRateRoundTrip(t *testing.T) {
	var m sensor_msgs.Imu
	YawRate(&m, -0.25, 1e-4)
	if rate, cov, err := ImuRates(&m); rate[2] != -0.25 || cov[8] != 1e-4 || err != nil {
		t.Errorf("%v, %v, %v", rate, cov, err)
	}
	if _, _, err := ImuYaw(&m); !errors.Is(err, ErrNoOrientation) {
		t.Errorf("error %v", err)
	}
	m.Orientation, m.OrientationCovariance = Quaternion(2), [9]float64{8: 0.04}
	if yaw, variance, err := ImuYaw(&m); math.Abs(yaw-2) > 1e-12 || variance != 0.04 || err != nil {
		t.Errorf("%v, %v, %v", yaw, variance, err)
	}
	m.AngularVelocityCovariance[0] = -1
	if _, _, err := ImuRates(&m); !errors.Is(err, ErrNoYawRate) {
		t.Errorf("error %v", err)
	}
}
