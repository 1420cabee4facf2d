package explorer

import (
	"errors"
	"fmt"
	"time"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/localization"
	"ugp_explorer/node/record"
	"ugp_explorer/node/recorder"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/execution"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
)

// DefaultName is the node's name unless it is remapped.
const DefaultName = "ugp_explorer"

// Values of the parameters that choose between rules.
const (
	poseOdometry = "odometry"
	posePose     = "pose"

	goalTopic  = "topic"
	goalAction = "navigate_to_pose"

	methodGrid = "grid"

	betaFixed = "fixed"
)

// Config is everything that the explorer can be told.
type Config struct {
	Seed      int64
	Passive   bool   // observe from wherever the robot goes, move nothing
	AutoStart bool   // start with the first pose
	Frame     string // of poses, places and the field
	OutputDir string // empty: nothing is written
	Existing  string // what becomes of a mission in OutputDir: ExistingResume, ExistingRefuse or ExistingReplace
	// AutoResume has a mission that was interrupted go on with the first pose.
	AutoResume bool
	Report     bool // write the report with the record when the mission ends
	Record     recorder.Config
	Truth      bool // simulation: follow the ground truth, for the report's regret

	Team []string // full names of the other explorers' nodes, "/robot2/ugp_explorer"

	Quantity, Units string

	Field struct {
		File   string    // GeoJSON
		Datum  []float64 // longitude, latitude of the map's origin, degrees; empty: File is in metres
		Margin float64   // m
		Name   string
	}
	// Outline takes the place of Field.File when that is empty: for programs
	// that have the field at hand. It is no parameter.
	Outline field.Field
	// OutlineName is what errors call Outline; empty: the field.
	OutlineName string

	Objective planner.Objective
	Threshold float64 // level of ObjectiveThreshold, user's units
	Method    string
	Beta      planner.BetaConfig
	Travel    float64 // what a kilometre of way takes off the acquisition, signal deviations
	Spread    int     // of the first samples so many are spread over the field
	Recommend planner.Recommend
	Execution float64 // σ̂ of P̂_x = N(x, σ̂²I), m
	Learn     LearnConfig
	Search    acquire.SearchConfig

	Mission    mission.Config
	Home       []float64 // x, y, m; empty: where the mission starts
	SkipRadius float64   // m around a target that was given up
	SkipTime   float64   // s for which it is left out of the search
	GoalPeriod float64   // s between repetitions of the goal
	Interface  string    // by which the goal reaches what drives the robot
	Rejections int       // of the action, in a row, after which a target is skipped

	PoseSource string
	Covariance localization.CovarianceConfig
	ZeroRule   string  // localization's word for Covariance.Zero
	PoseGap    float64 // s, Matcher.Buffer.MaxGap
	Matcher    localization.MatcherConfig

	Reading ReadingConfig
	Path    PathConfig
	Model   ModelConfig

	MapCell float64 // m

	// Alone says that no node can come to listen later: what is latched and costs
	// time is left out where nobody listens. It is no parameter.
	Alone bool

	// Wall tells the time for the record's wall_time_s alone.
	Wall func() time.Time

	// Catalogue is what Method and Beta.Schedule may name. It is no parameter.
	Catalogue planner.Catalogue
}

// ReadingConfig says what a reading is and how many make a sample.
type ReadingConfig struct {
	Type      string
	Transform string
	StdDev    float64 // of a reading that states no variance; 0: such a reading is refused
	Delay     float64 // s between the measurement and its message, for types without a stamp
	Count     int     // readings that make a sample
	Wait      float64 // s after which fewer do
	Stop      localization.StopConfig
}

// ModelConfig says how the hyper-parameters begin and whether they are learnt.
type ModelConfig struct {
	Fit          bool
	Kernel       string // one of gp.KindNames
	Isotropic    bool
	SignalStdDev float64 // model units
	LengthScale  float64 // m; 0: a sixth of the side of a square of the field's area
	NoiseStdDev  float64 // model units
	Mean         float64 // model units; used only without a fit
	Average      int     // hyper-parameters that decisions are averaged over; 1: those of the fit
	ExactLimit   int     // samples beyond which the posterior is sparse
	Prior        fit.Config
}

// DefaultConfig returns a cautious robot that waits for the start.
func DefaultConfig() Config {
	learn := execution.DefaultConfig(1)
	c := Config{
		Frame: "map", Existing: ExistingResume, Report: true, Record: recorder.DefaultConfig(), Quantity: "quantity",
		Objective: planner.ObjectiveMaximum,
		Method:    "ugp-ucb",
		// β = 3 is the paper's, and wins among 0.5 to 6 on fields like Broom's Barn.
		Beta:   planner.BetaConfig{Schedule: betaFixed, Fixed: 3, Delta: 0.1, Bound: 1, Noise: 0.1, Scale: 1},
		Travel: 0.05,
		// With Model.Average, what lost the least in sim/experiment's tournament.
		Recommend:  planner.RecommendAnywhere,
		Execution:  1,
		Learn:      LearnConfig{Factor: learn.Factor, Weight: learn.Weight, Located: locatedFiltered},
		Search:     acquire.DefaultSearchConfig(),
		Mission:    mission.DefaultConfig(),
		SkipRadius: 10, SkipTime: 600, GoalPeriod: 1, Interface: goalTopic, Rejections: 5,
		PoseSource: poseOdometry,
		Covariance: localization.DefaultCovarianceConfig(),
		Matcher:    localization.DefaultMatcherConfig(),
		Reading: ReadingConfig{
			Type: "FieldReading", Transform: string(record.TransformNone),
			Count: 3, Wait: 20, Stop: localization.DefaultStopConfig(),
		},
		Model: ModelConfig{
			Fit: true, Kernel: kernelMatern, Isotropic: true, SignalStdDev: 1, NoiseStdDev: 0.1, Average: 8,
			ExactLimit: gp.DefaultSparseConfig().ExactLimit, Prior: fit.DefaultConfig(1),
		},
		Path:    PathConfig{Length: 10, Time: 60, Every: 10},
		MapCell: 10,
		Wall:    time.Now,

		Catalogue: planner.Robot(),
	}
	c.ZeroRule = c.Covariance.Zero.String()
	c.PoseGap = c.Matcher.Buffer.MaxGap.Seconds()
	// A robot that does not know where it is to 15 m stands and waits for better
	// poses: samples would say little of the field, and it may leave it.
	c.Covariance.MaxPositionStdDev = 15
	c.Field.Margin = 2
	// The filter's estimate moves by decimetres with each fix while the robot
	// stands, and the follower stops within half a metre of its goal.
	c.Mission.ArrivalTolerance = 2
	c.Mission.HomeTolerance = 2
	c.Mission.Speed = 1
	return c
}

// Validate names the parameters that are out of their ranges, and takes over what
// the packages' configurations have in another form.
func (c *Config) Validate() error {
	if err := c.Parameters().Check(); err != nil {
		return fmt.Errorf("explorer: %w", err)
	}
	if c.Frame == "" {
		return errors.New("explorer: frame_id is empty, want the frame of poses, field and goals")
	}
	if c.Wall == nil {
		return errors.New("explorer: Wall is not given")
	}
	c.Covariance.Zero = localization.ZeroRefuse
	if c.ZeroRule == localization.ZeroSubstitute.String() {
		c.Covariance.Zero = localization.ZeroSubstitute
	}
	c.Matcher.Buffer.MaxGap = seconds(c.PoseGap)
	if c.Reading.StdDev > 0 {
		c.Reading.Stop.ReadingStdDev = c.Reading.StdDev
	}
	for _, err := range []error{
		c.Record.Validate(), c.Mission.Validate(), c.Covariance.Validate(), c.Matcher.Validate(), c.Reading.Stop.Validate(), c.Search.Validate(), c.validateLearning(),
	} {
		if err != nil {
			return fmt.Errorf("explorer: %w", err)
		}
	}
	if !readingKinds[c.Reading.Type].statesVariance && c.Reading.StdDev == 0 {
		return fmt.Errorf("explorer: reading.stddev is 0: a %s states no variance, so give the deviation of one reading, above 0", c.Reading.Type)
	}
	if b := c.Mission.Budget; b.Distance > 0 && b.Samples == 0 && b.Duration == 0 {
		return fmt.Errorf("explorer: budget.distance is %g m and budget.samples and budget.time are 0, no limit: "+
			"samples where the robot stands cost no metres, so the mission would not end; limit one of them too", b.Distance)
	}
	if c.Method == methodGrid && c.Mission.Budget.Samples == 0 {
		return fmt.Errorf("explorer: method is %s and budget.samples is 0, no limit: the grid has as many points as there are samples, "+
			"so set budget.samples to 1 to 100000, or choose another method", methodGrid)
	}
	if _, _, err := toModel(record.Transform(c.Reading.Transform), c.Threshold, 0); err != nil && c.Objective == planner.ObjectiveThreshold {
		return fmt.Errorf("explorer: threshold: %w", err)
	}
	if _, err := gp.ParseKinds(c.Model.Kernel); err != nil {
		return fmt.Errorf("explorer: model.kernel: %w", err)
	}
	if c.Model.Kernel == kernelAuto && !c.Model.Fit {
		return errors.New("explorer: model.kernel is auto, which is for the fit to choose, and model.fit is false: name a kernel")
	}
	if err := c.validateTeam(); err != nil {
		return err
	}
	if len(c.Home) == 1 {
		return errors.New("explorer: home has 1 number, want none or x, y")
	}
	if len(c.Field.Datum) == 1 {
		return errors.New("explorer: field.datum has 1 number, want none or longitude, latitude")
	}
	return nil
}

// level returns the threshold in model units.
func (c *Config) level() float64 {
	v, _, _ := toModel(record.Transform(c.Reading.Transform), c.Threshold, 0) // Validate saw to it where it matters
	return v
}

// spreadShare is what share of a mission's samples may be spread, as one in so many.
const spreadShare = 3

// spread returns how many of the first samples are spread: of a small budget not all.
func (c *Config) spread() int {
	if n := c.Mission.Budget.Samples; n > 0 {
		return min(c.Spread, n/spreadShare)
	}
	return c.Spread
}
