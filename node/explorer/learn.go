package explorer

import (
	"fmt"
	"math"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/node/record"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
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
func (c *core) observe(seen localization.Observation, target orb.Point, approach *record.Approach) error {
	value, variance, err := record.Transform(c.cfg.Reading.Transform).Forward(seen.Value, seen.Variance)
	if err != nil {
		c.rejected.transformed++
		return err
	}
	o := record.Observation{
		Sequence: 1, Stamp: stampSeconds(seen.Stamp), Target: target, Approach: approach,
		Path: seen.Path, Belief: seen.Belief, Readings: seen.Readings,
		Value: seen.Value, Variance: seen.Variance, ModelValue: value, ModelVariance: variance,
	}
	if before := c.memory.record.Observations; len(before) > 0 {
		o.Sequence = before[len(before)-1].Sequence + 1
	}
	if c.truth != nil {
		o.TruePlace = c.truth.place(seen.Stamp)
	}
	learns := sample(&o)
	if err := c.optimizer.Check(learns); err != nil {
		c.rejected.refused++
		return err
	}
	if err := c.memory.observed(o); err != nil { // before anyone hears of it
		return err
	}
	c.optimizer.Add(learns)
	c.publishObservation(o)
	return nil
}

// observePiece adds the observation of a piece of path, or of a stop to which nobody sent the robot, and
// reports whether it can be used.
func (c *core) observePiece(o localization.Observation) bool {
	err := c.observe(o, orb.Point{o.Belief.X, o.Belief.Y}, nil)
	if err != nil {
		c.warnPiece.Warn("an observation is not used", "error", err.Error())
	}
	return err == nil
}

// sampledDiscs returns the discs around earlier samples, of this robot and its mates, in which
// another one would say nothing new.
func (c *core) sampledDiscs() (discs []acquire.Disc) {
	if c.cfg.apart == 0 {
		return nil
	}
	around := func(o *record.Observation) {
		discs = append(discs, acquire.Disc{Centre: []float64{o.Belief.X, o.Belief.Y}, Radius: c.cfg.apart})
	}
	for i := range c.memory.record.Observations {
		around(&c.memory.record.Observations[i])
	}
	for i := range c.memory.record.Team {
		around(&c.memory.record.Team[i].Observation)
	}
	return discs
}

// learnOfMate takes up an observation of a team mate.
func (c *core) learnOfMate(robot string, o record.Observation) error {
	s := foreign(&o)
	if err := c.optimizer.Check(s); err != nil {
		return err
	}
	c.optimizer.Add(s)
	// It is not in the journal: the mate has it in its own, and publishes it again when either explorer restarts.
	c.memory.record.Team = append(c.memory.record.Team, record.TeamSample{Robot: robot, Observation: o})
	c.memory.saved = false
	c.mode.mateSampled()
	return nil
}

// moreToDecide is the share by which the number of observations must grow before there is
// another decision while the robot drives: with thousands, a few more change little.
const moreToDecide = 0.02

// muchNew reports whether there are enough observations for another decision while the robot
// drives, when so many were known to the last.
func (c *core) muchNew(asked int) bool {
	n := c.optimizer.Len()
	return n-asked >= max(c.cfg.Path.Every, int(moreToDecide*float64(n)))
}

// think runs a task on what is known now: after each sample, and when the mission wants
// a target.
func (c *core) think() {
	if c.working {
		return // its end asks again
	}
	t := &task{own: len(c.memory.record.Observations)}
	c.localise()
	c.expectation = c.localised.Expect(c.node.Now())
	c.optimizer.Localise(c.expectation)
	var wish *planner.Wish
	if c.wanted {
		c.wanted, wish = false, c.mode.wish(t)
	}
	t.Job = c.optimizer.Job(wish)
	c.working = true
	c.node.Async(func() {
		began := c.cfg.Wall()
		t.Run()
		t.took = c.cfg.Wall().Sub(began)
	}, func() { c.thought(t) })
}

// thought takes over what a task has found.
func (c *core) thought(t *task) {
	c.working, c.view.took = false, t.took
	if t.Err != nil {
		c.node.Logger().Error("the model cannot be computed", "error", t.Err.Error())
		wanted := c.wanted || t.Wish() != nil
		c.wanted = false
		c.mode.failed(t, wanted)
		if c.finished && !c.working {
			c.save()
		}
		return
	}
	more := c.optimizer.Adopt(t.Job)
	if more {
		c.learnt(t)
	}
	if t.Wish() != nil {
		c.mode.decided(t)
	}
	if more { // the robot is on its way while they are computed
		c.publishMaps()
	}
	// Without stops, a decision learns many samples at once.
	atOnce := c.finished || c.cfg.Reading.AtStops && !c.cfg.Passive
	if c.wanted || atOnce && c.optimizer.Len() > t.Samples {
		c.think()
		return
	}
	if c.finished {
		c.save()
	}
}

// learnt adds what was learnt to the memory, once there are own samples.
func (c *core) learnt(t *task) {
	c.memory.record.Noise, c.memory.saved = c.noiseRecord(), false
	if t.own > 0 {
		var hyper *record.HyperAt
		if t.Fitted || !c.cfg.Passive {
			hyper = &record.HyperAt{
				Samples: t.own, Hyper: record.HyperOf(t.Hyper), LogLikelihood: t.Posterior.LogMarginalLikelihood(),
				Noise: c.memory.record.Noise,
			}
			if c.cfg.Learn.On && c.optimizer.QueryCov() != nil {
				hyper.Bias = &record.Place{c.optimizer.Learnt().Aim.Bias[0], c.optimizer.Learnt().Aim.Bias[1]}
			}
		}
		best := record.RecommendedAt{Samples: t.own, Team: t.Samples - t.own - len(c.memory.record.Earlier), Mean: math.NaN(), StdDev: math.NaN()}
		if !c.alike() {
			at := record.Place(t.Best.X)
			best.Target, best.Mean, best.StdDev = &at, t.Best.Mean, t.Best.StdDev
		}
		c.memory.learnt(best, hyper)
		if t.own == len(c.memory.record.Observations) {
			c.logSample(true)
		}
	}
	c.publishStatus()
}

// noiseRecord returns the Σ̂ by which targets are judged now; nil: as points.
func (c *core) noiseRecord() *record.Covariance {
	cov := c.optimizer.QueryCov()
	if cov == nil {
		return nil
	}
	return &record.Covariance{XX: cov.At(0, 0), XY: cov.At(0, 1), YY: cov.At(1, 1)}
}

// NewOptimizer returns the optimiser, which learns and decides, for a region.
func (c *Config) NewOptimizer(region *field.Region) (*planner.Optimizer, error) {
	o, err := planner.NewOptimizer(region, planner.OptimizerConfig{
		Catalogue: c.Catalogue, Method: c.Method,
		Strategy: planner.StrategyConfig{
			Beta: planner.Fixed(c.Beta), Search: c.Search, GridPoints: max(c.Mission.Budget.Samples, 1),
			SpreadSamples: c.spread(), Recommend: c.Recommend, Objective: c.Objective, Level: c.level(),
		},
		Aim: c.aim(), Model: c.model(region.Area()),
		Random: planner.Seeded(c.Seed),
	})
	if err != nil {
		return nil, fmt.Errorf("explorer: %w", err)
	}
	return o, nil
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
