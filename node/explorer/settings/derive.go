// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package settings

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"strings"

	"github.com/paulmach/orb"

	"ugp_explorer/gp"
	"ugp_explorer/localization"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner"
	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/execution"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/field/localizability"
	"ugp_explorer/planner/mission"
)

// Values of goal.interface.
const (
	GoalTopic  = "topic"
	GoalAction = "navigate_to_pose" // also the name of the action
)

// limited reports whether a budget sets the price of distance, on a field with the area of a square of this side, m. Passive missions have
// no price, and samples while driving cost no stop. A budget of samples alone sets a price only on fields of the size for which this was
// measured: on smaller ones driving takes little time, and on a larger one of 25 km², 16 samples covered only 5 of its 9 squares, with 10
// samples in one.
func (c *Config) limited(side float64) bool {
	b := c.Mission.Budget
	return !c.Passive && (b.Distance > 0 || b.Duration > 0 || b.Samples > 0 && !c.continuous() && side >= smallestPaced && side <= largestPaced)
}

// The sides of the smallest and the largest field on which the samples alone set the price, m.
const smallestPaced, largestPaced = 400, 1000

// continuous reports whether the mission samples while the robot drives, and does not stop
// at its targets.
func (c *Config) continuous() bool { return !c.Passive && !c.Reading.AtStops }

// pieces returns the number of observations that a mission without stops makes, 0 if its path is not limited.
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

// Rules returns the mission's rules.
func (c *Config) Rules() mission.Config {
	rules := c.Mission
	switch {
	case c.Passive:
		rules.Mode, rules.Budget = mission.Passive, mission.Budget{}
	case c.continuous():
		rules.Mode, rules.Budget.Samples, rules.SampleTime = mission.WhileDriving, 0, 0
	}
	return rules
}

// HomeOr returns the configured home or, without one, the place where a mission starts, m.
func (c *Config) HomeOr(start orb.Point) orb.Point {
	if len(c.Home) == 2 {
		return orb.Point(c.Home)
	}
	return start
}

// Datum returns the datum of the map's origin, which Validate has checked; nil if none is given.
func (c *Config) Datum() *earth.Datum {
	d, _ := convert.Datum("field.datum", c.Field.Datum)
	return d
}

// CheckBudget returns the error, with the numbers, by which a mission with this length of the path home, m, would refuse to start: its
// budgets do not cover that path, or leave no time for a sample. A passive mission has no budgets. Ground must have set the parameters that
// depend on the size of the field.
func (c *Config) CheckBudget(home float64) error {
	if c.Passive {
		return nil
	}
	return c.Rules().Check(home)
}

// ErrNoField is returned by Ground if no field is given.
var ErrNoField = errors.New("explorer: field.file is empty: give a GeoJSON file with the outline of the field, or set outline.file to the name of a file that is recorded by driving")

// CheckField returns an error if no mission is possible on a field: if too little of it is left
// inside the margin, for example.
func (c *Config) CheckField(f field.Field) error {
	own := *c
	_, _, err := own.fitTo(f)
	return err
}

// Ground returns the ground of the configured outline, and the radius of the largest circle in it, m. It sets each parameter that depends
// on the size of the field, also in set.
func (c *Config) Ground(set *param.Set, log *slog.Logger) (*ground.Ground, float64, error) {
	open := automatics.Open(c)
	g, size, err := c.newGround()
	if err != nil {
		return nil, 0, err
	}
	if err := c.Validate(); err != nil {
		return nil, 0, err
	}
	if err = set.Resolved(open...); err != nil {
		return nil, 0, fmt.Errorf("explorer: %w", err)
	}
	c.logAutomatic(log, size, open)
	return g, size.Inscribed, nil
}

// newGround returns the ground and its size.
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
		outline, err = convert.ReadBoundary(c.Field.File, c.Field.Datum)
		if degrees := new(earth.DegreesError); errors.As(err, &degrees) {
			d := degrees.Datum
			err = fmt.Errorf("%w; unless the filter publishes one on ekf/datum, set field.datum: [%g, %g], and datum of the filter to the same, or give datum:=%[2]g,%[3]g to ros2 launch", err, d.Lon, d.Lat)
		}
		if err != nil {
			return nil, Size{}, fmt.Errorf("explorer: field.file: %w", err)
		}
		name = "field.file: " + c.Field.File
		if c.Field.Name == "" {
			c.Field.Name = cmp.Or(outline.Name, strings.TrimSuffix(filepath.Base(c.Field.File), filepath.Ext(c.Field.File)))
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
		Nav2: c.Interface == GoalAction && !c.Passive,
	})
	if err != nil {
		return nil, size, fmt.Errorf("explorer: %w", err)
	}
	return g, size, nil
}

// Entries of the catalogue that this package names itself.
const (
	MethodGrid  = "grid"
	MethodLines = "lines"
)

// samplesPerSide is the number of samples per driven side of a square of the field's area if distance or time is limited: ten per kilometre
// on a field of 64 ha.
const samplesPerSide = 8

// apartShare is the least distance of a target from earlier samples if the price depends on the budget, relative to the side of a square of
// the field's area: 8 m on a field of 64 ha. A second sample at the same place costs no distance and adds nothing new: the variation over
// distances too short to map is the same there, though the model treats it as noise. A few metres away it differs, and such samples
// together show the value of their surroundings.
const apartShare = 1.0 / 100

// leastSpendRatio is the least factor on the automatic price: with a generous limit, distance is not cheaper than without a limit.
const leastSpendRatio = 0.05

// Price returns the price of a metre of path, in signal standard deviations.
func (c *Config) Price(l mission.Ledger) float64 {
	if c.Pace.On {
		return c.Travel / 1000 * max(leastSpendRatio, l.SpendRatio(c.Pace.Density))
	}
	return c.Travel / 1000
}

// Level returns the threshold in model units.
func (c *Config) Level() float64 {
	_, v, _ := c.Levels() // Validate checks it where it is used
	return v
}

// Levels returns the threshold in the unit of a reading and in model units, or an error if it has no logarithm.
func (c *Config) Levels() (reading, model float64, err error) {
	m := record.Mission{Units: c.Units, Transform: record.Transform(c.Reading.Transform)}
	scale := m.Scale()
	if reading, model, err = scale.ModelOf(c.Threshold); err != nil {
		err = fmt.Errorf("threshold is %g, but the model needs its logarithm, %s: want a value above 0 in the unit of the page%s",
			c.Threshold, scale.Model, strings.TrimSuffix(", "+scale.Units, ", "))
	}
	return reading, model, err
}

// spreadWay is the share of the limited path of a mission without stops that is spread over the field before the method chooses. From a
// path around the first good place, the fit would learn that the whole field varies as little, and the robot would stay there. In a mission
// with stops, whose samples are few and far apart, a spread gained less than the error (BENCHMARKS.md).
const spreadWay = 0.2

// spread returns the number of first samples that are spread over the field.
func (c *Config) spread() int {
	if c.continuous() {
		return int(spreadWay * c.pieces())
	}
	return 0
}

// Localisation returns a map of how well the robot knows its place on a field; nil if this is not learnt.
func (c *Config) Localisation(outline field.Field) *localizability.Map {
	if !c.Learn.Local {
		return nil
	}
	return localizability.New(localizability.Config{
		Bound: outline.Boundary.Bound(), Zones: outline.Localization, Lost: c.Covariance.MaxPositionStdDev, Gap: ros.Duration(c.Mission.PoseTimeout),
	})
}

// aim returns what the optimiser assumes about the execution noise.
func (c *Config) aim() execution.NoiseConfig {
	return execution.NoiseConfig{Learn: c.Learn.On, Local: c.Learn.Local, Config: execution.DefaultConfig(c.Execution)}
}

// mostFitted is the largest number of observations of a fit in a mission without stops, which must end before the robot is at its target: a
// fit takes a 15th of the time of one with 300, and neighbouring pieces of a path contain nearly the same information.
const mostFitted = 120

// firstNoise is the standard deviation of the variation over distances too short to map until it is
// learnt, in model units: a tenth of that of the field, as in surveys of soils.
const firstNoise = 0.1

// model returns the optimiser's model of a field with this area, m².
func (c *Config) model(area float64) planner.ModelConfig {
	m := c.Model.ModelConfig
	if m.LengthScale == 0 {
		m.LengthScale = math.Sqrt(area) / 6
	}
	var err error
	if m.Kinds, err = gp.ParseKinds(c.Model.Kernel); err != nil {
		panic(err) // Validate lets no such name pass
	}
	if c.continuous() {
		m.Prior.MaxObservations = min(m.Prior.MaxObservations, mostFitted)
	}
	m.NoiseStdDev, m.ExactLimit = firstNoise, gp.DefaultSparseConfig().ExactLimit
	m.FitEveryTenth = c.Passive || c.continuous() // observations come faster than fits
	return m
}

// gapShare is the longest time between two poses across which the pose of a reading is interpolated, relative to pose.timeout: over a
// longer time without a pose, the robot may not drive straight.
const gapShare = 1.0 / 4

// The length of path whose readings of the second sensor make one value: 60 m, or a 15th of the side of a square of the field's area if
// that is less. On fields with sides of 850 to 920 m, a value for each 60 m and each stop was as good as one for each 10 m.
const (
	mostHeard  = 60 // m
	heardShare = 1.0 / 15
)

// ofAnother returns rules for readings of another topic and type that are otherwise those of r. called is the name of such a reading in
// messages; limitsBy names what sets its limits, which are those of the type. Its noise and delay are 0.
func ofAnother(r sense.Readings, topic, called, typ, limitsBy string) sense.Readings {
	r.Topic, r.Called, r.Type, r.StdDev, r.Delay = topic, called, typ, 0, 0
	r.Least, r.Most = sense.ReadingLimits(typ)
	r.LeastBy, r.MostBy = limitsBy, limitsBy
	return r
}

// Sense returns the rules for poses and readings.
func (c *Config) Sense() sense.Config {
	rules := sense.Config{
		Source: c.PoseSource, Frame: c.Frame, BaseFrame: c.BaseFrame, Headless: c.Passive, PoseTimeout: c.Mission.PoseTimeout, PoseDelay: c.PoseDelay, Speed: c.Mission.Speed,
		Covariance: c.Covariance, Datum: c.Datum(),
	}
	rules.Reading = sense.Readings{
		Topic: "reading", Called: "a reading", Matcher: c.Matcher, LeastBy: "reading.min", MostBy: "reading.max",
		Type: c.Reading.Type, StdDev: c.Reading.StdDev, Delay: c.Reading.Delay, Silence: c.Mission.SampleTimeout / 6,
		Readings: c.Reading.Count, Wait: c.Reading.Wait,
		PieceLength: c.Path.Length, PieceTime: c.Path.Time, Standing: mission.StandingSpeed, Settle: c.Mission.SettleTime,
	}
	r := &rules.Reading
	r.Least, r.Most = sense.ReadingLimits(c.Reading.Type)
	if !math.IsNaN(c.Reading.Min) {
		r.Least = c.Reading.Min
	}
	if !math.IsNaN(c.Reading.Max) {
		r.Most = c.Reading.Max
	}
	r.Matcher.MaxGap = ros.Duration(gapShare * c.Mission.PoseTimeout)
	if s := &c.Secondary; s.Type != "" {
		second := ofAnother(*r, "secondary", "a reading of the second sensor", s.Type, "secondary.type "+s.Type)
		second.StdDev, second.Delay = s.StdDev, s.Delay
		second.Matcher.Probe = localization.Lever{X: s.Probe}
		second.PieceLength, second.PieceTime = s.Piece, 0
		rules.Secondary = &second
	}
	rules.Also = c.alsoReadings(*r)
	if math.IsNaN(rules.Covariance.MaxPositionStdDev) { // the field is not known: as on a spacious one
		rules.Covariance.MaxPositionStdDev = mostUncertain
	}
	return rules
}

// NewOptimizer returns the optimiser, which learns and decides, for a region.
func (c *Config) NewOptimizer(region *field.Region) (*planner.Optimizer, error) {
	o, err := planner.NewOptimizer(region, planner.OptimizerConfig{
		Catalogue: c.Catalogue, Method: c.Method,
		Strategy: planner.StrategyConfig{
			Beta: planner.Fixed(c.Beta), Search: c.Search, GridPoints: max(c.Mission.Budget.Samples, 1),
			SpreadSamples: c.spread(), Recommend: c.Recommend, Objective: c.Objective, Level: c.Level(),
		},
		ExecutionNoise: c.aim(), Model: c.model(region.Area()),
		Random: planner.Seeded(c.Seed), RecommendLast: c.RecommendLast,
	})
	if err != nil {
		return nil, fmt.Errorf("explorer: %w", err)
	}
	return o, nil
}

// HasPage reports whether an explorer on the node has a page: it needs an address and a pace of time that people can follow.
func (c *Config) HasPage(node *ros.Node) bool { return c.Web.On() && !c.Alone && paced(node) }

// Joinable reports whether another node can join the node's graph later: nobody else is there if time is simulated as fast as possible.
func (c *Config) Joinable(node *ros.Node) bool { return c.OutputDir != "" && !c.Alone && paced(node) }

// paced reports whether time passes at a pace that people can follow.
func paced(node *ros.Node) bool {
	s, simulated := node.Executor().(*exec.Simulated)
	return !simulated || s.Paced()
}
