//go:build fastdds

package process_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/launcher"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/fastdds"
	"ugp_explorer/planner/mission"
)

// rig is an explorer's process, and the benchmark as the robot that it explores
// with: poses and readings at 50 Hz, and goals that are reached at once or driven
// to.
type rig struct {
	b      *testing.B
	dir    string
	domain int
	ex     *exec.RealTime
	n      *ros.Node
	p      *launcher.Process

	odometry *ros.Publisher[nav_msgs.Odometry, *nav_msgs.Odometry]
	reading  *ros.Publisher[ugp_explorer_msgs.FieldReading, *ugp_explorer_msgs.FieldReading]
	pose     nav_msgs.Odometry
	value    ugp_explorer_msgs.FieldReading

	place, goal [2]float64
	speed       float64 // m/s; +Inf: at once
	goals       int
	state       mission.State

	sent     [64]sentReading // the newest, in a ring
	count    int             // of readings sent
	last     time.Time       // when the last reading of the stop was sent whose goal has not come
	decided  []float64       // from the last reading of a stop to the new goal, ms
	observed int
}

type sentReading struct {
	stamp int64 // ns
	at    time.Time
}

const (
	rate       = 50          // Hz
	benchField = 1000.0      // length of the field's sides, m
	readings   = 3           // that make a sample, by default
	enough     = time.Minute // to wait for one thing
)

// newRig has the robot in a corner of its field, and no explorer yet.
func newRig(b *testing.B) *rig {
	b.Helper()
	r := &rig{b: b, dir: b.TempDir(), domain: 101 + os.Getpid()%100, place: [2]float64{20, 20}, speed: math.Inf(1)}
	r.must(os.WriteFile(r.boundary(), fmt.Appendf(nil, `{"type": "Polygon", "coordinates": [[[0, 0], [%g, 0], [%[1]g, %[1]g], [0, %[1]g], [0, 0]]]}`, benchField), 0o666))
	cfg := fastdds.DefaultConfig()
	cfg.Domain, cfg.Range = r.domain, fastdds.Loopback
	tr, err := fastdds.New(cfg)
	r.must(err)
	r.ex, err = exec.NewRealTime(exec.DefaultRealTimeConfig())
	r.must(err)
	r.n, err = ros.NewNode(tr, r.ex, "robot", ros.NodeOptions{})
	r.must(err)
	b.Cleanup(func() {
		if r.p != nil {
			r.p.Kill()
		}
		r.must(r.n.Close())
		r.must(r.ex.Close())
		r.must(tr.Close())
	})
	r.odometry, err = ros.Advertise[nav_msgs.Odometry](r.n, "odometry/filtered", ros.DefaultQoS())
	r.must(err)
	r.reading, err = ros.Advertise[ugp_explorer_msgs.FieldReading](r.n, "reading", ros.SensorData())
	r.must(err)
	r.pose.Header.FrameID, r.pose.ChildFrameID, r.value.Header.FrameID = "map", "base_link", "probe"
	for _, i := range []int{0, 7, 35} { // x, y and yaw
		r.pose.Pose.Covariance[i] = 0.09
	}
	r.pose.Pose.Pose.Orientation.W = 1
	r.value.Variance = 0.01
	_, err = ros.Subscribe(r.n, "goal_pose", ros.DefaultQoS(), r.onGoal)
	r.must(err)
	_, err = ros.Subscribe(r.n, explorer.DefaultName+"/status", ros.Latched(), func(m *ugp_explorer_msgs.MissionStatus, _ ros.MessageInfo) {
		r.state = mission.State(strings.Clone(m.State))
	})
	r.must(err)
	_, err = ros.Subscribe(r.n, explorer.DefaultName+"/observation", ros.Latched().WithDepth(1000), r.onObservation)
	r.must(err)
	return r
}

func (r *rig) must(err error) {
	r.b.Helper()
	if err != nil {
		r.b.Fatal(err)
	}
}

func (r *rig) boundary() string { return filepath.Join(r.dir, "boundary.geojson") }

// drive begins to publish poses and readings.
func (r *rig) drive() {
	r.b.Helper()
	_, err := r.n.NewTimer(time.Second/rate, r.tick)
	r.must(err)
}

// distance returns the distance to the goal, m.
func (r *rig) distance() float64 { return math.Hypot(r.goal[0]-r.place[0], r.goal[1]-r.place[1]) }

func (r *rig) tick() {
	left := r.distance()
	r.pose.Twist.Twist.Linear.X = 0
	switch step := r.speed / rate; {
	case r.goals == 0 || left == 0:
	case left <= step:
		r.place = r.goal
		r.pose.Twist.Twist.Linear.X = 1 // or the explorer takes the twist for one that is never filled in
	default:
		for i := range r.place {
			r.place[i] += (r.goal[i] - r.place[i]) / left * step
		}
		r.pose.Twist.Twist.Linear.X = r.speed
	}
	now := r.n.Now()
	r.pose.Header.Stamp, r.value.Header.Stamp = ros.TimeMsg(now), ros.TimeMsg(now)
	r.pose.Pose.Pose.Position = geometry_msgs.Point{X: r.place[0], Y: r.place[1]}
	r.must(r.odometry.Publish(&r.pose))
	r.value.Value = math.Sin(r.place[0]/150) + math.Cos(r.place[1]/120) + 0.1*math.Sin(float64(r.count))
	r.sent[r.count%len(r.sent)] = sentReading{now, time.Now()}
	r.count++
	r.must(r.reading.Publish(&r.value))
}

// onGoal takes up the goal. That of a halt is the robot's place.
func (r *rig) onGoal(m *geometry_msgs.PoseStamped, _ ros.MessageInfo) {
	if !r.last.IsZero() {
		r.decided = append(r.decided, float64(time.Since(r.last))/1e6)
		r.last = time.Time{}
	}
	r.goal = [2]float64{m.Pose.Position.X, m.Pose.Position.Y}
	r.goals++
}

// onObservation finds the last reading of the stop: the observation's stamp is the
// middle between the first and the last. Nothing but the new goal is published as a
// goal after it.
func (r *rig) onObservation(m *ugp_explorer_msgs.FieldObservation, _ ros.MessageInfo) {
	r.observed++
	stamp := ros.TimeNs(m.Header.Stamp)
	for i := max(readings-1, r.count-len(r.sent)+readings-1); i < r.count; i++ {
		first, last := r.sent[(i-readings+1)%len(r.sent)], r.sent[i%len(r.sent)]
		// In seconds, as the record has it, the stamp is rounded.
		if d := first.stamp + (last.stamp-first.stamp)/2 - stamp; d > -2000 && d < 2000 {
			r.last = last.at
			return
		}
	}
	r.b.Errorf("observation %d is not of %d readings that were sent", m.Sequence, readings)
}

// start starts the explorer with what it needs, and other parameters as name:=value.
func (r *rig) start(parameters ...string) {
	r.b.Helper()
	log, err := os.Create(filepath.Join(r.dir, "log"))
	r.must(err)
	r.b.Cleanup(func() { log.Close() })
	args := []string{"--ros-args"}
	for _, p := range append([]string{"field.file:=" + r.boundary(), "output_dir:=" + r.dir}, parameters...) {
		args = append(args, "-p", p)
	}
	r.p, err = launcher.Start(launcher.Executable{
		Name: "explorer", Path: program("explorer"), Args: args, Log: log,
		Env: []string{"ROS_LOCALHOST_ONLY=1", fmt.Sprintf("ROS_DOMAIN_ID=%d", r.domain)},
	})
	r.must(err)
}

func (r *rig) stop() {
	r.b.Helper()
	r.must(launcher.Stop(enough, r.p))
	r.p = nil
}

// wait runs the robot until cond holds.
func (r *rig) wait(what string, limit time.Duration, cond func() bool) {
	r.b.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if err := r.ex.Run(ctx, cond); err != nil {
		text, _ := os.ReadFile(filepath.Join(r.dir, "log"))
		r.b.Fatalf("waiting for %s: %v; %d goals, %d observations, %s; the explorer says:\n%s", what, err, r.goals, r.observed, r.state, text)
	}
}

// pass runs the robot for a while.
func (r *rig) pass(d time.Duration) {
	r.b.Helper()
	over := false
	timer := r.ex.After(d, func() { over = true })
	defer timer.Stop()
	r.wait("time to pass", 2*d+enough, func() bool { return over })
}
