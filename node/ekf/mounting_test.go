// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf_test

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/tf2_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/ros"
)

// quarter is a rotation by 90° about an axis.
func quarter(x, y, z float64) geometry_msgs.Quaternion {
	return geometry_msgs.Quaternion{X: x * math.Sqrt2 / 2, Y: y * math.Sqrt2 / 2, Z: z * math.Sqrt2 / 2, W: math.Sqrt2 / 2}
}

// static publishes the transform of a frame in another.
func static(r *rig, parent, child string, turn geometry_msgs.Quaternion) {
	t := geometry_msgs.TransformStamped{ChildFrameID: child}
	t.Header.FrameID, t.Transform.Rotation = parent, turn
	send(r, rostest.Publisher[tf2_msgs.TFMessage](r.t, r.test, "/tf_static", ros.Latched()), tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{t}})
}

// An IMU on its side on a mast that is turned to the left is used as an upright one is if static transforms say so, also when they come
// after its first messages. imu.upside_down counts more than a transform.
func TestStaticTransforms(t *testing.T) {
	for name, c := range map[string]struct {
		upsideDown bool
		links      func(r *rig)
		measure    func(v geometry_msgs.Vector3) geometry_msgs.Vector3
		axis       int // of the yaw rate in the covariance
	}{
		"on its side": {false, func(r *rig) {
			static(r, "mast", "imu_link", quarter(1, 0, 0))
			static(r, "base_link", "mast", quarter(0, 0, 1))
		}, func(v geometry_msgs.Vector3) geometry_msgs.Vector3 {
			return geometry_msgs.Vector3{X: v.Y, Y: v.Z, Z: v.X}
		}, 4},
		"upside down": {false, func(r *rig) { static(r, "base_link", "imu_link", geometry_msgs.Quaternion{Y: 1}) },
			func(v geometry_msgs.Vector3) geometry_msgs.Vector3 {
				return geometry_msgs.Vector3{X: -v.X, Y: v.Y, Z: -v.Z}
			}, 8},
		"by parameter": {true, func(r *rig) { static(r, "base_link", "imu_link", quarter(1, 0, 0)) },
			func(v geometry_msgs.Vector3) geometry_msgs.Vector3 {
				return geometry_msgs.Vector3{X: v.X, Y: -v.Y, Z: -v.Z}
			}, 8},
		"of other frames": {false, func(r *rig) {
			static(r, "odom", "imu_link", quarter(1, 0, 0))
			static(r, "round", "about", quarter(1, 0, 0))
			static(r, "about", "round", quarter(1, 0, 0))
		}, func(v geometry_msgs.Vector3) geometry_msgs.Vector3 { return v }, 8},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDrive(newRig(t, func(cfg *ekf.Config) {
				givenNode(cfg)
				cfg.IMU.UpsideDown = c.upsideDown
			}))
			f := d.reference(given)
			withImu(d, func(k int, m *sensor_msgs.Imu) {
				d.must(f.PredictGyro(d.ex.Now(), turnRate, 1e-4))
				m.AngularVelocity = c.measure(m.AngularVelocity)
				m.LinearAcceleration = c.measure(geometry_msgs.Vector3{X: 0.3, Y: -0.4, Z: 9.8})
				m.AngularVelocityCovariance = [9]float64{}
				m.AngularVelocityCovariance[c.axis] = 1e-4
			})
			c.links(d.rig)
			d.run(400)
			d.mustBeNear(f, 1e-9)
			if in := d.diagnostics[len(d.diagnostics)-1].inputs["imu"]; in.Level != diagnostic_msgs.DiagnosticStatusOK {
				t.Error(in.Message)
			}
		})
	}
}

// A gyroscope that is left out has told the filter nothing: when another axis turns out to be the right one, the heading is as sure as before.
func TestAnotherAxisOfOneLeftOut(t *testing.T) {
	d := newDrive(newRig(t, givenNode))
	tilt, rate := 0.0, 0.0 // of the IMU about its z axis, rad
	withImu(d, func(k int, m *sensor_msgs.Imu) {
		tilt = min(tilt+rate, math.Pi/2)
		m.LinearAcceleration = geometry_msgs.Vector3{X: 9.8 * math.Sin(tilt), Y: 9.8 * math.Cos(tilt)}
	})
	d.run(400)
	n := len(d.filtered)
	before := d.filtered[n-1].Pose.Covariance[35]
	rate = 0.005
	d.run(250)
	if in := d.diagnostics[len(d.diagnostics)-1].inputs["imu"]; !strings.Contains(in.Message, "gravity is along its x axis") {
		t.Errorf("/diagnostics says %q", in.Message)
	}
	for _, m := range d.filtered[n:] {
		if v := m.Pose.Covariance[35]; v > 2*before {
			t.Fatalf("the standard deviation of the heading is %.3f rad, before it was %.3f rad", math.Sqrt(v), math.Sqrt(before))
		}
	}
}

// An IMU on its side is left out before the robot drives, and the heading follows the wheels. /diagnostics and the log name it, its axis
// and what to set. When a transform comes that says how it is mounted, it is used.
func TestImuOnItsSide(t *testing.T) {
	d := newDrive(newRig(t, givenNode))
	f := d.reference(given)
	withImu(d, func(k int, m *sensor_msgs.Imu) {
		m.AngularVelocity = geometry_msgs.Vector3{Y: turnRate}
		m.LinearAcceleration = geometry_msgs.Vector3{Y: 9.7, Z: 0.3}
	})
	d.run(300)
	got, want := d.filtered[len(d.filtered)-1], must2(f.Pose())
	if at := got.Pose.Pose.Position; math.Hypot(at.X-want.X, at.Y-want.Y) > 0.5 {
		t.Errorf("the robot is at %+v, by the wheels at %+v", at, want)
	}
	const says = `gravity is along its y axis: it lies on its side: mount it with its z axis up, or publish the static transform from base_link to its frame "imu_link"`
	if in := d.diagnostics[len(d.diagnostics)-1].inputs["imu"]; in.Level != diagnostic_msgs.DiagnosticStatusWarn || !strings.Contains(in.Message, "on /imu") || !strings.Contains(in.Message, says) {
		t.Errorf("/diagnostics says %q", in.Message)
	}
	d.mustLog("/test publishes is refused: gravity is along its y axis")

	static(d.rig, "base_link", "imu_link", quarter(1, 0, 0))
	d.run(300)
	if in := d.diagnostics[len(d.diagnostics)-1]; in.inputs["imu"].Level != diagnostic_msgs.DiagnosticStatusOK || !strings.HasPrefix(in.values["gyroscope"], "used") {
		t.Errorf("after the transform: %s, gyroscope %s", in.inputs["imu"].Message, in.values["gyroscope"])
	}
}

// Two IMUs on one topic, of which one is upside down, cancel each other out: /diagnostics and, once, the log say that the gyroscope contradicts
// the wheels. With one IMU they say nothing.
func TestGyroscopeAgainstWheels(t *testing.T) {
	for _, both := range []bool{true, false} {
		d := newDrive(newRig(t, givenNode))
		withImu(d, func(k int, m *sensor_msgs.Imu) {
			if both && k%2 == 0 {
				m.AngularVelocity.Z *= -1
			}
		})
		d.run(3000)
		const says = "the gyroscope of /test shows 0 times the turn that the odometry of /test does"
		if got := strings.Contains(d.diagnostics[len(d.diagnostics)-1].status.Message, says); got != both {
			t.Errorf("two IMUs %v: /diagnostics says %q", both, d.diagnostics[len(d.diagnostics)-1].status.Message)
		}
		if n := strings.Count(d.log.String(), says); (n == 1) != both {
			t.Errorf("two IMUs %v: said %d times", both, n)
		}
	}
}

// The gyroscope of an IMU that sits on a pan head is named by one sentence, which stays, from when it contradicts the wheels or is left out.
func TestPanHead(t *testing.T) {
	for _, c := range []struct{ swing, period float64 }{{1.5, 4}, {1.5, 10}, {0.5, 10}, {1.5, 30}} { // rad, s
		r := newRig(t, nil)
		pub := rostest.Publisher[sensor_msgs.Imu](t, r.test, "imu", ros.SensorData())
		rng := rand.New(rand.NewPCG(1, 2))
		at, yaw, said := 0i, 0.3, ""
		for k := range 10000 {
			// It drives along lanes, and turns on the spot in between.
			s, v, w := float64(k)*0.05, 0.8, 0.0
			switch phase := math.Mod(s, 60); {
			case phase > 55 || phase < 3:
				v = 0
			case phase < 5:
				v, w = 0, 0.7
			case phase > 30 && phase < 32:
				v, w = 0.1, -0.75
			}
			stamp := epoch + int64(k+1)*step
			r.runTo(stamp)
			yaw += w * 0.05
			at += cmplx.Rect(v*0.05, yaw)
			pan := c.swing * 2 * math.Pi / c.period * math.Cos(2*math.Pi*s/c.period)
			send(r, pub, imuMessage(stamp, w+pan+0.003*rng.NormFloat64(), 1e-4, yaw, 0.01))
			send(r, r.odom, odometry(stamp, real(at), imag(at), yaw, v, w))
			if k%20 == 0 {
				send(r, r.fix, poseMessage(stamp, real(at)+0.02*rng.NormFloat64(), imag(at)+0.02*rng.NormFloat64(), 0, [3][3]float64{{0.0004}, {0, 0.0004}, {0, 0, noHeading}}))
			}
			if n := len(r.diagnostics); n > 0 {
				now := r.diagnostics[n-1].status.Message
				if said == "" && strings.HasPrefix(now, "the gyroscope of /test") {
					said = now
				}
				if said != "" && now != said {
					t.Fatalf("swing %g rad, period %g s: after %.0f s, /diagnostics says\n%s\nand before it said\n%s", c.swing, c.period, s, now, said)
				}
			}
		}
		if !strings.Contains(said, "a part that moves, such as a pan head") || strings.Count(r.log.String(), said) != 1 {
			t.Errorf("swing %g rad, period %g s: /diagnostics says %q, and the log\n%s", c.swing, c.period, said, &r.log)
		}
	}
}

func must2[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Each sentence fits what is configured.
func TestWhatToSet(t *testing.T) {
	up, down := geometry_msgs.Vector3{Z: 9.8}, geometry_msgs.Vector3{Z: -9.8}
	side := geometry_msgs.Vector3{X: -9.8}
	for _, c := range []struct {
		gravity    geometry_msgs.Vector3
		upsideDown bool
		frame      string
		turn       geometry_msgs.Quaternion
		want       string
	}{
		{down, false, "imu_link", geometry_msgs.Quaternion{}, "gravity is against its z axis: it is upside down, or its sign is wrong: set imu.upside_down to true, or publish the static transform"},
		{up, true, "imu_link", geometry_msgs.Quaternion{}, "it is not upside down, or its sign is wrong: set imu.upside_down to false"},
		{up, false, "imu_link", geometry_msgs.Quaternion{X: 1}, `correct the static transform from base_link to its frame "imu_link"`},
		{side, false, "imu_link", geometry_msgs.Quaternion{Z: 1}, "gravity is along its x axis: it lies on its side"},
		{side, true, "imu_link", geometry_msgs.Quaternion{}, "or set imu.upside_down to false, and publish the static transform"},
		{side, false, "base_link", geometry_msgs.Quaternion{}, "gravity is against its x axis: it lies on its side: mount it with its z axis up, or let its driver use a separate frame"},
	} {
		d := newDrive(newRig(t, func(cfg *ekf.Config) {
			givenNode(cfg)
			cfg.IMU.UpsideDown = c.upsideDown
		}))
		static(d.rig, "base_link", "imu_link", c.turn)
		withImu(d, func(_ int, m *sensor_msgs.Imu) { m.Header.FrameID, m.LinearAcceleration = c.frame, c.gravity })
		d.run(250)
		if in := d.diagnostics[len(d.diagnostics)-1].inputs["imu"]; !strings.Contains(in.Message, c.want) {
			t.Errorf("%q, want %q", in.Message, c.want)
		}
	}
}
