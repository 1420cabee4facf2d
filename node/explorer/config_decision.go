package explorer

import (
	"fmt"
	"math"
	"time"

	"ugp_explorer/gp"
	"ugp_explorer/node/record"
	"ugp_explorer/planner"
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
func (c *Config) price(l mission.Ledger) float64 {
	if c.paced {
		return c.Travel / 1000 * max(leastSpendRatio, l.SpendRatio(c.density))
	}
	return c.Travel / 1000
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
func (c *Config) aim() execution.AimConfig {
	return execution.AimConfig{Learn: c.Learn.On, Local: c.Learn.Local, Config: execution.DefaultConfig(c.Execution)}
}

// The choices of kernels, of those of gp.ParseKinds, that this package names itself.
const (
	kernelMatern = "matern"
	kernelAuto   = "auto"
)

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
	kinds, err := gp.ParseKinds(m.Kernel)
	if err != nil {
		panic(err) // Validate lets no such name pass
	}
	prior := m.Prior
	if c.continuous() {
		prior.MaxObservations = min(prior.MaxObservations, mostFitted)
	}
	return planner.ModelConfig{
		Fit: m.Fit, Kinds: kinds, Isotropic: true,
		SignalStdDev: m.SignalStdDev, LengthScale: length, NoiseStdDev: firstNoise, Mean: m.Mean,
		Average: m.Average, ExactLimit: gp.DefaultSparseConfig().ExactLimit, SpreadNoise: c.Learn.Local, Prior: prior,
		FitEveryTenth: c.Passive || c.continuous(), // observations come faster than fits
	}
}
