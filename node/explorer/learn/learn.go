// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package learn holds what an explorer knows about the field: it adds observations to the logbook and the model, and runs the optimiser's
// jobs, which learn and decide.
package learn

import (
	"log/slog"
	"math"
	"slices"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/gp"
	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/explorer/logbook"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/explorer/truth"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field/localizability"
)

// Learner is what an explorer knows about the field. Use it only from its node's executor.
type Learner struct {
	*planner.Optimizer
	cfg   *settings.Config
	book  *logbook.Logbook
	show  *show.Show
	truth *truth.Truth // nil: it is not followed
	log   *slog.Logger

	localised *localizability.Map // nil: targets are not judged by it
	asked     int                 // observations known to the last decision

	// Transformed counts samples whose value cannot be transformed, Refused those that the model has refused, and Unheard the refused
	// values of the second sensor.
	Transformed, Refused, Unheard int64
}

// New returns a learner whose optimiser knows nothing yet.
func New(cfg *settings.Config, optimizer *planner.Optimizer, g *ground.Ground, book *logbook.Logbook, s *show.Show, t *truth.Truth, log *slog.Logger) *Learner {
	l := &Learner{Optimizer: optimizer, cfg: cfg, book: book, show: s, truth: t, log: log, localised: cfg.Localisation(g.Outline())}
	book.SetNoise(l.noise())
	return l
}

// Moved maps how well the robot knows its place, after a distance of driving, m.
func (l *Learner) Moved(p *localization.Pose, metres float64) {
	l.localised.Moved(p.Stamp, orb.Point{p.X, p.Y}, (p.Cov[0][0]+p.Cov[1][1])/2, metres)
}

// Lost maps a pose that is refused because it is too uncertain.
func (l *Learner) Lost(p *localization.Pose) { l.localised.Refused(p.Stamp, orb.Point{p.X, p.Y}) }

// Shift is called after the clock was shifted by a number of ns.
func (l *Learner) Shift(by int64) { l.localised.Shift(by) }

// Localise adds to the map of localisation, and to the journal, how well the robot has known its place since the last call, so that a
// resumed mission has the same map.
func (l *Learner) Localise(now int64) {
	if seen := l.localised.Take(now); len(seen) > 0 {
		l.book.Journal.Note(journal.Localised{Stamp: now, Seen: seen})
	}
}

// Observe adds an observation meant to be made at target, with the values of other quantities there. approach says how the robot arrived
// there; nil: it was not sent there. An unusable observation is counted, and the error says why.
func (l *Learner) Observe(seen localization.Observation, also []*record.Value, target orb.Point, approach *record.Approach) error {
	value, variance, err := record.Transform(l.cfg.Reading.Transform).Forward(seen.Value, seen.Variance)
	if err != nil {
		l.Transformed++
		return err
	}
	o := record.Observation{
		Sequence: 1, Stamp: float64(seen.Stamp) / 1e9, Target: target, Approach: approach,
		Path: seen.Path, Belief: seen.Belief, Readings: seen.Readings,
		Value: seen.Value, Variance: seen.Variance, ModelValue: value, ModelVariance: variance,
		TruePlace: l.truth.Place(seen.Stamp), Also: also,
	}
	if before := l.book.Record().Observations; len(before) > 0 {
		o.Sequence = before[len(before)-1].Sequence + 1
	}
	if err := l.Check(sample("", &o)); err != nil {
		l.Refused++
		return err
	}
	l.judge(&o)
	if err := l.book.Observed(o); err != nil { // before it is published
		return err
	}
	l.Add(sample("", &o))
	l.show.Observation(o)
	l.judgeEarlier(&o)
	return nil
}

// Heard adds a value of the second sensor, from a stop or a piece of path. An unusable value is counted, and the error says why.
func (l *Learner) Heard(o localization.Observation) error {
	h := record.Heard{Stamp: float64(o.Stamp) / 1e9, Belief: o.Belief, Readings: o.Readings, Value: o.Value, Variance: o.Variance}
	if o.Path != nil {
		h.Path = *o.Path
	}
	if err := l.Hear(h.Observation()); err != nil {
		l.Unheard++
		return err
	}
	l.book.Heard(h)
	return nil
}

// Mate adds an observation of a team mate.
func (l *Learner) Mate(robot string, o record.Observation) error {
	s := sample(robot, &o)
	if err := l.Check(s); err != nil {
		return err
	}
	l.Add(s)
	l.book.Mate(robot, o)
	return nil
}

// sample returns an observation of a robot, "" for this one, in the optimiser's form. The error of another's arrival
// teaches nothing about this one's.
func sample(robot string, o *record.Observation) planner.Sample {
	return planner.Sample{
		Robot: robot, Number: o.Sequence, Struck: o.Struck != "",
		Target: []float64{o.Target[0], o.Target[1]}, Located: o.Located(), Value: o.ModelValue, Variance: o.ModelVariance,
		OnWay:   o.Path != nil,
		Arrived: robot == "" && o.Approach != nil && !o.Approach.GaveUp, // otherwise the robot did not stop where it was meant to
	}
}

// Discs returns the discs around earlier samples, of this robot and its mates, in which another sample would add nothing new.
func (l *Learner) Discs() (discs []acquire.Disc) {
	if l.cfg.Pace.Apart == 0 {
		return nil
	}
	around := func(o *record.Observation) {
		if o.Struck == "" {
			discs = append(discs, acquire.Disc{Centre: []float64{o.Belief.X, o.Belief.Y}, Radius: l.cfg.Pace.Apart})
		}
	}
	for i := range l.book.Record().Observations {
		around(&l.book.Record().Observations[i])
	}
	for i := range l.book.Record().Team {
		around(&l.book.Record().Team[i].Observation)
	}
	return discs
}

// moreToDecide is the share by which the number of observations must grow before there is
// another decision while the robot drives: with thousands, a few more change little.
const moreToDecide = 0.02

// MuchNew reports whether there are enough new observations since the last call of Asked for another decision while the robot drives.
func (l *Learner) MuchNew() bool {
	n := l.Len()
	return n-l.asked >= max(l.cfg.Path.Every, int(moreToDecide*float64(n)))
}

// Asked notes that the present observations are being learnt.
func (l *Learner) Asked() { l.asked = l.Len() }

// Task is a job of the optimiser and its purpose in the mission.
type Task struct {
	*planner.Job
	Own  int           // number of samples that this robot had taken, including struck ones
	Team int           // number of those of other robots
	Plan int           // number of the plan that the target is for
	Took time.Duration // by the wall clock
}

// Expect sets, for the next task, how well the robot will know its place from now on.
func (l *Learner) Expect(now int64) {
	l.Localise(now)
	l.SetExpectation(l.localised.Expect(now))
}

// Note writes what a task has learnt to the logbook, once there are own samples.
func (l *Learner) Note(t *Task) {
	l.book.SetNoise(l.noise())
	if t.Own == 0 {
		return
	}
	var hyper *record.HyperAt
	if t.Fitted || !l.cfg.Passive {
		hyper = &record.HyperAt{
			Samples: t.Own, Hyper: record.HyperOf(t.Hyper), LogLikelihood: t.Posterior.LogMarginalLikelihood(),
			Noise: l.book.Record().Noise,
		}
		if l.cfg.Learn.On && l.QueryCov() != nil {
			hyper.Bias = &record.Place{l.Learnt().ExecutionNoise.Bias[0], l.Learnt().ExecutionNoise.Bias[1]}
		}
	}
	best := record.RecommendedAt{Samples: t.Own, Team: t.Team, Mean: math.NaN(), StdDev: math.NaN()}
	if !l.alike() && t.Best.X != nil {
		at := record.Place(t.Best.X)
		best.Target, best.Mean, best.StdDev = &at, t.Best.Mean, t.Best.StdDev
	}
	l.book.Learnt(best, hyper)
}

// noise returns the Σ̂ by which targets are judged now; nil: targets are points.
func (l *Learner) noise() *record.Covariance {
	cov := l.QueryCov()
	if cov == nil {
		return nil
	}
	return &record.Covariance{XX: cov.At(0, 0), XY: cov.At(0, 1), YY: cov.At(1, 1)}
}

// alike reports whether the model expects the same value everywhere, as one does that has learnt
// its mean from a single sample. No place of the field is better than another then.
func (l *Learner) alike() bool {
	known := l.Learnt().Posterior
	if known == nil || l.cfg.Recommend != planner.RecommendAnywhere {
		return false
	}
	mean := known.Hyper().Mean
	return !slices.ContainsFunc(known.Observations(), func(o gp.Observation) bool { return o.Value != mean })
}

// Arrived adds to the last suggestion the place where the robot went instead, and the posterior there at the time of the suggestion.
func (l *Learner) Arrived(at record.Place) {
	list := l.book.Record().Suggestions
	n := len(list)
	if n == 0 || list[n-1].Went != nil {
		return
	}
	mean, variance := l.Learnt().Mixture.Posterior(gp.Belief{Mean: at[:], Cov: l.QueryCov()})
	l.book.Went(at, mean, math.Sqrt(variance))
}

// Suggest notes and publishes the target of a task as a suggestion.
func (l *Learner) Suggest(t *Task, now int64) record.Suggestion {
	s := record.Suggestion{
		Samples: t.Own, Stamp: float64(now) / 1e9, Robot: record.Place(t.Request().Robot),
		Target: record.Place(t.Target.X), Path: t.Target.Length,
		Mean: t.Target.Mean, StdDev: t.Target.StdDev, Beta: t.Target.Beta,
		WentMean: math.NaN(), WentStdDev: math.NaN(),
	}
	l.book.Suggested(s)
	l.show.Suggestion(&s)
	return s
}
