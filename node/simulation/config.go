// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/recorder"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/field"
)

// Config holds the configurations of the five nodes. Parameter files override it.
type Config struct {
	Explorer settings.Config
	Follower follower.Config
	Guard    guard.Config
	EKF      ekf.Config
	Fieldsim fieldsim.Config

	Note string // what a person should know of the survey, in a clause; set as the field is opened

	steered bool // a person can drive the robot along the edge of a field
}

// DefaultConfig returns a mission of 30 samples on the made-up farm of the given
// seed: the nodes' own defaults, with the changes that make them fit each other.
func DefaultConfig(seed int64) Config {
	c := Config{
		Explorer: settings.DefaultConfig(),
		Follower: follower.DefaultConfig(),
		Guard:    guard.DefaultConfig(),
		EKF:      ekf.DefaultConfig(),
		Fieldsim: fieldsim.DefaultConfig(),
	}
	c.Fieldsim.Seed = seed
	c.Explorer.Seed = seed
	c.Explorer.AutoStart = true
	c.Explorer.Existing = settings.ExistingReplace
	c.Explorer.Record.Topics = recorder.None
	c.Explorer.Truth = true
	c.Explorer.Matcher.Probe = localization.Lever{X: c.Fieldsim.Probe.Forward, Y: c.Fieldsim.Probe.Left}
	c.Fieldsim.PublishIMU = true
	// The simulated receiver errs by up to some metres, and nothing lies round the farm.
	c.Guard.Allowance = 25
	// The filter knows where the simulated antenna is: at the base, unless somebody moves it.
	c.EKF.Filter.AntennaStdDev = ekf.MeasuredAntenna
	// The operator knows roughly in which direction the robot looks when it starts.
	c.EKF.Heading = "given"
	return c
}

// recordingFix is the standard deviation of fixes by which a person records a field, m, unless a receiver is given: with
// that of fieldsim the filter is at times less certain than the 1 m that an edge needs.
const recordingFix = 0.2

// Parameters returns the parameter sets of the nodes in starting order.
func (c *Config) Parameters() []NodeParameters {
	return []NodeParameters{
		{fieldsim.DefaultName, c.Fieldsim.Parameters()},
		{ekf.DefaultName, c.EKF.Parameters()},
		{follower.DefaultName, c.Follower.Parameters()},
		{guard.DefaultName, c.Guard.Parameters()},
		{explorer.DefaultName, c.Explorer.Parameters()},
	}
}

// NodeParameters is the parameter set of a node.
type NodeParameters struct {
	Node string
	Set  *param.Set
}

// openField opens and returns the true field, and gives the nodes what they must agree on:
// the field's outline and units, the robot's pose at the start, and the place of the antenna.
func (c *Config) openField() (w fieldsim.World, err error) {
	c.equip()
	awaited, err := c.awaitField()
	if err != nil {
		return w, err
	}
	own, world := &c.Explorer.Field, &c.Fieldsim.Field
	world.Boundary = cmp.Or(world.Boundary, own.File)
	if len(own.Datum) == 0 {
		own.Datum = world.Datum
	}
	world.Datum = own.Datum
	w, err = world.Open(uint64(c.Fieldsim.Seed))
	if degrees := new(earth.DegreesError); errors.As(err, &degrees) && len(c.EKF.Datum) == 2 {
		own.Datum, world.Datum = c.EKF.Datum, c.EKF.Datum // as the explorer takes the filter's
		w, err = world.Open(uint64(c.Fieldsim.Seed))
	}
	if err != nil {
		return w, err
	}
	if fixes := c.Fieldsim.Datum; len(fixes) > 0 && len(own.Datum) > 0 && !slices.Equal(fixes, own.Datum) {
		return w, fmt.Errorf("fix.datum is %v, but the field's datum is %v: want the same origin of the map, as with --datum %g,%g", fixes, own.Datum, fixes[0], fixes[1])
	}
	if err := c.agree(&w, awaited); err != nil {
		return w, err
	}
	return w, c.drawCovariates(w.Truth, w.Outline)
}

// awaitField returns the file of a field that is to be recorded, somewhere on the made-up farm or the survey. It is empty if the field is
// known, or was recorded before.
func (c *Config) awaitField() (file string, err error) {
	own, teach, robot := &c.Explorer.Field, &c.Explorer.Teach, &c.Fieldsim
	switch {
	case own.File != "" || robot.Field.Boundary != "" || !teach.On():
		return "", nil
	case teach.Recorded():
		own.File = teach.File
		return "", nil
	case !c.steered:
		return "", fmt.Errorf("outline.file is %s, which does not exist: only on the page of ugp demo --live can a person drive the simulated robot along the edge: give --field, or leave outline.file empty", teach.File)
	case slices.ContainsFunc(c.Explorer.Covariates, isDrawn):
		return "", fmt.Errorf("the raster %s can be simulated only for a known field, but outline.file, %s, is still to be recorded: leave the raster out", DrawnCovariate, teach.File)
	}
	if robot.FixesOpen() {
		robot.Fix.StdDev = recordingFix
	}
	return teach.File, nil
}

// agree gives the nodes what follows from the true field and from each other's parameters, where theirs say nothing. The field awaited is
// still to be recorded.
func (c *Config) agree(w *fieldsim.World, awaited string) error {
	own := &c.Explorer.Field
	c.Note = w.Note
	if own.File == "" && awaited == "" {
		c.Explorer.Outline, c.Explorer.OutlineName = w.Outline, c.outlineName()
	}
	if c.Explorer.Quantity == settings.DefaultConfig().Quantity {
		c.Explorer.Quantity = w.Truth.Name()
	}
	c.Explorer.Units = cmp.Or(c.Explorer.Units, w.Truth.Units())
	if len(c.Fieldsim.Start) == 0 {
		start, err := fieldsim.Start(w.Outline)
		if err != nil {
			return fmt.Errorf("%s: %w", c.outlineName(), err)
		}
		c.Fieldsim.Start = []float64{start.X, start.Y, start.Yaw}
	}
	c.EKF.Filter.InitialYaw = c.Fieldsim.Start[2]
	if len(c.EKF.Datum) == 0 {
		c.EKF.Datum = c.Fieldsim.Datum
	}
	if c.Guard.AntennaX == 0 && c.Guard.AntennaY == 0 {
		c.Guard.AntennaX, c.Guard.AntennaY = c.EKF.Filter.Antenna.X, c.EKF.Filter.Antenna.Y
	}
	if c.Fieldsim.AntennaX != 0 || c.Fieldsim.AntennaY != 0 {
		c.EKF.Filter.AntennaStdDev = ekf.DefaultConfig().Filter.AntennaStdDev
	}
	if c.Guard.File == "" {
		if c.Guard.File, c.Guard.FieldDatum = cmp.Or(own.File, awaited), own.Datum; c.Guard.File == "" {
			c.Guard.Outline = w.Outline
		}
	}
	return nil
}

// equip gives the simulated robot the sensors and topics that the parameters of the other nodes are for, so that people can
// try the file of their own robot, unless the parameters of fieldsim say something else.
func (c *Config) equip() {
	robot, own := &c.Fieldsim, fieldsim.DefaultConfig()
	if robot.Reading == own.Reading {
		robot.Reading = c.Explorer.Reading.Type
	}
	// The simulated quantity is a soil's, in messages of whatever type: 30 would be no humidity.
	if least, _ := sense.ReadingLimits(c.Explorer.Reading.Type); least > -localization.Huge {
		if limits := &c.Explorer.Reading; math.IsNaN(limits.Min) && math.IsNaN(limits.Max) {
			limits.Min, limits.Max = -localization.Huge, localization.Huge
		}
	}
	if !sense.StatesVariance(robot.Reading) && robot.Probe.StdDev == own.Probe.StdDev {
		robot.Probe.StdDev = c.Explorer.Reading.StdDev
	}
	if probe := c.Explorer.Matcher.Probe; robot.Probe.Forward == own.Probe.Forward && robot.Probe.Left == own.Probe.Left {
		robot.Probe.Forward, robot.Probe.Left = probe.X, probe.Y
	}
	if robot.AntennaX == 0 && robot.AntennaY == 0 {
		robot.AntennaX, robot.AntennaY = c.EKF.Filter.Antenna.X, c.EKF.Filter.Antenna.Y
	}
	robot.Stamped = robot.Stamped || c.Guard.Stamped
	// Whatever the user's second sensor is, the simulated one measures conductivity at the robot's base, in messages that
	// state their variance.
	if second := &c.Explorer.Secondary; second.Type != "" || !math.IsNaN(robot.Secondary) {
		if math.IsNaN(robot.Secondary) {
			robot.Secondary = DefaultCorrelation
		}
		second.Type, second.Probe = "FieldReading", 0
		if second.Quantity == settings.DefaultConfig().Secondary.Quantity {
			second.Quantity = fieldsim.SecondaryQuantity
		}
		second.Units = cmp.Or(second.Units, fieldsim.SecondaryUnits)
	}
}

// checkHome returns an error when there is no path home from where the robot starts, or
// when the budget does not suffice for it.
func (c *Config) checkHome(region *field.Region) error {
	distance, start := 0.0, orb.Point(c.Fieldsim.Start)
	if home := c.Explorer.HomeOr(start); home != start {
		var err error
		if _, distance, err = region.Path(start, home); err != nil {
			return fmt.Errorf("home (%g, %g) cannot be reached from the start: %w", home[0], home[1], err)
		}
	}
	return c.Explorer.CheckBudget(distance)
}

// outlineName names the source of the outline for error messages.
func (c *Config) outlineName() string {
	switch f := c.Fieldsim.Field; {
	case f.Boundary != "":
		return "the outline " + f.Boundary
	case f.File != "":
		return "the outline of " + f.File
	}
	return "the field"
}
