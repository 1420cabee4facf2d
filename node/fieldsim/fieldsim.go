package fieldsim

import (
	"errors"
	"fmt"
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

// Frames of REP-105.
const (
	frameMap   = "map"
	frameOdom  = "odom"
	frameBase  = "base_link"
	frameProbe = "soil_probe"
)

// startMargin is the default distance of the robot's start from the edge of the field,
// m. In a narrower field the robot starts halfway to the edge.
const startMargin = 10

// unknownYawVariance is the yaw variance of a fix without a heading, rad². It is so
// large that a filter that used it would learn nothing.
const unknownYawVariance = 1e6

// Fieldsim is the simulator's node. All its methods run on the goroutine of its executor.
type Fieldsim struct {
	node    *ros.Node
	cfg     *Config
	field   *sim.GridField
	outline field.Field

	plant    *sim.Plant
	odometer *sim.Odometer
	fixes    *sim.FixSensor
	probe    *sim.Probe

	time        int64 // time of the world's last step, ns
	fast        bool  // whether simulated time differs from the wall clock
	behind      int64 // ns by which the executor's time is ahead of the time that the world must reach
	driver      *ros.Subscription
	commandAt   int64 // the world's time when the last command came, ns
	commandWall time.Time
	clock       *ros.Publisher[rosgraph_msgs.Clock, *rosgraph_msgs.Clock]
	odom        *ros.Publisher[nav_msgs.Odometry, *nav_msgs.Odometry]
	truth       *ros.Publisher[nav_msgs.Odometry, *nav_msgs.Odometry]
	fix         *ros.Publisher[geometry_msgs.PoseWithCovarianceStamped, *geometry_msgs.PoseWithCovarianceStamped]
	reading     *ros.Publisher[ugp_explorer_msgs.FieldReading, *ugp_explorer_msgs.FieldReading]
	soil        *ros.Publisher[sensor_msgs.PointCloud2, *sensor_msgs.PointCloud2]
	tf          *ros.Publisher[tf2_msgs.TFMessage, *tf2_msgs.TFMessage]
	messages    messages
	warn        ros.Throttle
}

// messages holds messages for reuse, since the node publishes dozens per second.
type messages struct {
	clock   rosgraph_msgs.Clock
	odom    nav_msgs.Odometry
	truth   nav_msgs.Odometry
	fix     geometry_msgs.PoseWithCovarianceStamped
	reading ugp_explorer_msgs.FieldReading
	tf      tf2_msgs.TFMessage
}

// New starts the world on a node whose parameters are bound to cfg. It opens the field;
// kriging it from data may take a second.
func New(node *ros.Node, cfg *Config) (*Fieldsim, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	field, outline, err := cfg.Field.Open(uint64(cfg.Seed))
	if err != nil {
		return nil, err
	}
	s := &Fieldsim{node: node, cfg: cfg, field: field, outline: outline, warn: node.NewThrottle(time.Second)}
	if err := s.build(); err != nil {
		return nil, fmt.Errorf("fieldsim: %w", err)
	}
	if err := s.connect(); err != nil {
		return nil, err
	}
	s.publishField()
	if s.fast, err = node.SetSpeed(cfg.Speed); err != nil {
		return nil, err
	}
	s.time = node.Now()
	s.commandAt = s.time
	_, err = node.NewTimer(s.period(), s.catchUp)
	return s, err
}

// period returns the duration of one step.
func (s *Fieldsim) period() time.Duration { return time.Duration(float64(time.Second) / s.cfg.Rate) }

// Field returns the true field and the outline within which it may be explored.
func (s *Fieldsim) Field() (*sim.GridField, field.Field) { return s.field, s.outline }

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

func (s *Fieldsim) build() (err error) {
	seed := uint64(s.cfg.Seed)
	var start sim.Pose
	if len(s.cfg.Start) == 3 {
		start = sim.Pose{X: s.cfg.Start[0], Y: s.cfg.Start[1], Yaw: s.cfg.Start[2]}
	} else if start, err = Start(s.outline); err != nil {
		return err
	}
	if s.plant, err = sim.NewPlant(s.cfg.Plant, start, sim.Stream(seed, "plant")); err != nil {
		return err
	}
	if s.odometer, err = sim.NewOdometer(s.cfg.Odometer, sim.Stream(seed, "odometer")); err != nil {
		return err
	}
	if s.fixes, err = sim.NewFixSensor(s.cfg.Shadow.over(s.cfg.Fix), sim.Stream(seed, "fix")); err != nil {
		return err
	}
	s.probe, err = sim.NewProbe(s.cfg.Probe, s.field, sim.Stream(seed, "probe"))
	return err
}

func (s *Fieldsim) connect() (err error) {
	if s.clock, err = ros.Advertise[rosgraph_msgs.Clock](s.node, "/clock", ros.ClockQoS()); err != nil {
		return err
	}
	if s.odom, err = ros.Advertise[nav_msgs.Odometry](s.node, "odom", ros.SensorData()); err != nil {
		return err
	}
	if s.truth, err = ros.Advertise[nav_msgs.Odometry](s.node, "ground_truth/odom", ros.SensorData()); err != nil {
		return err
	}
	if s.fix, err = ros.Advertise[geometry_msgs.PoseWithCovarianceStamped](s.node, "fix_pose", ros.SensorData()); err != nil {
		return err
	}
	if s.reading, err = ros.Advertise[ugp_explorer_msgs.FieldReading](s.node, "reading", ros.SensorData()); err != nil {
		return err
	}
	if s.soil, err = ros.Advertise[sensor_msgs.PointCloud2](s.node, "ground_truth/field", ros.Latched()); err != nil {
		return err
	}
	if s.tf, err = ros.Advertise[tf2_msgs.TFMessage](s.node, "/tf", ros.DefaultQoS()); err != nil {
		return err
	}
	s.driver, err = ros.Subscribe(s.node, "cmd_vel", ros.DefaultQoS(), s.onCommand)
	return err
}

func (s *Fieldsim) onCommand(m *geometry_msgs.Twist, _ ros.MessageInfo) {
	if s.fast {
		s.commandAt, s.commandWall = s.time, time.Now()
	}
	if err := s.plant.Command(m.Linear.X, m.Angular.Z); err != nil {
		s.warn.Warn("the robot stops because the command on cmd_vel is invalid", "error", err.Error())
	}
}

// mostBehind is the longest simulated time that the world catches up at once, ns.
const mostBehind = int64(time.Second)

// catchUp moves the world to the present. When simulated time is faster than the wall
// clock, it waits for the world after a pause of the machine and while the follower is
// behind. When the two are the same, the world skips a pause, since its stamps must be
// those of the wall clock.
func (s *Fieldsim) catchUp() {
	now, period := s.node.Now()-s.behind, int64(s.period())
	if late := now - s.time - mostBehind; late > 0 || late < -2*mostBehind { // or the wall clock was set
		if s.fast {
			s.behind += late
			now -= late
		} else {
			s.time += late
		}
	}
	for s.time+period <= now {
		if s.fast && s.outruns() {
			s.behind += now - s.time
			return
		}
		s.time += period
		s.step(s.time)
	}
}

// commandPatience is the longest wall time for which the clock waits for a follower. A
// follower that was killed must not stop the clock.
const commandPatience = time.Second

// outruns reports whether the world is further ahead of the last velocity command than
// the configured lead.
func (s *Fieldsim) outruns() bool {
	if s.driver.Matched() == 0 || s.time-s.commandAt <= int64(s.cfg.Lead*float64(time.Second)) {
		return false
	}
	return time.Since(s.commandWall) < commandPatience
}

// step moves the world by one period and publishes the readings of the sensors.
func (s *Fieldsim) step(now int64) {
	state := s.plant.Step(1 / s.cfg.Rate)
	s.messages.clock.Clock = ros.TimeMsg(now)
	s.report(s.clock.Publish(&s.messages.clock))
	s.publishTruth(now, state)
	if o, ok := s.odometer.Tick(now, state); ok {
		s.publishOdometry(o)
	}
	s.fixes.Tick(now, state)
	for f, ok := s.fixes.Next(now); ok; f, ok = s.fixes.Next(now) {
		s.publishFix(f)
	}
	s.probe.Tick(now, state)
	for r, ok := s.probe.Next(now); ok; r, ok = s.probe.Next(now) {
		s.publishReading(r)
	}
}

func (s *Fieldsim) publishTruth(now int64, state sim.PlantState) {
	m := &s.messages.truth
	m.Header.Stamp, m.Header.FrameID, m.ChildFrameID = ros.TimeMsg(now), frameMap, frameBase
	setPose(&m.Pose.Pose, state.Pose)
	m.Twist.Twist.Linear = geometry_msgs.Vector3{X: state.Forward, Y: state.Left}
	m.Twist.Twist.Angular.Z = state.YawRate
	s.report(s.truth.Publish(m))
}

func (s *Fieldsim) publishOdometry(o sim.Odometry) {
	m := &s.messages.odom
	m.Header.Stamp, m.Header.FrameID, m.ChildFrameID = ros.TimeMsg(o.Stamp), frameOdom, frameBase
	setPose(&m.Pose.Pose, o.Pose)
	localization.ExpandCovariance(&m.Pose.Covariance, &o.PoseCov)
	m.Twist.Twist.Linear.X, m.Twist.Twist.Angular.Z = o.Forward, o.YawRate
	localization.ExpandCovariance(&m.Twist.Covariance, &o.TwistCov)
	s.report(s.odom.Publish(m))

	if s.tf.Matched() == 0 {
		return
	}
	t := geometry_msgs.TransformStamped{Header: m.Header, ChildFrameID: frameBase}
	t.Transform.Translation = geometry_msgs.Vector3{X: o.Pose.X, Y: o.Pose.Y}
	t.Transform.Rotation = m.Pose.Pose.Orientation
	s.messages.tf.Transforms = append(s.messages.tf.Transforms[:0], t)
	s.report(s.tf.Publish(&s.messages.tf))
}

func (s *Fieldsim) publishFix(f sim.Fix) {
	m := &s.messages.fix
	m.Header.Stamp, m.Header.FrameID = ros.TimeMsg(f.Stamp), frameMap
	setPose(&m.Pose.Pose, sim.Pose{X: f.X, Y: f.Y})
	localization.ExpandCovariance(&m.Pose.Covariance, &[3][3]float64{
		{f.Cov[0][0], f.Cov[0][1], 0},
		{f.Cov[1][0], f.Cov[1][1], 0},
		{0, 0, unknownYawVariance},
	})
	s.report(s.fix.Publish(m))
}

func (s *Fieldsim) publishReading(r sim.Reading) {
	m := &s.messages.reading
	m.Header.Stamp, m.Header.FrameID = ros.TimeMsg(r.Stamp), frameProbe
	m.Value, m.Variance = r.Value, r.Variance
	s.report(s.reading.Publish(m))
}

// publishField sends the true field once; late subscribers get it, too.
func (s *Fieldsim) publishField() {
	g := s.field.Grid()
	value, smooth := make([]float64, g.Len()), make([]float64, g.Len())
	for j := range g.NY {
		for i := range g.NX {
			value[g.Index(i, j)], smooth[g.Index(i, j)] = s.field.At(i, j)
		}
	}
	var m sensor_msgs.PointCloud2
	m.Header.Stamp, m.Header.FrameID = ros.TimeMsg(s.node.Now()), frameMap
	convert.Cloud(&m, convert.Grid{X: g.X0, Y: g.Y0, Cell: g.DX, NX: g.NX, NY: g.NY},
		convert.Column{Name: "value", Values: value}, convert.Column{Name: "smooth", Values: smooth})
	s.report(s.soil.Publish(&m))
}

func (s *Fieldsim) report(err error) {
	if err != nil {
		s.warn.Warn("a message was not published", "error", err.Error())
	}
}

func setPose(dst *geometry_msgs.Pose, p sim.Pose) {
	dst.Position = geometry_msgs.Point{X: p.X, Y: p.Y}
	dst.Orientation = convert.Quaternion(p.Yaw)
}
