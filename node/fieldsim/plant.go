// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim

import (
	"errors"
	"math"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/tf2_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/field"
	"ugp_explorer/sim"
)

// startMargin is the default distance of the robot's start from the edge of the field,
// m. In a narrower field the robot starts halfway to the edge.
const startMargin = 10

// plant is the robot that this node simulates: it obeys cmd_vel and makes the time.
type plant struct {
	node    *ros.Node
	cfg     *Config
	sensors *sensors

	robot    *sim.Plant
	odometer *sim.Odometer
	gyro     *sim.Gyro // nil: the robot has none

	time     int64   // node's time of the world's last step, ns
	fast     bool    // whether simulated time differs from the wall clock
	behind   int64   // ns by which the executor's time is ahead of the time that the world must reach
	follower awaited // by its velocity commands
	explorer awaited // by its status
	forward  bool    // the last command was to drive forward
	idle     bool    // that command was zero: the follower may be silent now

	clock *ros.Publisher[rosgraph_msgs.Clock, *rosgraph_msgs.Clock]
	odom  *ros.Publisher[nav_msgs.Odometry, *nav_msgs.Odometry]
	truth *ros.Publisher[nav_msgs.Odometry, *nav_msgs.Odometry]
	tf    *ros.Publisher[tf2_msgs.TFMessage, *tf2_msgs.TFMessage]
	imu   *ros.Publisher[sensor_msgs.Imu, *sensor_msgs.Imu]
	warn  ros.Throttle

	sent struct { // the last messages, overwritten by the next
		clock       rosgraph_msgs.Clock
		odom, truth nav_msgs.Odometry
		imu         sensor_msgs.Imu
	}
}

// startPlant puts the robot into a field with the outline, where it stands until a
// command comes.
func startPlant(node *ros.Node, cfg *Config, outline field.Field, s *sensors) (*plant, error) {
	p := &plant{node: node, cfg: cfg, sensors: s, warn: node.NewThrottle(time.Second)}
	seed := uint64(cfg.Seed)
	var start sim.Pose
	var err error
	if len(cfg.Start) == 3 {
		start = sim.Pose{X: cfg.Start[0], Y: cfg.Start[1], Yaw: cfg.Start[2]}
	} else if start, err = Start(outline); err != nil {
		return nil, err
	}
	p.robot = sim.NewPlant(cfg.Plant, start, sim.Stream(seed, "plant"))
	p.odometer = sim.NewOdometer(cfg.Odometer, sim.Stream(seed, "odometer"))
	if cfg.PublishIMU {
		p.gyro = sim.NewGyro(cfg.Gyro, sim.Stream(seed, "gyro"))
	}
	if err := p.connect(); err != nil {
		return nil, err
	}
	if p.fast, err = node.SetSpeed(cfg.Speed); err != nil {
		return nil, err
	}
	p.time = node.Now()
	p.follower.at, p.explorer.at = p.time, p.time
	if p.fast {
		p.explorer.topic, err = ros.Subscribe(node, "ugp_explorer/status", ros.Latched(), func(*ugp_explorer_msgs.MissionStatus, ros.MessageInfo) { p.explorer.came(p.time) })
		if err != nil {
			return nil, err
		}
	}
	_, err = node.NewTimer(p.period(), p.catchUp)
	return p, err
}

// period returns the duration of one step.
func (p *plant) period() time.Duration { return time.Duration(float64(time.Second) / p.cfg.Rate) }

// Start returns the default start of a robot: just inside the field's south-west corner,
// facing the middle of the field.
func Start(outline field.Field) (sim.Pose, error) {
	region, err := field.NewRegion(outline, startMargin)
	var empty *field.EmptyRegionError
	if errors.As(err, &empty) && empty.Inscribed > 0 {
		region, err = field.NewRegion(outline, empty.Inscribed/2)
	}
	if err != nil {
		return sim.Pose{}, err
	}
	corner, _ := region.Bounds()
	region.Project(corner, corner)
	centre := region.Centre()
	return sim.Pose{X: corner[0], Y: corner[1], Yaw: math.Atan2(centre[1]-corner[1], centre[0]-corner[0])}, nil
}

func (p *plant) connect() error {
	var errs [6]error
	if p.gyro != nil {
		p.imu, errs[0] = ros.Advertise[sensor_msgs.Imu](p.node, "imu", ros.SensorData())
	}
	p.clock, errs[1] = ros.Advertise[rosgraph_msgs.Clock](p.node, "/clock", ros.ClockQoS())
	// Reliable, as the drivers of robots have it and Nav2's controller asks for.
	p.odom, errs[2] = ros.Advertise[nav_msgs.Odometry](p.node, "odom", ros.Stream())
	p.truth, errs[3] = ros.Advertise[nav_msgs.Odometry](p.node, truthTopic, ros.SensorData())
	p.tf, errs[4] = ros.Advertise[tf2_msgs.TFMessage](p.node, "/tf", ros.Stream())
	if p.cfg.Stamped {
		p.follower.topic, errs[5] = ros.Subscribe(p.node, "cmd_vel", ros.Commands(), func(m *geometry_msgs.TwistStamped, _ ros.MessageInfo) { p.command(&m.Twist) })
	} else {
		p.follower.topic, errs[5] = ros.Subscribe(p.node, "cmd_vel", ros.Commands(), func(m *geometry_msgs.Twist, _ ros.MessageInfo) { p.command(m) })
	}
	return errors.Join(errs[:]...)
}

func (p *plant) command(m *geometry_msgs.Twist) {
	if p.fast {
		p.follower.came(p.time)
		p.idle = m.Linear.X == 0 && m.Angular.Z == 0
	}
	p.forward = m.Linear.X > 0
	if err := p.robot.Command(m.Linear.X, m.Angular.Z); err != nil {
		p.warn.Warn("the robot stops because the command on cmd_vel is invalid", "error", err.Error())
	}
}

// mostBehind is the longest simulated time that the world catches up at once, ns.
const mostBehind = int64(time.Second)

// How far fast simulated time may run ahead of a node before it waits for it: five commands of the follower, and two
// and a half statuses of the explorer. Another node that was killed must not stop the clock for longer than its patience.
// The explorer may wait for a busy disk, since each line of its journal has to be on it.
const (
	followerLead, followerPatience = 250 * time.Millisecond, time.Second
	explorerLead, explorerPatience = 2500 * time.Millisecond, time.Minute
)

// awaited is a node for which fast simulated time waits.
type awaited struct {
	topic *ros.Subscription
	at    int64 // the world's time when its last message came, ns
	wall  time.Time
}

func (a *awaited) came(now int64) { a.at, a.wall = now, time.Now() }

// late reports whether the world must wait for the node.
func (a *awaited) late(now int64, lead, patience time.Duration) bool {
	return a.topic.Matched() > 0 && now-a.at > int64(lead) && time.Since(a.wall) < patience
}

// waits reports whether fast simulated time is ahead of a node. A follower without a path says nothing to a robot that stands.
func (p *plant) waits() bool {
	return p.fast && (!p.idle && p.follower.late(p.time, followerLead, followerPatience) || p.explorer.late(p.time, explorerLead, explorerPatience))
}

// catchUp moves the world to the present. When simulated time is faster than the wall
// clock, it waits for the world after a pause of the machine and while a node is
// behind. When the two are the same, the world skips a pause, since its stamps must be
// those of the wall clock. A clock that is set moves the stamps, and not the world.
func (p *plant) catchUp() {
	now, period := p.node.Now()-p.behind, int64(p.period())
	if late := now - p.time - mostBehind; late > 0 || late < -2*mostBehind { // or simulated time was set back
		if p.fast {
			p.behind += late
			now -= late
		} else {
			p.time += late
		}
	}
	for p.time+period <= now {
		if p.waits() {
			p.behind += now - p.time
			return
		}
		p.time += period
		p.step(p.time)
	}
}

// blocked reports whether the robot pushes against an obstacle: its wheels turn then, and it
// stays. It can turn away from the obstacle, and drive away.
func (p *plant) blocked() bool {
	at := p.robot.State().Pose
	sin, cos := math.Sincos(at.Yaw)
	for o := p.cfg.Obstacles; len(o) >= 3 && p.forward; o = o[3:] {
		dx, dy := o[0]-at.X, o[1]-at.Y
		if math.Hypot(dx, dy) < o[2] && dx*cos+dy*sin > 0 {
			return true
		}
	}
	return false
}

// step moves the world by one period and publishes the readings of the sensors.
func (p *plant) step(now int64) {
	p.robot.Hold(p.blocked())
	state, report := p.robot.Step(1/p.cfg.Rate), p.sensors.report
	p.sent.clock.Clock = p.node.StampOf(now)
	report(p.clock.Publish(&p.sent.clock))
	m := &p.sent.truth
	m.Header.Stamp, m.Header.FrameID, m.ChildFrameID = p.node.StampOf(now), frameMap, frameBase
	setPose(&m.Pose.Pose, state.Pose)
	m.Twist.Twist.Linear = geometry_msgs.Vector3{X: state.Forward, Y: state.Left}
	m.Twist.Twist.Angular.Z = state.YawRate
	report(p.truth.Publish(m))
	if p.gyro != nil {
		if r, ok := p.gyro.Tick(now, state); ok {
			m := &p.sent.imu
			m.Header.Stamp, m.Header.FrameID = p.node.StampOf(r.Stamp), frameBase
			convert.YawRate(m, r.Rate, r.Variance)
			report(p.imu.Publish(m))
		}
	}
	if o, ok := p.odometer.Tick(now, state); ok {
		p.publishOdometry(o)
	}
	p.sensors.tick(now, state)
}

func (p *plant) publishOdometry(o sim.Odometry) {
	m := &p.sent.odom
	m.Header.Stamp, m.Header.FrameID, m.ChildFrameID = p.node.StampOf(o.Stamp), frameOdom, frameBase
	setPose(&m.Pose.Pose, o.Pose)
	localization.ExpandCovariance(&m.Pose.Covariance, &o.PoseCov)
	m.Twist.Twist.Linear.X, m.Twist.Twist.Angular.Z = o.Forward, o.YawRate
	localization.ExpandCovariance(&m.Twist.Covariance, &o.TwistCov)
	p.sensors.report(p.odom.Publish(m))
	if p.tf.Matched() > 0 {
		t := geometry_msgs.TransformStamped{Header: m.Header, ChildFrameID: frameBase}
		t.Transform.Translation = geometry_msgs.Vector3{X: o.Pose.X, Y: o.Pose.Y}
		t.Transform.Rotation = m.Pose.Pose.Orientation
		p.sensors.report(p.tf.Publish(&tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{t}}))
	}
}
