// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim

import (
	"math"
	"time"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/ros"
)

// Standard deviations of sensor messages that come without covariances, as Gazebo's do: rather too
// large than too small for a skid-steered robot with sensors of little cost.
const (
	unstatedSpeed = 0.05 // of the wheel odometry, forwards and sideways, m/s
	unstatedTurn  = 0.1  // of the wheel odometry, rad/s
	unstatedGyro  = 0.01 // rad/s
	// UnstatedFix is that of position fixes in x and y, m.
	UnstatedFix = 1.0
)

// antennaFrame is the frame of the antenna in the models of robots for Gazebo.
const antennaFrame = "gps_antenna"

// startCovariances publishes the sensors' messages once more, with covariances and with
// frames that the robot has: Gazebo's are those of its own sensors. Filters that believe what
// messages state, such as robot_localization, need them.
func startCovariances(node *ros.Node) error {
	warn := node.NewThrottle(time.Second)
	report := func(err error) {
		if err != nil {
			warn.Warn("a message with covariance was not published", "error", err.Error())
		}
	}
	if err := relay(node, "odom", report, func(m *nav_msgs.Odometry) {
		m.Twist.Covariance = diagonal(square(unstatedSpeed), square(unstatedSpeed), square(unstatedTurn))
		m.Pose.Covariance = diagonal(1, 1, 1) // it drifts; only the velocity is known
	}); err != nil {
		return err
	}
	if err := relay(node, "imu", report, func(m *sensor_msgs.Imu) {
		m.Header.FrameID = frameBase
		m.OrientationCovariance = [9]float64{-1} // which means that there is none
		variance := square(unstatedGyro)
		m.AngularVelocityCovariance = [9]float64{variance, 0, 0, 0, variance, 0, 0, 0, variance}
	}); err != nil {
		return err
	}
	return relay(node, "fix", report, func(m *sensor_msgs.NavSatFix) {
		m.Header.FrameID = antennaFrame
		if math.IsNaN(m.Altitude) {
			m.Altitude = 0 // navsat_transform ignores fixes without a height
		}
		if m.PositionCovariance == [9]float64{} {
			variance := square(UnstatedFix)
			m.PositionCovariance = [9]float64{variance, 0, 0, 0, variance, 0, 0, 0, 4 * variance}
			m.PositionCovarianceType = sensor_msgs.NavSatFixCovarianceTypeApproximated
		}
	})
}

// relay publishes what comes on a topic once more as topic_with_covariance.
func relay[M any, P ros.MessagePtr[M]](node *ros.Node, topic string, report func(error), change func(P)) error {
	out, err := ros.Advertise[M, P](node, topic+"_with_covariance", ros.Stream())
	if err != nil {
		return err
	}
	_, err = ros.Subscribe[M, P](node, topic, ros.SensorStream(), func(m *M, _ ros.MessageInfo) {
		changed := *m
		change(&changed)
		report(out.Publish(&changed))
	})
	return err
}

// diagonal returns the covariance of a planar pose or velocity.
func diagonal(x, y, yaw float64) (c [36]float64) {
	c[0], c[7], c[14], c[21], c[28], c[35] = x, y, 1e-6, 1e-6, 1e-6, yaw
	return c
}

func square(v float64) float64 { return v * v }
