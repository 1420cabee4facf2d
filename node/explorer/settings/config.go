// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package settings has the parameters of the explorer and what is derived from them: values that depend on the size of the field and the
// robot, and the configuration of each part of the explorer.
package settings

import (
	"io"
	"math"
	"os"
	"time"

	"ugp_explorer/gp/fit"
	"ugp_explorer/localization"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/recorder"
	"ugp_explorer/node/sense"
	"ugp_explorer/node/web"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/field/outline"
	"ugp_explorer/planner/mission"
)

// Config is the explorer's configuration. Where the code needs other values than a user sets, methods return them. NaN in a parameter that
// depends on the size of the field and the robot means that no value is given; [Config.Ground] replaces it, see [Config.Resolve].
type Config struct {
	// What the explorer does, and when it starts without a command.
	Passive    bool // observe wherever the robot goes, and never move it
	AutoStart  bool // start the mission with the first pose
	AutoResume bool // continue an interrupted mission with the first pose
	// EndWhenDone ends the program, not the Explorer, when Finished is true.
	EndWhenDone bool

	// What is written to the mission's folder.
	OutputDir string // folder of the mission; empty: nothing is written
	Existing  string // how a mission in OutputDir is treated: ExistingResume, ExistingRefuse or ExistingReplace
	Record    recorder.Config

	// What the explorer has to know about other nodes.
	Frame string   // frame of poses, field and goals
	Team  []string // full names of the other robots' explorers, "/robot2/ugp_explorer"
	Truth bool     // simulation: receive the ground truth, for the report's regret

	// The robot's body, the field, the quantity measured there, and its maps.
	Radius float64 // of the circle around the base that contains the robot, m
	Field  struct {
		File   string    // GeoJSON
		Datum  []float64 // longitude, latitude of the map's origin, degrees; empty: File is in metres
		Margin float64   // distance kept from the outline and the keep-outs, m
		Sigmas float64   // standard deviations of the position that are kept away from them as well; 0: none
		Name   string    // in the report; empty: that of File without its extension
	}
	Quantity, Units string
	Covariates      []string // files of rasters that the quantity may be correlated with
	MapCell         float64  // edge of a cell of the published maps, m
	KeepoutCell     float64  // edge of a cell of ~/keepout, m; 0: chosen by the field's size

	// What is looked for, and how targets are chosen.
	Seed      int64 // of the search's random numbers
	Objective planner.Objective
	Threshold float64 // level of ObjectiveThreshold, in the unit of record.Scale; NaN: none is given
	Method    string
	Beta      float64 // weight of the standard deviation in the acquisition function
	Recommend planner.Recommend
	Travel    float64 // decrease of the acquisition per kilometre of path, signal standard deviations
	Search    acquire.SearchConfig

	Pace Pace

	// How far from their targets samples are taken, and whether that is learnt.
	Execution float64  // σ̂ of P̂_x = N(x, σ̂²I), m
	Learn     struct { // whether and how the execution noise is learnt; the prior is centred on Execution
		On    bool
		Local bool // targets are judged by how well the robot knows its place there
	}

	// What the mission may spend, how goals are sent and reached, and when they are given up.
	Mission    mission.Config
	Home       []float64 // x, y, m; empty: where the mission starts
	Interface  string    // GoalTopic or GoalAction
	Legs       bool      // the corners of the path are sent to the action one after the other
	MaxLeg     float64   // greatest length of a leg that is sent to the action, m; 0: no limit
	GoalPeriod float64   // interval between repetitions of the goal, s
	SkipRadius float64   // radius around a skipped target without new targets, m
	SkipTime   float64   // time until a target may be chosen there again, s

	// HeadingDrive is the longest drive straight ahead that finds the heading of a robot whose position
	// is known, m; 0: there is none.
	HeadingDrive float64

	// Which poses are used, and how a reading gets its pose.
	PoseSource string  // sense.Odometry, Pose or TF
	PoseDelay  float64 // by which the stamps of poses are late, s
	BaseFrame  string  // of the robot, for sense.TF
	Covariance localization.CovarianceConfig
	Matcher    localization.MatcherConfig

	// What a reading is, and how many readings make a sample.
	Reading struct {
		Type      string  // one of sense.ReadingNames
		Transform string  // name of a record.Transform
		StdDev    float64 // of a reading that states no variance; 0: such a reading is refused
		Min, Max  float64 // smallest and largest value of a reading; NaN: what the type allows
		Delay     float64 // between the measurement and its message, for types without a stamp, s
		AtStops   bool    // the robot stops at its targets to sample; false: it samples while it drives
		Count     int     // readings that make a sample
		Wait      float64 // time after which fewer readings make a sample, s; NaN: it follows from the time that a sample takes
	}
	// A second quantity that a cheap sensor measures all the way, in addition to the samples.
	Secondary struct {
		Type            string  // one of sense.ReadingNames; empty: there is no such sensor
		StdDev          float64 // of a reading that states no variance; 0: such a reading is refused
		Delay           float64 // between a measurement and its message, for types without a stamp, s
		Probe           float64 // place of the sensor, forward of the robot's base, m
		Quantity, Units string
		Piece           float64 // length of path whose readings make one value, m; set by Ground
	}
	Also          []string // other quantities of the same stops, each "topic:type:quantity:unit"; see Others
	Earlier       string   // file with samples from before the mission, CSV or GeoJSON; empty: none
	EarlierColumn string   // of their values; empty: value, or the only remaining column

	// How the readings that come while the robot drives are divided into observations, by a passive
	// explorer and in a mission without stops. A piece of path ends with the first reading that comes
	// Length or Time after the first one of the piece; 0 means no such end. If both are 0, only stops are
	// observed.
	Path struct {
		Length float64 // m
		Time   float64 // s
		Every  int     // observations between two decisions
	}

	// Which hyper-parameters the model begins with, and whether they are learnt. A LengthScale of 0 means a sixth of the side of a square
	// of the field's area. The explorer overrides what the kernel, the mode and the field determine.
	Model struct {
		Kernel string // one of gp.KindNames
		planner.ModelConfig
	}

	Web   web.Config
	Teach OutlineConfig
	ProgramConfig
}

// Pace says how the price of distance depends on the budget. [Config.Ground] sets it.
type Pace struct {
	On      bool    // Travel is automatic and depends on the rest of the budget
	Density float64 // samples per metre of path that a mission limited by distance or time should take
	Apart   float64 // least distance of a target from earlier samples, m; 0: none
}

// Values of the parameter existing_mission: what happens to a mission in the folder.
const (
	ExistingResume  = "resume"
	ExistingRefuse  = "refuse"
	ExistingReplace = "replace"
)

// ProgramConfig holds the settings of the program that runs the explorer. No parameter sets them.
type ProgramConfig struct {
	// Outline is the field when Field.File is empty, and OutlineName its name in errors;
	// if that is empty, it is called the field.
	Outline     field.Field
	OutlineName string
	// Drawn has tables of simulated Covariates by file name. They are written when the mission begins.
	Drawn map[string][]byte

	// Alone says that no node joins the graph later. Then nothing that takes long to
	// make is published to a latched topic without a listener.
	Alone bool

	// RecommendLast leaves out the recommendations between samples, for simulated missions of which only the end matters.
	RecommendLast bool

	// Wall returns the wall clock's time, which only the record's wall_time_s and the page use.
	Wall func() time.Time

	// Disk is where the journal is kept.
	Disk journal.Disk

	// Terminal receives the link and the QR code of the page; nil: they are not written.
	Terminal io.Writer

	// Steer drives a simulated robot by hand from the page while there is no mission; nil: not possible.
	Steer func(web.Steer)

	// Catalogue has the methods that Method may name.
	Catalogue planner.Catalogue
}

// DefaultConfig returns the configuration of a robot that waits for the command to start.
func DefaultConfig() Config {
	c := Config{
		Existing: ExistingResume, Record: recorder.DefaultConfig(),
		Frame:    "map",
		Radius:   defaultRadius,
		Quantity: "quantity",

		Objective: planner.ObjectiveMaximum, Threshold: math.NaN(),
		Method: "ugp-ucb",
		// β = 3 is the paper's, and wins among 0.5 to 6 on fields like Broom's Barn.
		Beta: 3,
		// Together with Model.Average it lost the least of what can be won (BENCHMARKS.md).
		Recommend: planner.RecommendAnywhere,
		Search:    acquire.DefaultSearchConfig(),

		Mission: mission.DefaultConfig(), SkipTime: 600,
		GoalPeriod: 1, Interface: GoalTopic, Legs: true,

		PoseSource: sense.Odometry,
		BaseFrame:  "base_link",
		Covariance: localization.DefaultCovarianceConfig(),
		Matcher:    localization.DefaultMatcherConfig(),

		Teach:         OutlineConfig{Config: outline.DefaultConfig()},
		ProgramConfig: ProgramConfig{Wall: time.Now, Disk: journal.OS{}, Terminal: os.Stderr, Catalogue: planner.Robot()},
	}
	c.Secondary.Quantity = "second quantity"
	r, m := &c.Reading, &c.Model
	r.Type, r.Transform, r.AtStops, r.Count = "FieldReading", string(record.TransformNone), true, 3
	c.Path.Time, c.Path.Every = 60, 10
	m.Kernel, m.ModelConfig = "matern", planner.ModelConfig{Fit: true, SignalStdDev: 1, Average: 8, OnePlace: true, Prior: fit.DefaultConfig(1)}
	c.Field.Sigmas = 2
	// A decision takes seconds at most, but of the wall clock: in simulated time that runs forty times
	// as fast they are minutes.
	c.Mission.PlanTimeout = 600
	automatics.Unset(&c) // and what else Resolve gives a value to
	derived.Unset(&c)
	c.Reading.Min, c.Reading.Max = math.NaN(), math.NaN()
	c.Mission.HomeTolerance, c.Reading.Wait, c.Mission.SampleTimeout = math.NaN(), math.NaN(), math.NaN()
	return c
}

// OutlineConfig says how an outline is recorded, and to which file. Package host records it.
type OutlineConfig struct {
	File string // GeoJSON of the recorded field; empty: nothing is recorded
	outline.Config
}

// On reports whether an outline can be recorded.
func (c *OutlineConfig) On() bool { return c.File != "" }

// Recorded reports whether there is a recorded field.
func (c *OutlineConfig) Recorded() bool {
	_, err := os.Stat(c.File)
	return err == nil
}
