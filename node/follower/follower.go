// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower

import (
	"errors"
	"math"
	"slices"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/num"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/planner/pursuit"
)

// comeBack is the distance from its goal, in goal tolerances, above which a robot that
// has arrived drives to the goal again. With less it would move with every fix.
const comeBack = 2

// zeroTime is how long zero velocities are repeated when the robot has stopped because its path was
// withdrawn, s: long enough for one to arrive at a drive over a radio. After that, and before the
// first path, the follower publishes nothing, so that others can drive the robot.
const zeroTime = 2

// longAgo is the stamp used while there is no pose, ns: it is stale at any time, and
// computing its age does not overflow int64.
const longAgo = math.MinInt64 / 2

// Follower is the follower's node. All its methods run on the goroutine of its executor.
type Follower struct {
	node *ros.Node
	cfg  *Config
	pure *pursuit.Follower

	pose           pursuit.Pose // the newest
	apart          int64        // time from the pose before it to that, ns
	stepsSincePose int
	path           []orb.Point // the path being driven; empty: none
	joined         bool        // beginMidway has dropped the part that the robot has passed
	incoming       []orb.Point // workspace for the path of a message
	steady         steady
	goalAt         int64 // steady time of the last repetition of the goal, ns

	timer     *exec.Timer // calls step
	twist     func(linear, angular float64) error
	zeros     int // zero commands still to be published without a path
	blind     blind
	response  response
	lookahead *ros.Publisher[geometry_msgs.PointStamped, *geometry_msgs.PointStamped]
	point     geometry_msgs.PointStamped
	phase     pursuit.Phase

	// The inputs and the output that the node watches, see diagnostics.go.
	stamps      ros.Stamps // stamps of poses
	posing      ros.Grace  // for late poses
	repeating   ros.Grace  // for late repetitions of the goal
	watch       *watch.Watch
	odometry    *watch.Input
	goal        *watch.Input
	diagnostics *ros.Publisher[diagnostic_msgs.DiagnosticArray, *diagnostic_msgs.DiagnosticArray]

	// One throttle each, so that warnings about poses do not suppress those about goals
	// and commands.
	warnPose, warnGoal, warn ros.Throttle
}

// New starts the follower on a node whose parameters are bound to cfg. It returns an
// error for an invalid cfg or when an endpoint cannot be opened.
func New(node *ros.Node, cfg *Config) (*Follower, error) {
	if err := cfg.complete(); err != nil { // unless the parameters of the node were
		return nil, err
	}
	sizes := scaled.Values(&cfg.Pursuit, func(string) bool { return true })
	node.Logger().Info("speed and distances for the size of the robot", append([]any{"robot.radius", cfg.Radius}, sizes...)...)
	pure, err := pursuit.New(cfg.pursuit())
	if err != nil {
		return nil, err
	}
	f := &Follower{node: node, cfg: cfg, pure: pure, stamps: node.NewStamps(cfg.Pursuit.MaxSpeed)}
	for _, t := range []*ros.Throttle{&f.warnPose, &f.warnGoal, &f.warn} {
		*t = node.NewThrottle(time.Second)
	}
	f.posing, f.repeating = node.NewGrace(ros.DefaultGrace), node.NewGrace(ros.DefaultGrace)
	f.blind.late = node.NewGrace(blindGrace)
	f.point.Header.FrameID = cfg.FrameID
	f.pose.Stamp = longAgo // simulated time begins at 0, where a stamp of 0 is fresh
	node.Parameters().OnChange(func() error { return f.pure.SetConfig(cfg.pursuit()) })
	if err := f.connect(); err != nil {
		return nil, err
	}
	f.timer, err = node.NewTimer(time.Duration(float64(time.Second)/cfg.Rate), f.step)
	// When the clock jumps or starts, the goal counts as repeated now.
	node.Executor().OnJump(func(j exec.Jump) { f.goalAt = f.steady.now(j.To) })
	node.OnShutdown(f.stop)
	return f, err
}

// connect opens the topics, and watches those that the follower needs, the most urgent first.
func (f *Follower) connect() error {
	var errs [6]error
	f.lookahead, errs[0] = ros.Advertise[geometry_msgs.PointStamped](f.node, "lookahead_point", ros.DefaultQoS())
	twist, velocity, err := AdvertiseVelocity(f.node, "cmd_vel", f.cfg.Stamped)
	f.twist = twist
	f.diagnostics, errs[1] = ros.Advertise[diagnostic_msgs.DiagnosticArray](f.node, "/diagnostics", ros.DefaultQoS())
	var goals *ros.Subscription
	if f.cfg.Source == sourcePlan {
		goals, errs[2] = ros.Subscribe(f.node, "plan", ros.Commands(), f.onPlan)
	} else {
		goals, errs[2] = ros.Subscribe(f.node, "goal_pose", ros.Commands(), f.onGoal)
	}
	_, errs[3] = ros.Subscribe(f.node, "heading_drive", ros.Commands(), f.onHeadingDrive)
	poses, bad := ros.Subscribe(f.node, "odometry/filtered", ros.SensorData(), f.onOdometry)
	errs[4], errs[5] = err, bad
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	if f.watch, err = watch.New(f.node, f.diagnose); err != nil {
		return err
	}
	f.odometry = f.watch.Input(poses, watch.Expect{Name: "pose", What: "a pose", Delay: "pose.delay", Age: ros.Duration(f.cfg.Pursuit.MaxPoseAge)})
	f.watch.Output(watch.Expect{Name: "velocity", What: "the velocity", Offers: watch.Nothing}, velocity)
	// Goals come only during a mission.
	f.goal = f.watch.Input(goals, watch.Expect{Name: "goal", What: "a goal", Want: func() watch.Want { return watch.WantMatch }})
	_, err = f.node.NewTimer(time.Second, f.diagnose)
	return err
}

// AdvertiseVelocity opens a topic of velocities, m/s and rad/s, with the type that the robot expects, and returns the
// function that publishes. With another type no message would arrive, without an error.
func AdvertiseVelocity(node *ros.Node, topic string, stamped bool) (publish func(linear, angular float64) error, out watch.Sender, err error) {
	if stamped {
		pub, err := ros.Advertise[geometry_msgs.TwistStamped](node, topic, ros.Commands())
		var m geometry_msgs.TwistStamped
		m.Header.FrameID = "base_link"
		return func(linear, angular float64) error {
			m.Header.Stamp = node.Stamp()
			m.Twist.Linear.X, m.Twist.Angular.Z = linear, angular
			return pub.Publish(&m)
		}, pub, err
	}
	pub, err := ros.Advertise[geometry_msgs.Twist](node, topic, ros.Commands())
	var m geometry_msgs.Twist
	return func(linear, angular float64) error {
		m.Linear.X, m.Angular.Z = linear, angular
		return pub.Publish(&m)
	}, pub, err
}

func (f *Follower) onOdometry(m *nav_msgs.Odometry, _ ros.MessageInfo) {
	stamp := f.node.Measured(m.Header.Stamp, f.cfg.PoseDelay)
	f.odometry.Stamped(stamp)
	if !f.inFrame(f.odometry, &f.warnPose, "odometry/filtered", m.Header.FrameID) {
		return
	}
	at := &m.Pose.Pose.Position
	yaw, err := convert.Yaw(m.Pose.Pose.Orientation)
	if err == nil {
		err = f.stamps.Check(stamp, f.node.Now())
	}
	if err != nil {
		f.odometry.Refused(err)
		f.warnPose.Warn("a pose is not used", "error", err.Error())
		return
	}
	f.posing.Came()
	f.stepsSincePose = 0
	if f.pose.Stamp != longAgo {
		f.apart = stamp - f.pose.Stamp
	}
	f.pose = pursuit.Pose{
		Stamp: stamp, X: at.X, Y: at.Y, Yaw: yaw,
		V: m.Twist.Twist.Linear.X, W: m.Twist.Twist.Angular.Z, YawStdDev: math.Sqrt(m.Pose.Covariance[35]),
	}
}

func (f *Follower) onPlan(m *nav_msgs.Path, _ ros.MessageInfo) {
	if len(m.Poses) > 0 && !f.inFrame(f.goal, &f.warnGoal, "plan", m.Header.FrameID) {
		return
	}
	f.incoming = convert.WayPoints(f.incoming, m)
	f.follow(f.incoming)
}

func (f *Follower) onGoal(m *geometry_msgs.PoseStamped, _ ros.MessageInfo) {
	if !f.inFrame(f.goal, &f.warnGoal, "goal_pose", m.Header.FrameID) {
		return
	}
	// A single point: the path begins at the robot's position at its first pose.
	f.incoming = append(f.incoming[:0], [2]float64{m.Pose.Position.X, m.Pose.Position.Y})
	f.follow(f.incoming)
}

// follow starts a path unless it is already being driven.
func (f *Follower) follow(path []orb.Point) {
	f.goalAt = f.steady.now(f.node.Now())
	f.repeating.Came()
	if slices.Equal(path, f.path) {
		return
	}
	if len(path) == 0 {
		f.halt()
		return
	}
	f.response.begin()
	if f.drive(path) {
		f.path, f.joined = append(f.path[:0], path...), false
	}
}

// drive begins to drive along a path, and reports whether that is possible; if not, the robot stops.
func (f *Follower) drive(path []orb.Point) bool {
	err := f.pure.SetPath(path)
	if err != nil {
		f.warnGoal.Error("the path is not used", "error", err.Error())
		f.halt()
	}
	return err == nil
}

// beginMidway drops the part of a new path that the robot has passed, unless the robot is near its beginning.
// The path is repeated as it was first sent, so a follower that is started on the way gets it from
// the beginning. Its pursuit would go back there in a straight line, through whatever the path
// leads around.
func (f *Follower) beginMidway() {
	p := &f.cfg.Pursuit
	if f.joined || len(f.path) < 2 || f.poseAge() > p.MaxPoseAge {
		return
	}
	f.joined = true
	at := orb.Point{f.pose.X, f.pose.Y}
	if !(planar.Distance(at, f.path[0]) > p.LookaheadMax) { // nor with a pose that is not finite
		return
	}
	f.drive(pursuit.Ahead(f.path, at, 0))
}

func (f *Follower) halt() {
	f.path = f.path[:0]
	f.pure.Clear()
}

// step publishes the velocity command for the present time.
func (f *Follower) step() {
	now := f.steady.step(f.node.Now(), time.Duration(float64(time.Second)/f.cfg.Rate))
	if age := time.Duration(now - f.goalAt).Seconds(); len(f.path) > 0 && age > f.cfg.GoalTimeout && !f.repeating.Lasts() {
		f.node.Logger().Warn("the goal is no longer repeated, so the robot stops", "age_s", age)
		f.halt()
	}
	f.beginMidway()
	f.pose.Late = f.posing.Lasts()
	pose := f.pose
	// A pose that has not come again for that many steps is old whatever the clock shows: that may have been
	// set back to the pose's stamp.
	f.stepsSincePose++
	if pose.Stamp == longAgo || float64(f.stepsSincePose) > f.cfg.Pursuit.MaxPoseAge*f.cfg.Rate+1 {
		pose.Stamp = longAgo
	} else {
		pose.Stamp = f.steady.at(pose.Stamp)
	}
	command, status := f.pure.Step(now, pose)
	if status.Phase == pursuit.PhaseArrived && status.GoalDistance > comeBack*f.cfg.Pursuit.GoalTolerance {
		// A better fix has shown that the robot is not at its goal.
		f.drive(f.path[len(f.path)-1:])
	}
	if status.Phase != f.phase {
		f.phase = status.Phase
		switch {
		case f.phase == pursuit.PhaseStale && f.pose.Stamp == longAgo:
			f.warn.Warn("the robot is stopped: there is no pose yet", "reason", f.phase.String())
		case f.phase == pursuit.PhaseStale && f.tooRare():
			f.warn.Warn("the robot is stopped after each pose: "+tooRare,
				"reason", f.phase.String(), "apart_s", num.Seconds(f.apart), "pose_timeout_s", f.cfg.Pursuit.MaxPoseAge)
		case f.phase == pursuit.PhaseStale, f.phase == pursuit.PhaseBadPose:
			f.warn.Warn("the robot is stopped", "reason", f.phase.String(), "pose_age_s", time.Duration(f.node.Now()-f.pose.Stamp).Seconds())
		}
	}
	if straight := f.straightOn(now); len(f.path) == 0 && straight.Linear > command.Linear {
		command = straight
	}
	if f.response.reversed() {
		command = pursuit.Command{}
	}
	f.command(command)
	f.watchMotion(command, status.Phase)
	if status.Phase == pursuit.PhaseTracking && f.lookahead.Matched() > 0 {
		f.point.Header.Stamp = f.node.Stamp()
		f.point.Point = geometry_msgs.Point{X: status.Lookahead[0], Y: status.Lookahead[1]}
		if err := f.lookahead.Publish(&f.point); err != nil {
			f.warn.Warn("no lookahead point was published", "error", err.Error())
		}
	}
}

const tooRare = "poses come too rarely; let the wheel odometry, or whatever the poses are made of, come more often, or raise pose_timeout"

// tooRare reports whether the robot is stopped after each pose.
func (f *Follower) tooRare() bool {
	return num.Seconds(f.apart) > f.cfg.Pursuit.MaxPoseAge
}

// command publishes a velocity command, unless somebody else may drive the robot: until
// the first path, and again when the robot has been told to stand for zero_time. Many bases
// hold the last command, so a single zero that is lost would let the robot drive on.
func (f *Follower) command(c pursuit.Command) {
	switch {
	case len(f.path) > 0 || c != pursuit.Command{}:
		f.zeros = int(math.Ceil(zeroTime * f.cfg.Rate)) // counted: the clock may jump
	case f.zeros == 0:
		return
	default:
		f.zeros--
	}
	if err := f.twist(c.Linear, c.Angular); err != nil {
		f.warn.Error("no velocity command was published", "error", err.Error())
	}
}

// stop publishes a zero command as the follower's last message, unless it is silent. It
// stops the timer first, since a step that is already due would publish another.
func (f *Follower) stop() {
	if f.timer != nil {
		f.timer.Stop()
	}
	if len(f.path) == 0 && f.zeros == 0 {
		return
	}
	if err := f.twist(0, 0); err != nil {
		f.node.Logger().Error("the command to stop could not be published", "error", err.Error())
	}
}

// inFrame reports whether a message is in the follower's frame, and refuses it otherwise.
func (f *Follower) inFrame(in *watch.Input, warn *ros.Throttle, topic, frame string) bool {
	if frame == f.cfg.FrameID {
		return true
	}
	in.Refused(&watch.FrameError{Frame: frame, Want: f.cfg.FrameID})
	warn.Warn("a message is in another frame and is not used", "topic", topic, "frame_id", frame, "want", f.cfg.FrameID)
	return false
}
