package explorer

import (
	"errors"
	"fmt"
	"math"

	"ugp_explorer/localization"
	"ugp_explorer/node/journal"
	"ugp_explorer/node/report"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
)

// newOptimizer returns what learns and decides over a region.
func (c *Config) newOptimizer(region *field.Region) (*planner.Optimizer, error) {
	length := c.Model.LengthScale
	if length == 0 {
		length = math.Sqrt(region.Area()) / 6
	}
	o, err := planner.NewOptimizer(region, planner.OptimizerConfig{
		Catalogue: c.Catalogue, Method: c.Method, Beta: c.Beta,
		Strategy: planner.StrategyConfig{
			TravelWeight: c.Travel / 1000, Search: c.Search, GridPoints: max(c.Mission.Budget.Samples, 1),
			Spread: c.spread(), Recommend: c.Recommend, Objective: c.Objective, Level: c.level(),
		},
		Aim: c.aim(),
		Model: planner.ModelConfig{
			Fit: c.Model.Fit, Kinds: c.Model.kinds(), Isotropic: c.Model.Isotropic,
			SignalStdDev: c.Model.SignalStdDev, LengthScale: length, NoiseStdDev: c.Model.NoiseStdDev, Mean: c.Model.Mean,
			Average: c.Model.Average, ExactLimit: c.Model.ExactLimit, Prior: c.Model.Prior,
			Rarely: c.Passive, // nothing waits for a fit, but observations come faster than fits
		},
		Random: planner.Seeded(c.Seed),
	})
	if err != nil {
		return nil, fmt.Errorf("explorer: %w", err)
	}
	return o, nil
}

// sample is an own observation as the optimiser takes it.
func sample(o *report.Observation) planner.Sample {
	s := planner.Sample{
		Target: []float64{o.Target[0], o.Target[1]}, Located: located(o), Value: o.ModelValue, Variance: o.ModelVariance,
	}
	if o.Approach != nil && !o.Approach.GaveUp { // or it did not end where the robot was to end up
		a := arrival(o)
		s.Arrival = &a
	}
	return s
}

// foreign is an observation of another robot. Its target may be one that this robot would
// not be sent to; how that robot misses its targets says nothing of this one.
func foreign(o *report.Observation) planner.Sample {
	s := sample(o)
	s.Arrival, s.Foreign = nil, true
	return s
}

// task is a job of the optimiser, and what the mission wanted it for.
type task struct {
	*planner.Job
	own  int // so many of its samples are not of other robots
	plan int // number of the plan that the target is for
}

// think has a task run on what is known now: after each sample, and when the
// mission wants a target.
func (e *Explorer) think() {
	if e.thinking {
		return // its end asks again
	}
	t := &task{own: len(e.record.Observations)}
	var wish *planner.Wish
	if e.wantPlan {
		e.wantPlan = false
		wish = &planner.Wish{Robot: []float64{e.pose.X, e.pose.Y}, Reach: acquire.Anywhere(), Pending: e.mateTargets()}
		if e.cfg.Passive {
			e.passive.asked = e.optimizer.Len()
			e.arrived()
			at := e.probe()
			wish.Robot = at[:]
		} else {
			t.plan = e.plan
			wish.Reach = acquire.Reach{Range: e.mission.Ledger().Range(), Home: e.home[:], Avoid: e.avoided()}
		}
	}
	t.Job = e.optimizer.Job(wish)
	e.thinking = true
	e.node.Async(t.Run, func() { e.thought(t) })
}

// thought takes over what a task has found.
func (e *Explorer) thought(t *task) {
	e.thinking = false
	now := e.node.Now()
	if t.Err != nil {
		e.node.Logger().Error("the model cannot be computed", "error", t.Err.Error())
		if t.Wish() != nil || e.wantPlan {
			e.wantPlan = false
			e.tell(mission.EventPlanFailed{Stamp: now, Plan: e.plan, Reason: t.Err.Error()})
		}
		if e.finished && !e.thinking {
			e.save()
		}
		return
	}
	more := e.optimizer.Adopt(t.Job)
	if more {
		e.learnt(t)
	}
	switch {
	case t.Wish() == nil:
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
	newer := e.optimizer.Len() > t.Samples && (!e.cfg.Passive || e.passive.ending)
	if e.wantPlan || newer {
		e.think()
		return
	}
	if e.finished {
		e.save()
	}
}

func (e *Explorer) learnt(t *task) {
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
	n, place := t.own, report.Place(t.Best.X)
	learnt := journal.Learnt{Recommended: report.RecommendedAt{
		Samples: n, Team: t.Samples - n, Target: place, Mean: t.Best.Mean, StdDev: t.Best.StdDev,
	}}
	if t.Fitted || !e.cfg.Passive {
		learnt.Hyper = &report.HyperAt{
			Noise: e.record.Noise, Bias: e.biasRecord(),
			Samples: n, Kernel: t.Hyper.Kind.String(), SignalVariance: t.Hyper.SignalVariance, LengthScales: t.Hyper.LengthScales,
			NoiseVariance: t.Hyper.NoiseVariance, Mean: t.Hyper.Mean, LogLikelihood: t.Posterior.LogMarginalLikelihood(),
		}
		e.record.Hyper = latest(e.record.Hyper, *learnt.Hyper, func(h report.HyperAt) int { return h.Samples })
	}
	e.record.Recommended = latest(e.record.Recommended, learnt.Recommended, func(r report.RecommendedAt) int { return r.Samples })
	e.note(learnt)
	e.record.Recommendation = e.record.NewRecommendation(place, t.Best.Mean, t.Best.StdDev, n)
	e.record.Recommendation.AfterTeam = t.Samples - n
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
	e.optimizer.Decide(t.Job)
	if t.NoTarget != nil {
		e.note(journal.Decision{Number: e.optimizer.Decisions()})
		e.tell(mission.EventPlanFailed{
			Stamp: now, Plan: t.plan, Reason: t.NoTarget.Error(), Exhausted: errors.Is(t.NoTarget, acquire.ErrNoTarget),
		})
		return
	}
	x := [2]float64(t.Target.X)
	if _, err := e.wayTo(x); err != nil {
		e.note(journal.Decision{Number: e.optimizer.Decisions()})
		e.skip(x, err.Error())
		e.tell(mission.EventPlanFailed{Stamp: now, Plan: t.plan, Reason: err.Error()})
		return
	}
	choice := report.Decision{
		Samples: t.own, Target: x, Acquisition: t.Target.Acquisition,
		Mean: t.Target.Mean, StdDev: t.Target.StdDev, Beta: t.Target.Beta,
	}
	e.record.Decisions = append(e.record.Decisions, choice)
	e.note(journal.Decision{Number: e.optimizer.Decisions(), Choice: &choice})
	e.tell(mission.EventPlanned{
		Stamp: now, Plan: t.plan, Target: x, PathLength: t.Target.Length, HomeDistance: e.homeWay.Length(x[:]),
	})
}

// start begins the mission from where the robot is.
func (e *Explorer) start() {
	if !e.hasPose {
		e.warn.Warn("the mission cannot start: there is no pose yet", "topic", e.cfg.PoseSource)
		return
	}
	if e.State() == mission.StateIdle { // a second start is none
		e.startWall = e.cfg.Wall()
		e.record.Started = stampSeconds(e.node.Now())
		if e.cfg.Mission.Check(e.homeDistance()) == nil { // one that cannot begin leaves nothing
			if err := e.beginJournal(); err != nil {
				e.wrote(err)
				return
			}
		}
	}
	e.tell(mission.EventStart{Stamp: e.node.Now(), HomeDistance: e.homeDistance()})
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
