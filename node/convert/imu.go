// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"errors"

	"ugp_explorer/internal/num"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/sensor_msgs"
)

// Errors about an Imu message that does not have the part that is asked for.
var (
	ErrNoYawRate     = errors.New("it has no angular velocity: angular_velocity_covariance[0] is -1; if its orientation is the heading in the map, set imu.heading")
	ErrNoOrientation = errors.New("it has no orientation: orientation_covariance[0] is -1")
)

// IMUStatus ends the name of the status on /diagnostics in which a filter says whether it can use its IMU, and LocalisationStatus that of the
// status in which it says whether it has a pose, and what is wrong although it has one.
const (
	IMUStatus          = ": imu"
	LocalisationStatus = ": localisation"
)

// YawRate writes a yaw rate (rad/s, rad²/s²) in base, and says that there is no
// orientation and no acceleration.
func YawRate(dst *sensor_msgs.Imu, rate, variance float64) {
	dst.OrientationCovariance[0], dst.LinearAccelerationCovariance[0] = -1, -1
	dst.AngularVelocity.Z, dst.AngularVelocityCovariance[8] = rate, variance
}

// ImuRates returns a message's angular velocity in its own frame, and the covariance, which is 0 if the message states none.
func ImuRates(m *sensor_msgs.Imu) (rates [3]float64, cov [9]float64, err error) {
	if m.AngularVelocityCovariance[0] == -1 {
		return rates, cov, ErrNoYawRate
	}
	return vector(&m.AngularVelocity), m.AngularVelocityCovariance, nil
}

// ImuAcceleration returns a message's acceleration in its own frame, m/s², gravity included; 0 if it has none.
func ImuAcceleration(m *sensor_msgs.Imu) [3]float64 {
	a := vector(&m.LinearAcceleration)
	if m.LinearAccelerationCovariance[0] == -1 || !num.Finite(a[0]+a[1]+a[2]) {
		return [3]float64{}
	}
	return a
}

func vector(v *geometry_msgs.Vector3) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// ImuYaw returns the rotation about the vertical axis of a message's orientation (rad,
// rad²). variance is 0 if the message states none.
func ImuYaw(m *sensor_msgs.Imu) (yaw, variance float64, err error) {
	if m.OrientationCovariance[0] == -1 {
		return 0, 0, ErrNoOrientation
	}
	yaw, err = Yaw(m.Orientation)
	return yaw, m.OrientationCovariance[8], err
}
