package explorer

import (
	"math"
	"slices"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/gp"
	"ugp_explorer/localization"
	"ugp_explorer/node/record"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
)

// task is a job of the optimiser, and what the mission wanted it for.
type task struct {
	*planner.Job
	own  int           // number of its samples that this robot took
	plan int           // number of the plan that the target is for
	took time.Duration // by the wall clock
}

// observe adds an observation meant to be made at target. approach says how the robot
// came there, nil where it was not sent. An observation that cannot be used is counted, and the
// error says why.
func (e *Explorer) observe(seen localization.Observation, target orb.Point, approach *record.Approach) error {
	value, variance, err := record.Transform(e.cfg.Reading.Transform).Forward(seen.Value, seen.Variance)
	if err != nil {
		e.rejected.transformed++
		return err
	}
	o := record.Observation{
		Sequence: 1, Stamp: stampSeconds(seen.Stamp), Target: target, Approach: approach,
		Path: seen.Path, Belief: seen.Belief, Readings: seen.Readings,
		Value: seen.Value, Variance: seen.Variance, ModelValue: value, ModelVariance: variance,
		TruePlace: e.truth.Place(seen.Stamp),
	}
	if before := e.book.Record().Observations; len(before) > 0 {
		o.Sequence = before[len(before)-1].Sequence + 1
	}
	learns := sample(&o)
	if err := e.optimizer.Check(learns); err != nil {
		e.rejected.refused++
		return err
	}
	if err := e.book.Observed(o); err != nil { // before anyone hears of it
		return err
	}
	e.optimizer.Add(learns)
	e.show.Observation(o)
	return nil
}

// observePiece adds the observation of a piece of path, or of a stop to which nobody sent the robot, and
// reports whether it can be used.
func (e *Explorer) observePiece(o localization.Observation) bool {
	err := e.observe(o, orb.Point{o.Belief.X, o.Belief.Y}, nil)
	if err != nil {
		e.warnPiece.Warn("an observation is not used", "error", err.Error())
	}
	return err == nil
}

// sampledDiscs returns the discs around earlier samples, of this robot and its mates, in which
// another one would say nothing new.
func (e *Explorer) sampledDiscs() (discs []acquire.Disc) {
	if e.cfg.Pace.Apart == 0 {
		return nil
	}
	around := func(o *record.Observation) {
		discs = append(discs, acquire.Disc{Centre: []float64{o.Belief.X, o.Belief.Y}, Radius: e.cfg.Pace.Apart})
	}
	for i := range e.book.Record().Observations {
		around(&e.book.Record().Observations[i])
	}
	for i := range e.book.Record().Team {
		around(&e.book.Record().Team[i].Observation)
	}
	return discs
}

// learnOfMate takes up an observation of a team mate.
func (e *Explorer) learnOfMate(robot string, o record.Observation) error {
	s := foreign(&o)
	if err := e.optimizer.Check(s); err != nil {
		return err
	}
	e.optimizer.Add(s)
	e.book.Mate(robot, o)
	e.mode.mateSampled()
	return nil
}

// moreToDecide is the share by which the number of observations must grow before there is
// another decision while the robot drives: with thousands, a few more change little.
const moreToDecide = 0.02

// muchNew reports whether there are enough observations for another decision while the robot
// drives, when so many were known to the last.
func (e *Explorer) muchNew(asked int) bool {
	n := e.optimizer.Len()
	return n-asked >= max(e.cfg.Path.Every, int(moreToDecide*float64(n)))
}

// think runs a task on what is known now: after each sample, and when the mission wants
// a target.
func (e *Explorer) think() {
	if e.working {
		return // its end asks again
	}
	t := &task{own: len(e.book.Record().Observations)}
	e.localise()
	e.expectation = e.localised.Expect(e.node.Now())
	e.optimizer.Localise(e.expectation)
	var wish *planner.TargetRequest
	if e.wanted {
		e.wanted, wish = false, e.mode.wish(t)
	}
	t.Job = e.optimizer.Job(wish)
	e.working = true
	e.node.Async(func() {
		began := e.cfg.Wall()
		t.Run()
		t.took = e.cfg.Wall().Sub(began)
	}, func() { e.thought(t) })
}

// thought takes over what a task has found.
func (e *Explorer) thought(t *task) {
	e.working, e.took = false, t.took
	if t.Err != nil {
		e.node.Logger().Error("the model cannot be computed", "error", t.Err.Error())
		wanted := e.wanted || t.Request() != nil
		e.wanted = false
		e.mode.failed(t, wanted)
		if e.finished && !e.working {
			e.save()
		}
		return
	}
	more := e.optimizer.Adopt(t.Job)
	if more {
		e.learnt(t)
	}
	if t.Request() != nil {
		e.mode.decided(t)
	}
	if more { // the robot is on its way while they are computed
		e.publishMaps()
	}
	// Without stops, a decision learns many samples at once.
	atOnce := e.finished || e.cfg.Reading.AtStops && !e.cfg.Passive
	if e.wanted || atOnce && e.optimizer.Len() > t.Samples {
		e.think()
		return
	}
	if e.finished {
		e.save()
	}
}

// learnt adds what was learnt to the logbook, once there are own samples.
func (e *Explorer) learnt(t *task) {
	e.book.SetNoise(e.noiseRecord())
	if t.own > 0 {
		var hyper *record.HyperAt
		if t.Fitted || !e.cfg.Passive {
			hyper = &record.HyperAt{
				Samples: t.own, Hyper: record.HyperOf(t.Hyper), LogLikelihood: t.Posterior.LogMarginalLikelihood(),
				Noise: e.book.Record().Noise,
			}
			if e.cfg.Learn.On && e.optimizer.QueryCov() != nil {
				hyper.Bias = &record.Place{e.optimizer.Learnt().ExecutionNoise.Bias[0], e.optimizer.Learnt().ExecutionNoise.Bias[1]}
			}
		}
		best := record.RecommendedAt{Samples: t.own, Team: t.Samples - t.own - len(e.book.Record().Earlier), Mean: math.NaN(), StdDev: math.NaN()}
		if !e.alike() && t.Best.X != nil {
			at := record.Place(t.Best.X)
			best.Target, best.Mean, best.StdDev = &at, t.Best.Mean, t.Best.StdDev
		}
		e.book.Learnt(best, hyper)
		if t.own == len(e.book.Record().Observations) {
			e.logSample(true)
		}
	}
	e.publishStatus()
}

// noiseRecord returns the Σ̂ by which targets are judged now; nil: as points.
func (e *Explorer) noiseRecord() *record.Covariance {
	cov := e.optimizer.QueryCov()
	if cov == nil {
		return nil
	}
	return &record.Covariance{XX: cov.At(0, 0), XY: cov.At(0, 1), YY: cov.At(1, 1)}
}

// sample returns an observation of this robot in the optimiser's form.
func sample(o *record.Observation) planner.Sample {
	return planner.Sample{
		Target: []float64{o.Target[0], o.Target[1]}, Located: o.Located(), Value: o.ModelValue, Variance: o.ModelVariance,
		Arrived: o.Approach != nil && !o.Approach.GaveUp, // otherwise the robot did not stop where it was meant to
	}
}

// foreign returns an observation of another robot, or from before the mission, in the
// optimiser's form. Its target may be one to which this robot would not be sent, and the error
// of another's arrival teaches nothing about this one's.
func foreign(o *record.Observation) planner.Sample {
	s := sample(o)
	s.Arrived, s.Foreign = false, true
	return s
}

// logSample logs the newest sample, if it is not logged yet. known says whether the model
// knows it already.
func (e *Explorer) logSample(known bool) {
	if e.unlogged {
		e.unlogged = false
		e.logLine("%s", e.snapshot().Sample(known))
	}
}

// alike reports whether the model expects the same value everywhere, as one does that has learnt
// its mean from a single sample. No place of the field is better than another then.
func (e *Explorer) alike() bool {
	known := e.optimizer.Learnt().Posterior
	if known == nil || e.cfg.Recommend != planner.RecommendAnywhere {
		return false
	}
	mean := known.Hyper().Mean
	return !slices.ContainsFunc(known.Observations(), func(o gp.Observation) bool { return o.Value != mean })
}

// heldDue takes up the decision that waits for team mates, once it need not wait any more.
func (e *Explorer) heldDue() {
	t := e.held
	if t == nil || e.team.Awaits() {
		return
	}
	e.held = nil
	if e.mode.decided(t); e.wanted {
		e.think()
	}
}
