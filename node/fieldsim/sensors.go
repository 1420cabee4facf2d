// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/surface"
	"ugp_explorer/sim"
)

// unknownYawVariance is the yaw variance of a fix without a heading, rad². It is so
// large that a filter that used it would learn nothing.
const unknownYawVariance = 1e6

// sensors are those of a robot whose true state is known: the receiver of position fixes
// and the probe.
type sensors struct {
	node  *ros.Node
	cfg   *Config
	field *surface.GridField
	fixes *sim.FixSensor
	probe *sim.Probe

	outline      field.Field
	conductivity surface.Surface // which secondary measures
	secondary    *sim.Probe      // nil: there is no second sensor

	// One of them is nil, or both if there are no fixes.
	fix    *ros.Publisher[geometry_msgs.PoseWithCovarianceStamped, *geometry_msgs.PoseWithCovarianceStamped]
	navSat *ros.Publisher[sensor_msgs.NavSatFix, *sensor_msgs.NavSatFix]

	reading, second publish
	warn            ros.Throttle
}

// newSensors returns the sensors of a robot in a field with an outline.
func newSensors(node *ros.Node, cfg *Config, truth *surface.GridField, outline field.Field) (*sensors, error) {
	s := &sensors{node: node, cfg: cfg, field: truth, outline: outline, warn: node.NewThrottle(time.Second)}
	var errs [4]error
	errs[0] = s.restart()
	if len(cfg.Datum) > 0 && cfg.PublishFix {
		s.navSat, errs[1] = ros.Advertise[sensor_msgs.NavSatFix](node, "fix", ros.SensorData())
	} else if cfg.PublishFix {
		s.fix, errs[1] = ros.Advertise[geometry_msgs.PoseWithCovarianceStamped](node, "fix_pose", ros.SensorData())
	}
	s.reading, errs[2] = readings[cfg.Reading](node, "reading")
	if s.secondary != nil {
		s.second, errs[3] = readings["FieldReading"](node, "secondary")
	}
	return s, errors.Join(errs[:]...)
}

// restart puts the sensors into the state in which they were at the start.
func (s *sensors) restart() error {
	seed, fix := uint64(s.cfg.Seed), s.cfg.Fix
	var err error
	switch {
	case s.cfg.Trace != "":
		if fix.Trace, err = sim.ReadTrace(s.cfg.Trace, fix.StdDev); err != nil {
			err = fmt.Errorf("fix.trace: %w", err)
		}
	case s.cfg.Receiver != "" && s.cfg.Receiver != receiverWhite:
		fix.Receiver, err = sim.ReceiverOf(s.cfg.Receiver)
	}
	if err != nil {
		return err
	}
	if c := s.cfg.Shadow; len(c) > 0 {
		var ring orb.Ring
		for i := 0; i < len(c); i += 2 {
			ring = append(ring, orb.Point{c[i], c[i+1]})
		}
		factor := 10.0 // what a metre of white noise becomes under trees
		if fix.Real() {
			factor = 3 // as from consumer to consumer_trees
		}
		fix.Shadows = append(slices.Clone(fix.Shadows), sim.Shadow{Area: orb.Polygon{append(ring, ring[0])}, Factor: factor})
	}
	s.fixes = sim.NewFixSensor(fix, sim.Stream(seed, "fix"))
	return s.newProbes()
}

func (s *sensors) newProbes() (err error) {
	if s.probe, err = sim.NewProbe(s.cfg.Probe, s.field.Value, sim.Stream(uint64(s.cfg.Seed), "probe")); err == nil {
		err = s.newSecondary()
	}
	return err
}

// tick gives the sensors the robot's true state at time now of the node, ns, and publishes what they
// measure. The times must ascend.
func (s *sensors) tick(now int64, state sim.PlantState) {
	antenna := state
	at := state.Point(s.cfg.AntennaX, s.cfg.AntennaY)
	antenna.X, antenna.Y = at[0], at[1]
	s.fixes.Tick(now, antenna)
	for f, ok := s.fixes.Next(now); ok; f, ok = s.fixes.Next(now) {
		switch {
		case s.fix != nil:
			s.publishPose(f)
		case s.navSat != nil:
			s.publishNavSat(f)
		}
	}
	s.measure(s.probe, s.reading, now, state)
	if s.secondary != nil {
		s.measure(s.secondary, s.second, now, state)
	}
}

func (s *sensors) measure(p *sim.Probe, to publish, now int64, state sim.PlantState) {
	p.Tick(now, state)
	for r, ok := p.Next(now); ok; r, ok = p.Next(now) {
		s.report(to(r.Stamp, r.Value, r.Variance))
	}
}

func (s *sensors) publishPose(f sim.Fix) {
	var m geometry_msgs.PoseWithCovarianceStamped
	m.Header.Stamp, m.Header.FrameID = s.node.StampOf(f.Stamp), frameMap
	setPose(&m.Pose.Pose, sim.Pose{X: f.X, Y: f.Y})
	localization.ExpandCovariance(&m.Pose.Covariance, &[3][3]float64{
		{f.Cov[0][0], f.Cov[0][1], 0},
		{f.Cov[1][0], f.Cov[1][1], 0},
		{0, 0, unknownYawVariance},
	})
	s.report(s.fix.Publish(&m))
}

// navSatStatus is what drivers say of a kind of solution. Few of them tell integer ambiguities from others.
var navSatStatus = [...]int8{
	sim.FixSingle: sensor_msgs.NavSatStatusStatusFix, sim.FixDGPS: sensor_msgs.NavSatStatusStatusSbasFix,
	sim.FixFloat: sensor_msgs.NavSatStatusStatusGbasFix, sim.FixRTK: sensor_msgs.NavSatStatusStatusGbasFix,
}

func (s *sensors) publishNavSat(f sim.Fix) {
	var m sensor_msgs.NavSatFix
	m.Header.Stamp, m.Header.FrameID = s.node.StampOf(f.Stamp), frameBase
	at := sim.Geodetic{Lon: s.cfg.Datum[0], Lat: s.cfg.Datum[1]}.At(f.X, f.Y)
	convert.NavSatFix(&m, at.Lon, at.Lat, f.Cov, navSatStatus[f.Status])
	s.report(s.navSat.Publish(&m))
}

func (s *sensors) report(err error) {
	if err != nil {
		s.warn.Warn("a message was not published", "error", err.Error())
	}
}

func setPose(dst *geometry_msgs.Pose, p sim.Pose) {
	dst.Position = geometry_msgs.Point{X: p.X, Y: p.Y}
	dst.Orientation = convert.Quaternion(p.Yaw)
}
