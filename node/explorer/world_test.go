// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/msgs/visualization_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/planner/mission"
)

// goal is a goal_pose with the plan that came before it, as a follower hears them.
type goal struct {
	at        int64
	x, y, yaw float64
	plan      []orb.Point
	state     mission.State // of the explorer as it was heard
}

// world is the explorer's node, a robot that drives straight to its goals,
// and everything that the explorer has published.
type world struct {
	t        testing.TB
	ex       *exec.Simulated
	graph    ros.Transport
	cfg      *settings.Config
	explorer *explorer.Explorer
	node     *ros.Node
	log      bytes.Buffer

	// The robot, and what a test may do to it.
	x, y, yaw float64
	speed     float64 // m/s
	driven    float64 // m
	way       []orb.Point
	goalYaw   float64
	cov       [3][3]float64
	corners   bool                      // it follows the corners of the plan, not straight to its end
	stuck     bool                      // it does not move
	noPoses   bool                      // nothing comes from its localisation
	noReading bool                      // nothing comes from its probe
	deaf      bool                      // it hears nothing but the goals
	pose      func(*nav_msgs.Odometry)  // changes what is published; nil: nothing
	estimate  func(*localization.Pose)  // the same, of the pose in it
	read      func(x, y float64, n int) // publishes reading n; nil: a FieldReading
	field     func(x, y float64) float64
	variance  float64 // that a FieldReading states; 0: 0.01
	readings  int

	poses []localization.Pose    // published
	given []localization.Reading // in the published messages FieldReading

	odometry  *ros.Publisher[nav_msgs.Odometry, *nav_msgs.Odometry]
	posed     *ros.Publisher[geometry_msgs.PoseWithCovarianceStamped, *geometry_msgs.PoseWithCovarianceStamped]
	reading   *ros.Publisher[ugp_explorer_msgs.FieldReading, *ugp_explorer_msgs.FieldReading]
	command   *ros.Publisher[std_msgs.String, *std_msgs.String]
	trueOdom  *ros.Publisher[nav_msgs.Odometry, *nav_msgs.Odometry]
	trueField *ros.Publisher[sensor_msgs.PointCloud2, *sensor_msgs.PointCloud2]

	ears []*ros.Subscription // for goals

	// heard
	plans        [][]orb.Point
	goals        []goal
	states       []string // each once, in their order
	status       ugp_explorer_msgs.MissionStatus
	observations []ugp_explorer_msgs.FieldObservation
	markers      visualization_msgs.MarkerArray
	cloud        sensor_msgs.PointCloud2
	mean         nav_msgs.OccupancyGrid
	diagnostics  diagnostic_msgs.DiagnosticArray
	sampledAt    []int64 // when each observation was heard
}

// robotStep is the period of the poses, probeStep that of the readings.
const (
	robotStep = 100 * time.Millisecond
	probeStep = 250 * time.Millisecond
)

func (w *world) must(err error) {
	w.t.Helper()
	must.OK(w.t, err)
}

func advertise[M any, PM ros.MessagePtr[M]](w *world, topic string, q ros.QoS) *ros.Publisher[M, PM] {
	return rostest.Publisher[M, PM](w.t, w.node, topic, q)
}

func hear[M any, PM ros.MessagePtr[M]](w *world, topic string, q ros.QoS, fn func(*M)) *ros.Subscription {
	return rostest.Hear[M, PM](w.t, w.node, topic, q, fn)
}

// guarded puts a guard into the graph that says each second what is in the status, which the test may change.
func (w *world) guarded(says *ugp_explorer_msgs.GuardStatus) {
	guard := advertise[ugp_explorer_msgs.GuardStatus](w, "guard/status", ros.Latched())
	_, err := w.node.NewTimer(time.Second, func() { w.must(guard.Publish(says)) })
	w.must(err)
}

func (w *world) connect() {
	w.odometry = advertise[nav_msgs.Odometry](w, "odometry/filtered", ros.SensorData())
	w.posed = advertise[geometry_msgs.PoseWithCovarianceStamped](w, "pose", ros.SensorData())
	w.reading = advertise[ugp_explorer_msgs.FieldReading](w, "reading_", ros.SensorData())
	if w.cfg.Reading.Type == "FieldReading" {
		w.must(w.reading.Close())
		w.reading = advertise[ugp_explorer_msgs.FieldReading](w, "reading", ros.SensorData())
	}
	w.command = advertise[std_msgs.String](w, "ugp_explorer/command", ros.DefaultQoS())
	w.trueOdom = advertise[nav_msgs.Odometry](w, "ground_truth/odom", ros.SensorData())
	w.trueField = advertise[sensor_msgs.PointCloud2](w, "ground_truth/field", ros.Latched())
	w.hearGoals()
	_, err := w.node.NewTimer(robotStep, w.drive)
	w.must(err)
	_, err = w.node.NewTimer(probeStep, w.probe)
	w.must(err)
	if !w.deaf {
		w.listen()
	}
}

// hearGoals makes the robot follow the explorer's plans and goals.
func (w *world) hearGoals() {
	plan := hear(w, "plan", ros.DefaultQoS(), func(m *nav_msgs.Path) {
		w.plans = append(w.plans, convert.WayPoints(nil, m))
		if n := len(w.plans); w.corners && n > 1 && slices.Equal(w.plans[n-1], w.plans[n-2]) {
			return // a repetition, which begins behind the robot
		}
		w.way = convert.WayPoints(nil, m)
		if n := len(w.way); n > 0 && !w.corners { // straight to the last one: the field is convex
			w.way = w.way[n-1:]
		}
	})
	goals := hear(w, "goal_pose", ros.DefaultQoS(), func(m *geometry_msgs.PoseStamped) {
		yaw, err := convert.Yaw(m.Pose.Orientation)
		w.must(err)
		if m.Header.FrameID != w.cfg.Frame {
			w.t.Errorf("goal in frame %q, want %q", m.Header.FrameID, w.cfg.Frame)
		}
		w.goalYaw = yaw
		w.goals = append(w.goals, goal{
			at: w.ex.Now(), x: m.Pose.Position.X, y: m.Pose.Position.Y, yaw: yaw,
			plan: w.plans[len(w.plans)-1], state: w.explorer.State(),
		})
	})
	w.ears = []*ros.Subscription{plan, goals}
}

// listen subscribes to what the explorer publishes about the mission.
func (w *world) listen() {
	hear(w, "ugp_explorer/status", ros.Latched(), func(m *ugp_explorer_msgs.MissionStatus) {
		w.status = *m
		w.status.LengthScales = append([]float64(nil), m.LengthScales...)
		if n := len(w.states); n == 0 || w.states[n-1] != m.State {
			w.states = append(w.states, m.State)
		}
	})
	hear(w, "ugp_explorer/observation", ros.Latched().WithDepth(100), func(m *ugp_explorer_msgs.FieldObservation) {
		w.observations = append(w.observations, *m)
		w.sampledAt = append(w.sampledAt, w.ex.Now())
	})
	hear(w, "ugp_explorer/samples", ros.Latched(), func(m *visualization_msgs.MarkerArray) {
		w.markers.Markers = append([]visualization_msgs.Marker(nil), m.Markers...)
	})
	hear(w, "ugp_explorer/cloud", ros.Latched(), func(m *sensor_msgs.PointCloud2) {
		w.cloud = *m
		w.cloud.Fields = append([]sensor_msgs.PointField(nil), m.Fields...)
		w.cloud.Data = append([]byte(nil), m.Data...)
	})
	hear(w, "ugp_explorer/mean", ros.Latched(), func(m *nav_msgs.OccupancyGrid) {
		w.mean = *m
		w.mean.Data = append([]int8(nil), m.Data...)
	})
	hear(w, "/diagnostics", ros.DefaultQoS(), func(m *diagnostic_msgs.DiagnosticArray) {
		if len(m.Status) == 0 || m.Status[0].Name != "ugp_explorer: mission" {
			return
		}
		w.diagnostics = *m
		w.diagnostics.Status = append([]diagnostic_msgs.DiagnosticStatus(nil), m.Status...)
		w.diagnostics.Status[0].Values = append([]diagnostic_msgs.KeyValue(nil), m.Status[0].Values...)
	})
}

// drive moves the robot for a step and publishes its pose.
func (w *world) drive() {
	dt := robotStep.Seconds()
	d := 0.0
	for len(w.way) > 1 && w.way[0] == (orb.Point{w.x, w.y}) {
		w.way = w.way[1:]
	}
	if len(w.way) > 0 && !w.stuck {
		dx, dy := w.way[0][0]-w.x, w.way[0][1]-w.y
		left := math.Hypot(dx, dy)
		if d = min(w.speed*dt, left); d > 0 {
			w.x, w.y, w.yaw = w.x+dx/left*d, w.y+dy/left*d, math.Atan2(dy, dx)
		} else {
			w.yaw = w.goalYaw
		}
		w.driven += d
	}
	p := localization.Pose{Stamp: w.ex.Now(), X: w.x, Y: w.y, Yaw: w.yaw}
	truth := odometryOf(w.cfg.Frame, p, d/dt)
	w.must(w.trueOdom.Publish(&truth))
	if w.noPoses {
		return
	}
	p.Cov = w.cov
	if w.estimate != nil {
		w.estimate(&p)
	}
	m := odometryOf(w.cfg.Frame, p, d/dt)
	if w.pose != nil {
		w.pose(&m)
	}
	w.poses = append(w.poses, p)
	w.must(w.odometry.Publish(&m))
	w.must(w.posed.Publish(&geometry_msgs.PoseWithCovarianceStamped{Header: m.Header, Pose: m.Pose}))
}

func odometryOf(frame string, p localization.Pose, speed float64) nav_msgs.Odometry {
	m := nav_msgs.Odometry{Header: std_msgs.Header{Stamp: ros.TimeMsg(p.Stamp), FrameID: frame}}
	convert.PoseWithCovariance(&m.Pose, p)
	m.Twist.Twist.Linear.X = speed
	return m
}

// probe publishes what the field is under the probe, with a ripple from reading
// to reading so that no two are alike.
func (w *world) probe() {
	if w.noReading {
		return
	}
	w.readings++
	sin, cos := math.Sincos(w.yaw)
	l := w.cfg.Matcher.Probe
	x, y := w.x+cos*l.X-sin*l.Y, w.y+sin*l.X+cos*l.Y
	if w.read != nil {
		w.read(x, y, w.readings)
		return
	}
	r := localization.Reading{Stamp: w.ex.Now(), Value: w.field(x, y) + 0.05*math.Sin(float64(w.readings)), Variance: cmp.Or(w.variance, 0.01)}
	w.given = append(w.given, r)
	m := ugp_explorer_msgs.FieldReading{Header: std_msgs.Header{Stamp: ros.TimeMsg(r.Stamp)}, Value: r.Value, Variance: r.Variance}
	w.must(w.reading.Publish(&m))
}

// exactly makes the probe measure the field without a ripple.
func (w *world) exactly() {
	w.read = func(x, y float64, _ int) {
		m := ugp_explorer_msgs.FieldReading{Value: w.field(x, y), Variance: 0.01}
		m.Header.Stamp = ros.TimeMsg(w.ex.Now())
		w.must(w.reading.Publish(&m))
	}
}

// spread sets the standard deviations of the poses in x and y, m.
func (w *world) spread(x, y float64) {
	w.cov = [3][3]float64{{x * x, 0, 0}, {0, y * y, 0}, {0, 0, 0.0025}}
}

// closest returns the least distance of the robot from an edge from now on, m; it is negative outside.
func (w *world) closest() *float64 {
	least := math.Inf(1)
	_, err := w.node.NewTimer(robotStep, func() {
		least = min(least, w.explorer.Region().SignedDistance(orb.Point{w.x, w.y}))
	})
	w.must(err)
	return &least
}
