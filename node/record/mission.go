// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/localization"
)

// Version is the version of the record's layout that this package reads and writes.
const Version = 2

// Place is a point in the map frame: x and y in metres.
type Place = orb.Point

// Objective names what a mission looks for.
type Objective string

// The objectives of missions besides "maximum", the place with the highest value.
const (
	ObjectiveMinimum   Objective = "minimum"   // the place with the lowest value
	ObjectiveMap       Objective = "map"       // a map with a small standard deviation everywhere
	ObjectiveThreshold Objective = "threshold" // the line along which the value crosses Mission.Threshold
)

// Mission is the record of one mission, from its start to its end or until it was
// interrupted. Its fields are those of mission.json, in that order.
type Mission struct {
	// What made the record, and how the mission went.

	Version int    `json:"version"` // layout of the record; see the constant Version
	Program string `json:"program"` // program and its version
	Method  string `json:"method"`  // strategy that chose the targets, for example "ugp-ucb"
	Seed    uint64 `json:"seed"`    // seed of all random numbers
	Passive bool   `json:"passive"` // the explorer only observed: somebody else drove the robot

	Outcome string    `json:"outcome"`   // how the mission ended, in a few words
	Frame   string    `json:"frame"`     // frame of all places, for example "map"
	Started float64   `json:"started_s"` // start time, s: simulated time or the robot's clock
	Resumed []float64 `json:"resumed_s"` // times at which it was resumed after an interruption, s

	// What was looked for, in which field, with what.

	Objective Objective `json:"objective"` // what the mission looked for; empty: the maximum
	Threshold *float64  `json:"threshold"` // level of ObjectiveThreshold, user's units; nil with other objectives

	Quantity  string    `json:"quantity"`  // measured quantity, for example "potassium"
	Units     string    `json:"units"`     // user's units, for example "mg/l"; empty: none
	Transform Transform `json:"transform"` // from user's units to model units

	Budget Budget `json:"budget"`
	Field  Field  `json:"field"`

	Secondary *Secondary `json:"secondary,omitempty"` // a second quantity that was measured on the way; nil: none

	Also []Quantity `json:"also,omitempty"` // other quantities that were measured with each sample

	Covariates []Covariate `json:"covariates,omitempty"` // rasters, and how much of the field they explain at the end

	Home  *Place      `json:"home"`            // where the robot started and returns to; nil: unknown
	Noise *Covariance `json:"execution_noise"` // Σ̂ of the targets' beliefs N(x, Σ̂) at the end; nil: targets were treated as points

	// The samples: those that the robot took, and those that it was told.

	Observations []Observation `json:"observations"` // own samples in the order of time
	Earlier      []Observation `json:"earlier"`      // samples from before the mission, which the model knew from its start
	Team         []TeamSample  `json:"team"`         // samples of other robots in the order of arrival

	// The targets.

	Skipped     []Skipped    `json:"skipped"`     // targets given up without a sample
	Decisions   []Decision   `json:"decisions"`   // one per chosen target
	Suggestions []Suggestion `json:"suggestions"` // passive mission: goals that the strategy would have chosen

	// What was learnt of the field.

	Hyper          []HyperAt       `json:"hyper_parameters"` // one per time they were set or fitted
	Models         []Model         `json:"models"`           // over which the maps of the end are averaged; empty: the last of Hyper alone
	OnePlace       bool            `json:"one_place"`        // a sample at a stop is of one place in its belief for them, and not of the mean over it
	Recommended    []RecommendedAt `json:"recommended"`      // recommendation after each number of samples
	Recommendation *Recommendation `json:"recommendation"`   // final recommendation; nil: no sample was taken, or the same value is expected everywhere

	// Checks of the result, and what it comes from.

	Truth       *Truth           `json:"truth"`       // nil: the true field is unknown
	Consistency *Consistency     `json:"consistency"` // of beliefs and true places; nil: the true places are unknown
	Source      *Source          `json:"source"`      // the replayed bag; nil: not a replay
	Survey      *Survey          `json:"survey"`      // how well the whole field is known at the end; nil: no maps were computed
	Counts      map[string]int64 `json:"counts"`      // number of dropped or rejected data, by reason
	Settings    Settings         `json:"settings"`

	// What was spent.

	Distance      float64 `json:"distance_m"`       // length of the estimated path
	SimulatedTime float64 `json:"simulated_time_s"` // from start to end by message stamps
	WallTime      float64 `json:"wall_time_s"`      // from start to end by the computer's clock
}

// AtOnePlace reports whether the value of an observation is that of one place in its belief for the models; a value from a piece of path is
// the mean over it.
func (m *Mission) AtOnePlace(o *Observation) bool { return m.OnePlace && o.Path == nil }

// WithoutStops reports whether observations were made of pieces of the way: then no observation
// belongs to a target.
func (m *Mission) WithoutStops() bool {
	return m.Passive || slices.ContainsFunc(m.Observations, func(o Observation) bool { return o.Path != nil })
}

// Who took a sample; those of other robots have the name of their explorer.
const (
	OriginOwn     = "own"
	OriginEarlier = "earlier"
)

// Samples yields all samples that the mission knew and that count, with who took them, in the order in which they
// are in the model.
func (m *Mission) Samples(yield func(origin string, o *Observation) bool) {
	for i := range m.Earlier {
		if !yield(OriginEarlier, &m.Earlier[i]) {
			return
		}
	}
	for i := range m.Observations {
		if o := &m.Observations[i]; o.Struck == "" && !yield(OriginOwn, o) {
			return
		}
	}
	for i := range m.Team {
		if o := &m.Team[i].Observation; o.Struck == "" && !yield(m.Team[i].Robot, o) {
			return
		}
	}
}

// Budget is the limit of a mission's samples, distance and time. Zero means no limit.
type Budget struct {
	Samples  int     `json:"samples"`
	Distance float64 `json:"distance_m"`
	Time     float64 `json:"time_s"`
}

// Field is the area of the mission. A polygon is a list of rings: its outer ring, then its
// holes. A ring may repeat its first point at the end.
type Field struct {
	Name     string      `json:"name"`
	Boundary [][]Place   `json:"boundary"`  // one polygon
	KeepOuts [][][]Place `json:"keep_outs"` // polygons that the robot must not enter
	Margin   float64     `json:"margin_m"`  // least distance of targets from boundary and keep-outs
}

// Covariance is how well a place is known.
type Covariance = localization.Covariance

// Belief is a place, and how well it is known.
type Belief = localization.Belief

// Observation is one sample: its target, the belief about where it was taken, and the
// measured value.
type Observation struct {
	Sequence int       `json:"sequence"` // number of the sample, from 1
	Stamp    float64   `json:"stamp_s"`  // middle of the stop, s, on the clock of Mission.Started
	Target   Place     `json:"target_m"` // where the planner sent the robot; in a passive mission, and in one without stops, the belief's mean
	Approach *Approach `json:"approach"` // the drive to the target; nil in a passive mission and in one without stops
	Path     *float64  `json:"path_m"`   // length of the path on which its readings were taken, m; nil: the robot stood still
	Belief   Belief    `json:"belief"`   // belief about the place, P^L, from the localisation filter
	Readings int       `json:"readings"` // number of sensor readings that were averaged

	Value    float64 `json:"value"`    // measured value, user's units
	Variance float64 `json:"variance"` // variance of Value, user's units squared

	ModelValue    float64 `json:"model_value"`    // value for the Gaussian process, model units
	ModelVariance float64 `json:"model_variance"` // noise variance for the Gaussian process, model units squared

	TruePlace *Place `json:"true_place_m"` // true place of the probe; nil: unknown

	Also []*Value `json:"also,omitempty"` // of the other quantities, in the order of Mission.Also; nil: not measured

	Struck   Struck `json:"struck,omitempty"`   // why the sample does not count; empty: it counts
	Confirms int    `json:"confirms,omitempty"` // number of the sample before, far out, with which it agrees: both count
	Kept     bool   `json:"kept,omitempty"`     // it was struck and counts again: only a person strikes it
}

// Restrike strikes a sample for a reason, or restores it without one.
func (o *Observation) Restrike(why Struck) { o.Struck, o.Kept = why, why == "" }

// AsksAgain reports whether the last of a robot's samples, taken at a stop, is far out and wants a second one at its place.
func AsksAgain(list []Observation) bool {
	n := len(list)
	if n == 0 || list[n-1].Struck != StruckFarOut {
		return false
	}
	return n == 1 || list[n-2].Struck != StruckFarOut || list[n-2].Target != list[n-1].Target
}

// Struck is why a sample does not count: no model, map or result knows it.
type Struck string

// Why a sample is struck.
const (
	StruckByPerson Struck = "person"
	StruckFarOut   Struck = "far_out"  // its value is far outside all others, and no second one at its place agrees with it
	StruckByRobot  Struck = "by_robot" // the robot that took it has struck it
)

// StruckText names the samples of this robot that do not count, each with its value and why; "" if there are none.
func (m *Mission) StruckText() string {
	var list []string
	for _, o := range m.Struck() {
		text := fmt.Sprintf("%d (%s", o.Sequence, m.Measured(o.Value, math.Sqrt(o.Variance)))
		if o.Struck == StruckFarOut {
			text += ", far outside all others"
		}
		list = append(list, text+")")
	}
	switch len(list) {
	case 0:
		return ""
	case 1:
		return "Sample " + list[0] + " is struck and does not count."
	}
	return "Samples " + strings.Join(list, ", ") + " are struck and do not count."
}

// Struck returns the samples of this robot that do not count.
func (m *Mission) Struck() (list []*Observation) {
	for i := range m.Observations {
		if m.Observations[i].Struck != "" {
			list = append(list, &m.Observations[i])
		}
	}
	return list
}

// Located returns P^L, the belief about where the sample was taken, in the form of the Gaussian process.
func (o *Observation) Located() gp.Belief { return located(&o.Belief) }

func located(b *Belief) gp.Belief {
	return gp.Belief{Mean: []float64{b.X, b.Y}, Cov: mat.NewSymDense(2, []float64{b.XX, b.XY, b.XY, b.YY})}
}

// TeamSample is a sample of another robot that this robot's model uses. Readings, Path,
// Approach and TruePlace of its Observation are unknown.
type TeamSample struct {
	Robot       string      `json:"robot"` // full name of the other robot's explorer node
	Observation Observation `json:"observation"`
}

// Approach describes the drive to a target.
type Approach struct {
	Heading float64 `json:"heading_rad"` // heading of the path's last leg, counter-clockwise from x
	Length  float64 `json:"length_m"`    // length of the path
	GaveUp  bool    `json:"gave_up"`     // the target was not reached in time
}

// Skipped is a target that was given up.
type Skipped struct {
	Target Place   `json:"target_m"`
	Reason string  `json:"reason"`
	Stamp  float64 `json:"stamp_s"`
}

// Decision is the choice of one target. Mean and StdDev are those of the posterior at
// the target's belief N(x, Σ̂). All values are in model units; they are NaN if the
// strategy does not use the posterior.
type Decision struct {
	Samples     int     `json:"samples"` // number of own samples before the decision
	Target      Place   `json:"target_m"`
	Acquisition float64 `json:"acquisition"` // value of the acquisition function; for UCB μ̂ + β·σ̂
	Mean        float64 `json:"mean"`
	StdDev      float64 `json:"std_dev"`
	Beta        float64 `json:"beta"` // β, outside the square root
}

// Suggestion is the goal that the strategy would have chosen in a passive mission, and
// the place where the robot went instead. Mean, StdDev and Beta are as in Decision.
// WentMean and WentStdDev are from the same posterior.
type Suggestion struct {
	Samples    int     `json:"samples"`   // number of own samples before the suggestion
	Stamp      float64 `json:"stamp_s"`   // on the clock of Mission.Started
	Robot      Place   `json:"robot_m"`   // believed place of the probe at that time
	Target     Place   `json:"target_m"`  // the goal
	Path       float64 `json:"way_m"`     // length of the path to it
	Mean       float64 `json:"mean"`      // model units
	StdDev     float64 `json:"std_dev"`   // model units
	Beta       float64 `json:"beta"`      // 0: the strategy has no β
	Went       *Place  `json:"went_m"`    // place of the probe at the next suggestion or at the end; nil: not known yet
	WentMean   float64 `json:"went_mean"` // model units; NaN: unknown
	WentStdDev float64 `json:"went_std_dev"`
}

// Acquisition returns μ̂ + β·σ̂ at the goal and at the place where the robot went, in
// model units.
func (s *Suggestion) Acquisition() (goal, went float64) {
	return s.Mean + s.Beta*s.StdDev, s.WentMean + s.Beta*s.WentStdDev
}

// Consistency compares the beliefs about the places of readings with their true places.
type Consistency struct {
	Readings int     `json:"readings"`         // readings with a known true place
	Inside   int     `json:"inside_2_sigma"`   // readings with the true place inside the 2σ ellipse; 86.5 % if the beliefs are consistent
	Squared  float64 `json:"mean_squared"`     // mean squared Mahalanobis distance; 2 if the beliefs are consistent
	Unknown  int     `json:"readings_unknown"` // readings whose true place is unknown or whose covariance is singular
}

// Source describes the bag of a replay.
type Source struct {
	Bag       string   `json:"bag"`
	Pose      string   `json:"pose_topic"`
	Reading   string   `json:"reading_topic"`
	Secondary string   `json:"secondary_topic,omitempty"` // of the second sensor; empty: none
	Truth     string   `json:"truth_topic"`               // empty: none
	From      float64  `json:"from_s"`                    // record time of the first replayed message
	To        float64  `json:"to_s"`                      // record time of the last replayed message
	Messages  int64    `json:"messages"`
	Lost      int64    `json:"bytes_lost"` // bytes of the bag that are missing or unreadable
	Problems  []string `json:"problems"`
	Notes     []string `json:"notes"` // findings and assumptions, in sentences
}

// HyperAt holds the hyper-parameters after a number of own samples.
type HyperAt struct {
	Samples int `json:"samples"`
	Hyper
	LogLikelihood float64 `json:"log_likelihood"` // log marginal likelihood; NaN: not computed

	Noise *Covariance `json:"execution_noise"`  // Σ̂ of targets; nil: targets are points
	Bias  *Place      `json:"execution_bias_m"` // learnt bias of targets; nil: none
}

// Model holds the hyper-parameters of one of several models of all samples.
type Model struct {
	Weight float64 `json:"weight"` // probability of the model; those of a list add up to 1
	Hyper
}

// RecommendedAt is the recommended place after a number of samples: a past target
// (Algorithm 1, line 5) or any place in the field. Mean and StdDev are in model units, and NaN without
// a place.
type RecommendedAt struct {
	Samples int     `json:"samples"`  // number of own samples
	Team    int     `json:"team"`     // number of samples of other robots
	Target  *Place  `json:"target_m"` // nil: the same value was expected everywhere, so no place was better than another
	Mean    float64 `json:"mean"`
	StdDev  float64 `json:"std_dev"`
}

// Or returns the recommended place, or another one if none is.
func (r *RecommendedAt) Or(other Place) Place {
	if r.Target == nil {
		return other
	}
	return *r.Target
}

// Recommendation is the result of a mission. Mission.NewRecommendation makes it and
// converts its values to the user's units.
type Recommendation struct {
	Target       Place   `json:"target_m"`
	Mean         float64 `json:"mean"`    // posterior mean, model units
	StdDev       float64 `json:"std_dev"` // posterior standard deviation, model units
	Value        float64 `json:"value"`   // Mean in the user's units; the median if Transform is a logarithm
	Low          float64 `json:"low"`     // Mean − 2·StdDev in the user's units
	High         float64 `json:"high"`    // Mean + 2·StdDev in the user's units
	AfterSamples int     `json:"after_samples"`
	AfterTeam    int     `json:"after_team"` // samples of other robots
}

// NewRecommendation returns the recommendation of a place. mean and stdDev are those of
// the posterior there, in model units.
func (m *Mission) NewRecommendation(target Place, mean, stdDev float64, afterSamples int) *Recommendation {
	return &Recommendation{
		Target: target, Mean: mean, StdDev: stdDev, AfterSamples: afterSamples,
		Value: m.Transform.Inverse(mean),
		Low:   m.Transform.Inverse(mean - 2*stdDev),
		High:  m.Transform.Inverse(mean + 2*stdDev),
	}
}

// Truth describes the true field, in the user's units. Only simulations know it.
type Truth struct {
	Name string `json:"name"`

	Raw      Surface  `json:"raw"`      // the field as the probe measures it
	Smooth   *Surface `json:"smooth"`   // the field without nugget, or smoothed, so that a single cell does not decide; nil: not computed
	Expected *Surface `json:"expected"` // E[f(x̃)|x]: x̃ is where the robot arrives when it is sent to x; nil: not computed

	RegretOverSamples []RegretAt `json:"regret_over_samples"`
}

// Surface compares the recommendation with one version of the true field. The best value
// is taken over all places that may be sampled: the lowest under ObjectiveMinimum, else the highest.
// AtRecommendation and Regret are NaN without a recommendation.
type Surface struct {
	Description      string  `json:"description"` // for example "mean over discs of 20 m"
	Best             float64 `json:"best"`
	BestAt           Place   `json:"best_at_m"`
	AtRecommendation float64 `json:"at_recommendation"`
	Regret           float64 `json:"regret"` // |Best − AtRecommendation|
}

// RegretAt is the regret after a number of samples, in the user's units; NaN if it was
// not computed.
type RegretAt struct {
	Samples     int     `json:"samples"`
	Simple      float64 `json:"simple"`      // on Truth.Raw: the best value minus the best one sampled so far
	Recommended float64 `json:"recommended"` // on Truth.Raw: regret of the recommended place; while none is, of the newest sample's target
	Smooth      float64 `json:"smooth"`      // regret of the recommended place on Truth.Smooth
	Expected    float64 `json:"expected"`    // regret of the recommended place on Truth.Expected

	Instantaneous float64 `json:"instantaneous"` // regret of the last sample's target on Truth.Expected: the paper's uncertain-inputs regret
	Mean          float64 `json:"mean"`          // mean of the instantaneous regrets so far, which the paper plots
}

// AppendApart appends a place that is at least spacing metres from the last.
func AppendApart(track []Place, p Place, spacing float64) []Place {
	if n := len(track); n > 0 {
		dx, dy := p[0]-track[n-1][0], p[1]-track[n-1][1]
		if dx*dx+dy*dy < spacing*spacing {
			return track
		}
	}
	return append(track, p)
}
