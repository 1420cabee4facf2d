// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf

import (
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ugp_explorer/internal/num"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/tf2_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/tf"
)

// mounting is how the IMU is mounted: upright, or as imu.upside_down or static transforms state, unless its gyroscope shows otherwise.
type mounting struct {
	transforms *tf.Buffer // the static ones
	frame      string     // of the last message
	turned     bool       // by turn, from frame to base
	turn       [3][3]float64

	gyroscope localization.Gyroscope
	axis      localization.Axis
	wrong     error // says what is wrong with axis; nil: nothing
	driven    int64 // when odometry came last, node's time, ns

	wrongTurns string // says that gyroscope and wheels turn the robot by different angles, as logged; "": they do not, as far as is known
}

// together is the age of rates and of the newest odometry below which they are compared.
const together = 500 * time.Millisecond

// WrongMounting says why the yaw rates of the IMU are left out, and what to do; nil if they are not.
func (e *EKF) WrongMounting() error { return e.inertial.mounting.wrong }

func (e *EKF) onStaticTransforms(m *tf2_msgs.TFMessage, _ ros.MessageInfo) {
	in := &e.inertial.mounting
	for i := range m.Transforms {
		_ = in.transforms.Take(&m.Transforms[i], 0, true) // without one, the IMU is assumed to be upright, and gravity shows if it is not
	}
	in.look(e.cfg.BaseFrame)
}

// look finds the rotation from the IMU's frame to base.
func (in *mounting) look(base string) {
	turn := quat.Number{Real: 1}
	if chain, err := in.transforms.Chain(base, in.frame); err == nil {
		up, _ := in.transforms.At(chain, 0)
		turn = up.Rotation
	}
	before := in.turn
	in.turned = turn != quat.Number{Real: 1}
	for i, axis := range [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
		v := r3.Rotation(turn).Rotate(axis)
		in.turn[0][i], in.turn[1][i], in.turn[2][i] = v.X, v.Y, v.Z
	}
	if in.turn != before { // what was learnt is about other axes
		in.gyroscope, in.axis, in.wrong = localization.Gyroscope{}, 0, nil
	}
}

// parts lists what makes a gyroscope turn otherwise than the robot.
const parts = "a gyroscope may sit on a part that moves, such as a pan head, share its topic with another IMU, or have another range or scale than its driver assumes"

// leftOut reports whether the filter leaves the gyroscope out because the fixes have proved it wrong.
func (e *EKF) leftOut() bool { return e.said.counts.GyroWrong > e.said.counts.GyroRight }

// wrongTurns says that gyroscope and wheels turn the robot by different angles, "" if they do not, as far as is known. The fixes decide which
// of the two is wrong.
func (e *EKF) wrongTurns() string {
	if e.leftOut() {
		return fmt.Sprintf("the gyroscope of %s is not used, because the fixes move as the wheels turn the robot, and not as it does: %s", e.gyro.Senders(), parts)
	}
	return e.inertial.mounting.wrongTurns
}

// compareTurns logs when gyroscope and wheels begin to contradict each other, or agree again. A gyroscope that is left out contradicts nothing.
func (e *EKF) compareTurns() {
	in := &e.inertial.mounting
	contradicts := in.gyroscope.Contradicts() && in.wrong == nil && !e.leftOut()
	switch told := in.wrongTurns != ""; {
	case contradicts && !told:
		in.wrongTurns = fmt.Sprintf("the gyroscope of %s shows %g times the turn that the odometry of %s does: unless the robot is stuck, compare how it turns with both: %s; "+
			"in odometry, the wheel separation may be wrong", e.gyro.Senders(), math.Round(10*in.gyroscope.Ratio(0))/10+0, e.wheels.Senders(), parts)
		e.node.Logger().Warn(in.wrongTurns)
	case told && !contradicts:
		in.wrongTurns = ""
		if !e.leftOut() {
			e.node.Logger().Info("gyroscope and wheels agree again, or the gyroscope is left out")
		}
	}
}

// errRepeats is why single yaw rates are not used.
var errRepeats = errors.New("the yaw rate stays the same to the last bit while the wheels turn otherwise")

// yawRate returns the yaw rate of a message and its variance, 0 if it states none. wrong says why it cannot be used.
func (e *EKF) yawRate(stamp int64, m *sensor_msgs.Imu) (rate, variance float64, wrong error) {
	in := &e.inertial.mounting
	rates, cov, err := convert.ImuRates(m)
	if err != nil {
		return 0, 0, err
	}
	if m.Header.FrameID != in.frame {
		in.frame = m.Header.FrameID
		in.look(e.cfg.BaseFrame)
	}
	acceleration := convert.ImuAcceleration(m)
	variance = cov[8]
	if e.cfg.IMU.UpsideDown { // a parameter that a person has set overrides a transform
		for i := 1; i < 3; i++ {
			rates[i], acceleration[i] = -rates[i], -acceleration[i]
		}
	} else if in.turned {
		rates, acceleration = times(&in.turn, rates), times(&in.turn, acceleration)
		variance = 0
		for i, a := range in.turn[2] {
			for j, b := range in.turn[2] {
				variance += a * b * cov[3*i+j]
			}
		}
	}
	now := e.node.Now()
	apart := max(now-in.driven, now-stamp, stamp-now)
	if time.Duration(apart) < together && num.Finite(rates[0]+rates[1]+rates[2]) {
		v := e.filter.Wheels()
		in.gyroscope.Rates(stamp, rates, acceleration, v.X, v.Y, v.Yaw*e.cfg.Filter.Motion.Turn)
		if axis, by := in.gyroscope.Axis(); axis != in.axis {
			used := in.wrong == nil // otherwise the filter has nothing to forget, and its heading is not in doubt
			if in.axis, in.wrong = axis, nil; axis != 0 {
				in.wrong = e.mounted(axis, by)
			}
			if used && axis != 0 {
				e.filter.ForgetGyro(axis != localization.None)
			}
		}
		e.compareTurns()
		variance += in.gyroscope.Rounding()
	}
	if in.wrong == nil && in.gyroscope.Repeats() {
		return 0, 0, errRepeats
	}
	return rates[2], variance, in.wrong
}

func times(m *[3][3]float64, v [3]float64) (w [3]float64) {
	for i := range w {
		w[i] = m[i][0]*v[0] + m[i][1]*v[1] + m[i][2]*v[2]
	}
	return w
}

// mounted says which axis other than z points up, how that was found, and what to do.
func (e *EKF) mounted(axis localization.Axis, by localization.Witness) error {
	in := &e.inertial.mounting
	name := string("xyz"[axis.Index()])
	tells := fmt.Sprintf("gravity is along its %s axis", name)
	if axis.Down() {
		tells = fmt.Sprintf("gravity is against its %s axis", name)
	}
	ratio := ""
	if r := in.gyroscope.Ratio(axis); r != 0 {
		ratio = fmt.Sprintf(" (%.2g times as far as the wheels)", r)
	}
	switch by {
	case localization.Wheels:
		tells = fmt.Sprintf("the robot turns about its %s axis%s", name, ratio)
	case localization.Courses:
		tells = fmt.Sprintf("the direction of motion of the fixes turns about its %s axis%s", name, ratio)
	case localization.Rest:
		tells = fmt.Sprintf("it measures more than %g rad/s about its %s axis while the wheels stand", localization.MostBias, name)
	case localization.Freeze:
		return errors.New("its rates stay the same to the last bit while the wheels turn, so it is broken, or its driver repeats old rates: restart its driver, or check its cable; until then the heading follows the wheels")
	case localization.Death:
		return errors.New("its rate about the z axis stays the same to the last bit while the wheels turn and its other rates change, so that axis is dead, or its driver does not fill it in: check the driver, or replace the IMU; until then the heading follows the wheels")
	case localization.Haste:
		tells = fmt.Sprintf("its %s axis turns by more than %g rad/s, which no robot can do", name, localization.MostRate)
	}
	base := e.cfg.BaseFrame
	transform := fmt.Sprintf("publish the static transform from %s to its frame %q", base, in.frame)
	switch {
	case e.cfg.IMU.UpsideDown:
		transform = "set imu.upside_down to false, and " + transform
	case in.turned:
		transform = fmt.Sprintf("correct the static transform from %s to its frame %q", base, in.frame)
	case in.frame == "" || in.frame == base:
		transform = fmt.Sprintf("let its driver use a separate frame, and publish the static transform from %s to it", base)
	}
	var remedy string
	switch {
	case axis.Index() < 2:
		remedy = "it lies on its side: mount it with its z axis up, or " + transform
	case axis.Down() && e.cfg.IMU.UpsideDown:
		remedy = "it is not upside down, or its sign is wrong: set imu.upside_down to false"
	case axis.Down() && in.turned:
		remedy = "it is upside down, or its sign is wrong: " + transform
	case axis.Down():
		remedy = "it is upside down, or its sign is wrong: set imu.upside_down to true, or " + transform
	}
	if by == localization.Wheels && axis.Down() && axis.Index() == 2 {
		remedy += "; if it is upright, the sign of the odometry's yaw rate is wrong"
	}
	if remedy != "" && axis.Degrees() {
		remedy += "; "
	}
	if by == localization.Rest || by == localization.Haste {
		remedy += "it is broken, sits on a part that moves, such as a pan head, or "
	}
	if axis.Degrees() {
		remedy += "its rates are in degrees per second: let its driver send rad/s"
	}
	return fmt.Errorf("%s: %s; until then the heading follows the wheels", tells, remedy)
}
