// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf_test

import (
	"bytes"
	"context"
	"log/slog"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/localization/filter"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/tf2_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

const epoch = int64(100 * time.Second)

// wallTime is a time of the wall clock, in 2025, ns.
const wallTime = int64(1_750_000_000 * time.Second)

// diagnosis is a message on /diagnostics with its values by key.
type diagnosis struct {
	stamp  int64
	status diagnostic_msgs.DiagnosticStatus
	values map[string]string
	inputs map[string]diagnostic_msgs.DiagnosticStatus // by the name of the topic
}

// rig is the filter's node on a graph, with a node that sends its inputs and receives
// its outputs.
type rig struct {
	t          *testing.T
	ex         *exec.Simulated
	graph      *inproc.Transport
	node, test *ros.Node
	log        bytes.Buffer

	odom    *ros.Publisher[nav_msgs.Odometry, *nav_msgs.Odometry]
	fix     *ros.Publisher[geometry_msgs.PoseWithCovarianceStamped, *geometry_msgs.PoseWithCovarianceStamped]
	initial *ros.Publisher[geometry_msgs.PoseWithCovarianceStamped, *geometry_msgs.PoseWithCovarianceStamped]

	filtered    []nav_msgs.Odometry
	poses       []geometry_msgs.PoseWithCovarianceStamped
	transforms  []geometry_msgs.TransformStamped
	diagnostics []diagnosis
	corrected   int // times that the heading was
}

func newRig(t *testing.T, change func(*ekf.Config)) *rig {
	t.Helper()
	return newRigAt(t, epoch, change)
}

// newRigAt starts at another time, ns.
func newRigAt(t *testing.T, start int64, change func(*ekf.Config)) *rig {
	t.Helper()
	cfg := ekf.DefaultConfig()
	cfg.Odometry = "twist" // the default of these tests: it is exact to the bit
	if change != nil {
		change(&cfg)
	}
	r := &rig{t: t, ex: exec.NewSimulated(start), graph: inproc.New()}
	r.test = rostest.Node(t, r.graph, r.ex, "test", ros.NodeOptions{})
	r.node = rostest.Node(t, r.graph, r.ex, ekf.DefaultName, ros.NodeOptions{Parameters: cfg.Parameters(), LogHandler: slog.NewTextHandler(&r.log, nil)})
	_, err := ekf.New(r.node, &cfg)
	r.must(err)
	r.odom = rostest.Publisher[nav_msgs.Odometry](t, r.test, "odom", ros.SensorData())
	r.fix = rostest.Publisher[geometry_msgs.PoseWithCovarianceStamped](t, r.test, "fix_pose", ros.SensorData())
	r.initial = rostest.Publisher[geometry_msgs.PoseWithCovarianceStamped](t, r.test, "initialpose", ros.DefaultQoS())
	rostest.Hear(t, r.test, "ekf/heading_corrected", ros.DefaultQoS(), func(*std_msgs.Empty) { r.corrected++ })
	rostest.Hear(t, r.test, "odometry/filtered", ros.DefaultQoS(), func(m *nav_msgs.Odometry) { r.filtered = append(r.filtered, *m) })
	rostest.Hear(t, r.test, "pose", ros.DefaultQoS(), func(m *geometry_msgs.PoseWithCovarianceStamped) { r.poses = append(r.poses, *m) })
	rostest.Hear(t, r.test, "/tf", ros.DefaultQoS(), func(m *tf2_msgs.TFMessage) { r.transforms = append(r.transforms, m.Transforms...) })
	rostest.Hear(t, r.test, "/diagnostics", ros.DefaultQoS(), func(m *diagnostic_msgs.DiagnosticArray) {
		d := diagnosis{stamp: ros.TimeNs(m.Header.Stamp), values: map[string]string{}}
		names := []string{"ekf: localisation", "ekf: odometry", "ekf: fix", "ekf: satellite fix", "ekf: imu", "ekf: senders"}
		if !slices.EqualFunc(m.Status, names, func(s diagnostic_msgs.DiagnosticStatus, name string) bool { return s.Name == name }) {
			t.Errorf("diagnostics are of %+v, want those of %q", m.Status, names)
			return
		}
		d.status = m.Status[0]
		d.inputs = map[string]diagnostic_msgs.DiagnosticStatus{"odom": m.Status[1], "fix_pose": m.Status[2], "fix": m.Status[3], "imu": m.Status[4]}
		for _, kv := range m.Status[0].Values {
			d.values[kv.Key] = kv.Value
		}
		r.diagnostics = append(r.diagnostics, d)
	})
	return r
}

func (r *rig) must(err error) {
	r.t.Helper()
	must.OK(r.t, err)
}

// runTo runs everything that is due by a time.
func (r *rig) runTo(at int64) {
	r.t.Helper()
	r.must(r.ex.RunTo(context.Background(), at))
}

// send publishes a message and runs the executor until it is delivered.
func send[M any, P ros.MessagePtr[M]](r *rig, pub *ros.Publisher[M, P], m M) {
	r.t.Helper()
	r.must(pub.Publish(&m))
	r.runTo(r.ex.Now())
}

func odometry(stamp int64, x, y, yaw, v, w float64) nav_msgs.Odometry {
	var m nav_msgs.Odometry
	m.Header.Stamp, m.Header.FrameID, m.ChildFrameID = ros.TimeMsg(stamp), "odom", "base_link"
	m.Pose.Pose.Position = geometry_msgs.Point{X: x, Y: y}
	m.Pose.Pose.Orientation = convert.Quaternion(yaw)
	m.Twist.Twist.Linear.X, m.Twist.Twist.Angular.Z = v, w
	return m
}

// poseMessage puts the covariance of x, y and yaw at the indices that REP-103 and
// geometry_msgs define, independently of package convert.
func poseMessage(stamp int64, x, y, yaw float64, cov [3][3]float64) geometry_msgs.PoseWithCovarianceStamped {
	var m geometry_msgs.PoseWithCovarianceStamped
	m.Header.Stamp, m.Header.FrameID = ros.TimeMsg(stamp), "map"
	m.Pose.Pose.Position = geometry_msgs.Point{X: x, Y: y}
	m.Pose.Pose.Orientation = convert.Quaternion(yaw)
	m.Pose.Covariance = covariance36(cov)
	return m
}

func covariance36(c [3][3]float64) (m [36]float64) {
	m[0], m[1], m[5] = c[0][0], c[0][1], c[0][2]
	m[6], m[7], m[11] = c[1][0], c[1][1], c[1][2]
	m[30], m[31], m[35] = c[2][0], c[2][1], c[2][2]
	return m
}

// noHeading is the yaw variance of a fix without a heading.
const noHeading = 1e6

// A robot drives a curve at 1 m/s and 0.05 rad/s in map from startX, startY, startYaw.
// Its odometry is exact, in its own frame. Fixes have the covariance fixCov.
const (
	speed, turnRate        = 1.0, 0.05
	startX, startY         = 40.0, -25.0
	startYaw               = 0.7
	odomX, odomY, odomYaw0 = 5.0, -3.0, -2.0
	step                   = int64(50 * time.Millisecond)
)

var fixCov = [2][2]float64{{0.9, 0.3}, {0.3, 0.5}}

// along returns where a robot that starts at (x, y, yaw) is after k steps.
func along(k int, x, y, yaw float64) (float64, float64, float64) {
	a := turnRate * 0.05 * float64(k)
	radius := speed / turnRate
	return x + radius*(math.Sin(yaw+a)-math.Sin(yaw)), y - radius*(math.Cos(yaw+a)-math.Cos(yaw)), math.Remainder(yaw+a, 2*math.Pi)
}

// drive moves the robot along the curve. Each step sends odometry, and each second a
// fix that comes two steps after its stamp. The reference filter gets the same inputs.
type drive struct {
	*rig
	rng      *rand.Rand
	k        int // steps so far
	yawVar   float64
	fixes    bool
	frame    string // of the odometry; "" is odom
	fixFrame string // of fixes; "" is map
	onOdom   func(m *nav_msgs.Odometry)
	onFix    func(m *geometry_msgs.PoseWithCovarianceStamped)
	sendOdom func(m nav_msgs.Odometry)                        // nil: on odom
	sendFix  func(m *geometry_msgs.PoseWithCovarianceStamped) // nil: on fix_pose
	firstFix [2]float64
	waiting  []geometry_msgs.PoseWithCovarianceStamped
	beforehand,
	afterwards,
	spoil func(k int)
}

func newDrive(r *rig) *drive {
	return &drive{rig: r, rng: rand.New(rand.NewPCG(3, 4)), yawVar: noHeading, fixes: true}
}

func (d *drive) run(steps int) {
	d.t.Helper()
	for range steps {
		stamp := epoch + int64(d.k+1)*step
		d.runTo(stamp)
		if d.beforehand != nil {
			d.beforehand(d.k)
		}
		x, y, yaw := along(d.k, odomX, odomY, odomYaw0)
		m := odometry(stamp, x, y, yaw, speed, turnRate)
		if d.k == 0 { // odometry begins with a robot that stands still
			m.Twist.Twist = geometry_msgs.Twist{}
		}
		if d.frame != "" {
			m.Header.FrameID = d.frame
		}
		if d.sendOdom != nil {
			d.sendOdom(m)
		} else {
			send(d.rig, d.odom, m)
		}
		if d.onOdom != nil {
			d.onOdom(&m)
		}
		if d.afterwards != nil {
			d.afterwards(d.k)
		}
		if d.fixes && d.k%20 == 0 {
			x, y, yaw := along(d.k, startX, startY, startYaw)
			// Errors of covariance fixCov: its Cholesky factor times white noise.
			l00 := math.Sqrt(fixCov[0][0])
			l10 := fixCov[1][0] / l00
			l11 := math.Sqrt(fixCov[1][1] - l10*l10)
			e, n := d.rng.NormFloat64(), d.rng.NormFloat64()
			if d.yawVar < 1 {
				yaw += math.Sqrt(d.yawVar) * d.rng.NormFloat64()
			}
			d.waiting = append(d.waiting, poseMessage(stamp, x+l00*e, y+l10*e+l11*n, yaw,
				[3][3]float64{{fixCov[0][0], fixCov[0][1], 0}, {fixCov[1][0], fixCov[1][1], 0}, {0, 0, d.yawVar}}))
		}
		if d.k%20 == 2 && len(d.waiting) > 0 {
			m := d.waiting[0]
			d.waiting = d.waiting[1:]
			if d.fixFrame != "" {
				m.Header.FrameID = d.fixFrame
			}
			if d.firstFix == [2]float64{} {
				d.firstFix = [2]float64{m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y}
			}
			if d.sendFix != nil {
				d.sendFix(&m)
			} else {
				send(d.rig, d.fix, m)
			}
			if d.onFix != nil {
				d.onFix(&m)
			}
		}
		if d.spoil != nil {
			d.spoil(d.k)
		}
		d.k++
	}
}

// reference returns a filter that gets the node's inputs by direct calls.
func (d *drive) reference(change func(*filter.Config)) *filter.EKF {
	d.t.Helper()
	cfg := ekf.DefaultConfig()
	if change != nil {
		change(&cfg.Filter)
	}
	f := filter.New(cfg.Rules())
	d.onOdom = func(m *nav_msgs.Odometry) {
		t := m.Twist.Twist
		d.must(f.PredictTwist(ros.TimeNs(m.Header.Stamp), filter.Twist{X: t.Linear.X, Y: t.Linear.Y, Yaw: t.Angular.Z}))
	}
	d.onFix = func(m *geometry_msgs.PoseWithCovarianceStamped) { d.fuse(f, m) }
	return f
}

// byPose has the reference filter use the odometry's pose.
func (d *drive) byPose(f *filter.EKF) {
	d.onOdom = func(m *nav_msgs.Odometry) {
		x, y, yaw := along(d.k, odomX, odomY, odomYaw0)
		d.must(f.PredictPose(ros.TimeNs(m.Header.Stamp), x, y, yaw))
	}
}

func (d *drive) fuse(f *filter.EKF, m *geometry_msgs.PoseWithCovarianceStamped) {
	d.t.Helper()
	c := m.Pose.Covariance
	_, err := f.FusePosition(filter.Fix{
		Stamp: ros.TimeNs(m.Header.Stamp), X: m.Pose.Pose.Position.X, Y: m.Pose.Pose.Position.Y,
		Cov: [2][2]float64{{c[0], c[1]}, {c[6], c[7]}},
	})
	d.must(err)
}

// given configures the filter with the heading at the start.
func given(c *filter.Config) {
	c.HeadingGiven, c.InitialYaw = true, startYaw
}

func givenNode(c *ekf.Config) { c.Heading, c.Filter.InitialYaw = "given", startYaw }

// mustEqual fails unless the newest output equals the reference's pose and velocity
// exactly. Only the heading may differ by rounding, since it was sent as a quaternion.
func (d *drive) mustEqual(f *filter.EKF) {
	d.t.Helper()
	d.mustBeNear(f, 0)
}

// mustBeNear is mustEqual within a tolerance.
func (d *drive) mustBeNear(f *filter.EKF, tolerance float64) {
	d.t.Helper()
	want, err := f.Pose()
	d.must(err)
	if len(d.filtered) == 0 {
		d.t.Fatalf("step %d: no output, want %+v", d.k, want)
	}
	m := d.filtered[len(d.filtered)-1]
	if got := ros.TimeNs(m.Header.Stamp); got != want.Stamp {
		d.t.Fatalf("step %d: newest output has stamp %d, want %d", d.k, got, want.Stamp)
	}
	yaw, err := convert.Yaw(m.Pose.Pose.Orientation)
	d.must(err)
	if e := math.Abs(math.Remainder(yaw-want.Yaw, 2*math.Pi)); e > 1e-12+tolerance {
		d.t.Fatalf("step %d: yaw %v, want %v", d.k, yaw, want.Yaw)
	}
	at, twist, v := m.Pose.Pose.Position, m.Twist.Twist, f.Velocity()
	got := append([]float64{at.X, at.Y, at.Z, twist.Linear.X, twist.Linear.Y, twist.Angular.Z}, m.Pose.Covariance[:]...)
	cov := covariance36(want.Cov)
	for i, w := range append([]float64{want.X, want.Y, 0, v.X, v.Y, v.Yaw}, cov[:]...) {
		if !(math.Abs(got[i]-w) <= tolerance) {
			d.t.Fatalf("step %d: number %d of x, y, z, velocities, covariance is %v, want %v", d.k, i, got[i], w)
		}
	}
}
