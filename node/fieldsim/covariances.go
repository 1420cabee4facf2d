package fieldsim

import (
	"math"
	"time"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
)

// CovariancesConfig says which covariances belong to sensor messages that come without, as
// Gazebo's do. Filters that believe what messages state, such as robot_localization, need them.
type CovariancesConfig struct {
	Publish      bool
	SpeedStdDev  float64 // of the wheel odometry, forwards and sideways, m/s
	TurnStdDev   float64 // of the wheel odometry, rad/s
	GyroStdDev   float64 // rad/s
	FixStdDev    float64 // of position fixes in x and y, m
	AntennaFrame string  // of position fixes
}

func defaultCovariances() CovariancesConfig {
	return CovariancesConfig{SpeedStdDev: 0.05, TurnStdDev: 0.1, GyroStdDev: 0.01, FixStdDev: 1, AntennaFrame: "gps_antenna"}
}

func (c *CovariancesConfig) declare(set *param.Set) {
	set.Bool(&c.Publish, "covariances.publish",
		param.Describe("with robot.source odometry, publish odom, imu and fix once more as odom_with_covariance, imu_with_covariance and fix_with_covariance, for filters that believe the covariances in messages; Gazebo's are zero"))
	set.Float64(&c.SpeedStdDev, "covariances.speed_stddev", param.Unit("m/s"), param.Range(1e-6, 10),
		param.Describe("standard deviation of the wheel odometry's velocity, forwards and sideways, in odom_with_covariance"))
	set.Float64(&c.TurnStdDev, "covariances.turn_stddev", param.Unit("rad/s"), param.Range(1e-6, 10),
		param.Describe("standard deviation of the wheel odometry's turn rate in odom_with_covariance"))
	set.Float64(&c.GyroStdDev, "covariances.gyro_stddev", param.Unit("rad/s"), param.Range(1e-6, 10),
		param.Describe("standard deviation of the turn rate in imu_with_covariance, which states no orientation"))
	set.Float64(&c.FixStdDev, "covariances.fix_stddev", param.Unit("m"), param.Range(1e-3, 100),
		param.Describe("standard deviation in x and y in fix_with_covariance, for fixes that state no covariance"))
	set.String(&c.AntennaFrame, "covariances.antenna_frame",
		param.Describe("frame of the antenna in fix_with_covariance"))
}

// startCovariances publishes the sensors' messages once more, with covariances and with
// frames that the robot has: Gazebo's are those of its own sensors.
func startCovariances(node *ros.Node, c *CovariancesConfig) error {
	warn := node.NewThrottle(time.Second)
	report := func(err error) {
		if err != nil {
			warn.Warn("a message with covariance was not published", "error", err.Error())
		}
	}
	if err := relay(node, "odom", report, func(m *nav_msgs.Odometry) {
		m.Twist.Covariance = diagonal(square(c.SpeedStdDev), square(c.SpeedStdDev), square(c.TurnStdDev))
		m.Pose.Covariance = diagonal(1, 1, 1) // it drifts; only the velocity is known
	}); err != nil {
		return err
	}
	if err := relay(node, "imu", report, func(m *sensor_msgs.Imu) {
		m.Header.FrameID = frameBase
		m.OrientationCovariance = [9]float64{-1} // which means that there is none
		variance := square(c.GyroStdDev)
		m.AngularVelocityCovariance = [9]float64{variance, 0, 0, 0, variance, 0, 0, 0, variance}
	}); err != nil {
		return err
	}
	return relay(node, "fix", report, func(m *sensor_msgs.NavSatFix) {
		m.Header.FrameID = c.AntennaFrame
		if math.IsNaN(m.Altitude) {
			m.Altitude = 0 // navsat_transform ignores fixes without a height
		}
		if m.PositionCovariance == [9]float64{} {
			variance := square(c.FixStdDev)
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
