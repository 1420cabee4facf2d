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

// headingPeriod is the shortest interval between two headings of the IMU that are fused.
const headingPeriod = time.Second

// inertial is the node's state for the IMU.
type inertial struct {
	stamps   ros.Stamps // of yaw rates
	headings ros.Stamps // of messages with a heading only
	heading  int64      // stamp of the last heading that was fused, ns; 0: none yet
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
	if err == nil {
		err = e.filter.PredictGyro(stamp, rate, variance)
		if age := time.Duration(e.node.Now() - stamp); err != nil && age > filter.MaxDelay {
			err = &ros.BehindError{By: age}
		}
	}
	if err != nil { // up to hundreds a second: the watch reports it
		e.gyro.Refused(err)
	}
	mounted := &e.inertial.mounting
	if e.cfg.IMU.Heading && (err == nil || err == mounted.wrong && mounted.axis != localization.None) { // the orientation may still be right, unless the IMU has frozen
		e.useHeading(stamp, m)
	}
}

// useHeading fuses the IMU's heading. A compass errs in the same direction for minutes, so
// the variance of a heading Δt after the last is multiplied by coth(Δt/2τ). The mean of exponentially correlated
// errors then has its true variance.
func (e *EKF) useHeading(stamp int64, m *sensor_msgs.Imu) {
	since := stamp - e.inertial.heading
	if e.inertial.heading != 0 && since >= 0 && since < int64(headingPeriod) {
		return
	}
	yaw, variance, err := convert.ImuYaw(m)
	switch {
	case errors.Is(err, convert.ErrNoOrientation) && e.inertial.heading != 0: // another sender on this topic has the heading
		return
	case err != nil:
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
		variance /= math.Tanh(float64(since) * 1e-9 / (2 * headingCorrelationTime))
	}
	e.inertial.heading = stamp
	e.fused(e.filter.FuseYaw(stamp, yaw+e.cfg.IMU.HeadingOffset, variance))
}
