package explorer

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/recorder"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
)

// StartConfig says what the explorer does, and when it starts without a command.
type StartConfig struct {
	Passive    bool // observe from wherever the robot goes, and never move it
	AutoStart  bool // start the mission with the first pose
	AutoResume bool // continue an interrupted mission with the first pose
	// EndWhenDone ends the program, not the Explorer, when Finished is true.
	EndWhenDone bool
}

func (c *StartConfig) declare(set *param.Set) {
	set.Bool(&c.Passive, "passive",
		param.Describe("observe from wherever the robot goes, publish maps and suggest goals on ~/suggestion; goal_pose and plan are never published"))
	set.Bool(&c.AutoStart, "auto_start",
		param.Describe("start the mission with the first pose, without waiting for ~/start, unless ~/pause comes before; the robot moves at once"))
	set.Bool(&c.AutoResume, "auto_resume",
		param.Describe("continue an interrupted mission in output_dir with the first pose, without waiting for ~/resume, unless a person had paused it; the robot moves at once"))
	set.Bool(&c.EndWhenDone, "end_when_done",
		param.Describe("end the program when the mission is over and its record and report are written; otherwise it continues, so that its maps stay visible"))
}

// FolderConfig says what is written to the mission's folder.
type FolderConfig struct {
	OutputDir string // folder of the mission; empty: nothing is written
	Existing  string // how a mission in OutputDir is treated: ExistingResume, ExistingRefuse or ExistingReplace
	Report    bool   // write the report with the record when the mission ends
	Export    bool   // write the results for other software when the mission ends
	Record    recorder.Config
}

// draws reports whether a report is written.
func (c *Config) draws() bool { return c.Report && c.Draw != nil }

func (c *FolderConfig) declare(set *param.Set) {
	set.String(&c.OutputDir, "output_dir",
		param.Describe("folder for the mission's journal, bags, mission.json and report; empty: nothing is written"))
	set.String(&c.Existing, "existing_mission", param.OneOf(ExistingResume, ExistingRefuse, ExistingReplace),
		param.Describe("treatment of a mission found in output_dir: resume (continue it; a finished one is an error), refuse (an error) or replace (delete it and begin a new one)"))
	set.String(&c.Record.Topics, "record.topics", param.OneOf(recorder.Choices()...),
		param.Describe("messages that are recorded in bags in output_dir: mission (those that the explorer publishes, and its commands), all (also those that it receives: poses, readings, the clock, ground truth, and record.also) or none"))
	set.Strings(&c.Record.Also, "record.also",
		param.Describe("when record.topics is all: topics that are recorded although the explorer does not use them, if they are published; with the default the filter can be tuned on a mission"))
	set.Int64(&c.Record.Limit, "record.limit", param.Unit("MB"), param.AtLeast(0),
		param.Describe("size of all bags in output_dir above which the oldest are removed, but never the journal; 0: no limit, otherwise at least 10"))
}

// GraphConfig says what the explorer has to know about other nodes.
type GraphConfig struct {
	Frame string   // frame of poses, field and goals
	Team  []string // full names of the other robots' explorers, "/robot2/ugp_explorer"
	Truth bool     // simulation: receive the ground truth, for the report's regret
}

func (c *GraphConfig) declare(set *param.Set) {
	set.String(&c.Frame, "frame_id",
		param.Describe("frame of poses, field and goals; a pose in another frame is refused"))
	set.Strings(&c.Team, "team", param.Length(0, mostMates),
		param.Describe("full names of the other robots' explorers, such as [/robot2/ugp_explorer]; their observations enter the model, and targets keep away from their targets"))
	set.Bool(&c.Truth, "ground_truth",
		param.Describe("for simulations: receive ground_truth/odom and ground_truth/field, from which the report computes the regret; decisions do not use them"))
}

func (c *GraphConfig) validate() error {
	if c.Frame == "" {
		return errors.New("frame_id is empty, want the frame of poses, field and goals")
	}
	return c.validateTeam()
}

// FieldConfig describes the field, the quantity measured there, and its maps.
type FieldConfig struct {
	Field struct {
		File   string    // GeoJSON
		Datum  []float64 // longitude, latitude of the map's origin, degrees; empty: File is in metres
		Margin float64   // distance kept from the outline and the keep-outs, m
		Sigmas float64   // standard deviations of the position that are kept away from them as well; 0: none
		Name   string    // in the report; empty: that of File without its extension
	}
	Quantity, Units string
	MapCell         float64 // edge of a cell of the published maps, m
	KeepoutCell     float64 // edge of a cell of ~/keepout, m; 0: chosen by the field's size
}

func (c *FieldConfig) declare(set *param.Set) {
	set.String(&c.Field.File, "field.file",
		param.Describe("GeoJSON file with the outline of the field, its holes and keep-out areas"))
	set.Float64s(&c.Field.Datum, "field.datum", param.Unit("deg, deg"), param.Length(0, 2),
		param.Describe("longitude and latitude of the map's origin, for a field outline in degrees; empty: the outline is in metres"))
	set.Float64(&c.Field.Margin, "field.margin", param.Unit("m"), param.AtLeast(0), automatics.Option("field.margin"),
		param.Describe("distance that the robot keeps from the outline of the field and from keep-out areas; if field.file states the standard deviation of their edges, twice that is added"))
	set.Float64(&c.Field.Sigmas, "field.margin_sigmas", param.Range(0, 10),
		param.Describe("number of standard deviations of the robot's position, towards the nearest edge, that must fit with robot.radius (or field.margin, if that is less) between the position and the outline of the field or a keep-out area; otherwise the robot stops until the position is more certain, unless its path leads inwards, and targets and paths keep farther away; 0: the uncertainty of the position is ignored"))
	set.String(&c.Quantity, "quantity", param.Describe("name of the measured quantity in the report"))
	set.String(&c.Units, "units", param.Describe("unit of the readings in the report"))
	set.Float64(&c.KeepoutCell, "keepout.cell", param.Unit("m"), param.AtLeast(0),
		param.Describe("edge length of a cell of ~/keepout, the grid of occupied places for Nav2's costmap; 0: a 400th of the side of a square of the grid's area or half of robot.radius, if that is less, rounded down to a usual length of at least 0.05 m, or larger, so that the grid has at most 4 million cells; at most 16 million are allowed"))
}

func (c *FieldConfig) validate() error {
	_, err := convert.Datum("field.datum", c.Field.Datum)
	return err
}

// Values of goal.interface.
const (
	goalTopic  = "topic"
	goalAction = "navigate_to_pose"
)

// GoalAction returns the name of the action by which goals are sent, "" if they go to a topic.
func (c *MissionConfig) GoalAction() string {
	if c.Interface == goalAction {
		return goalAction
	}
	return ""
}

// MissionConfig says what the mission may spend, how goals are sent and reached, and when
// they are given up.
type MissionConfig struct {
	Mission    mission.Config
	Home       []float64 // x, y, m; empty: where the mission starts
	Interface  string    // goalTopic or goalAction
	Legs       bool      // the corners of the path are sent to the action one after the other
	MaxLeg     float64   // greatest length of a leg that is sent to the action, m; 0: no limit
	GoalPeriod float64   // interval between repetitions of the goal, s
	SkipRadius float64   // radius around a skipped target without new targets, m
	SkipTime   float64   // time until a target may be chosen there again, s

	// HeadingDrive is the longest drive straight ahead that finds the heading of a robot whose position
	// is known, m; 0: there is none.
	HeadingDrive float64
}

func (c *MissionConfig) declare(set *param.Set) {
	c.declareBudget(set)
	c.declareGoal(set)
	m := &c.Mission
	set.Float64(&m.PoseTimeout, "pose.timeout", param.Unit("s"), param.Above(0),
		param.Describe("time without a pose after which the robot is stopped, in simulated time also half a second of wall time without one; a reading in a gap of more than a quarter of it between two poses has no pose"))
	set.Float64(&c.HeadingDrive, "heading_drive.distance", param.Unit("m"), param.Range(0, 50),
		param.Describe("longest drive straight ahead by which ~/start finds the heading of a robot whose position alone is known; the robot may head anywhere, so a disc must be free whose radius is the sum of this distance, the margin, the distance to stop and twice the position's standard deviation; needs this package's follower; 0: the robot never drives without a heading"))
}

func (c *MissionConfig) declareBudget(set *param.Set) {
	m := &c.Mission
	set.Int(&m.Budget.Samples, "budget.samples", param.Range(0, 100000),
		param.Describe("number of samples to take; 0: no limit or, if budget.distance is limited and budget.time is not, 8 for each side of a square of the field's area that may be driven (about ten a kilometre on a field of 64 ha)"))
	set.Float64(&m.Budget.Distance, "budget.distance", param.Unit("m"), param.AtLeast(0),
		param.Describe("distance that the robot may drive, including the path home; 0: no limit"))
	set.Float64(&m.Budget.Duration, "budget.time", param.Unit("s"), param.AtLeast(0),
		param.Describe("time from the start of the mission until the robot must be home; 0: no limit"))
	set.Float64(&m.Speed, "budget.speed", param.Unit("m/s"), param.Above(0), automatics.Option("budget.speed"),
		param.Describe("expected mean speed of the robot on a path; a robot that turns out slower is reckoned with its own speed"))
	set.Float64(&m.SampleTime, "budget.sample_time", param.Unit("s"), param.AtLeast(0),
		param.Describe("expected time for one sample; when four times as long has passed, and at least 20 s, fewer readings than sample.readings make a sample, and three times later a sample without a reading has failed"))
}

func (c *MissionConfig) declareGoal(set *param.Set) {
	m := &c.Mission
	set.Float64s(&c.Home, "home", param.Unit("m, m"), param.Length(0, 2),
		param.Describe("x and y of the place to which the robot returns; empty: where the mission starts; to a home outside the field the robot leaves the field, but not with Nav2"))
	set.Float64(&m.ArrivalTolerance, "goal.tolerance", param.Unit("m"), param.Above(0), automatics.Option("goal.tolerance"),
		param.Describe("distance between probe and target below which the target counts as reached; it must be larger than the tolerance with which the robot's follower or Nav2 stops; a path home that is shorter ends, too"))
	set.String(&c.Interface, "goal.interface", param.OneOf(goalTopic, goalAction),
		param.Describe("interface by which goals are sent: topic (the topics goal_pose and plan) or navigate_to_pose (the action of Nav2)"))
	set.Float64(&c.MaxLeg, "nav2.max_leg", param.Unit("m"), param.AtLeast(0),
		param.Describe("with goal.interface navigate_to_pose, greatest distance of a goal from the robot; a farther target is reached by several goals; set it below half the width of a global costmap that moves with the robot; 0: no limit until Nav2 aborts a goal"))
	set.Bool(&c.Legs, "nav2.legs",
		param.Describe("with goal.interface navigate_to_pose, send the corners of the explorer's path one after the other, so that the robot stays in the field and crosses no keep-out even if Nav2 knows neither; false: send only the target, for a Nav2 whose global costmap reads ~/keepout"))
}

// limited reports whether a budget sets the price of distance, on a field with the area of a
// square of this side, m. Passive missions have none, and the samples of a mission that
// samples while it drives cost no stop. The samples alone set one on fields of the size for
// which that was measured. On a smaller field driving takes little, and on a larger one 16
// samples on 25 km² were in 5 of its 9 squares, and 10 of them in one.
func (c *Config) limited(side float64) bool {
	b := c.Mission.Budget
	return !c.Passive && (b.Distance > 0 || b.Duration > 0 || b.Samples > 0 && !c.continuous() && side >= smallestPaced && side <= largestPaced)
}

// The sides of the smallest and the largest field on which the samples alone set the price, m.
const smallestPaced, largestPaced = 400, 1000

func (c *MissionConfig) validate() error {
	if len(c.Home) == 1 {
		return errors.New("home has 1 number, want none or x, y")
	}
	return nil
}

// continuous reports whether the mission samples while the robot drives, and does not stop
// at its targets.
func (c *Config) continuous() bool { return !c.Passive && !c.Reading.AtStops }

// pieces returns the number of observations that a mission without stops makes of all its
// way, 0 if that is not limited.
func (c *Config) pieces() float64 {
	b := c.Mission.Budget
	way := math.Inf(1)
	if b.Distance > 0 {
		way = b.Distance
	}
	if b.Duration > 0 {
		way = min(way, c.Mission.Speed*b.Duration)
	}
	piece := math.Inf(1)
	if c.Path.Length > 0 {
		piece = c.Path.Length
	}
	if c.Path.Time > 0 {
		piece = min(piece, c.Mission.Speed*c.Path.Time)
	}
	if math.IsInf(way, 1) || math.IsInf(piece, 1) {
		return 0
	}
	return way / piece
}

// mission returns the mission's rules.
func (c *Config) mission() mission.Config {
	rules := c.Mission
	if c.continuous() {
		rules.Continuous, rules.Budget.Samples, rules.SampleTime = true, 0, 0
	}
	return rules
}

// CheckBudget returns the error, with the numbers, with which a mission would refuse to start whose
// path home is so many metres long: its budgets do not cover that path, or leave no time for a
// sample. A passive mission has no budgets. New must have given a value to the parameters that
// follow the size of the field.
func (c *Config) CheckBudget(home float64) error {
	if c.Passive {
		return nil
	}
	return c.mission().Check(home)
}

// validateContinuous checks a mission without stops against the other parts.
func (c *Config) validateContinuous() error {
	n := c.Mission.Budget.Samples
	switch {
	case !c.continuous():
		return nil
	case n > 0 && c.Method != methodGrid:
		return fmt.Errorf("sample.stop is false and budget.samples is %d: a mission without stops makes an observation of every piece of its way, "+
			"so set budget.samples to 0 and limit budget.distance or budget.time", n)
	case c.Path.Length == 0 && c.Path.Time == 0:
		return errors.New("sample.stop is false and the length and the time of a piece of path are both 0: nothing would be observed on the way")
	case c.Learn.On:
		return errors.New("sample.stop is false and the execution noise is to be learnt: without stops nothing shows how far from its target a sample is taken")
	}
	return nil
}

// ErrNoField is returned by New if no field is given.
var ErrNoField = errors.New("explorer: field.file is empty: give a GeoJSON file with the outline of the field, or in outline.file the name of one that is recorded by driving")

// CheckField returns an error if no mission is possible on a field: if too little of it is left
// inside the margin, for example.
func (c *Config) CheckField(f field.Field) error {
	own := *c
	_, _, err := own.fitTo(f)
	return err
}

// newGround returns where the robot may be, by the outline of the configuration, and its
// size. It gives a value to each parameter that follows the size.
func (c *Config) newGround() (*ground.Ground, Size, error) {
	outline, name := c.Outline, "the field"
	if c.OutlineName != "" {
		name = c.OutlineName
	}
	var err error
	if c.Field.File == "" && len(outline.Boundary) == 0 && c.Teach.Recorded() {
		c.Field.File = c.Teach.File
	}
	if c.Field.File != "" {
		if outline, err = convert.ReadBoundary(c.Field.File, c.Field.Datum); err != nil {
			return nil, Size{}, fmt.Errorf("explorer: field.file: %w", err)
		}
		name = "field.file: " + c.Field.File
		if c.Field.Name == "" {
			c.Field.Name = strings.TrimSuffix(filepath.Base(c.Field.File), filepath.Ext(c.Field.File))
		}
	}
	if len(outline.Boundary) == 0 {
		return nil, Size{}, ErrNoField
	}
	region, size, err := c.fitTo(outline)
	if err != nil {
		return nil, size, fmt.Errorf("explorer: %s: %w", name, err)
	}
	g, err := ground.New(ground.Config{
		Outline: outline, Region: region, Inscribed: size.Inscribed, Radius: size.Radius, Sigmas: c.Field.Sigmas,
		Probe: c.Matcher.Probe, HomeTolerance: c.Mission.HomeTolerance, Cell: c.KeepoutCell,
		Nav2: c.Interface == goalAction && !c.Passive,
	})
	if err != nil {
		return nil, size, fmt.Errorf("explorer: %w", err)
	}
	return g, size, nil
}

// trackSpacing returns the least distance between two points of a recorded path, m.
func (s Size) trackSpacing() float64 { return min(1, s.Inscribed/50) }
