package report

import "math"

// Version is the version of the record's layout that this package writes and
// reads.
const Version = 2

// Place is a point of the map frame, x then y, in metres.
type Place = [2]float64

// Settings holds every parameter that a mission ran with: node → parameter →
// value. Values are booleans, integers, floats, strings and slices of those.
type Settings map[string]map[string]any

// Objective names what a mission looks for.
type Objective string

// The objectives of missions.
const (
	ObjectiveMaximum   Objective = "maximum"   // the place with the highest value
	ObjectiveMinimum   Objective = "minimum"   // the place with the lowest value
	ObjectiveMap       Objective = "map"       // a map with a small standard deviation everywhere
	ObjectiveThreshold Objective = "threshold" // the line along which the value crosses Mission.Threshold
)

// Mission is the record of one mission, from its start to its end or to the
// moment at which it was interrupted.
type Mission struct {
	Version int    `json:"version"` // layout of the record: the constant Version
	Program string `json:"program"` // program and its version
	Method  string `json:"method"`  // strategy that chose the targets, such as "ugp-ucb"
	Seed    uint64 `json:"seed"`    // of every random number of the run
	Passive bool   `json:"passive"` // the robot was driven by others: nothing was sent anywhere

	Outcome string    `json:"outcome"`   // how it ended, in a few words
	Frame   string    `json:"frame"`     // frame of every place, such as "map"
	Started float64   `json:"started_s"` // stamp of the start: simulated time or the robot's clock, s
	Resumed []float64 `json:"resumed_s"` // stamps at which it was taken up after an interruption

	Objective Objective `json:"objective"` // what was looked for; empty: ObjectiveMaximum
	Threshold *float64  `json:"threshold"` // level of ObjectiveThreshold, user's units; nil with others

	Quantity  string    `json:"quantity"`  // what is measured, such as "potassium"
	Units     string    `json:"units"`     // user's units, such as "mg/l"; empty: none
	Transform Transform `json:"transform"` // from user's units to model units

	Budget Budget      `json:"budget"`
	Field  Field       `json:"field"`
	Home   *Place      `json:"home"`            // where the robot started and returns to; nil: not given
	Noise  *Covariance `json:"execution_noise"` // Σ̂ of the targets' beliefs N(x, Σ̂) at the end; nil: targets were points

	Observations   []Observation    `json:"observations"`     // in the order in which they were made
	Team           []TeamSample     `json:"team"`             // observations of other robots, in the order in which they were heard
	Skipped        []Skipped        `json:"skipped"`          // targets given up without an observation
	Decisions      []Decision       `json:"decisions"`        // one for each target that was chosen
	Suggestions    []Suggestion     `json:"suggestions"`      // of a passive mission: one for each goal that would have been chosen
	Hyper          []HyperAt        `json:"hyper_parameters"` // one for each time they were set or fitted
	Recommended    []RecommendedAt  `json:"recommended"`      // the recommendation over the samples
	Recommendation *Recommendation  `json:"recommendation"`   // the final one; nil: nothing was sampled
	Truth          *Truth           `json:"truth"`            // nil: the true field is not known
	Consistency    *Consistency     `json:"consistency"`      // of the beliefs with the true places; nil: those are not known
	Source         *Source          `json:"source"`           // the bag that was replayed; nil: it was no replay
	Survey         *Survey          `json:"survey"`           // how well the whole field is known in the end; nil: no maps were computed
	Counts         map[string]int64 `json:"counts"`           // what was dropped or refused, by reason
	Settings       Settings         `json:"settings"`

	Distance      float64 `json:"distance_m"`       // driven, along the estimated path
	SimulatedTime float64 `json:"simulated_time_s"` // from start to end by the message stamps
	WallTime      float64 `json:"wall_time_s"`      // from start to end by the machine's clock
}

// Budget is what the mission was allowed to spend. Zero means without a limit.
type Budget struct {
	Samples  int     `json:"samples"`
	Distance float64 `json:"distance_m"`
	Time     float64 `json:"time_s"`
}

// Field is the area that was searched. A polygon is its outer ring and then
// its holes; a ring may or may not repeat its first point at the end.
type Field struct {
	Name     string      `json:"name"`
	Boundary [][]Place   `json:"boundary"`  // one polygon
	KeepOuts [][][]Place `json:"keep_outs"` // polygons that the robot must not enter
	Margin   float64     `json:"margin_m"`  // targets keep this far from boundary and keep-outs
}

// Covariance is a symmetric planar covariance, m².
type Covariance struct {
	XX float64 `json:"xx_m2"`
	XY float64 `json:"xy_m2"`
	YY float64 `json:"yy_m2"`
}

// Belief is a Gaussian belief about a place: mean in m, covariance in m².
type Belief struct {
	X  float64 `json:"x_m"`
	Y  float64 `json:"y_m"`
	XX float64 `json:"xx_m2"`
	XY float64 `json:"xy_m2"`
	YY float64 `json:"yy_m2"`
}

// Covariance returns the belief without its mean.
func (b Belief) Covariance() Covariance { return Covariance{XX: b.XX, XY: b.XY, YY: b.YY} }

// Inside reports whether a place lies in the belief's 2σ ellipse. A planar Gaussian
// has 86.5 % of its mass inside: 1 − exp(−2²/2).
func (b Belief) Inside(p Place) bool { return b.SquaredDistance(p) <= 2*2 }

// SquaredDistance returns the squared Mahalanobis distance of a place from the
// belief; NaN when the belief is singular.
func (b Belief) SquaredDistance(p Place) float64 {
	det := b.XX*b.YY - b.XY*b.XY
	if !(det > 0) {
		return math.NaN()
	}
	dx, dy := p[0]-b.X, p[1]-b.Y
	return (b.YY*dx*dx - 2*b.XY*dx*dy + b.XX*dy*dy) / det
}

// Observation is one sample: where it was meant to be taken, where it was
// probably taken, and what was measured.
type Observation struct {
	Sequence int       `json:"sequence"` // from 1
	Stamp    float64   `json:"stamp_s"`  // middle of the stop, same clock as Mission.Started
	Target   Place     `json:"target_m"` // where the planner sent the robot; in a passive mission, which sends it nowhere, the belief's mean
	Approach *Approach `json:"approach"` // how it was driven to; nil in a passive mission
	Path     *float64  `json:"path_m"`   // length of the piece of path from its first reading to its last, m; nil: the robot stood
	Belief   Belief    `json:"belief"`   // P^L, from the localisation filter
	Readings int       `json:"readings"` // sensor readings combined into this one

	Value    float64 `json:"value"`    // user's units
	Variance float64 `json:"variance"` // of Value, user's units squared

	ModelValue    float64 `json:"model_value"`    // what the Gaussian process was given, model units
	ModelVariance float64 `json:"model_variance"` // noise variance it was given, model units squared

	TruePlace *Place `json:"true_place_m"` // where the probe really was; nil: not known
}

// TeamSample is an observation that another robot made and this one learnt from. The
// readings, path, approach and true place of its Observation are not known.
type TeamSample struct {
	Robot       string      `json:"robot"` // full name of its explorer's node
	Observation Observation `json:"observation"`
}

// Approach is how a target was driven to.
type Approach struct {
	Heading float64 `json:"heading_rad"` // of the path's last leg, counter-clockwise from x
	Length  float64 `json:"length_m"`    // of the path
	GaveUp  bool    `json:"gave_up"`     // the target was not reached in its time
}

// Skipped is a target that was given up.
type Skipped struct {
	Target Place   `json:"target_m"`
	Reason string  `json:"reason"`
	Stamp  float64 `json:"stamp_s"`
}

// Decision is the choice of one target. Mean and StdDev are the posterior at
// the target's belief N(x, Σ̂); all values in model units. A strategy that does
// not look at the posterior leaves NaN.
type Decision struct {
	Samples     int     `json:"samples"` // own observations when it was made
	Target      Place   `json:"target_m"`
	Acquisition float64 `json:"acquisition"` // value of the acquisition function, for UCB μ̂ + β·σ̂
	Mean        float64 `json:"mean"`
	StdDev      float64 `json:"std_dev"`
	Beta        float64 `json:"beta"` // β, outside the root
}

// Suggestion is the goal that would have been chosen, had the robot been ours to
// send, and where it went instead. Mean, StdDev and Beta are as in Decision; those
// of the place where it went are by the same posterior.
type Suggestion struct {
	Samples    int     `json:"samples"`   // own observations when it was made
	Stamp      float64 `json:"stamp_s"`   // same clock as Mission.Started
	Robot      Place   `json:"robot_m"`   // where the probe was believed to be then
	Target     Place   `json:"target_m"`  // the goal
	Way        float64 `json:"way_m"`     // length of the path to it
	Mean       float64 `json:"mean"`      // model units
	StdDev     float64 `json:"std_dev"`   // model units
	Beta       float64 `json:"beta"`      // 0: the strategy has none
	Went       *Place  `json:"went_m"`    // where the probe was at the next suggestion, or at the end; nil: not known yet
	WentMean   float64 `json:"went_mean"` // NaN: not known
	WentStdDev float64 `json:"went_std_dev"`
}

// Acquisition returns μ̂ + β·σ̂ of the goal, and that of the place where the robot
// went, in model units.
func (s *Suggestion) Acquisition() (goal, went float64) {
	return s.Mean + s.Beta*s.StdDev, s.WentMean + s.Beta*s.WentStdDev
}

// Consistency compares the belief about where each reading was made with where
// it truly was.
type Consistency struct {
	Readings int     `json:"readings"`         // with a true place that is known
	Inside   int     `json:"inside_2_sigma"`   // true place inside the 2σ ellipse: 86.5 % of consistent beliefs
	Squared  float64 `json:"mean_squared"`     // mean squared Mahalanobis distance: 2 of consistent beliefs
	Unknown  int     `json:"readings_unknown"` // whose true place is not known, or whose belief is singular
}

// Source is what was replayed.
type Source struct {
	Bag      string   `json:"bag"`
	Pose     string   `json:"pose_topic"`
	Reading  string   `json:"reading_topic"`
	Truth    string   `json:"truth_topic"` // empty: none
	From     float64  `json:"from_s"`      // record time of the first message that was replayed
	To       float64  `json:"to_s"`        // and of the last
	Messages int64    `json:"messages"`
	Lost     int64    `json:"bytes_lost"` // of the bag: known to be missing or unreadable
	Problems []string `json:"problems"`
	Notes    []string `json:"notes"` // what was found out or assumed, in sentences
}

// HyperAt holds the hyper-parameters after a number of own samples.
type HyperAt struct {
	Samples        int       `json:"samples"`
	Kernel         string    `json:"kernel"`          // "se", "matern52", "matern32" or "rq"; empty: older than the choice, "se"
	SignalVariance float64   `json:"signal_variance"` // σ_f², model units squared
	LengthScales   []float64 `json:"length_scales_m"` // one for each axis
	NoiseVariance  float64   `json:"noise_variance"`  // added to each observation's own, model units squared
	Mean           float64   `json:"mean"`            // constant prior mean, model units
	LogLikelihood  float64   `json:"log_likelihood"`  // log marginal likelihood; NaN: not evaluated

	Noise *Covariance `json:"execution_noise"`  // Σ̂ by which targets were judged then; nil: as points
	Bias  *Place      `json:"execution_bias_m"` // and the bias, where it was learnt; nil: none
}

// RecommendedAt is the place that would be recommended after a number of samples: a
// past target (Algorithm 1, line 5) or any place of the field. Mean and StdDev are in model units.
type RecommendedAt struct {
	Samples int     `json:"samples"` // own
	Team    int     `json:"team"`    // of other robots, known by the time
	Target  Place   `json:"target_m"`
	Mean    float64 `json:"mean"`
	StdDev  float64 `json:"std_dev"`
}

// Recommendation is the result of a mission. Make it with
// Mission.NewRecommendation, which fills the figures in the user's units.
type Recommendation struct {
	Target       Place   `json:"target_m"`
	Mean         float64 `json:"mean"`    // posterior mean, model units
	StdDev       float64 `json:"std_dev"` // posterior standard deviation, model units
	Value        float64 `json:"value"`   // Mean in the user's units (under a logarithm: the median)
	Low          float64 `json:"low"`     // Mean − 2·StdDev in the user's units
	High         float64 `json:"high"`    // Mean + 2·StdDev in the user's units
	AfterSamples int     `json:"after_samples"`
	AfterTeam    int     `json:"after_team"` // samples of other robots besides
}

// NewRecommendation returns the recommendation of a place whose posterior, in
// model units, has the given mean and standard deviation.
func (m *Mission) NewRecommendation(target Place, mean, stdDev float64, afterSamples int) *Recommendation {
	return &Recommendation{
		Target: target, Mean: mean, StdDev: stdDev, AfterSamples: afterSamples,
		Value: m.Transform.Inverse(mean),
		Low:   m.Transform.Inverse(mean - 2*stdDev),
		High:  m.Transform.Inverse(mean + 2*stdDev),
	}
}

// Truth is what is known of the true field, in the user's units. It exists in
// simulation only.
type Truth struct {
	Name string `json:"name"`

	Raw      Surface  `json:"raw"`      // the field as the probe meets it
	Smooth   *Surface `json:"smooth"`   // the field without its nugget or smoothed, so that one odd cell does not rule; nil: not evaluated
	Expected *Surface `json:"expected"` // E[f(x̃)|x], x̃ being where the robot ends up when sent to x; nil: not evaluated

	RegretOverSamples []RegretAt `json:"regret_over_samples"`
}

// Surface is one reading of the true field: its best value over the places that
// may be sampled, and what the recommended place loses against it. The best is the
// lowest under ObjectiveMinimum, and otherwise the highest.
type Surface struct {
	Description      string  `json:"description"` // such as "mean over discs of 20 m"
	Best             float64 `json:"best"`
	BestAt           Place   `json:"best_at_m"`
	AtRecommendation float64 `json:"at_recommendation"`
	Regret           float64 `json:"regret"` // |Best − AtRecommendation|
}

// RegretAt is the regret after a number of samples, in the user's units. NaN means
// that it was not evaluated.
type RegretAt struct {
	Samples     int     `json:"samples"`
	Simple      float64 `json:"simple"`      // raw: the best less the best true value at a place sampled so far
	Recommended float64 `json:"recommended"` // raw regret of the place recommended so far
	Smooth      float64 `json:"smooth"`      // the same on Truth.Smooth
	Expected    float64 `json:"expected"`    // the same on Truth.Expected

	Instantaneous float64 `json:"instantaneous"` // of the last sample's target on Truth.Expected: the paper's uncertain-inputs regret
	Mean          float64 `json:"mean"`          // of the instantaneous ones so far, what the paper plots
}
