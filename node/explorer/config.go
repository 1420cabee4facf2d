package explorer

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"ugp_explorer/gp/fit"
	"ugp_explorer/localization"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/recorder"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/sense"
	"ugp_explorer/node/web"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/field/outline"
	"ugp_explorer/planner/mission"
)

// DefaultName is the node's name unless it is remapped.
const DefaultName = "ugp_explorer"

// Config is the explorer's configuration. Each part declares its own parameters, and
// has methods that return what the code uses where that differs from what a user sets.
// NaN in a parameter that follows the size of the field and the robot means that no value
// is given; New replaces it, see [Config.Resolve].
type Config struct {
	StartConfig
	FolderConfig
	GraphConfig
	RobotConfig
	FieldConfig
	DecisionConfig
	ExecutionConfig
	MissionConfig
	PoseConfig
	Reading ReadingConfig
	EarlierConfig
	Path  PathConfig
	Model ModelConfig
	Web   web.Config
	Teach OutlineConfig
	ProgramConfig
}

// ProgramConfig holds what a program gives to the explorer that it runs. No parameter
// sets it.
type ProgramConfig struct {
	// Outline is the field when Field.File is empty, and OutlineName its name in errors;
	// if that is empty, it is called the field.
	Outline     field.Field
	OutlineName string

	// Alone says that no node joins the graph later. Then nothing that takes long to
	// make is published to a latched topic without a listener.
	Alone bool

	// Wall returns the wall clock's time, which only the record's wall_time_s and the page use.
	Wall func() time.Time

	// Disk is where the journal is kept.
	Disk journal.Disk

	// Draw writes the report and its pictures into a folder; nil: there is no report.
	Draw func(folder string, m *record.Mission, maps *record.Maps, tracks *record.Tracks) error

	// Terminal gets the link and the QR code of the page; nil: nothing.
	Terminal io.Writer

	// Catalogue has the methods that Method may name.
	Catalogue planner.Catalogue
}

// DefaultConfig returns the configuration of a robot that waits for the command to start.
func DefaultConfig() Config {
	c := Config{
		FolderConfig: FolderConfig{Existing: ExistingResume, Report: true, Export: true, Record: recorder.DefaultConfig()},
		GraphConfig:  GraphConfig{Frame: "map"},
		RobotConfig:  RobotConfig{Radius: defaultRadius},
		FieldConfig:  FieldConfig{Quantity: "quantity"},
		DecisionConfig: DecisionConfig{
			Objective: planner.ObjectiveMaximum,
			Method:    "ugp-ucb",
			// β = 3 is the paper's, and wins among 0.5 to 6 on fields like Broom's Barn.
			Beta: 3,
			// Together with Model.Average it lost the least of what can be won (BENCHMARKS.md).
			Recommend: planner.RecommendAnywhere,
			Search:    acquire.DefaultSearchConfig(),
		},
		MissionConfig: MissionConfig{
			Mission: mission.DefaultConfig(), SkipTime: 600,
			GoalPeriod: 1, Interface: goalTopic, Legs: true,
		},
		PoseConfig: PoseConfig{
			PoseSource: sense.Odometry,
			BaseFrame:  "base_link",
			Covariance: localization.DefaultCovarianceConfig(),
			Matcher:    localization.DefaultMatcherConfig(),
		},
		Reading: ReadingConfig{
			Type: "FieldReading", Transform: string(record.TransformNone),
			AtStops: true, Count: 3, Stop: localization.DefaultStopConfig(),
		},
		Path: PathConfig{Time: 60, Every: 10},
		Model: ModelConfig{
			Fit: true, Kernel: kernelMatern, SignalStdDev: 1, Average: 8, Prior: fit.DefaultConfig(1),
		},
		Teach:         OutlineConfig{Config: outline.DefaultConfig()},
		ProgramConfig: ProgramConfig{Wall: time.Now, Disk: journal.OS{}, Terminal: os.Stderr, Catalogue: planner.Robot()},
	}
	c.Field.Sigmas = 2
	// A decision takes seconds at most, but of the wall clock: in simulated time that runs forty times
	// as fast they are minutes.
	c.Mission.PlanTimeout = 600
	c.unset()
	return c
}

// Parameters binds the node's parameters to c's fields.
func (c *Config) Parameters() *param.Set {
	set := param.NewSet()
	c.StartConfig.declare(set)
	c.FolderConfig.declare(set)
	c.GraphConfig.declare(set)
	c.RobotConfig.declare(set)
	c.FieldConfig.declare(set)
	c.DecisionConfig.declare(set, c.Catalogue)
	c.ExecutionConfig.declare(set)
	c.MissionConfig.declare(set)
	c.PoseConfig.declare(set)
	c.Reading.declare(set)
	c.EarlierConfig.declare(set)
	c.Path.declare(set)
	c.Model.declare(set)
	c.Web.Declare(set)
	c.Teach.declare(set)
	set.OnChange(c.Validate)
	return set
}

// Validate returns an error that names a parameter that is out of its range or does not
// fit another one. It changes nothing. What no parameter sets is checked by the parts that use it,
// when New makes them.
func (c *Config) Validate() error {
	if err := c.Parameters().Check(); err != nil {
		return fmt.Errorf("explorer: %w", err)
	}
	c = c.resolved(Spacious(c.Radius)) // without the field any values will do that fit each other
	for _, err := range []error{
		c.GraphConfig.validate(), c.ProgramConfig.validate(), c.Record.Validate(), c.FieldConfig.validate(), c.MissionConfig.validate(),
		c.PoseConfig.validate(), c.Reading.validate(), c.ExecutionConfig.validate(), c.Model.validate(), c.Web.Validate(), c.Teach.validate(), c.validateTarget(), c.validateContinuous(),
	} {
		if err != nil {
			return fmt.Errorf("explorer: %w", err)
		}
	}
	return nil
}

func (c *ProgramConfig) validate() error {
	switch {
	case c.Wall == nil:
		return errors.New("no wall clock is given in Wall, want the one of the record's wall_time_s")
	case c.Disk == nil:
		return errors.New("no disk is given in Disk, want the one of the journal")
	}
	return nil
}

// validateTarget checks how targets are chosen against the other parts.
func (c *Config) validateTarget() error {
	if (c.Method == methodGrid || c.Method == methodLines) && c.Mission.Budget.Samples == 0 {
		return fmt.Errorf("method is %s and budget.samples is 0, no limit: the grid has as many points as there are samples, "+
			"so set budget.samples to 1 to 100000, or choose another method", c.Method)
	}
	if _, _, err := record.Transform(c.Reading.Transform).Forward(c.Threshold, 0); err != nil && c.Objective == planner.ObjectiveThreshold {
		return fmt.Errorf("threshold: %w", err)
	}
	return nil
}
