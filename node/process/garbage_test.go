//go:build fastdds

package process_test

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/ros"
)

// message is one that can be sent.
type message interface {
	TypeName() string
	AppendCDR([]byte) []byte
}

// input is a topic that a node listens to.
type input struct {
	topic string
	empty message
	qos   ros.QoS
}

// inputs are those that the nodes of a simulation listen to, beside their services.
var inputs = []input{
	{"/clock", &rosgraph_msgs.Clock{}, ros.DefaultQoS()},
	{"/odom", &nav_msgs.Odometry{}, ros.DefaultQoS()},
	{"/fix_pose", &geometry_msgs.PoseWithCovarianceStamped{}, ros.DefaultQoS()},
	{"/initialpose", &geometry_msgs.PoseWithCovarianceStamped{}, ros.DefaultQoS()},
	{"/odometry/filtered", &nav_msgs.Odometry{}, ros.DefaultQoS()},
	{"/reading", &ugp_explorer_msgs.FieldReading{}, ros.DefaultQoS()},
	{"/ugp_explorer/command", &std_msgs.String{}, ros.DefaultQoS()},
	{"/plan", &nav_msgs.Path{}, ros.DefaultQoS()},
	{"/cmd_vel", &geometry_msgs.Twist{}, ros.DefaultQoS()},
	{"/ground_truth/odom", &nav_msgs.Odometry{}, ros.DefaultQoS()},
	{"/ground_truth/field", &sensor_msgs.PointCloud2{}, ros.Latched()},
}

// TestHostileInputs floods each input with bytes that are no message of its type, and with messages whose
// numbers are none and whose stamps are 0 or the last second that there is. The nodes say so, and the mission
// goes on to its end.
func TestHostileInputs(t *testing.T) {
	r := floods(t, func(in input, now int64) [][]byte { return append(noCDR(in.empty), hostile(in.topic, now)...) })
	for _, e := range executables {
		r.says(e.node, "cannot be decoded and is dropped", "std_msgs/msg/ColorRGBA")
	}
	r.says(fieldsim.DefaultName, "the command on cmd_vel is invalid")
	r.says(ekf.DefaultName, "odometry is not used", "a fix is not used", "the initial pose is not used")
	r.says(follower.DefaultName, "the path is not driven", "a pose is not used")
	r.says(explorer.DefaultName, "a pose is not used", "a reading is not used", "not a command", "the true field cannot be used")
	counts := r.record().Counts
	for _, name := range []string{"poses not usable", "readings not finite", "readings with a stray stamp", "covariances: not finite"} {
		if counts[name] == 0 {
			t.Errorf("the record counts none of: %s; all: %v", name, counts)
		}
	}
}

// noCDR returns bytes that are no message: cut short at every word, of an encapsulation that there is not, and
// with lengths beyond the end.
func noCDR(m message) (messages [][]byte) {
	whole := m.AppendCDR(nil)
	for n := 4; n < len(whole)&^3; n += 4 { // DDS fills up words
		messages = append(messages, whole[:n])
	}
	strange := append([]byte{0xff, 0xff, 0, 0}, whole[4:]...)
	long := append([]byte{0, 1, 0, 0}, bytes.Repeat([]byte{0xff}, max(4, len(whole)/2&^3))...)
	return append(messages, strange, long)
}

// hostile returns messages of a topic that no node is to use.
func hostile(topic string, now int64) (messages [][]byte) {
	add := func(m message) { messages = append(messages, m.AppendCDR(nil)) }
	header := func(stamp int64) std_msgs.Header { return std_msgs.Header{Stamp: ros.TimeMsg(stamp), FrameID: "map"} }
	var good geometry_msgs.PoseWithCovariance
	good.Pose.Orientation.W = 1
	good.Covariance[0], good.Covariance[7], good.Covariance[35] = 1, 1, 1
	pose := func(stamp int64, p geometry_msgs.PoseWithCovariance, speed float64) {
		switch topic {
		case "/fix_pose", "/initialpose":
			add(&geometry_msgs.PoseWithCovarianceStamped{Header: header(stamp), Pose: p})
		case "/odom", "/odometry/filtered", "/ground_truth/odom":
			m := nav_msgs.Odometry{Header: header(stamp), ChildFrameID: "base_link", Pose: p}
			m.Twist.Twist.Linear.X = speed
			add(&m)
		}
	}
	reading := func(stamp int64, value, variance float64) {
		if topic == "/reading" {
			add(&ugp_explorer_msgs.FieldReading{Header: header(stamp), Value: value, Variance: variance})
		}
	}
	for _, stamp := range []int64{0, math.MaxInt32 * int64(time.Second)} {
		if topic != "/initialpose" { // where 0 means now
			pose(stamp, good, 0)
		}
		if stamp != 0 { // which means now, too
			reading(stamp, 1, 1)
		}
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		p := good
		p.Pose.Position.X = bad
		pose(now, p, 0)
		if p = good; topic != "/fix_pose" { // whose heading and speed are not used
			p.Pose.Orientation.Z = bad
			pose(now, p, 0)
			p.Pose.Orientation = geometry_msgs.Quaternion{}
			pose(now, p, 0)
		}
		if p = good; topic != "/odom" && topic != "/ground_truth/odom" { // whose covariance is not
			p.Covariance[0] = bad
			pose(now, p, 0)
		}
		if topic == "/odometry/filtered" {
			pose(now, good, bad)
		}
		reading(now, bad, 1)
		reading(now, 1, bad)
		reading(now, 1, -1)
		switch topic {
		case "/ugp_explorer/command":
			add(&std_msgs.String{Data: strings.Repeat("start", 1000)})
			add(&std_msgs.String{})
		case "/plan":
			m := nav_msgs.Path{Header: header(now), Poses: make([]geometry_msgs.PoseStamped, 2)}
			m.Poses[1].Pose.Position.Y = bad
			add(&m)
		case "/cmd_vel":
			add(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: bad}})
			add(&geometry_msgs.Twist{Angular: geometry_msgs.Vector3{Z: bad}})
		case "/ground_truth/field":
			add(&sensor_msgs.PointCloud2{Width: math.MaxUint32, Height: math.MaxUint32, PointStep: math.MaxUint32, RowStep: 1})
		}
	}
	return messages
}
