package experiment

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
)

// ShadowMethod is a method for samples whose places are known well in one part of the
// field and poorly in another.
type ShadowMethod struct {
	Name, Description string

	beliefs bool // the model contains beliefs, not points
	noise   ownNoise
	judge   judging
	random  bool // targets are drawn at random
	matched bool // with known hyper-parameters, λ contains the mean residual
}

// judging is the place of the robot by which a method judges a target.
type judging int

const (
	judgeOpen   judging = iota // as in the open
	judgeKnown                 // as at the target
	judgeLearnt                // as at the target, learnt from the samples
	judgeMapped                // as at the target, learnt from the straight paths between the samples
)

// ownNoise is the part of an observation's noise variance beside the reading's.
type ownNoise int

const (
	noiseNone   ownNoise = iota
	noiseSlope           // ∇μᵀ Σ_L ∇μ at its place: the variance that Σ_L causes on a slope (McHutchon and Rasmussen, NIPS 2011)
	noiseSpread          // σ_f² - k̂(P^L, P^L): the field's variance within P^L, as the model expects it
)

var shadowMethods = []ShadowMethod{
	{Name: "gp-ucb", Description: "points, as if they were known"},
	{Name: "igp-ucb-mean", Description: "points, the mean of what their errors make of the values counted as noise; with a learnt noise the same as gp-ucb", matched: true},
	{Name: "gp-slope", Description: "points, each with the noise that its own error makes of the model's slope there", noise: noiseSlope},
	{Name: "ugp-ucb", Description: "beliefs, with one noise for all of them", beliefs: true, matched: true},
	{Name: "ugp-spread", Description: "beliefs, each with the noise that the model expects of it", beliefs: true, noise: noiseSpread},
	{Name: "ugp-local", Description: "the beliefs of ugp-ucb, and targets judged by how well the place is known there, as learnt from the samples", beliefs: true, matched: true, judge: judgeLearnt},
	{Name: "spread-local", Description: "the same with the noise of ugp-spread", beliefs: true, noise: noiseSpread, judge: judgeLearnt},
	{Name: "ugp-map", Description: "the beliefs of ugp-ucb, and targets judged by a map of localisation along the straight paths between targets", beliefs: true, matched: true, judge: judgeMapped},
	{Name: "spread-map", Description: "the same with the noise of ugp-spread", beliefs: true, noise: noiseSpread, judge: judgeMapped},
	{Name: "spread-told", Description: "the same, and told how well places are known", beliefs: true, noise: noiseSpread, judge: judgeKnown},
	{Name: "slope-told", Description: "the points of gp-slope, and targets judged as spread-told does", noise: noiseSlope, judge: judgeKnown},
	{Name: "gp-random", Description: "random targets, the model of gp-ucb", random: true},
	{Name: "slope-random", Description: "random targets, the model of gp-slope", random: true, noise: noiseSlope},
	{Name: "ugp-random", Description: "random targets, the model of ugp-ucb", random: true, beliefs: true, matched: true},
	{Name: "spread-random", Description: "random targets, the model of ugp-spread", random: true, beliefs: true, noise: noiseSpread},
}

// ShadowMethods lists the methods.
func ShadowMethods() []ShadowMethod { return slices.Clone(shadowMethods) }

func shadowMethodNamed(name string) (ShadowMethod, error) {
	var names []string
	for _, m := range shadowMethods {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return ShadowMethod{}, fmt.Errorf("%w: there is no method %q, want one of %s", ErrPlan, name, strings.Join(names, ", "))
}

// Kinds of hyper-parameters.
const (
	HyperKnown  = "known"
	HyperLearnt = "learnt"
)

// ShadowPlan compares methods on fields where localisation is good in one part and
// poor in another, as in the lee of a wood, where satellites are hidden and odometry
// drifts.
//
// The robot steers by its estimate and brings it near the target x: x̂ ~ N(x, σ_c²I). Its
// true place is x̃ ~ N(x̂, Σ_L(x)), and that is its filter's belief, P^L = N(x̂, Σ_L(x)).
// Σ_L has the standard deviation of the open field or, where x lies in the shadow, one
// that is a multiple of the field's length-scale. The field is a function of the kernel's
// space with a signal variance near 1.
type ShadowPlan struct {
	Seed       uint64
	Trials     int
	Iterations int
	Methods    []string  // the first is compared with each of the others
	Deviations []float64 // standard deviations of the localisation in the shadow, length-scales
	Shares     []float64 // of the field that lies in the shadow, above 0 and below 1
	Hypers     []string  // HyperKnown, HyperLearnt
	Beta       float64   // β
}

// DefaultShadowPlan returns a plan of all methods that choose their targets, but for
// the control slope-told, over 20 trials of 30 samples.
func DefaultShadowPlan() ShadowPlan {
	return ShadowPlan{
		Seed: 1, Trials: 20, Iterations: 30, Methods: []string{"spread-local", "spread-told", "ugp-local", "ugp-spread", "ugp-ucb", "gp-slope", "igp-ucb-mean", "gp-ucb"},
		Deviations: []float64{0.1, 0.25, 0.5, 1}, Shares: []float64{0.5}, Hypers: []string{HyperKnown, HyperLearnt}, Beta: 2,
	}
}

// Validate returns an error, wrapping [ErrPlan], that names the first value out of
// its range.
func (p *ShadowPlan) Validate() error {
	if err := planner.Fixed(p.Beta).Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrPlan, err)
	}
	return cmp.Or(
		atLeast("Trials", p.Trials, 2),
		atLeast("Iterations", p.Iterations, 1),
		each("method", p.Methods, func(name string) error {
			_, err := shadowMethodNamed(name)
			return err
		}),
		each("standard deviation in the shadow, in length-scales,", p.Deviations, func(d float64) error {
			if !(d > 0 && d <= 10) {
				return errors.New("want a number above 0 and up to 10")
			}
			return nil
		}),
		each("share in the shadow", p.Shares, func(s float64) error {
			if !(s > 0 && s < 1) {
				return errors.New("want a number above 0 and below 1")
			}
			return nil
		}),
		each("kind of hyper-parameters", p.Hypers, func(h string) error {
			if h != HyperKnown && h != HyperLearnt {
				return fmt.Errorf("want %s or %s", HyperKnown, HyperLearnt)
			}
			return nil
		}),
	)
}

// ShadowSetting is a setting under which methods are compared.
type ShadowSetting struct {
	Deviation float64 `json:"deviation"` // standard deviation of the localisation in the shadow, length-scales
	Share     float64 `json:"share"`     // of the field in the shadow
	Hyper     string  `json:"hyper"`     // whether hyper-parameters are known or learnt
}

// ShadowJob is a trial of a method under a setting.
type ShadowJob struct {
	Method string `json:"method"`
	ShadowSetting
	Trial int `json:"trial"` // from 1
}

func (j ShadowJob) String() string {
	return fmt.Sprintf("%s, %g length-scales on %g of the field, hyper-parameters %s, trial %d", j.Method, j.Deviation, j.Share, j.Hyper, j.Trial)
}

// Settings returns the settings in the order of the tables.
func (p *ShadowPlan) Settings() []ShadowSetting {
	var list []ShadowSetting
	for _, hyper := range p.Hypers {
		for _, share := range p.Shares {
			for _, deviation := range p.Deviations {
				list = append(list, ShadowSetting{deviation, share, hyper})
			}
		}
	}
	return list
}

// The field, and the noise in the open.
const (
	shadowScale   = 0.2  // length-scale ℓ; the field is the unit square
	shadowOpen    = 0.01 // standard deviation of the localisation in the open
	shadowControl = 0.01 // σ_c
	shadowReading = 0.1  // standard deviation of a reading
)

// shadowWorld is a trial's field.
type shadowWorld struct {
	field     *expansion
	normal    [2]float64 // the shadow is where normal·x > edge
	edge      float64
	deviation float64 // standard deviation of the localisation in the shadow
}

func newShadowWorld(seed uint64, j ShadowJob) *shadowWorld {
	rng := shadowDraws(seed, j.Trial).stream("field")
	w := &shadowWorld{field: newExpansion(rng, supports, 2, shadowScale), deviation: j.Deviation * shadowScale}
	turn := 2 * math.Pi * rng.Float64()
	w.normal = [2]float64{math.Cos(turn), math.Sin(turn)}
	const cells = 100
	var along []float64
	x := make([]float64, 2)
	lattice(cells, x, func() { along = append(along, w.normal[0]*x[0]+w.normal[1]*x[1]) })
	slices.Sort(along)
	w.edge = along[int((1-j.Share)*float64(len(along)))]
	return w
}

// shadowDraws returns the random numbers of a trial.
func shadowDraws(seed uint64, trial int) draws { return draws{seed, "shadow", trial} }

func (w *shadowWorld) dark(x []float64) bool { return w.normal[0]*x[0]+w.normal[1]*x[1] > w.edge }

// located returns the standard deviation of the localisation of a sample with target x.
func (w *shadowWorld) located(x []float64) float64 {
	if w.dark(x) {
		return w.deviation
	}
	return shadowOpen
}

// execution returns the standard deviation of x̃ from a target x.
func (w *shadowWorld) execution(x []float64) float64 { return math.Hypot(shadowControl, w.located(x)) }

// expected returns E[f(x̃)|x].
func (w *shadowWorld) expected(x []float64) float64 { return w.field.Expected(x, w.execution(x)) }

// maxima returns the largest E[f(x̃)|x] and the largest f(x) over the field.
func (w *shadowWorld) maxima() (expected, plain float64) {
	const cells, climbs, tolerance = 50, 30, 1e-7
	return highest(w.expected, 2, cells, climbs, tolerance), highest(w.field.Value, 2, cells, climbs, tolerance)
}

// residual returns the mean over the field of the variance of f within P^L.
func (w *shadowWorld) residual() float64 {
	const cells = 24
	total := 0.0
	x := make([]float64, 2)
	lattice(cells, x, func() {
		s := w.located(x)
		mean := w.field.Expected(x, s)
		total += w.field.expectedSquare(x, s) - mean*mean
	})
	return total / (cells * cells)
}

func unitSquare() *field.Box {
	b, err := field.NewBox([]float64{0, 0}, []float64{1, 1})
	if err != nil {
		panic(err) // the unit square is a box
	}
	return b
}
