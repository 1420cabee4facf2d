// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

const (
	epoch = int64(100 * time.Second)
	tick  = int64(50 * time.Millisecond) // at the default rate
)

// heard is a message with the time of its arrival.
type heard[M any] struct {
	at int64
	m  M
}

// rig is a simulated world on a graph, with a node that drives the robot and receives
// what the world publishes.
type rig struct {
	t          *testing.T
	ex         *exec.Simulated
	wall       *rostest.Clock // of the computer
	graph      *inproc.Transport
	node, test *ros.Node
	sim        *fieldsim.Fieldsim
	log        bytes.Buffer

	command *ros.Publisher[geometry_msgs.Twist, *geometry_msgs.Twist]
	clock   []heard[rosgraph_msgs.Clock]
	odom    []heard[nav_msgs.Odometry]
	truth   []heard[nav_msgs.Odometry]
	fix     []heard[geometry_msgs.PoseWithCovarianceStamped]
	reading []heard[ugp_explorer_msgs.FieldReading]
	navSat  []heard[sensor_msgs.NavSatFix]
	imu     []heard[sensor_msgs.Imu]

	secondary []heard[ugp_explorer_msgs.FieldReading]
}

// start returns a world with a changed default configuration, or the error of New.
func start(t *testing.T, change func(*fieldsim.Config)) (*rig, error) {
	t.Helper()
	cfg := fieldsim.DefaultConfig()
	if change != nil {
		change(&cfg)
	}
	r := &rig{t: t, ex: exec.NewSimulated(epoch), graph: inproc.New()}
	r.wall = &rostest.Clock{Simulated: r.ex}
	r.test = rostest.Node(t, r.graph, r.ex, "test", ros.NodeOptions{})
	r.node = rostest.Node(t, r.graph, r.wall, fieldsim.DefaultName, ros.NodeOptions{Parameters: cfg.Parameters(), LogHandler: slog.NewTextHandler(&r.log, nil)})
	r.command = rostest.Publisher[geometry_msgs.Twist](t, r.test, "cmd_vel", ros.DefaultQoS())
	var err error
	r.sim, err = fieldsim.New(r.node, &cfg)
	return r, err
}

func newRig(t *testing.T, change func(*fieldsim.Config)) *rig {
	t.Helper()
	r, err := start(t, change)
	r.must(err)
	hear(r, "/clock", &r.clock)
	hear(r, "odom", &r.odom)
	hear(r, "ground_truth/odom", &r.truth)
	hear(r, "fix_pose", &r.fix)
	hear(r, "reading", &r.reading)
	hear(r, "fix", &r.navSat)
	hear(r, "imu", &r.imu)
	hear(r, "secondary", &r.secondary)
	return r
}

// hear collects the messages of a topic. Only messages without slices may be kept.
func hear[M any, P ros.MessagePtr[M]](r *rig, topic string, into *[]heard[M]) {
	r.t.Helper()
	rostest.Hear[M, P](r.t, r.test, topic, ros.SensorData(), func(m *M) { *into = append(*into, heard[M]{r.ex.Now(), *m}) })
}

func (r *rig) must(err error) {
	r.t.Helper()
	must.OK(r.t, err)
}

func (r *rig) run(d time.Duration) {
	r.t.Helper()
	r.must(r.ex.RunTo(context.Background(), r.ex.Now()+int64(d)))
}

// tell sends one velocity command and runs the executor until it is delivered.
func (r *rig) tell(v, w float64) {
	r.t.Helper()
	var m geometry_msgs.Twist
	m.Linear.X, m.Angular.Z = v, w
	r.must(r.command.Publish(&m))
	r.run(0)
}

// drive sends a command ten times per second for the given time. It sends the last one
// when the time is up, and returns its time.
func (r *rig) drive(d time.Duration, v, w float64) (last int64) {
	r.t.Helper()
	for range d / (100 * time.Millisecond) {
		r.tell(v, w)
		r.run(100 * time.Millisecond)
	}
	r.tell(v, w)
	return r.ex.Now()
}

// truthAt returns the truth at a stamp.
func (r *rig) truthAt(stamp int64) nav_msgs.Odometry {
	r.t.Helper()
	for _, h := range r.truth {
		if ros.TimeNs(h.m.Header.Stamp) == stamp {
			return h.m
		}
	}
	r.t.Fatalf("no truth with stamp %d", stamp)
	return nav_msgs.Odometry{}
}

// exact removes noise, slip and outages from the robot and its sensors.
func exact(c *fieldsim.Config) {
	p, o := &c.Plant, &c.Odometer
	p.TurnFractionLow, p.TurnFractionHigh, p.TurnFractionStdDev = o.TurnFraction, o.TurnFraction, 0
	p.LongitudinalSlip, p.LongitudinalSlipStdDev = 0, 0
	p.LateralStdDev, p.CentreOfTurnStdDev, p.ActuatorNoiseStdDev = 0, 0, 0
	o.RadiusStdDev, o.RadiusDiffStdDev, o.TrackStdDev, o.RollStdDev = 0, 0, 0, 0
	c.Fix.StdDev, c.Fix.OutageGap = 0.001, 0 // the least that there is
	c.Probe.StdDev = 0
}
