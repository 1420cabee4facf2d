package explorer

import (
	"errors"
	"fmt"
	"math"
	"time"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/execution"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/field/localizability"
	"ugp_explorer/planner/mission"
)

// Entries of the catalogue that this package names itself.
const (
	methodGrid  = "grid"
	methodLines = "lines"
)

// DecisionConfig says what is looked for, and how targets are chosen.
type DecisionConfig struct {
	Seed      int64 // of the search's random numbers
	Objective planner.Objective
	Threshold float64 // level of ObjectiveThreshold, unit of a reading
	Method    string
	Beta      float64 // weight of the standard deviation in the acquisition function
	Recommend planner.Recommend
	Travel    float64 // decrease of the acquisition per kilometre of path, signal standard deviations
	Search    acquire.SearchConfig

	paced   bool    // Travel is automatic and follows what is left of the budget
	density float64 // samples per metre of path that a mission limited by distance or time should take
	apart   float64 // least distance of a target from earlier samples, m; 0: none
}

// samplesPerSide is the number of samples for each side of a square of the field's area
// that the robot drives, where distance or time are limited: ten a kilometre on a field of
// 64 ha.
const samplesPerSide = 8

// apartShare is the least distance of a target from earlier samples where the price follows
// the budget, relative to the side of a square of the field's area: 8 m on a field of
// 64 ha. A second sample at a place costs no distance and says nothing new, as the variation
// over distances too short to map is the same there, while the model takes it for noise. A
// few metres away it is another, and such samples together tell about their surroundings.
const apartShare = 1.0 / 100

// leastSpendRatio is the least factor on the automatic price: a generous limit does not make
// distance cheaper than no limit does.
const leastSpendRatio = 0.05

// price returns the price of a metre of path, in signal standard deviations.
func (c *DecisionConfig) price(l mission.Ledger) float64 {
	if c.paced {
		return c.Travel / 1000 * max(leastSpendRatio, l.SpendRatio(c.density))
	}
	return c.Travel / 1000
}

func (c *DecisionConfig) declare(set *param.Set, catalogue planner.Catalogue) {
	var objectives []string
	for _, o := range planner.Objectives() {
		objectives = append(objectives, string(o))
	}
	set.Int64(&c.Seed, "seed", param.Range(0, math.MaxInt32),
		param.Describe("seed of the random numbers in decisions; the same seed and the same readings give the same goals"))
	set.String((*string)(&c.Objective), "objective", param.OneOf(objectives...),
		param.Describe("aim of the mission: maximum or minimum (find the place with the highest or lowest value), map (a map that is equally good everywhere) or threshold (the line where the value crosses the parameter threshold)"))
	set.Float64(&c.Threshold, "threshold", param.Unit("reading"),
		param.Describe("value whose contour line is looked for when objective is threshold"))
	set.String(&c.Method, "method", param.OneOf(catalogue.MethodNames()...),
		param.Describe("method that chooses the targets; ugp-ucb takes into account how uncertain the places of targets and samples are, gp-ucb does not"))
	set.Float64(&c.Beta, "beta.fixed", param.Range(0, 1000),
		param.Describe("β, the weight of the standard deviation in the acquisition function; larger values explore more"))
}

// strategy returns how the optimiser chooses targets.
func (c *Config) strategy() planner.StrategyConfig {
	return planner.StrategyConfig{
		Beta: planner.Fixed(c.Beta), Search: c.Search, GridPoints: max(c.Mission.Budget.Samples, 1),
		SpreadSamples: c.spread(), Recommend: c.Recommend, Objective: c.Objective, Level: c.level(),
	}
}

// level returns the threshold in model units.
func (c *Config) level() float64 {
	v, _, _ := record.Transform(c.Reading.Transform).Forward(c.Threshold, 0) // Validate checks it where it is used
	return v
}

// spreadWay is the share of the way of a mission without stops, if that is limited, that is
// spread over the field before the method chooses: from a way around the first good place the
// fit would learn that all of the field varies as little, and the robot would stay there. In a
// mission with stops, whose samples are few and far apart, a spread gained less than the error
// (BENCHMARKS.md).
const spreadWay = 0.2

// spread returns the number of first samples that are spread over the field.
func (c *Config) spread() int {
	if c.continuous() {
		return int(spreadWay * c.pieces())
	}
	return 0
}

// ExecutionConfig says how far from their targets samples are taken, and whether that is
// learnt.
type ExecutionConfig struct {
	Execution float64 // σ̂ of P̂_x = N(x, σ̂²I), m
	Learn     LearnConfig
}

// LearnConfig says whether and how the execution noise is learnt. The prior is centred
// on ExecutionConfig.Execution.
type LearnConfig struct {
	On    bool
	Local bool // targets are judged by how well the robot knows its place there
}

func (c *ExecutionConfig) declare(set *param.Set) {
	l := &c.Learn
	set.Float64(&c.Execution, "execution.stddev", param.Unit("m"), param.Range(0, 1000), automatics.Option("execution.stddev"),
		param.Describe("standard deviation of the execution noise, in x and in y: how far from its target a sample is taken; a target is judged by the mean over these places"))
	set.Bool(&l.Local, "execution.local",
		param.Describe("judge targets by how well the robot will know its place there, as under trees: by the covariances of the poses along its whole path, by zones with the role localization in field.file, and by places where the pose was lost; the noise of a sample then includes the variance that the field has within its belief; without effect where the standard deviation is nowhere above a tenth of the field's length-scale"))
}

func (c *ExecutionConfig) validate() error {
	if !c.Learn.On {
		return nil
	}
	if c.Execution == 0 {
		return errors.New("execution.stddev is 0, but what is learnt begins with it: want more than 0")
	}
	return c.aim().Validate()
}

// localMemory is the time after which what the poses of a place have shown counts 1/e: satellites
// come and go, so fixes become better or worse within hours.
const localMemory = time.Hour

// tracker returns what learns how well the robot knows its place on a field; nil if nothing
// does.
func (c *Config) tracker(outline field.Field) (*localizability.Tracker, error) {
	if !c.Learn.Local {
		return nil, nil
	}
	b := outline.Boundary.Bound()
	cfg := localizability.DefaultConfig(b.Min, b.Max)
	cfg.Memory, cfg.Zones = localMemory, outline.Localization
	t, err := localizability.NewTracker(cfg, c.Covariance.MaxPositionStdDev, seconds(c.Mission.PoseTimeout))
	if err != nil {
		return nil, fmt.Errorf("explorer: %w", err)
	}
	return t, nil
}

// aim returns what the optimiser assumes about the execution noise.
func (c *ExecutionConfig) aim() execution.AimConfig {
	return execution.AimConfig{Learn: c.Learn.On, Local: c.Learn.Local, Config: execution.DefaultConfig(c.Execution)}
}

// The choices of kernels, of those of gp.ParseKinds, that this package names itself.
const (
	kernelMatern = "matern"
	kernelAuto   = "auto"
)

// ModelConfig says which hyper-parameters the model begins with, and whether they are learnt.
type ModelConfig struct {
	Fit          bool
	Kernel       string  // one of gp.KindNames
	SignalStdDev float64 // model units
	LengthScale  float64 // m; 0: a sixth of the side of a square of the field's area
	Mean         float64 // model units; used only without a fit
	Average      int     // number of sets of hyper-parameters that decisions are averaged over; 1: those of the fit
	Prior        fit.Config
}

func (c *ModelConfig) declare(set *param.Set) {
	set.String(&c.Kernel, "model.kernel", param.OneOf(gp.KindNames()...),
		param.Describe("kernel, which says how smooth the field is: se (smoothest), matern52, matern32, matern12 (roughest, also called exponential) or rq (smooth, with similarity over long distances); with matern (matern52 and matern32) or auto (all kernels) each fit takes the likeliest, and averages over hyper-parameters, up to 60 samples, include the others; with matern or auto, unless passive is true or sample.stop false, a model with matern12 has half of the weight in the recommended place and in the maps, up to 300 samples"))
	set.Float64(&c.LengthScale, "model.length_scale", param.Unit("m"), param.AtLeast(0),
		param.Describe("length-scale, the distance over which the field stays similar, until it is learnt, and the median of its prior; 0: a sixth of the side of a square of the field's area"))
}

func (c *ModelConfig) validate() error {
	if c.Kernel == kernelAuto && !c.Fit {
		return errors.New("model.kernel is auto, which lets the fit choose, and there is no fit: name a kernel")
	}
	return nil
}

// mostFitted is the largest number of observations of a fit in a mission without stops,
// which must end before the robot is at its target: a fit takes a 15th of the time that it
// takes with 300, and of so many pieces of one way neighbours say the same.
const mostFitted = 120

// firstNoise is the standard deviation of the variation over distances too short to map until it is
// learnt, in model units: a tenth of that of the field, as in surveys of soils.
const firstNoise = 0.1

// model returns the optimiser's model of a field with this area, m².
func (c *Config) model(area float64) planner.ModelConfig {
	m := &c.Model
	length := m.LengthScale
	if length == 0 {
		length = math.Sqrt(area) / 6
	}
	prior := m.Prior
	if c.continuous() {
		prior.MaxObservations = min(prior.MaxObservations, mostFitted)
	}
	return planner.ModelConfig{
		Fit: m.Fit, Kinds: m.kinds(), Isotropic: true,
		SignalStdDev: m.SignalStdDev, LengthScale: length, NoiseStdDev: firstNoise, Mean: m.Mean,
		Average: m.Average, ExactLimit: gp.DefaultSparseConfig().ExactLimit, SpreadNoise: c.Learn.Local, Prior: prior,
		FitEveryTenth: c.Passive || c.continuous(), // observations come faster than fits
	}
}

// kinds returns the kernels that the fit chooses from. The first is that of the
// model before there is a fit.
func (c *ModelConfig) kinds() []gp.Kind {
	kinds, err := gp.ParseKinds(c.Kernel)
	if err != nil {
		panic(err) // Validate lets no such name pass
	}
	return kinds
}
