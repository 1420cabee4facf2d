package explorer

import (
	"errors"
	"fmt"
	"math"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/readings"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/node/tf"
	"ugp_explorer/node/web"
	"ugp_explorer/planner/field"

	"github.com/paulmach/orb"
)

// sampler turns poses and readings into observations. It checks both, matches each reading
// with a pose, and passes the pairs to a gatherer, which decides which belong together.
type sampler struct {
	node                  *ros.Node
	cfg                   *Config
	warnPose, warnReading ros.Throttle

	poseTopic, readingTopic *ros.Subscription
	tf                      *tf.Listener // nil: poses come from poseTopic alone
	poses, readings         *watch.Input // set by the watch
	stamps                  struct{ pose, reading ros.Stamps }

	checker *localization.Checker
	matcher *localization.Matcher
	matched []localization.Matched // workspace
	motion  motion
	at      localization.Pose // the newest
	hasPose bool              // there is one
	refusal error             // why the last pose that was checked is not used; nil: it is
	posing  ros.Grace         // for late poses
	counts  sensing

	gatherer gatherer
	located  func(first bool)         // called with a new pose, before its readings are gathered
	moved    func(metres float64)     // called after that, with the distance from the pose before
	lost     func(*localization.Pose) // called with a pose that is refused because it is too uncertain
}

// gatherer collects matched readings until they make an observation: those of a stop, or
// those of a piece of path.
type gatherer interface {
	// gather takes up readings.
	gather([]localization.Matched)
	// tick tells that time has passed.
	tick(now int64)
	// jumped tells that the clock was set to now.
	jumped(now int64)
}

// sensing is how often a pose or a reading was dropped, beside what the matcher and the
// checker count themselves.
type sensing struct {
	poses      int64 // whose place, heading, speed or stamp was not usable
	frames     int64 // poses in another frame
	idle       int64 // readings that came while the robot did not sample
	early      int64 // readings made before the robot stood at its target
	noVariance int64 // readings that state no variance, where none was configured
	stray      int64 // readings with a stamp that is off
}

// What is wrong with a message, beside what other packages find.
var (
	errSpeed          = errors.New("its speed is not finite")
	errZeroCovariance = errors.New("its covariance is all zeros; set pose.zero_stddev to the true standard deviation of a pose in metres")
	errNoVariance     = errors.New("it states no variance; set reading.stddev")
	errNotFinite      = errors.New("its value is not finite")
	errNoHeading      = errors.New("its heading is unknown: the variance of its yaw is π² rad² or more, and a robot without a heading cannot be driven")
)

func newSampler(node *ros.Node, cfg *Config) (*sampler, error) {
	s := &sampler{node: node, cfg: cfg, warnPose: newThrottle(node), warnReading: newThrottle(node), posing: node.NewGrace(ros.DefaultGrace)}
	var err error
	if s.checker, err = cfg.NewChecker(); err != nil {
		return nil, err
	}
	s.matcher, err = cfg.NewMatcher()
	return s, err
}

// open subscribes to poses and readings.
func (s *sampler) open() (err error) {
	if err = s.openPoses(); err != nil {
		return err
	}
	s.readingTopic, err = readings.Subscribe(s.node, s.cfg.Reading.Type, s.onReading)
	return err
}

func (s *sampler) openPoses() (err error) {
	switch s.cfg.PoseSource {
	case poseOdometry:
		s.poseTopic, err = ros.Subscribe(s.node, "odometry/filtered", ros.SensorStream(), s.onOdometry)
	case poseTF:
		if s.tf, err = tf.Listen(s.node, s.cfg.track(s.cfg.Frame), s.onTransform); err != nil {
			return err
		}
		s.poseTopic, err = ros.SubscribeRetained(s.node, "pose", ros.SensorStream(), s.onBelief)
	default:
		s.poseTopic, err = ros.SubscribeRetained(s.node, "pose", ros.SensorStream(), s.onPose)
	}
	return err
}

// Poses are those that an explorer of this configuration would use.
type Poses struct {
	s *sampler
	w *watch.Watch
}

// ListenPoses calls fn with each new pose that an explorer would use. said, which may be nil, is
// called when what is missing changes.
func ListenPoses(node *ros.Node, cfg *Config, fn func(localization.Pose), said func()) (*Poses, error) {
	s, err := newSampler(node, cfg.resolved(Spacious(cfg.Radius)))
	if err != nil {
		return nil, err
	}
	s.gatherer, s.located = noReadings{}, func(bool) { fn(s.at) }
	s.moved, s.lost = func(float64) {}, func(*localization.Pose) {}
	if err := s.openPoses(); err != nil {
		return nil, err
	}
	w, err := watch.New(node, said)
	if err != nil {
		return nil, err
	}
	s.watchPoses(w, func(want watch.Want) watch.Want { return want })
	return &Poses{s, w}, nil
}

// Robot returns what the page shows of the newest pose, nil before the first.
func (p *Poses) Robot() *web.Robot { return p.s.shown() }

func (s *sampler) shown() *web.Robot {
	if !s.hasPose {
		return nil
	}
	at := &s.at
	return &web.Robot{
		Stamp: at.Stamp, X: at.X, Y: at.Y, Yaw: at.Yaw, XX: at.Cov[0][0], XY: at.Cov[0][1], YY: at.Cov[1][1], Speed: s.motion.speed,
	}
}

// Watched returns what is wrong with the source of poses.
func (p *Poses) Watched() *watch.Watch { return p.w }

// SetBack forgets transforms after the clock was set back.
func (p *Poses) SetBack() { p.s.setBack() }

// noReadings is a gatherer where only poses are wanted.
type noReadings struct{}

func (noReadings) gather([]localization.Matched) {}
func (noReadings) tick(int64)                    {}
func (noReadings) jumped(int64)                  {}

func (s *sampler) onOdometry(m *nav_msgs.Odometry, _ ros.MessageInfo) {
	speed := m.Twist.Twist.Linear.X
	if !finite(speed) {
		s.counts.poses++
		s.poses.Refused(errSpeed)
		s.warnPose.Warn("a pose is not used: its speed is not finite", "speed_m_s", speed)
		return
	}
	pose, ok := s.accept(m.Header.FrameID, ros.TimeNs(m.Header.Stamp), &m.Pose)
	if ok && s.isNewest(pose) {
		s.take(pose, s.motion.measured(pose, speed))
	}
}

func (s *sampler) onPose(m *geometry_msgs.PoseWithCovarianceStamped, _ ros.MessageInfo) {
	pose, ok := s.accept(m.Header.FrameID, ros.TimeNs(m.Header.Stamp), &m.Pose)
	if ok && s.isNewest(pose) {
		s.take(pose, s.motion.inferred(pose))
	}
}

// onBelief takes up a pose whose covariance the poses by /tf get. Its stamp may be old: a
// localisation that tells its pose when the robot moves tells nothing while it stands.
func (s *sampler) onBelief(m *geometry_msgs.PoseWithCovarianceStamped, _ ros.MessageInfo) {
	if pose, ok := s.read(m.Header.FrameID, ros.TimeNs(m.Header.Stamp), &m.Pose, nil); ok {
		s.tf.Track().AddBelief(pose)
	}
}

// onTransform takes up a pose by /tf. The error says why it is not used.
func (s *sampler) onTransform(at tf.Located) error {
	pose := at.Pose
	err := s.stamps.pose.Check(pose.Stamp, s.node.Now())
	if err != nil {
		s.counts.poses++
	} else {
		err = s.check(&pose)
	}
	if err != nil {
		s.warnPose.Warn("a pose is not used", "error", err.Error())
		return err
	}
	switch {
	case !s.isNewest(pose):
	case at.Continuous:
		s.take(pose, s.motion.told(pose, at.Speed, at.Metres))
	default:
		s.take(pose, s.motion.inferred(pose))
	}
	return nil
}

// whyNoPose says why there are no poses now.
func (s *sampler) whyNoPose() string {
	if s.tf != nil {
		if why := s.tf.Missing(); why != "" {
			return why
		}
	}
	return s.poses.Why()
}

// setBack forgets the transforms after the clock was set back.
func (s *sampler) setBack() {
	if s.tf != nil {
		s.tf.Clear()
	}
}

// accept reads a pose whose stamp must be that of the present.
func (s *sampler) accept(frame string, stamp int64, m *geometry_msgs.PoseWithCovariance) (localization.Pose, bool) {
	s.poses.Stamped(stamp)
	return s.read(frame, stamp, m, &s.stamps.pose)
}

// read reads a pose and checks what it claims, its stamp against others if there are any.
// One that cannot be used is counted and named in the log.
func (s *sampler) read(frame string, stamp int64, m *geometry_msgs.PoseWithCovariance, stamps *ros.Stamps) (localization.Pose, bool) {
	if frame != s.cfg.Frame {
		s.counts.frames++
		s.poses.Refused(&watch.FrameError{Frame: frame, Want: s.cfg.Frame})
		s.warnPose.Warn("a pose is in another frame and is not used", "frame_id", frame, "want", s.cfg.Frame)
		return localization.Pose{}, false
	}
	pose, err := convert.PlanarPose(stamp, m)
	if err == nil && stamps != nil {
		err = stamps.Check(stamp, s.node.Now())
	}
	if err != nil {
		s.counts.poses++
		s.poses.Refused(err)
		s.warnPose.Warn("a pose is not used", "error", err.Error())
		return pose, false
	}
	err = s.check(&pose)
	if err == nil && !s.cfg.Passive && !pose.HeadingKnown() {
		s.counts.poses++
		err = errNoHeading
	}
	if err != nil {
		s.poses.Refused(err)
		s.warnPose.Warn("a pose is not used", "error", err.Error())
		return pose, false
	}
	return pose, true
}

// check checks the covariance of a pose, and sets one that is all zeros where that is wanted. The
// error says why the pose cannot be used.
func (s *sampler) check(pose *localization.Pose) error {
	err := s.checker.CheckPose(pose)
	var bad *localization.CovarianceError
	if errors.As(err, &bad) {
		switch bad.Kind {
		case localization.ZeroCovariance:
			err = errZeroCovariance
		case localization.TooLarge:
			s.lost(pose)
			err = s.tooUncertain(pose, err)
		}
	}
	s.refusal = err
	return err
}

// tooUncertain says by how much the standard deviations of a pose exceed the limit, or
// returns err if another entry of its covariance is too large.
func (s *sampler) tooUncertain(pose *localization.Pose, err error) error {
	x, y, most := math.Sqrt(pose.Cov[0][0]), math.Sqrt(pose.Cov[1][1]), s.cfg.covariance().MaxPositionStdDev
	if max(x, y) > most {
		return fmt.Errorf("its position is too uncertain: the standard deviation is %.3g m in x and %.3g m in y, and it must be at most %g m on this field", x, y, most)
	}
	return err
}

// isNewest gives a usable pose to the matcher, and reports whether it is newer than all
// before: an older one is of no other use.
func (s *sampler) isNewest(pose localization.Pose) bool {
	s.matched = s.matcher.AddPose(s.matched[:0], pose)
	newest, ok := s.matcher.Poses().Newest()
	return ok && newest.Stamp == pose.Stamp
}

// take takes up the newest pose, reached by so many metres of driving.
func (s *sampler) take(pose localization.Pose, metres float64) {
	first := !s.hasPose
	s.at, s.hasPose = pose, true
	s.posing.Came()
	s.located(first)
	s.gatherer.gather(s.matched)
	s.moved(metres)
}

func (s *sampler) onReading(r localization.Reading, info ros.MessageInfo) {
	if r.Stamp != 0 {
		s.readings.Stamped(r.Stamp)
	}
	r = readings.Place(r, info.Received, s.cfg.Reading.Delay)
	if r.Variance == 0 && s.cfg.Reading.StdDev == 0 {
		s.counts.noVariance++
		s.readings.Refused(errNoVariance)
		s.warnReading.Warn("a reading is not used", "error", errNoVariance.Error())
		return
	}
	if err := s.stamps.reading.Check(r.Stamp, s.node.Now()); err != nil {
		s.counts.stray++
		s.readings.Refused(err)
		s.warnReading.Warn("a reading is not used", "error", err.Error())
		return
	}
	if !finite(r.Value) {
		s.readings.Refused(errNotFinite) // and counted by the matcher
	}
	s.matched = s.matcher.AddReading(s.matched[:0], r, s.node.Now())
	s.gatherer.gather(s.matched)
}

// tick gives up readings whose pose has not come, and tells the gatherer the time.
func (s *sampler) tick() {
	now := s.node.Now()
	s.matched = s.matcher.Expire(s.matched[:0], now)
	s.gatherer.gather(s.matched)
	s.gatherer.tick(now)
}

// late reports whether poses are missing for longer than pose.timeout, but in simulated time
// only.
func (s *sampler) late() bool {
	age := time.Duration(s.node.Now() - s.at.Stamp)
	return s.hasPose && age > seconds(s.cfg.Mission.PoseTimeout) && s.posing.Lasts()
}

// place returns where the robot is believed to be.
func (s *sampler) place() orb.Point { return orb.Point{s.at.X, s.at.Y} }

// probe returns where the probe is believed to be.
func (s *sampler) probe() orb.Point {
	at := s.at.At(s.cfg.Matcher.Probe)
	return orb.Point{at.X, at.Y}
}

// largestStdDev returns the standard deviation of a position in the direction in which it is
// largest, m.
func largestStdDev(p *localization.Pose) float64 {
	c := &p.Cov
	return field.LargestStdDev([2][2]float64{{c[0][0], c[0][1]}, {c[1][0], c[1][1]}})
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
