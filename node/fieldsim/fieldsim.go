// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim

import (
	"fmt"
	"math"

	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/surface"
	"ugp_explorer/sim"
)

// Frames of REP-105.
const (
	frameMap   = "map"
	frameOdom  = "odom"
	frameBase  = "base_link"
	frameProbe = "soil_probe"
)

// truthTopic has the true pose of the robot: published with a simulated robot, and
// subscribed to when another simulator has the robot.
const truthTopic = "ground_truth/odom"

// Fieldsim is the simulator's node. All its methods run on the goroutine of its executor.
type Fieldsim struct {
	node    *ros.Node
	cfg     *Config
	sensors *sensors
	cloud   *ros.Publisher[sensor_msgs.PointCloud2, *sensor_msgs.PointCloud2] // the true field
	robot   *plant                                                            // nil: another simulator moves the robot
}

// New opens the field of cfg and starts the simulator on a node whose parameters are bound to cfg.
func New(node *ros.Node, cfg *Config) (*Fieldsim, error) { return NewIn(node, cfg, World{}) }

// NewIn is New for a field that is open already.
func NewIn(node *ros.Node, cfg *Config, world World) (*Fieldsim, error) {
	err := cfg.validate()
	if err == nil && world.Truth == nil {
		world, err = cfg.Field.Open(uint64(cfg.Seed))
	}
	if err != nil {
		return nil, err
	}
	if cfg.Trace == "" { // a recording knows it for each status
		if math.IsNaN(cfg.Fix.StdDev) {
			cfg.Fix.StdDev = sim.DefaultFixConfig().StdDev
		}
		if err := node.Parameters().Resolved("fix.stddev"); err != nil {
			return nil, err
		}
	}
	if world.Note != "" {
		node.Logger().Warn(world.Note)
	}
	s, err := newSensors(node, cfg, world.Truth, world.Outline)
	w := &Fieldsim{node: node, cfg: cfg, sensors: s}
	if err == nil {
		w.cloud, err = ros.Advertise[sensor_msgs.PointCloud2](node, "ground_truth/field", ros.Latched())
	}
	if err == nil {
		err = w.publishField()
	}
	switch {
	case err != nil:
	case cfg.Source == sourcePlant:
		w.robot, err = startPlant(node, cfg, world.Outline, s)
	default:
		if err = startFollowed(node, s); err == nil && cfg.PublishCovariances {
			err = startCovariances(node)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("fieldsim: %w", err)
	}
	return w, nil
}

// FixError returns the standard deviation of the errors of the position fixes, of one axis, m; see [sim.FixSensor.StdDev].
func (s *Fieldsim) FixError() float64 { return s.sensors.fixes.StdDev() }

// Pose returns the true pose of the simulated robot; it is zero if another simulator moves the robot.
func (s *Fieldsim) Pose() sim.Pose {
	if s.robot != nil {
		return s.robot.robot.State().Pose
	}
	return sim.Pose{}
}

// Carry sets the simulated robot down at another pose, as if people had carried it: its wheels
// do not turn. It does nothing if another simulator moves the robot.
func (s *Fieldsim) Carry(to sim.Pose) {
	if s.robot != nil {
		s.robot.robot.Carry(to)
	}
}

// Encoders calls [sim.Odometer.Encoders]. It does nothing if another simulator moves the robot.
func (s *Fieldsim) Encoders(left, right float64) {
	if s.robot != nil {
		s.robot.odometer.Encoders(left, right)
	}
}

// Field returns the true field and the outline within which it may be explored.
func (s *Fieldsim) Field() (*surface.GridField, field.Field) {
	return s.sensors.field, s.sensors.outline
}

// Reopen opens the field again, whose outline has changed, with the seed of the first. The robot stays where it is.
func (s *Fieldsim) Reopen() error {
	w, err := s.cfg.Field.Open(uint64(s.cfg.Seed))
	if err != nil {
		return err
	}
	s.sensors.outline, s.sensors.field = w.Outline, w.Truth
	if err := s.sensors.newProbes(); err != nil {
		return err
	}
	return s.publishField()
}

// publishField sends the true field; late subscribers get it, too.
func (s *Fieldsim) publishField() error {
	truth := s.sensors.field
	g := truth.Grid()
	value, smooth := make([]float64, g.Len()), make([]float64, g.Len())
	for j := range g.NY {
		for i := range g.NX {
			value[g.Index(i, j)], smooth[g.Index(i, j)] = truth.At(i, j)
		}
	}
	var m sensor_msgs.PointCloud2
	m.Header.Stamp, m.Header.FrameID = s.node.Stamp(), frameMap
	convert.Cloud(&m, g, convert.Column{Name: "value", Values: value}, convert.Column{Name: "smooth", Values: smooth})
	return s.cloud.Publish(&m)
}
