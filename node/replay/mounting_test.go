// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"math"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/drivetest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/tf2_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
)

// A bag whose IMU lies on its side is replayed without its yaw rates, and says so, unless the bag has the static transform of the IMU; a
// replay that begins later has that, too. Rates in deg/s show when the robot turns on the spot.
func TestMountingInABag(t *testing.T) {
	for name, c := range map[string]struct {
		measure   func(m *sensor_msgs.Imu)
		transform bool
		yaml      string
		start     float64
		want      string // "": no problem
	}{
		"upright":                 {measure: func(*sensor_msgs.Imu) {}},
		"on its side":             {measure: onItsSide, want: "yaw rates on /imu were left out: gravity is along its y axis"},
		"with its transform":      {measure: onItsSide, transform: true},
		"… from 20 s on":          {measure: onItsSide, transform: true, start: 20},
		"in degrees":              {measure: func(m *sensor_msgs.Imu) { m.AngularVelocity.Z *= 180 / math.Pi }, want: "in degrees per second"},
		"upside down":             {measure: upsideDown, want: "set imu.upside_down to true"},
		"… and the filter has it": {measure: upsideDown, yaml: "ekf: {ros__parameters: {imu.upside_down: true}}"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := fieldsim.DefaultConfig()
			cfg.Seed, cfg.Datum, cfg.PublishIMU, cfg.Start = 1, datum, true, []float64{300, 300, 0.3}
			cfg.Fix.OutageGap = 0
			topics := map[string]cdr.Message{
				"/odom": &nav_msgs.Odometry{}, "/fix": &sensor_msgs.NavSatFix{}, "/imu": &sensor_msgs.Imu{}, "/reading": &ugp_explorer_msgs.FieldReading{},
			}
			if c.transform {
				topics["/tf_static"] = &tf2_msgs.TFMessage{}
			}
			r := drivetest.New(t, cfg, topics, func(topic string, data []byte) []byte {
				if topic != "/imu" {
					return data
				}
				var m sensor_msgs.Imu
				must.OK(t, m.UnmarshalCDR(data))
				m.Header.FrameID, m.LinearAcceleration.Z, m.LinearAccelerationCovariance[0] = "imu_link", 9.8, 0
				c.measure(&m)
				return m.AppendCDR(nil)
			})
			side := geometry_msgs.TransformStamped{ChildFrameID: "imu_link"}
			side.Header.FrameID = "base_link"
			side.Transform.Rotation = geometry_msgs.Quaternion{X: math.Sqrt2 / 2, W: math.Sqrt2 / 2}
			must.OK(t, rostest.Publisher[tf2_msgs.TFMessage](t, r.Node, "/tf_static", ros.Latched()).Publish(&tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{side}}))
			for leg := range 4 {
				for k := range 200 { // 20 s
					switch {
					case k < 100:
						r.Drive(1, 0)
					case k < 140:
						r.Drive(0, 0.5*float64(1-2*(leg%2)))
					default:
						r.Drive(0, 0)
					}
				}
			}
			r.Close()
			replayed, err := replayOf(t, r.Path, c.yaml)
			must.OK(t, err)
			if c.start > 0 {
				config := quick()
				config.Start = c.start
				replayed, err = opened(t, r.Path, &config, Options{})
				must.OK(t, err)
				must.OK(t, replayed.Run(t.Context()))
			}
			problems := strings.Join(replayed.Source().Problems, "\n")
			if !strings.Contains(problems, c.want) || (problems == "") != (c.want == "") {
				t.Errorf("problems %q, want %q", problems, c.want)
			}
		})
	}
}

// onItsSide makes of the measurement of an upright IMU that of one whose y axis points up.
func onItsSide(m *sensor_msgs.Imu) {
	for _, v := range []*geometry_msgs.Vector3{&m.AngularVelocity, &m.LinearAcceleration} {
		v.Y, v.Z = v.Z, -v.Y
	}
	m.AngularVelocityCovariance[4], m.AngularVelocityCovariance[8] = m.AngularVelocityCovariance[8], m.AngularVelocityCovariance[4]
}

func upsideDown(m *sensor_msgs.Imu) {
	for _, v := range []*geometry_msgs.Vector3{&m.AngularVelocity, &m.LinearAcceleration} {
		v.Y, v.Z = -v.Y, -v.Z
	}
}
