// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf

import (
	"errors"
	"fmt"
	"math"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/localization/filter"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros"
)

const (
	// headingStdDev is the standard deviation of a yaw whose message states none, rad: a compass near
	// motors.
	headingStdDev = 0.1
	// headingCorrelationTime is the correlation time of the errors of the yaw, s. A compass errs in
	// the same direction for minutes.
	headingCorrelationTime = 60
)

// latestRate is by how much a yaw rate may be older than the newest odometry. No IMU needs longer: the clock of its sender is behind, and
// the turns that it measured would be those of other seconds.
const latestRate = time.Second

// headingPeriod is the shortest interval between two headings of the IMU that are fused.
const headingPeriod = time.Second

// inertial is the node's state for the IMU.
type inertial struct {
	stamps   ros.Stamps // of yaw rates
	headings ros.Stamps // of messages with a heading only
	heading  int64      // stamp of the last heading that was fused, ns; 0: none yet
	seen     int64      // stamp of the last heading, ns
	repeats  localization.Frozen
	mounting mounting
}

func (e *EKF) onImu(m *sensor_msgs.Imu, _ ros.MessageInfo) {
	stamp := e.node.Stamped(m.Header.Stamp)
	e.gyro.Stamped(stamp)
	rate, variance, err := e.yawRate(stamp, m)
	if errors.Is(err, convert.ErrNoYawRate) && e.cfg.IMU.Heading {
		// Receivers with two antennas send their heading in this way, on a topic of their own or on that of a gyroscope.
		if err = e.inertial.headings.Check(stamp, e.node.Now()); err != nil {
			e.gyro.Refused(err)
			return
		}
		e.useHeading(stamp, m)
		return
	}
	if stray := e.inertial.stamps.Check(stamp, e.node.Now()); stray != nil {
		err = stray
	}
	if newest, known := e.filter.Stamp(); known && newest-stamp > int64(latestRate) {
		err = &ros.BehindError{By: time.Duration(e.node.Now() - stamp)}
	}
	if err == nil {
		err = e.filter.PredictGyro(stamp, rate, variance)
	}
	if err != nil { // up to hundreds a second: the watch reports it
		e.gyro.Refused(err)
	}
	mounted := &e.inertial.mounting
	if e.cfg.IMU.Heading && (err == nil || err == mounted.wrong && mounted.axis != localization.None) { // the orientation may still be right, unless the IMU has frozen
		e.useHeading(stamp, m)
	}
}

// repeated compares a heading with the one before it, like rates that may have frozen: the same one twice is no turn.
func (e *EKF) repeated(stamp int64, yaw float64) {
	in, now := &e.inertial, e.node.Now()
	dt := float64(stamp-in.seen) * 1e-9
	if in.seen = stamp; dt > 0 && time.Duration(now-in.mounting.driven) < together {
		in.repeats.Take([3]float64{yaw}, 0, e.filter.Wheels().Yaw*e.cfg.Filter.Motion.Turn, min(dt, together.Seconds()))
	}
}

// useHeading fuses the IMU's heading. A compass errs in the same direction for minutes, so a heading after the first one counts less.
func (e *EKF) useHeading(stamp int64, m *sensor_msgs.Imu) {
	yaw, variance, err := convert.ImuYaw(m)
	if err == nil {
		e.repeated(stamp, yaw)
	}
	since := stamp - e.inertial.heading
	if e.inertial.heading != 0 && since >= 0 && since < int64(headingPeriod) {
		return
	}
	switch {
	case errors.Is(err, convert.ErrNoOrientation) && e.inertial.heading != 0: // another sender on this topic has the heading
		return
	case err != nil:
	case e.inertial.repeats.Is():
		err = errors.New("it stays the same to the last bit while the wheels turn, so its sender is broken, or repeats an old message: restart its driver, or check its cable")
	case variance == 0:
		variance = headingStdDev * headingStdDev
	case !(variance > 0 && variance < widestYaw*widestYaw):
		err = fmt.Errorf("the variance of its yaw is %g rad², want more than 0 and less than %.3g", variance, widestYaw*widestYaw)
	}
	if err != nil {
		e.compass.Warn("the heading of the IMU is not used", "error", err.Error())
		return
	}
	if e.inertial.heading != 0 && since > 0 && e.filter.Mode() == filter.Running {
		variance = localization.Repeated(variance, float64(since)*1e-9, headingCorrelationTime)
	}
	e.inertial.heading = stamp
	e.fusedYaw(e.filter.FuseYaw(stamp, yaw+e.cfg.IMU.HeadingOffset, variance))
}

// fusedYaw logs those results of a measured heading that an operator needs to know.
func (e *EKF) fusedYaw(innovation filter.Innovation) {
	if e.wrongHeading = ""; innovation.Status == filter.FixContrary {
		off := -innovation.Residual[0]
		e.wrongHeading = fmt.Sprintf("measured headings are not used, because they differ by about %.0f° from the headings that driving shows: if an IMU is always off by this angle "+
			"(by 90° if its yaw is 0 to the north), add about %.1f rad to imu.heading_offset; otherwise set imu.heading to false", math.Abs(degrees(off)), off)
		e.compass.Warn(e.wrongHeading)
	}
	e.fused(innovation)
}
