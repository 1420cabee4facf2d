// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf_test

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/localization"
	"ugp_explorer/localization/filter"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/ros"
)

// imuMessage is written as the definition has it, independently of package convert.
func imuMessage(stamp int64, rate, rateVar, yaw, yawVar float64) sensor_msgs.Imu {
	var m sensor_msgs.Imu
	m.Header.Stamp, m.Header.FrameID = ros.TimeMsg(stamp), "imu_link"
	m.AngularVelocity = geometry_msgs.Vector3{X: 0.3, Y: -0.2, Z: rate}
	m.AngularVelocityCovariance[8] = rateVar
	m.Orientation.Z, m.Orientation.W = math.Sincos(yaw / 2)
	m.OrientationCovariance[8] = yawVar
	return m
}

// withImu has a drive send an IMU's message before each odometry.
func withImu(d *drive, change func(k int, m *sensor_msgs.Imu)) {
	d.t.Helper()
	pub := rostest.Publisher[sensor_msgs.Imu](d.t, d.test, "imu", ros.SensorData())
	d.beforehand = func(k int) {
		_, _, yaw := along(k, startX, startY, startYaw)
		m := imuMessage(d.ex.Now(), turnRate, 1e-4, yaw, 0.01)
		if change != nil {
			change(k, &m)
		}
		send(d.rig, pub, m)
	}
}

// The filter gets the yaw rates of the messages, turned round for an IMU that is mounted
// upside down. The orientation is not used unless a parameter says so.
func TestYawRate(t *testing.T) {
	for name, upsideDown := range map[string]bool{"upright": false, "upside down": true} {
		t.Run(name, func(t *testing.T) {
			d := newDrive(newRig(t, func(c *ekf.Config) {
				givenNode(c)
				c.IMU.UpsideDown = upsideDown
			}))
			f := d.reference(given)
			var rounding localization.Gyroscope // its variance is added, which is small here
			withImu(d, func(k int, m *sensor_msgs.Imu) {
				rate := turnRate + 0.01*math.Sin(float64(k)/7)
				if k > 0 { // before, no odometry has come
					rounding.Rates(d.ex.Now(), [3]float64{2: rate}, [3]float64{}, 0, 0, 0)
				}
				d.must(f.PredictGyro(d.ex.Now(), rate, 1e-4+rounding.Rounding()))
				if upsideDown {
					rate = -rate
				}
				m.AngularVelocity.Z = rate
				m.Orientation = geometry_msgs.Quaternion{Z: 1}
			})
			for range 10 {
				d.run(50)
				d.mustEqual(f)
			}
			got := d.diagnostics[len(d.diagnostics)-1]
			if n := got.values["yaw rates used"]; n == "0" || n == "" || got.inputs["imu"].Level != diagnostic_msgs.DiagnosticStatusOK {
				t.Errorf("%s yaw rates used; %s", n, got.inputs["imu"].Message)
			}
			if strings.Contains(d.log.String(), "WARN") {
				t.Errorf("all is well, and the log says\n%s", &d.log)
			}
		})
	}
}

// Yaw rates that cannot be used change nothing, and the log says why. A robot without an
// IMU is not told of it; one whose IMU falls silent is.
func TestYawRateRefused(t *testing.T) {
	d := newDrive(newRig(t, givenNode))
	f := d.reference(given)
	d.run(200)
	if s := d.diagnostics[len(d.diagnostics)-1].inputs["imu"]; s.Level != diagnostic_msgs.DiagnosticStatusOK || strings.Contains(d.log.String(), "imu") {
		t.Errorf("without an IMU: %s\n%s", s.Message, &d.log)
	}
	withImu(d, func(k int, m *sensor_msgs.Imu) {
		switch k % 4 {
		case 3:
			m.Header.Stamp = ros.TimeMsg(d.ex.Now() + int64(time.Hour))
		case 0:
			m.AngularVelocityCovariance[0] = -1
		case 1:
			m.AngularVelocity.Z = math.NaN()
		case 2:
			m.AngularVelocity.Z = 5 // more than max_turn_rate
		}
	})
	d.run(201)
	d.mustEqual(f)
	const what = "waiting for yaw rates on /imu [sensor_msgs/msg/Imu]: what /test publishes is refused: "
	if s := d.diagnostics[len(d.diagnostics)-1].inputs["imu"]; !strings.HasPrefix(s.Message, what) || s.Level != diagnostic_msgs.DiagnosticStatusWarn {
		t.Errorf("/diagnostics says %q", s.Message)
	}
	d.mustLog(what)

	withImu(d, nil)
	d.run(20)
	d.beforehand = nil
	d.run(7 * 20)
	d.mustLog("waiting for yaw rates on /imu [sensor_msgs/msg/Imu]: /test is there, but nothing more was received")
}

// With imu.heading the filter gets a heading once a second. From the second on its
// variance is that of the mean of errors that are alike for a minute.
func TestHeadingOfAnImu(t *testing.T) {
	const tau, offset = 60.0, math.Pi / 2
	for _, c := range []struct {
		name             string
		stated, variance float64
	}{
		{"stated", 0.04, 0.04},
		{"not stated", 0, 0.1 * 0.1},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDrive(newRig(t, func(cfg *ekf.Config) {
				cfg.IMU.Heading, cfg.IMU.HeadingOffset = true, offset
			}))
			f := d.reference(nil)
			withImu(d, func(k int, m *sensor_msgs.Imu) {
				d.must(f.PredictGyro(d.ex.Now(), turnRate, 1e-4))
				_, _, yaw := along(k, startX, startY, startYaw)
				yaw += 0.1 * math.Sin(float64(k))
				m.Orientation.Z, m.Orientation.W = math.Sincos((yaw - offset) / 2)
				m.OrientationCovariance[8] = c.stated
				if k%20 != 0 {
					return
				}
				variance := c.variance
				if f.Mode() == filter.Running {
					variance *= (math.Exp(1/tau) + 1) / (math.Exp(1/tau) - 1) // coth(1 s/2τ)
				}
				f.FuseYaw(d.ex.Now(), yaw, variance)
			})
			d.run(4)
			if len(d.filtered) == 0 {
				t.Fatalf("no pose before the robot drives, though the heading is known; the log:\n%s", &d.log)
			}
			for range 8 {
				d.run(50)
				d.mustBeNear(f, 1e-9)
			}
		})
	}
}

// A heading from the north is 90° off. It is not used once driving has shown it, and log and /diagnostics say by how much it is off.
func TestHeadingFromTheNorth(t *testing.T) {
	d := newDrive(newRig(t, func(cfg *ekf.Config) { cfg.IMU.Heading = true }))
	withImu(d, func(k int, m *sensor_msgs.Imu) {
		_, _, yaw := along(k, startX, startY, startYaw)
		m.Orientation.Z, m.Orientation.W = math.Sincos((yaw + math.Pi/2) / 2)
		m.OrientationCovariance[8] = 0.01
	})
	d.run(20 * 60)
	const what = "measured headings are not used, because they differ by about "
	d.mustLog(what, "add about -1.", "rad to imu.heading_offset")
	if s := d.diagnostics[len(d.diagnostics)-1].status.Message; !strings.Contains(s, what) {
		t.Errorf("/diagnostics says %q", s)
	}
}

// A heading that the driver does not have is not used, and the log says why.
func TestImuWithoutHeading(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(m *sensor_msgs.Imu)
		want  string
	}{
		"none":          {func(m *sensor_msgs.Imu) { m.OrientationCovariance[0] = -1 }, "orientation_covariance[0] is -1"},
		"too uncertain": {func(m *sensor_msgs.Imu) { m.OrientationCovariance[8] = 9 }, "the variance of its yaw is 9 rad²"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDrive(newRig(t, func(cfg *ekf.Config) {
				givenNode(cfg)
				cfg.IMU.Heading = true
			}))
			f := d.reference(given)
			withImu(d, func(_ int, m *sensor_msgs.Imu) {
				d.must(f.PredictGyro(d.ex.Now(), turnRate, 1e-4))
				c.spoil(m)
			})
			d.run(200)
			d.mustEqual(f)
			d.mustLog("the heading of the IMU is not used", c.want)
		})
	}
}

// A receiver with two antennas sends its heading in messages without a yaw rate, alone or beside a gyroscope on the same topic, and
// its clock may be ahead as far as those of other senders may.
// The heading is used once a second, and the yaw rates are those of the gyroscope.
func TestHeadingWithoutAYawRate(t *testing.T) {
	for name, c := range map[string]struct {
		gyroscope bool
		ahead     time.Duration
	}{"alone": {}, "beside a gyroscope": {gyroscope: true}, "with a clock that is ahead": {ahead: 40 * time.Millisecond}} {
		t.Run(name, func(t *testing.T) {
			d := newDrive(newRig(t, func(cfg *ekf.Config) { cfg.IMU.Heading = true }))
			f := d.reference(nil)
			pub := rostest.Publisher[sensor_msgs.Imu](t, d.test, "imu", ros.SensorData())
			fused := 0
			d.beforehand = func(k int) {
				_, _, yaw := along(k, startX, startY, startYaw)
				stamp := d.ex.Now() + int64(c.ahead)
				heading := imuMessage(stamp, 0, 0, yaw, 0.01)
				heading.AngularVelocity, heading.AngularVelocityCovariance = geometry_msgs.Vector3{}, [9]float64{-1}
				send(d.rig, pub, heading)
				if k%20 == 0 {
					variance := 0.01
					if f.Mode() == filter.Running {
						variance /= math.Tanh(1. / 120)
					}
					f.FuseYaw(stamp, yaw, variance)
					fused++
				}
				if c.gyroscope {
					rate := imuMessage(d.ex.Now(), turnRate, 1e-4, 0, 0)
					rate.OrientationCovariance[0] = -1
					send(d.rig, pub, rate)
					d.must(f.PredictGyro(d.ex.Now(), turnRate, 1e-4))
				}
			}
			d.run(201)
			d.mustBeNear(f, 1e-9)
			got := d.diagnostics[len(d.diagnostics)-1]
			if in := got.inputs["imu"]; fused < 5 || in.Level != diagnostic_msgs.DiagnosticStatusOK || !strings.HasPrefix(got.values["heading"], "used") || strings.Contains(d.log.String(), "WARN") {
				t.Errorf("%d headings, heading %q, imu: %s\n%s", fused, got.values["heading"], in.Message, &d.log)
			}
		})
	}
}

// An IMU that has frozen repeats its heading, too: neither that nor its rate is used, and /diagnostics say why.
func TestFrozenImu(t *testing.T) {
	d := newDrive(newRig(t, func(cfg *ekf.Config) {
		givenNode(cfg)
		cfg.IMU.Heading = true
	}))
	withImu(d, func(k int, m *sensor_msgs.Imu) {
		if m.OrientationCovariance[8] = 1e-4; k > 200 {
			m.AngularVelocity.Z = 0.3
			_, _, yaw := along(200, startX, startY, startYaw)
			m.Orientation.Z, m.Orientation.W = math.Sincos(yaw / 2)
		}
	})
	d.run(1000)
	_, _, want := along(d.k, startX, startY, startYaw)
	o := d.filtered[len(d.filtered)-1].Pose.Pose.Orientation
	if off := math.Remainder(2*math.Atan2(o.Z, o.W)-want, 2*math.Pi); math.Abs(off) > 0.15 || strings.Contains(d.log.String(), "the heading was wrong") {
		t.Errorf("the heading is %.2f rad off; the log:\n%s", off, d.log.String())
	}
	if in := d.diagnostics[len(d.diagnostics)-1].inputs["imu"]; !strings.Contains(in.Message, "stay the same to the last bit while the wheels turn") {
		t.Error(in.Message)
	}
}

// A gyroscope that says 0 for some seconds again and again, as a driver does that has no rate: those are not used where the wheels turn.
func TestGyroscopeWithGaps(t *testing.T) {
	const turns = 8 // times as fast as along
	d := newDrive(newRig(t, givenNode))
	d.sendOdom = func(m nav_msgs.Odometry) {
		m.Twist.Twist.Angular.Z *= turns
		send(d.rig, d.odom, m)
	}
	withImu(d, func(k int, m *sensor_msgs.Imu) {
		m.AngularVelocity.Z = turns * turnRate * (1 + 1e-3*math.Sin(float64(k)))
		if k%50 >= 30 { // shorter than what shows that the gyroscope is dead
			m.AngularVelocity.Z = 0
		}
	})
	d.run(500)
	in := d.diagnostics[len(d.diagnostics)-1].inputs["imu"]
	refused := 0
	for _, v := range in.Values {
		if v.Key == "refused" {
			refused, _ = strconv.Atoi(v.Value)
		}
	}
	if in.Level != diagnostic_msgs.DiagnosticStatusOK || refused < 180 {
		t.Errorf("%d of 500 yaw rates are refused, want 19 of each 20 that are 0; imu: %s", refused, in.Message)
	}
}

// A gyroscope whose scale changes midway is not used once the fixes have shown it, and log and /diagnostics say so.
func TestGyroscopeWithAnotherScale(t *testing.T) {
	d := newDrive(newRig(t, givenNode))
	withImu(d, func(k int, m *sensor_msgs.Imu) {
		if m.AngularVelocity.Z += 1e-3 * math.Sin(float64(k)); k > 20*60 {
			m.AngularVelocity.Z *= 3
		}
	})
	d.run(20 * 150)
	d.mustLog("the gyroscope of /test is not used, because the fixes move as the wheels turn the robot")
	if s := d.diagnostics[len(d.diagnostics)-1].values["gyroscope"]; !strings.HasPrefix(s, "not used") {
		t.Errorf("/diagnostics says %q", s)
	}
}

// A heading that alone is frozen is not used where the wheels turn, whether its messages have a yaw rate or not, and the log says why.
func TestFrozenHeading(t *testing.T) {
	for name, rates := range map[string]bool{"beside a gyroscope": true, "alone": false} {
		d := newDrive(newRig(t, func(cfg *ekf.Config) {
			givenNode(cfg)
			cfg.IMU.Heading = true
		}))
		const turns = 8 // times as fast as along
		d.sendOdom = func(m nav_msgs.Odometry) {
			m.Twist.Twist.Angular.Z *= turns
			send(d.rig, d.odom, m)
		}
		d.fixes = false
		withImu(d, func(k int, m *sensor_msgs.Imu) {
			m.AngularVelocity.Z = turns * turnRate * (1 + 1e-3*math.Sin(float64(k)))
			if !rates {
				m.AngularVelocityCovariance[0] = -1
			}
			m.Orientation.Z, m.Orientation.W = math.Sincos(startYaw / 2)
		})
		d.run(1000)
		d.mustLog("the heading of the IMU is not used", "it stays the same to the last bit while the wheels turn")
		if got := d.diagnostics[len(d.diagnostics)-1].values["heading"]; got != "used, innovation 0.0 standard deviations" {
			t.Errorf("%s: heading %q, want the first to be the last that was used", name, got)
		}
	}
}

// An IMU whose clock is behind is not used, by how little it may be, and the log names its stamps and what is wrong with them.
func TestImuOfAnotherClock(t *testing.T) {
	for behind, want := range map[time.Duration]string{20 * time.Second: "20 s", 3 * time.Second: "3 s", 1500 * time.Millisecond: "1.5 s"} {
		d := newDrive(newRig(t, nil))
		withImu(d, func(_ int, m *sensor_msgs.Imu) {
			m.Header.Stamp = ros.TimeMsg(ros.TimeNs(m.Header.Stamp) - int64(behind))
		})
		d.run(400)
		if said := d.log.String(); !strings.Contains(said, "with stamps by this node's clock: those of /test are "+want+" behind: a clock is not set") {
			t.Error(behind, said)
		}
		if in := d.diagnostics[len(d.diagnostics)-1].inputs["imu"]; in.Level == diagnostic_msgs.DiagnosticStatusOK {
			t.Errorf("%v: %+v", behind, in)
		}
	}
}
