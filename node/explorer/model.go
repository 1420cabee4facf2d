package explorer

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/localization"
	"ugp_explorer/node/journal"
	"ugp_explorer/node/report"
	"ugp_explorer/planner"
)

// model is what the samples have taught.
type model struct {
	cfg      *Config
	region   *planner.Region
	strategy planner.Strategy
	schedule planner.Schedule
	fitting  gp.FitConfig
	limits   gp.SparseConfig

	observations []gp.Observation // P^L and what was measured there, model units
	targets      [][]float64      // where each was meant to be taken
	eligible     [][]float64      // those of them that may be recommended
	arrivals     []planner.Arrival
	noise        noise    // of samples about their targets, as known to posterior
	hyper        gp.Hyper // of posterior
	posterior    *gp.GP   // nil before the first sample; never changed, tasks read it
	fitted       int      // samples known to the last fit
	weight       float64  // β of the decision on posterior, for the maps, whether the strategy has a use for it or not
	best         planner.Recommendation
	decisions    int         // made so far
	chosen       [][]float64 // their targets
}

func newModel(cfg *Config, region *planner.Region) (model, error) {
	hyper := cfg.initial(region.Area())
	fitting := cfg.Model.Prior
	length := fitting.LengthScales[0]
	length.Min, length.Max = length.Min/length.Median*hyper.LengthScales[0], length.Max/length.Median*hyper.LengthScales[0]
	length.Median = hyper.LengthScales[0]
	fitting.LengthScales = []gp.Prior{length}
	fitting.Isotropic = cfg.Model.Isotropic
	fitting.Kinds = cfg.Model.kinds()
	fitting.GuessedVariance = hyper.SignalVariance
	if err := fitting.Validate(region.Dim()); err != nil {
		return model{}, fmt.Errorf("explorer: %w", err)
	}
	limits := gp.DefaultSparseConfig()
	limits.ExactLimit = cfg.Model.ExactLimit
	method, err := cfg.Catalogue.Method(cfg.Method)
	if err != nil {
		return model{}, fmt.Errorf("explorer: %w", err)
	}
	schedule, err := cfg.Catalogue.Schedule(planner.ScheduleSetup{
		Beta: cfg.Beta, Method: method, Kernel: hyper.Kernel(), Space: region, Execution: cfg.execution(),
		Rng: random(cfg.Seed, streamGain, 0),
	})
	if err != nil {
		return model{}, fmt.Errorf("explorer: %w", err)
	}
	strategy, err := method.NewStrategy(region, planner.StrategyConfig{
		Beta: schedule, TravelWeight: cfg.Travel / 1000, Search: cfg.Search,
		GridPoints: max(cfg.Mission.Budget.Samples, 1), Spread: cfg.spread(), Recommend: cfg.Recommend,
		Objective: cfg.Objective, Level: cfg.level(),
	}, random(cfg.Seed, streamStrategy, 0))
	if err != nil {
		return model{}, fmt.Errorf("explorer: %w", err)
	}
	return model{noise: cfg.initialNoise(), cfg: cfg, region: region, strategy: strategy, schedule: schedule, fitting: fitting, limits: limits, hyper: hyper}, nil
}

// moreToFit is the share of the samples that has to be new before there is another
// fit when there are many.
const moreToFit = 0.1

// refit reports whether the hyper-parameters are to be fitted to n samples: with
// each as long as a fit takes in all of them, and when a tenth is new. A passive
// explorer has none to wait for a fit, but observations faster than fits.
func (m *model) refit(n int) bool {
	few := !m.cfg.Passive && n <= m.fitting.MaxObservations
	return m.cfg.Model.Fit && n > 0 && (few || n-m.fitted >= int(moreToFit*float64(n)))
}

// Streams of random numbers, each restarted at every step, so that what one
// step draws does not depend on how much an earlier one drew.
const (
	streamStrategy = iota
	streamFit
	streamSearch
	streamGain
	streamRecommend
	streamAverage
)

func random(seed int64, stream, step int) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(seed), uint64(stream)<<32|uint64(step)))
}

// check says whether the model takes an observation.
func (m *model) check(o report.Observation) error {
	return m.observation(o).Belief.Validate(2)
}

// add takes up an observation for the next fit.
func (m *model) add(o report.Observation) {
	target := []float64{o.Target[0], o.Target[1]}
	m.observations, m.targets = append(m.observations, m.observation(o)), append(m.targets, target)
	m.eligible = append(m.eligible, target)
	if o.Approach != nil && !o.Approach.GaveUp { // or it did not end where the robot was to end up
		m.arrivals = append(m.arrivals, arrival(&o))
	}
}

// addOther takes up an observation of another robot. Its target may be one that this
// robot would not be sent to; how that robot misses its targets says nothing of this one.
func (m *model) addOther(o report.Observation) {
	target := []float64{o.Target[0], o.Target[1]}
	m.observations, m.targets = append(m.observations, m.observation(o)), append(m.targets, target)
	if m.region.Contains(target) {
		m.eligible = append(m.eligible, target)
	}
}

// observation is what the strategy has the model see of o.
func (m *model) observation(o report.Observation) gp.Observation {
	belief := m.strategy.Data().Of(located(&o), []float64{o.Target[0], o.Target[1]}, m.cfg.execution())
	return gp.Observation{Belief: belief, Value: o.ModelValue, NoiseVariance: o.ModelVariance}
}

// judgement is the Σ̂ with which the posterior is asked: none for the plain GP.
func (m *model) judgement() *mat.SymDense {
	return m.strategy.Data().Judge(m.noise.cov)
}

// task is one round of learning and deciding, on a snapshot of what is known.
// It touches nothing of the node, so that it can run beside the callbacks.
type task struct {
	// what goes in
	model    *model // for what never changes in it
	samples  []gp.Observation
	targets  [][]float64
	eligible [][]float64
	own      int // so many of the samples are not of other robots
	arrivals []planner.Arrival
	start    gp.Hyper
	known    *gp.GP           // posterior of the first samples under start; nil: there is none
	step     int              // decisions made so far
	fitting  bool             // the hyper-parameters are to be learnt anew
	decide   *planner.Request // nil: no target is wanted
	plan     int              // number of the plan that the target is for

	// what comes out
	posterior *gp.GP
	members   []gp.Member // stand with it for what is open of the hyper-parameters; nil: it is alone
	aimed     *gp.GP      // the same of what is met for a target; the posterior itself without a bias
	noise     noise
	hyper     gp.Hyper
	fit       gp.FitResult
	weight    float64 // β of the next decision on the posterior
	best      planner.Recommendation
	target    planner.Target
	noTarget  error // why there is no target
	err       error
}

// run fits the hyper-parameters, computes the posterior and what is best so far,
// and chooses the next target when one is wanted.
func (t *task) run() {
	if t.err = t.learn(); t.err != nil {
		return
	}
	t.weight = t.model.schedule.Beta(t.step, t.posterior)
	t.aim()
	if len(t.eligible) > 0 {
		t.best, t.err = t.model.strategy.Recommend(planner.Inquiry{
			Model: t.aimed, Members: t.members, Execution: t.noise.cov, Place: t.noise.placing(nil), Targets: t.eligible,
			Rng: random(t.model.cfg.Seed, streamRecommend, len(t.samples)),
		})
		if t.err != nil {
			return
		}
	}
	if t.decide != nil {
		t.decide.Model, t.decide.Members, t.decide.Execution = t.aimed, t.members, t.noise.cov
		if t.noise.Directional || t.noise.Growth > 0 {
			way := t.model.region.Travel()
			way.From(t.decide.Robot)
			t.decide.Place = t.noise.placing(way)
		} else {
			t.decide.Place = t.noise.placing(nil)
		}
		t.target, t.noTarget = t.model.strategy.Next(*t.decide)
	}
}

func (t *task) learn() (err error) {
	if err := t.learnNoise(); err != nil {
		return err
	}
	t.hyper = t.start
	if !t.fitting && t.known != nil {
		t.posterior = t.known.Clone()
		return t.posterior.AddAll(t.samples[t.known.Len():])
	}
	if cfg := t.model.cfg; t.fitting {
		if len(t.samples) == 1 { // nothing to fit yet: the one value is all that is known of the mean
			t.hyper.Mean = t.samples[0].Value
		}
		fitting := t.model.fitting
		if len(t.samples) > averageMost { // the samples have said which kernel, and the last fit is not far off
			fitting.Kinds, fitting.Starts = []gp.Kind{t.hyper.Kind}, min(fitting.Starts, 2)
		}
		t.hyper, t.fit, err = gp.Fit(t.samples, t.hyper, fitting, random(cfg.Seed, streamFit, len(t.samples)))
		if err != nil {
			return err
		}
	}
	if t.posterior, err = gp.NewSparse(t.hyper, t.model.limits); err != nil {
		return err
	}
	if err := t.posterior.AddAll(t.samples); err != nil {
		return err
	}
	return t.average()
}

// averageMost is the number of samples up to which decisions are averaged over
// hyper-parameters, and fits choose the kernel. The time that takes grows with its square
// and cube; what is open of them matters while there are few.
const averageMost = 60

// average sets the members.
func (t *task) average() error {
	cfg, n := t.model.cfg, len(t.samples)
	if !t.fitting || cfg.Model.Average < 2 || n > averageMost {
		return nil
	}
	hypers, err := gp.Average(t.samples, t.hyper, t.model.fitting, cfg.Model.Average, random(cfg.Seed, streamAverage, n))
	if err != nil {
		return err
	}
	t.members, err = gp.NewMembers(t.samples, hypers)
	return err
}

// aim sets the posterior of what is met for a target, that is of what a robot meets
// that is sent to x - bias: a target x is then judged by N(x + bias, Σ̂) where
// strategies judge it by N(x, Σ̂).
func (t *task) aim() {
	t.aimed = t.posterior
	if t.noise.biased() && !t.model.strategy.Data().Points() {
		by := []float64{-t.noise.bias[0], -t.noise.bias[1]}
		t.aimed = t.posterior.Translated(by)
		for i, m := range t.members {
			t.members[i].Model = m.Model.Translated(by)
		}
	}
}

// localisationReach is the distance over which localisation is taken to stay alike,
// length-scales of the field: what changes faster cannot be mapped from its samples.
const localisationReach = 0.5

// learnNoise sets the execution noise, and what of the samples hangs on it.
func (t *task) learnNoise() (err error) {
	cfg, data := t.model.cfg, t.model.strategy.Data()
	if !cfg.Learn.On {
		t.noise = cfg.initialNoise()
		return nil
	}
	if t.noise, err = cfg.learnNoise(t.arrivals, localisationReach*math.Sqrt(t.start.LengthScales[0]*t.start.LengthScales[1])); err != nil {
		return err
	}
	if data == planner.DataTargetBelief {
		for i, x := range t.targets {
			place := []float64{x[0] + t.noise.bias[0], x[1] + t.noise.bias[1]}
			t.samples[i].Belief = gp.Belief{Mean: place, Cov: t.noise.cov}
		}
		t.known = nil // has them where they were before
	}
	return nil
}

// think has a task run on what is known now: after each sample, and when the
// mission wants a target.
func (e *Explorer) think() {
	if e.thinking {
		return // its end asks again
	}
	t := &task{model: &e.model, start: e.model.hyper, known: e.model.posterior, step: e.model.decisions, own: len(e.record.Observations)}
	t.samples = append(t.samples, e.model.observations...)
	t.targets = append(t.targets, e.model.targets...)
	t.eligible = append(t.eligible, e.model.eligible...)
	t.arrivals = append(t.arrivals, e.model.arrivals...)
	n := len(t.samples)
	t.fitting = e.model.refit(n)
	if e.wantPlan && e.cfg.Passive {
		e.wantPlan = false
		e.passive.asked = n
		e.arrived()
		at := e.probe()
		t.decide = &planner.Request{
			Step: e.model.decisions, Chosen: e.model.chosen, Robot: at[:], Reach: planner.Anywhere(),
			Pending: e.mateTargets(),
			Rng:     random(e.cfg.Seed, streamSearch, e.model.decisions),
		}
	} else if e.wantPlan {
		e.wantPlan, t.plan = false, e.plan
		t.decide = &planner.Request{
			Step:   e.model.decisions,
			Chosen: e.model.chosen,
			Robot:  []float64{e.pose.X, e.pose.Y},
			Reach: planner.Reach{
				Range: e.mission.Ledger().Range(),
				Home:  e.home[:],
				Avoid: e.avoided(),
			},
			Pending: e.mateTargets(),
			Rng:     random(e.cfg.Seed, streamSearch, e.model.decisions),
		}
	}
	e.thinking = true
	e.node.Async(t.run, func() { e.thought(t) })
}

// thought takes over what a task has found.
func (e *Explorer) thought(t *task) {
	e.thinking = false
	now := e.node.Now()
	if t.err != nil {
		e.node.Logger().Error("the model cannot be computed", "error", t.err.Error())
		if t.decide != nil || e.wantPlan {
			e.wantPlan = false
			e.tell(planner.EventPlanFailed{Stamp: now, Plan: e.plan, Reason: t.err.Error()})
		}
		if e.finished && !e.thinking {
			e.save()
		}
		return
	}
	n := len(t.samples)
	more := n > 0 && n > e.modelled()
	if more {
		e.learnt(t)
	}
	switch {
	case t.decide == nil:
	case e.cfg.Passive:
		e.suggested(t, now)
	case !e.mission.Awaits(t.plan): // it was made anew, or is not wanted any more
		e.node.Logger().Info("a decision comes too late and is dropped", "plan", t.plan, "state", string(e.State()))
	case e.holds(t):
	default:
		e.decided(t, now)
	}
	if more { // the robot is on its way while they are computed
		e.publishMaps()
	}
	newer := len(e.model.observations) > len(t.samples) && (!e.cfg.Passive || e.passive.ending)
	if e.wantPlan || newer {
		e.think()
		return
	}
	if e.finished {
		e.save()
	}
}

// modelled returns how many samples the posterior has seen.
func (e *Explorer) modelled() int {
	if e.model.posterior == nil {
		return 0
	}
	return e.model.posterior.Len()
}

func (e *Explorer) learnt(t *task) {
	e.model.posterior, e.model.hyper, e.model.best, e.model.noise, e.model.weight = t.posterior, t.hyper, t.best, t.noise, t.weight
	if t.fitting {
		e.model.fitted = len(t.samples)
	}
	e.record.Noise = e.noiseRecord()
	e.saved = false
	if t.own > 0 {
		e.recordLearnt(t)
	}
	e.publishStatus()
}

// recordLearnt puts into record and journal what was learnt of so many own samples,
// in the place of what was known after as many before team mates had more to tell.
func (e *Explorer) recordLearnt(t *task) {
	n, place := t.own, report.Place(t.best.X)
	learnt := journal.Learnt{Recommended: report.RecommendedAt{
		Samples: n, Team: len(t.samples) - n, Target: place, Mean: t.best.Mean, StdDev: t.best.StdDev,
	}}
	if t.fitting || !e.cfg.Passive {
		learnt.Hyper = &report.HyperAt{
			Noise: e.record.Noise, Bias: e.biasRecord(),
			Samples: n, Kernel: t.hyper.Kind.String(), SignalVariance: t.hyper.SignalVariance, LengthScales: t.hyper.LengthScales,
			NoiseVariance: t.hyper.NoiseVariance, Mean: t.hyper.Mean, LogLikelihood: t.posterior.LogMarginalLikelihood(),
		}
		e.record.Hyper = latest(e.record.Hyper, *learnt.Hyper, func(h report.HyperAt) int { return h.Samples })
	}
	e.record.Recommended = latest(e.record.Recommended, learnt.Recommended, func(r report.RecommendedAt) int { return r.Samples })
	e.note(learnt)
	e.record.Recommendation = e.record.NewRecommendation(place, t.best.Mean, t.best.StdDev, n)
	e.record.Recommendation.AfterTeam = len(t.samples) - n
}

// latest adds an entry to a list with one a number of samples.
func latest[T any](list []T, entry T, samples func(T) int) []T {
	if n := len(list); n > 0 && samples(list[n-1]) == samples(entry) {
		list[n-1] = entry
		return list
	}
	return append(list, entry)
}

// decided carries out a decision that the mission waits for.
func (e *Explorer) decided(t *task, now int64) {
	e.model.decisions++
	if t.noTarget != nil {
		e.note(journal.Decision{Number: e.model.decisions})
		e.tell(planner.EventPlanFailed{
			Stamp: now, Plan: t.plan, Reason: t.noTarget.Error(), Exhausted: errors.Is(t.noTarget, planner.ErrNoTarget),
		})
		return
	}
	e.model.chosen = append(e.model.chosen, t.target.X)
	x := [2]float64(t.target.X)
	if _, err := e.wayTo(x); err != nil {
		e.note(journal.Decision{Number: e.model.decisions})
		e.skip(x, err.Error())
		e.tell(planner.EventPlanFailed{Stamp: now, Plan: t.plan, Reason: err.Error()})
		return
	}
	choice := report.Decision{
		Samples: t.own, Target: x, Acquisition: t.target.Acquisition,
		Mean: t.target.Mean, StdDev: t.target.StdDev, Beta: t.target.Beta,
	}
	e.record.Decisions = append(e.record.Decisions, choice)
	e.note(journal.Decision{Number: e.model.decisions, Choice: &choice})
	e.tell(planner.EventPlanned{
		Stamp: now, Plan: t.plan, Target: x, PathLength: t.target.Length, HomeDistance: e.homeWay.Length(x[:]),
	})
}

// start begins the mission from where the robot is.
func (e *Explorer) start() {
	if !e.hasPose {
		e.warn.Warn("the mission cannot start: there is no pose yet", "topic", e.cfg.PoseSource)
		return
	}
	if e.State() == planner.StateIdle { // a second start is none
		e.startWall = e.cfg.Wall()
		e.record.Started = stampSeconds(e.node.Now())
		if e.cfg.Mission.Check(e.homeDistance()) == nil { // one that cannot begin leaves nothing
			if err := e.beginJournal(); err != nil {
				e.wrote(err)
				return
			}
		}
	}
	e.tell(planner.EventStart{Stamp: e.node.Now(), HomeDistance: e.homeDistance()})
}

// track keeps the estimated path for the report, a point every metre.
func (e *Explorer) track(p localization.Pose) {
	e.tracks.Estimated = appendApart(e.tracks.Estimated, report.Place{p.X, p.Y})
}

// trackSpacing is the least distance between two points of a track, m.
const trackSpacing = 1.0

func appendApart(track []report.Place, p report.Place) []report.Place {
	if n := len(track); n > 0 {
		dx, dy := p[0]-track[n-1][0], p[1]-track[n-1][1]
		if dx*dx+dy*dy < trackSpacing*trackSpacing {
			return track
		}
	}
	return append(track, p)
}
