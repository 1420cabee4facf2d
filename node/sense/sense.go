// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package sense converts a robot's messages for the algorithms: from poses and readings it makes the newest pose, its speed, and
// observations.
//
// It subscribes to poses (odometry, poses with covariance, or the transforms on /tf with the covariance that a localisation such as AMCL
// states now and then) and to readings, checks stamps, frames and covariances, and matches each reading with a pose. A gatherer combines
// the pairs of a stop ([Stops]) or of a piece of path ([Pieces]). Package sense knows nothing about missions.
package sense

import (
	"errors"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/planner/earth"

	"github.com/paulmach/orb"
)

// Values of Config.Source.
const (
	Odometry = "odometry"
	Pose     = "pose"
	TF       = "tf"
)

// Config says which poses and readings are used.
type Config struct {
	Source      string       // of poses: Odometry, Pose or TF
	Frame       string       // of poses
	BaseFrame   string       // of the robot, for TF
	Datum       *earth.Datum // of the field, which the filter's must equal; nil: any is accepted
	Headless    bool         // poses whose heading is unknown are used, too
	PoseTimeout float64      // age of the newest pose above which poses are missing, s
	PoseDelay   float64      // by which the stamps of poses are late, s
	Speed       float64      // of the robot, m/s
	Covariance  localization.CovarianceConfig

	Reading   Readings   // of the sought quantity
	Secondary *Readings  // of a second quantity; nil: none is measured
	Also      []Readings // of other quantities that are measured at the stops of the samples
}

// Readings says which readings of a topic are used, and how they make observations.
type Readings struct {
	Topic   string  // the name of its parameters begins with it, too
	Called  string  // in sentences: "a reading"
	Type    string  // one of ReadingNames
	StdDev  float64 // of a reading that states no variance; 0: such a reading is refused, unless Unknown
	Unknown bool    // the noise of a reading that states no variance need not be known
	Least   float64 // value of a reading; one outside Least to Most is refused
	Most    float64
	LeastBy string // the parameters with these limits
	MostBy  string
	Delay   float64 // between a measurement and its message, for types without a stamp, s
	Silence float64 // time without a reading that is worth a warning, s
	Matcher localization.MatcherConfig

	// How readings make observations. A stop has Readings of them, or fewer after Wait. A piece of path ends
	// with the first reading that comes PieceLength or PieceTime after the first one of the piece; 0 means no
	// such end. If both are 0, only stops are observed.
	Readings    int
	Wait        float64 // s
	PieceLength float64 // m
	PieceTime   float64 // s
	Standing    float64 // speed below which the robot stands, m/s
	Settle      float64 // time that it has to stand before readings are of the stop, s
}

// Sense receives poses and readings. Use it only from its node's executor.
type Sense struct {
	node     *ros.Node
	cfg      Config
	told     Listener
	warnPose ros.Throttle

	poseTopic  *ros.Subscription
	tf         *listener // nil: poses come from poseTopic alone
	poses      *watch.Input
	poseStamps ros.Stamps

	reading, secondary *input   // secondary nil: there is no second sensor
	also               []*input // of other quantities, in the order of the configuration
	inputs             []*input // all; other quantities of a stop are known before the stop's sample

	checker   *localization.Checker
	motion    motion
	at        localization.Pose // the newest
	hasPose   bool              // there is one
	elsewhere error             // why the filter's map is not the field's, so that no pose is used; nil: it is
	refusal   error             // why the last pose that was checked is not used; nil: it is
	posing    ros.Grace         // for late poses
	counts    Counts
}

// Listener receives what a Sense finds.
type Listener struct {
	// Located is called with each new pose, before its readings are gathered; Moved after that, with
	// the distance from the pose before, m; Lost with a pose that is refused because it is too
	// uncertain.
	Located func(at localization.Pose, first bool)
	Moved   func(metres float64)
	Lost    func(*localization.Pose)
	// Gatherer takes the readings that have a pose, and Secondary those of the second quantity; nil if
	// there is none. Also take those of the other quantities.
	Gatherer, Secondary Gatherer
	Also                []*Beside
}

// Gatherer collects matched readings until they make an observation.
type Gatherer interface {
	// gather handles readings, and counts those that it leaves out.
	gather([]localization.Observation, *ReadingCounts)
	// expire makes an observation of fewer readings than wanted when it has waited long enough.
	expire(now int64)
	// wants reports whether readings have to come now.
	wants() bool
	// ClockChanged is called after the clock was set to now, ns.
	ClockChanged(now int64)
}

// Counts has the numbers of used and unused poses and readings.
type Counts struct {
	Poses      int64 // whose place, heading, speed or stamp was not usable
	Frames     int64 // poses in another frame, or on a map with another origin
	OutOfOrder int64 // poses older than the one before

	Reading     ReadingCounts
	Secondary   *ReadingCounts  // nil: there is no second sensor
	Also        []ReadingCounts // of the other quantities
	Covariances localization.CovarianceCounts
}

// Errors of messages, besides those of other packages.
var (
	errSpeed          = errors.New("its speed is not finite")
	errZeroCovariance = errors.New("its covariance is all zeros or NaN; to use it, set pose.zero_stddev to the true standard deviation of a pose in metres")
	errNotFinite      = errors.New("its value is not a finite number")
	errNoHeading      = errors.New("its heading is unknown, so the robot cannot be driven: the variance of its yaw is π² rad² or more")
)

// New returns a Sense that receives nothing yet.
func New(node *ros.Node, cfg Config, told Listener) (*Sense, error) {
	s := &Sense{
		node: node, cfg: cfg, told: told, warnPose: node.NewThrottle(time.Second), posing: node.NewGrace(ros.DefaultGrace),
		poseStamps: node.NewStamps(cfg.Speed), reading: newInput(node, &cfg.Reading, cfg.Speed, told.Gatherer),
	}
	if cfg.Secondary != nil {
		s.secondary = newInput(node, cfg.Secondary, cfg.Speed, told.Secondary)
		s.inputs = append(s.inputs, s.secondary)
	}
	for i := range cfg.Also {
		s.also = append(s.also, newInput(node, &cfg.Also[i], cfg.Speed, told.Also[i]))
	}
	s.inputs = append(append(s.inputs, s.also...), s.reading)
	var err error
	if s.checker, err = localization.NewChecker(cfg.Covariance); err != nil {
		return nil, err
	}
	return s, nil
}

// Open subscribes to poses and readings.
func (s *Sense) Open() (err error) {
	if err := s.openPoses(); err != nil {
		return err
	}
	if s.cfg.Datum != nil {
		if _, err = ros.Subscribe(s.node, originTopic, ros.Latched(), s.onOrigin); err != nil {
			return err
		}
	}
	for _, in := range s.inputs {
		if err = in.open(); err != nil {
			return err
		}
	}
	return nil
}

// Expire drops readings whose pose has not come, and gives the gatherer the time.
func (s *Sense) Expire() {
	now := s.node.Now()
	for _, in := range s.inputs {
		in.expire(now)
	}
}

// HasPose reports whether there has been a pose.
func (s *Sense) HasPose() bool { return s.hasPose }

// Pose returns the newest pose, which must not be changed.
func (s *Sense) Pose() *localization.Pose { return &s.at }

// Place returns the estimated place of the robot, m.
func (s *Sense) Place() orb.Point { return orb.Point{s.at.X, s.at.Y} }

// Probe returns the estimated place of the probe, m.
func (s *Sense) Probe() orb.Point {
	at := s.at.At(s.cfg.Reading.Matcher.Probe)
	return orb.Point{at.X, at.Y}
}

// StdDev returns the standard deviation of the newest position in the direction in which it is
// largest, m.
func (s *Sense) StdDev() float64 {
	major, _, _ := s.at.PositionCovariance().Axes()
	return major
}

// Speed returns the robot's speed, m/s.
func (s *Sense) Speed() float64 { return s.motion.speed }

// Refusal returns why the last pose that was checked is not used, nil if it is.
func (s *Sense) Refusal() error { return s.refusal }

// Late reports whether poses have been missing for longer than PoseTimeout in simulated time only.
func (s *Sense) Late() bool {
	age := time.Duration(s.node.Now() - s.at.Stamp)
	return s.hasPose && age > ros.Duration(s.cfg.PoseTimeout) && s.posing.Lasts()
}

// ClockChanged is called after the clock was shifted by a number of ns.
func (s *Sense) ClockChanged(by int64) {
	s.at.Stamp += by
	if by < 0 && s.tf != nil {
		s.tf.buffer.Clear()
		s.tf.track.clear()
	}
}

// Counts returns all counts.
func (s *Sense) Counts() Counts {
	c := s.counts
	c.OutOfOrder, c.Covariances = int64(s.reading.matcher.OutOfOrder()), s.checker.Counts()
	c.Reading = s.reading.all()
	if s.secondary != nil {
		second := s.secondary.all()
		c.Secondary = &second
	}
	for _, in := range s.also {
		c.Also = append(c.Also, in.all())
	}
	return c
}
