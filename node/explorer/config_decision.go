package explorer

import (
	"errors"
	"fmt"
	"math"

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

// leastHaste is the least factor on the automatic price: a generous limit does not make
// distance cheaper than no limit does.
const leastHaste = 0.05

// price returns the price of a metre of path, in signal standard deviations.
func (c *DecisionConfig) price(l mission.Ledger) float64 {
	if c.paced {
		return c.Travel / 1000 * max(leastHaste, l.Haste(c.density))
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
	set.String((*string)(&c.Recommend), "recommend", param.OneOf(string(planner.RecommendTarget), string(planner.RecommendAnywhere)),
		param.Describe("places from which the best one is recommended, by the posterior mean: target (all past targets) or anywhere (the whole field)"))
	set.Float64(&c.Travel, "travel_cost", param.Unit("1/km"), param.AtLeast(0), automatics.Option("travel_cost"),
		param.Describe("decrease of a target's acquisition per kilometre of path to it, in standard deviations of the field about its mean; 0: distance does not matter; a given value stays the same during the mission"))
	set.Int(&c.Search.Starts, "search.starts", param.Range(1, 1e6),
		param.Describe("number of places that are compared at each decision"))
	set.Int(&c.Search.Refine, "search.refine", param.Range(1, 1000),
		param.Describe("number of the best places, among those of search.starts, that are improved by gradient ascent"))
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
	On     bool
	Factor float64 // one standard deviation of the prior of the noise's size, as a factor
	Weight float64 // of the prior of equal noise in all directions without a bias, samples
	Local  bool    // targets are judged by how well the robot knows its place there
	Memory float64 // time after which what is known of that counts 1/e, s
}

func (c *ExecutionConfig) declare(set *param.Set) {
	l := &c.Learn
	set.Float64(&c.Execution, "execution.stddev", param.Unit("m"), param.Range(0, 1000), automatics.Option("execution.stddev"),
		param.Describe("standard deviation of the execution noise, in x and in y: how far from its target a sample is taken; a target is judged by the mean over these places"))
	set.Bool(&l.On, "execution.learn",
		param.Describe("learn the execution noise and its bias from where samples were probably taken, beginning with execution.stddev"))
	set.Float64(&l.Factor, "execution.prior_factor", param.Above(1),
		param.Describe("factor within which execution.stddev is probably right (one standard deviation), when execution.learn is true"))
	set.Float64(&l.Weight, "execution.prior_weight", param.Unit("samples"), param.Above(0),
		param.Describe("weight of the assumption that the execution noise is equal in all directions and has no bias, as a number of samples, when execution.learn is true"))
	set.Bool(&l.Local, "execution.local",
		param.Describe("judge targets by how well the robot will know its place there, as under trees: by the covariances of the poses along its whole path, by zones with the role localization in field.file, and by places where the pose was lost; without effect where the standard deviation is nowhere above a tenth of the field's length-scale"))
	set.Float64(&l.Memory, "execution.local_memory", param.Unit("s"), param.Above(0),
		param.Describe("time after which what the poses of a place have shown counts 1/e, when execution.local is true: fixes may become better or worse"))
}

func (c *ExecutionConfig) validate() error {
	if !c.Learn.On {
		return nil
	}
	if c.Execution == 0 {
		return errors.New("execution.stddev is 0, but execution.learn begins with it: want more than 0")
	}
	return c.aim().Validate()
}

// tracker returns what learns how well the robot knows its place on a field; nil if nothing
// does.
func (c *Config) tracker(outline field.Field) (*localizability.Tracker, error) {
	if !c.Learn.Local {
		return nil, nil
	}
	b := outline.Boundary.Bound()
	cfg := localizability.DefaultConfig(b.Min, b.Max)
	cfg.Memory, cfg.Zones = seconds(c.Learn.Memory), outline.Localization
	t, err := localizability.NewTracker(cfg, c.Covariance.MaxPositionStdDev, seconds(c.Mission.PoseTimeout))
	if err != nil {
		return nil, fmt.Errorf("explorer: %w", err)
	}
	return t, nil
}

// aim returns what the optimiser assumes about the execution noise.
func (c *ExecutionConfig) aim() execution.AimConfig {
	return execution.AimConfig{Learn: c.Learn.On, Local: c.Learn.Local, Config: execution.Config{
		StdDev: c.Execution, Factor: c.Learn.Factor, Weight: c.Learn.Weight,
	}}
}

// The choices of kernels, of those of gp.ParseKinds, that this package names itself.
const (
	kernelMatern = "matern"
	kernelAuto   = "auto"
)

// ModelConfig says which hyper-parameters the model begins with, and whether they are learnt.
type ModelConfig struct {
	Fit          bool
	Kernel       string // one of gp.KindNames
	Isotropic    bool
	SignalStdDev float64 // model units
	LengthScale  float64 // m; 0: a sixth of the side of a square of the field's area
	NoiseStdDev  float64 // model units
	Mean         float64 // model units; used only without a fit
	Average      int     // number of sets of hyper-parameters that decisions are averaged over; 1: those of the fit
	ExactLimit   int     // number of samples above which the posterior is sparse
	SpreadNoise  bool    // the noise of a sample includes the field's variance within its belief
	Prior        fit.Config
}

func (c *ModelConfig) declare(set *param.Set) {
	set.Bool(&c.Fit, "model.fit",
		param.Describe("learn the hyper-parameters after each sample; with more than 300 samples, each time a tenth of them is new, from 300 chosen at random; when passive is true, always each time a tenth is new; when sample.stop is false, too, from at most 120"))
	set.String(&c.Kernel, "model.kernel", param.OneOf(gp.KindNames()...),
		param.Describe("kernel, which says how smooth the field is: se (smoothest), matern52, matern32, matern12 (roughest, also called exponential) or rq (smooth, with similarity over long distances); with matern (matern52 and matern32) or auto (all kernels) each fit takes the likeliest, and averages over hyper-parameters, up to 60 samples, include the others; with matern or auto, unless passive is true, sample.stop false or model.average 1, a model with matern12 has half of the weight in the recommended place and in the maps, up to 300 samples"))
	set.Bool(&c.Isotropic, "model.isotropic",
		param.Describe("use one length-scale for both axes; false: one for each axis"))
	set.Float64(&c.SignalStdDev, "model.signal_stddev", param.Unit("model"), param.Above(0),
		param.Describe("standard deviation of the field about its mean, until it is learnt"))
	set.Float64(&c.LengthScale, "model.length_scale", param.Unit("m"), param.AtLeast(0),
		param.Describe("length-scale, the distance over which the field stays similar, until it is learnt, and the median of its prior; 0: a sixth of the side of a square of the field's area"))
	set.Float64(&c.NoiseStdDev, "model.noise_stddev", param.Unit("model"), param.AtLeast(0),
		param.Describe("standard deviation of the variation over distances too short to map, until it is learnt"))
	set.Float64(&c.Mean, "model.mean", param.Unit("model"),
		param.Describe("mean of the field, used only when model.fit is false"))
	set.Int(&c.Average, "model.average", param.Range(1, 64),
		param.Describe("number of sets of hyper-parameters, drawn from those that the samples leave plausible, over which decisions, recommendations and maps are averaged up to 60 samples; 1: only those of the fit"))
	set.Int(&c.ExactLimit, "model.exact_limit", param.Unit("samples"), param.Range(1, 5000),
		param.Describe("number of samples up to which the posterior is exact; with more it is approximated with up to 512 inducing points"))
	set.Bool(&c.SpreadNoise, "model.spread",
		param.Describe("add to the noise of each sample the variance that the field has within its belief: a sample whose place is poorly known then says less about the field, and the map is better; for methods with beliefs"))
	set.Int(&c.Prior.Starts, "model.fit_starts", param.Range(1, 100),
		param.Describe("number of starting points of each fit of the hyper-parameters with up to 60 samples; with more samples it is at most 2"))
}

func (c *ModelConfig) validate() error {
	if _, err := gp.ParseKinds(c.Kernel); err != nil {
		return fmt.Errorf("model.kernel: %w", err)
	}
	if c.Kernel == kernelAuto && !c.Fit {
		return errors.New("model.kernel is auto, which lets the fit choose, and model.fit is false: name a kernel")
	}
	return nil
}

// mostFitted is the largest number of observations of a fit in a mission without stops,
// which must end before the robot is at its target: a fit takes a 15th of the time that it
// takes with 300, and of so many pieces of one way neighbours say the same.
const mostFitted = 120

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
		Fit: m.Fit, Kinds: m.kinds(), Isotropic: m.Isotropic,
		SignalStdDev: m.SignalStdDev, LengthScale: length, NoiseStdDev: m.NoiseStdDev, Mean: m.Mean,
		Average: m.Average, ExactLimit: m.ExactLimit, SpreadNoise: m.SpreadNoise, Prior: prior,
		Rarely: c.Passive || c.continuous(), // observations come faster than fits
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
