//go:build fastdds

package process_test

import (
	"testing"
	"time"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/simulation"
)

// TestSatelliteMission has the robot localise itself by wheel odometry, NavSatFix and Imu
// alone: nobody publishes fix_pose.
func TestSatelliteMission(t *testing.T) {
	origin := []float64{8.0471, 52.2726}
	r := newRobot(t, 40, func(c *simulation.Config) {
		c.Fieldsim.Datum, c.EKF.Datum, c.Fieldsim.PublishIMU = origin, origin, true
	})
	o := r.observe()
	var fixes, rates int
	var datum sensor_msgs.NavSatFix
	_, err := ros.Subscribe(o.n, "/fix", ros.SensorData(), func(*sensor_msgs.NavSatFix, ros.MessageInfo) { fixes++ })
	r.must(err)
	_, err = ros.Subscribe(o.n, "/imu", ros.SensorData(), func(*sensor_msgs.Imu, ros.MessageInfo) { rates++ })
	r.must(err)
	_, err = ros.Subscribe(o.n, "/"+ekf.DefaultName+"/datum", ros.Latched(), func(m *sensor_msgs.NavSatFix, _ ros.MessageInfo) { datum = *m })
	r.must(err)
	poses, err := ros.Subscribe(o.n, "/fix_pose", ros.SensorData(), func(*geometry_msgs.PoseWithCovarianceStamped, ros.MessageInfo) {})
	r.must(err)
	begin := time.Now()
	r.start()
	for _, e := range executables {
		o.wait(e.node+" in the graph", func() bool { return o.sees(e.node) })
	}
	o.wait("the datum", func() bool { return datum.Longitude == origin[0] && datum.Latitude == origin[1] })
	if poses.Matched() != 0 {
		t.Error("somebody publishes fix_pose")
	}
	o.finish()
	t.Logf("%v for a mission with %d fixes and %d yaw rates; %v", time.Since(begin).Round(time.Millisecond), fixes, rates, o)
	if fixes == 0 || rates == 0 {
		t.Errorf("%d fixes and %d yaw rates were heard", fixes, rates)
	}
	if o.astray > mostAstray {
		t.Errorf("the robot was %.1f m outside of the field", o.astray)
	}
	r.stop()
	r.check()
}
