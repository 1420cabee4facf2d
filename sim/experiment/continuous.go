package experiment

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/localization"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/execution"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/surface"
	"ugp_explorer/sim"
)

// The robot of a [ContinuousPlan] drives straight from corner to corner of its path. Its
// position estimate is off by a slowly varying error, and its sensor reads all the time.
const (
	continuousStep    = 1.5  // m of way between two readings: 1 m/s, and a reading every 1.5 s
	continuousReading = 0.02 // standard deviation of a reading's noise, log10 of a concentration
	continuousFix     = 0.7  // standard deviation of the position estimate in x and in y, m
	continuousDrift   = 30.0 // m of way over which the error of the estimate changes
	continuousMargin  = 2.0  // m, of the field's edge
	continuousLead    = 4.0  // m before the target at which the next decision is made
	continuousEvery   = 10   // pieces of way after which the target is chosen anew
	continuousFits    = 120  // largest number of observations of a fit
	continuousReserve = 1.25 // factor on the length of each path that is still to be driven
	continuousSpare   = 2.0  // m of the budget that are kept
)

// continuousWorld is a field with a robot in it.
type continuousWorld struct {
	plan   *ContinuousPlan
	trial  ContinuousTrial
	truth  *surface.GridField
	region *field.Region
	home   orb.Point
	rng    *rand.Rand // of the readings and the position errors
	opt    *planner.Optimizer

	at       orb.Point  // where the robot believes to be
	off      [2]float64 // where it is, less that
	driven   float64    // m
	since    float64    // m of way since the last reading
	readings int64

	stop   *localization.Stop // readings of the piece under way
	begun  float64            // m driven at its first reading
	pieces int
}

// farm returns the region of the synthetic farm.
func farm() *field.Region {
	r, err := field.NewRegion(field.Field{Boundary: sim.DefaultOutline(), KeepOuts: sim.DefaultKeepOuts()}, continuousMargin)
	if err != nil {
		panic(err) // it has a region
	}
	return r
}

// side returns the side of a square of the field's area, m.
func (p *ContinuousPlan) side() float64 {
	if p.Survey != nil {
		return math.Sqrt(p.Survey.region.Area())
	}
	return math.Sqrt(farm().Area())
}

// field returns the field of a seed, and where the robot may go.
func (p *ContinuousPlan) field(seed int64) (*surface.GridField, *field.Region, error) {
	if p.Survey != nil {
		return p.Survey.truth, p.Survey.region, nil
	}
	truth, err := sim.NewSynthetic(sim.DefaultSyntheticConfig(), uint64(seed))
	return truth, farm(), err
}

// Survey is a field that was surveyed.
type Survey struct {
	truth  *surface.GridField
	region *field.Region
}

// LoadSurvey reads a survey like that of Broom's Barn, and krigs it.
func LoadSurvey(file string) (*Survey, error) {
	points, err := sim.LoadPoints(file, "")
	if err != nil {
		return nil, err
	}
	s := &Survey{}
	s.truth, s.region, err = surveyed(points, continuousMargin)
	return s, err
}

// newContinuousWorld draws the field of a trial. The robot stands in its south-west corner.
func newContinuousWorld(p *ContinuousPlan, t ContinuousTrial) (*continuousWorld, error) {
	truth, region, err := p.field(t.Seed)
	if err != nil {
		return nil, err
	}
	w := &continuousWorld{plan: p, trial: t, truth: truth, region: region, rng: sim.Stream(uint64(t.Seed), "continuous")}
	w.region.Project(w.home[:], w.home[:])
	w.at = w.home
	for i := range w.off {
		w.off[i] = continuousFix * w.rng.NormFloat64()
	}
	if w.stop, err = localization.NewStop(localization.DefaultStopConfig()); err != nil {
		return nil, err
	}
	w.opt, err = planner.NewOptimizer(w.region, w.optimizer())
	return w, err
}

// optimizer returns the configuration of a mission without stops, with the explorer's
// defaults and fewer starts of the search.
func (w *continuousWorld) optimizer() planner.OptimizerConfig {
	cfg := planner.OptimizerConfig{
		Catalogue: planner.Robot(), Method: "ugp-ucb", Beta: planner.BetaConfig{Schedule: "fixed", Fixed: 3},
		Strategy: planner.DefaultStrategyConfig(),
		Aim:      execution.AimConfig{Config: execution.Config{StdDev: 1}},
		Model: planner.ModelConfig{
			Fit: true, Kinds: []gp.Kind{gp.Matern32, gp.Matern52}, Isotropic: true,
			SignalStdDev: 1, LengthScale: math.Sqrt(w.region.Area()) / 6, NoiseStdDev: 0.1,
			Average: 8, ExactLimit: gp.DefaultSparseConfig().ExactLimit, Prior: fit.DefaultConfig(1), Rarely: true,
		},
		Random: planner.Seeded(w.trial.Seed),
	}
	cfg.Model.Prior.MaxObservations = continuousFits
	cfg.Strategy.Recommend = planner.RecommendAnywhere
	cfg.Strategy.SpreadSamples = int(w.plan.Spread * w.trial.Distance / w.trial.Piece)
	cfg.Strategy.Search.Starts, cfg.Strategy.Search.Refine = 300, 3
	return cfg
}

// Trial runs a job. It ends early with ctx's cause when ctx ends.
func (p *ContinuousPlan) Trial(ctx context.Context, t ContinuousTrial) (ContinuousOutcome, error) {
	w, err := newContinuousWorld(p, t)
	if err != nil {
		return ContinuousOutcome{}, err
	}
	if t.Points > 0 {
		err = w.mow(t.Points)
	} else {
		err = w.explore(ctx)
	}
	if err == nil {
		err = w.drive(w.home, 0, 0)
	}
	if err != nil {
		return ContinuousOutcome{}, err
	}
	w.cut()
	if _, err := w.think(nil); err != nil {
		return ContinuousOutcome{}, err
	}
	return w.outcome()
}

// think learns, and decides if there is a wish.
func (w *continuousWorld) think(wish *planner.Wish) (*planner.Job, error) {
	job := w.opt.Job(wish)
	if job.Run(); job.Err != nil {
		return nil, job.Err
	}
	w.opt.Adopt(job)
	return job, nil
}

// explore drives from target to target of uGP-UCB until no other can be afforded.
func (w *continuousWorld) explore(ctx context.Context) error {
	for ctx.Err() == nil {
		at := w.at
		job, err := w.think(&planner.Wish{
			Robot: at[:], Price: w.plan.Price / 1000,
			Reach: acquire.Reach{
				Range: (w.trial.Distance - w.driven - continuousSpare) / continuousReserve, Home: w.home[:],
				Avoid: []acquire.Disc{{Centre: at[:], Radius: max(w.trial.Piece, 1.5*continuousLead)}},
			},
		})
		if err != nil {
			return err
		}
		w.opt.Decide(job)
		if job.NoTarget != nil {
			return nil
		}
		if err := w.drive(orb.Point(job.Target.X), continuousLead, continuousEvery); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// mow drives along an even grid of n points as far as the budget allows.
func (w *continuousWorld) mow(n int) error {
	points := w.region.Grid(n, 1)
	if field.Distance(points[len(points)-1], w.home[:]) < field.Distance(points[0], w.home[:]) {
		slices.Reverse(points)
	}
	for _, p := range points {
		_, there, err := w.region.Path(w.at, orb.Point(p))
		if err != nil {
			return err
		}
		_, home, err := w.region.Path(orb.Point(p), w.home)
		if err != nil {
			return err
		}
		if there+home+continuousSpare > w.trial.Distance-w.driven { // it knows its way
			continue
		}
		if err := w.drive(orb.Point(p), 0, 0); err != nil {
			return err
		}
	}
	return nil
}

// drive drives to within lead of a target, or until so many pieces are done.
func (w *continuousWorld) drive(to orb.Point, lead float64, every int) error {
	path, _, err := w.region.Path(w.at, to)
	if err != nil {
		return err
	}
	pieces := w.pieces
	for _, corner := range path {
		for {
			dx, dy := corner[0]-w.at[0], corner[1]-w.at[1]
			left := math.Hypot(dx, dy)
			if left == 0 {
				break
			}
			if d := math.Hypot(to[0]-w.at[0], to[1]-w.at[1]); d <= lead || every > 0 && w.pieces-pieces >= every {
				return nil
			}
			d := min(left, continuousStep-w.since)
			if d >= left {
				w.at = corner
			} else {
				w.at[0], w.at[1] = w.at[0]+dx/left*d, w.at[1]+dy/left*d
			}
			w.move(d)
		}
	}
	return nil
}

// move takes up that the robot has driven d metres.
func (w *continuousWorld) move(d float64) {
	w.driven += d
	keep := math.Exp(-d / continuousDrift)
	for i := range w.off {
		w.off[i] = keep*w.off[i] + continuousFix*math.Sqrt(1-keep*keep)*w.rng.NormFloat64()
	}
	if w.since += d; w.since < continuousStep-1e-9 {
		return
	}
	w.since = 0
	if w.stop.Len() > 0 && w.driven-w.begun >= w.trial.Piece {
		w.cut()
	}
	if w.stop.Len() == 0 {
		w.begun = w.driven
	}
	w.readings++
	x, y := w.at[0]+w.off[0], w.at[1]+w.off[1]
	v := continuousFix * continuousFix
	w.stop.Add(localization.Matched{
		Reading: localization.Reading{Stamp: w.readings, Value: w.truth.Value(x, y) + continuousReading*w.rng.NormFloat64(), Variance: continuousReading * continuousReading},
		Belief:  localization.Belief{X: w.at[0], Y: w.at[1], XX: v, YY: v},
	})
}

// cut makes an observation of the readings of a piece.
func (w *continuousWorld) cut() {
	if w.stop.Len() == 0 {
		return
	}
	o, err := w.stop.Combine()
	w.stop.Reset()
	if err != nil {
		return
	}
	s := planner.Sample{Target: []float64{o.Belief.X, o.Belief.Y}, Value: o.Value, Variance: o.Variance}
	s.Located = gp.Belief{Mean: s.Target}
	if m := w.trial.Method; m != ContinuousPoints && m != ContinuousGridPoints {
		s.Located.Cov = mat.NewSymDense(2, []float64{o.Belief.XX, o.Belief.XY, o.Belief.XY, o.Belief.YY})
	}
	w.opt.Add(s)
	w.pieces++
}

// mapPlaces is the number of places at which the map is compared with the field.
const mapPlaces = 1000

// outcome compares what is known now with the field.
func (w *continuousWorld) outcome() (ContinuousOutcome, error) {
	o := ContinuousOutcome{ContinuousTrial: w.trial, Driven: w.driven, Pieces: w.pieces, Decisions: w.opt.Decisions()}
	lo, hi := w.region.Bounds()
	inside := func(x, y float64) bool { return w.region.Contains([]float64{x, y}) }
	best, err := surface.MaxExpected(w.truth.Smooth, orb.Bound{Min: orb.Point(lo), Max: orb.Point(hi)}, w.truth.Resolution(), inside, [2][2]float64{})
	if err != nil {
		return o, err
	}
	at := w.opt.Learnt().Best.X
	o.Regret = best.Value - w.truth.Smooth(at[0], at[1])
	p, err := w.opt.Learnt().Posterior.NewPredictor(nil)
	if err != nil {
		return o, err
	}
	x := w.region.Points(mapPlaces, sim.Stream(0, "map"))
	mean, variance := make([]float64, mapPlaces), make([]float64, mapPlaces)
	p.PredictBatch(mean, variance, x)
	for i, m := range mean {
		e := m - w.truth.Smooth(x.At(i, 0), x.At(i, 1))
		o.MapError += e * e / mapPlaces
		if e*e <= 4*variance[i] {
			o.Inside += 1.0 / mapPlaces
		}
	}
	o.MapError = math.Sqrt(o.MapError)
	return o, nil
}
