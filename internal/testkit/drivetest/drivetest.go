// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package drivetest has a simulated robot that a test drives by hand, while its sensor messages are recorded in a bag.
package drivetest

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/bag/bagwriter"
	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
)

// Begin is the time at which drives begin, ns.
const Begin = 1_700_000_000 * int64(time.Second)

// Robot is a robot of the node fieldsim.
type Robot struct {
	Path string            // of the bag
	True nav_msgs.Odometry // where it is
	Node *ros.Node         // another node of its graph

	t     testing.TB
	ex    *exec.Simulated
	graph *inproc.Transport
	bag   *bagwriter.Writer
	drive *ros.Publisher[geometry_msgs.Twist, *geometry_msgs.Twist]
}

// New starts a robot, and records topics, on which change may change a message; it may be nil.
func New(t testing.TB, cfg fieldsim.Config, topics map[string]cdr.Message, change func(topic string, data []byte) []byte) *Robot {
	t.Helper()
	r := &Robot{t: t, ex: exec.NewSimulated(Begin), graph: inproc.New(), Path: filepath.Join(t.TempDir(), "drive")}
	var err error
	r.bag, err = bagwriter.Create(r.Path, 0)
	r.must(err)
	r.Node = r.Open("recorder", nil)
	for topic, m := range topics {
		q := ros.SensorData()
		if strings.HasPrefix(topic, "/tf") {
			q = ros.DefaultQoS()
		}
		recorded := &bagwriter.Topic{Name: topic, Type: m.TypeName()}
		_, err := ros.SubscribeRaw(r.Node, topic, m.TypeName(), "", q, func(data []byte, _ ros.MessageInfo) {
			if change != nil {
				data = change(topic, data)
			}
			r.must(r.bag.Write(recorded, r.ex.Now(), r.ex.Now(), data))
		})
		r.must(err)
	}
	rostest.Hear(t, r.Node, "/ground_truth/odom", ros.SensorData(), func(m *nav_msgs.Odometry) { r.True = *m })
	r.drive = rostest.Publisher[geometry_msgs.Twist](t, r.Open("driver", nil), "cmd_vel", ros.DefaultQoS())
	_, err = fieldsim.New(r.Open(fieldsim.DefaultName, cfg.Parameters()), &cfg)
	r.must(err)
	return r
}

// Open opens a node of the robot's graph.
func (r *Robot) Open(name string, set *param.Set) *ros.Node {
	r.t.Helper()
	return rostest.Node(r.t, r.graph, r.ex, name, ros.NodeOptions{Parameters: set, NoRosout: true})
}

// Drive drives for a tenth of a second.
func (r *Robot) Drive(speed, turn float64) {
	r.t.Helper()
	var m geometry_msgs.Twist
	m.Linear.X, m.Angular.Z = speed, turn
	r.must(r.drive.Publish(&m))
	r.must(r.ex.RunTo(context.Background(), r.ex.Now()+int64(100*time.Millisecond)))
}

// Now returns the time since Begin, s.
func (r *Robot) Now() float64 { return float64(r.ex.Now()-Begin) / 1e9 }

// Close ends the bag.
func (r *Robot) Close() {
	r.t.Helper()
	r.must(r.bag.Close())
}

func (r *Robot) must(err error) {
	r.t.Helper()
	must.OK(r.t, err)
}
