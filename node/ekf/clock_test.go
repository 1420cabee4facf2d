package ekf_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/localization/filter"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
)

// A filter that runs by the wall clock gets use_sim_time: not while the robot moves, and then it
// starts over with the first message on /clock. Then the map's origin is the first fix in the
// simulation, which may be far from where the robot was.
func TestClockChangesWhileTheRobotStands(t *testing.T) {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	graph := inproc.New()
	ex, err := exec.NewRealTime(exec.DefaultRealTimeConfig())
	must(err)
	test, err := ros.NewNode(graph, ex, "test", ros.NodeOptions{})
	must(err)
	cfg := ekf.DefaultConfig()
	cfg.Odometry = "twist"
	var log bytes.Buffer
	node, err := ros.NewNode(graph, ex, ekf.DefaultName, ros.NodeOptions{Parameters: cfg.Parameters(), LogHandler: slog.NewTextHandler(&log, nil)})
	must(err)
	t.Cleanup(func() { must(errors.Join(node.Close(), test.Close(), ex.Close())) })
	robot, err := ekf.New(node, &cfg)
	must(err)
	odom, err := ros.Advertise[nav_msgs.Odometry](test, "odom", ros.SensorData())
	must(err)
	initial, err := ros.Advertise[geometry_msgs.PoseWithCovarianceStamped](test, "initialpose", ros.DefaultQoS())
	must(err)
	ticks, err := ros.Advertise[rosgraph_msgs.Clock](test, "/clock", ros.DefaultQoS())
	must(err)
	fixes, err := ros.Advertise[sensor_msgs.NavSatFix](test, "fix", ros.SensorData())
	must(err)
	var origins []float64
	_, err = ros.Subscribe(test, "ekf/datum", ros.Latched(), func(m *sensor_msgs.NavSatFix, _ ros.MessageInfo) {
		origins = append(origins, m.Longitude)
	})
	must(err)
	fixAt := func(stamp int64, longitude float64) {
		t.Helper()
		m := navSat(stamp, 0, 0, fixCov)
		m.Longitude = longitude
		must(fixes.Publish(&m))
	}
	until := func(what string, cond func() bool) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := ex.Run(ctx, cond); err != nil {
			t.Fatalf("waiting for %s: %v\n%s", what, err, log.String())
		}
	}
	speed, last := 1.0, int64(0)
	_, err = test.NewTimer(20*time.Millisecond, func() {
		last = ex.Now()
		m := odometry(last, 0, 0, 0, speed, 0)
		must(odom.Publish(&m))
	})
	must(err)
	until("odometry", func() bool { return last != 0 })
	fixAt(ex.Now(), 10)
	until("the origin", func() bool { return len(origins) == 1 })
	pose := poseMessage(0, 3, 4, 1, [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 0.01}})
	must(initial.Publish(&pose))
	until("a pose", func() bool { return robot.Mode() == filter.Running })
	set := func() error {
		return node.Parameters().Set(param.Assignment{Name: "use_sim_time", Value: param.NewValue(true)})
	}
	until("the motion", func() bool { return set() != nil }) // the first odometry tells of no motion yet
	if err := set(); !strings.Contains(err.Error(), "the robot moves") {
		t.Errorf("use_sim_time while the robot moves: %v", err)
	}
	speed = 0
	until("the robot to stand", func() bool { return set() == nil })
	must(ticks.Publish(&rosgraph_msgs.Clock{Clock: ros.TimeMsg(int64(5 * time.Second))}))
	until("the new clock", func() bool { return robot.Mode() != filter.Running })
	if !strings.Contains(log.String(), "the filter starts over, as use_sim_time has changed") {
		t.Errorf("the log is\n%s", log.String())
	}
	if now := node.Now(); now != int64(5*time.Second) {
		t.Errorf("the time is %d", now)
	}
	fixAt(int64(5*time.Second), 25)
	until("the origin in the simulation", func() bool { return len(origins) == 2 })
	if !slices.Equal(origins, []float64{10, 25}) {
		t.Errorf("the origins are at longitudes %v", origins)
	}
}
