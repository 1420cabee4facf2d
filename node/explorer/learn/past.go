// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"cmp"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/export/samples"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/planner"
	"ugp_explorer/planner/mission"
)

// Resume restores the observations and decisions of an earlier run, and the samples from before it: the file may have changed since, or be
// gone. It uses the hyper-parameters of the last fit, and there is another one only if it is due without the interruption, too, so that the
// next decision is the same.
func (l *Learner) Resume(found *journal.State) error {
	for _, k := range found.Localised {
		l.localised.Add(k.Stamp, k.Seen)
	}
	if err := l.earlier(found.Begin.Earlier); err != nil {
		return err
	}
	for i := range found.Observations {
		o := &found.Observations[i]
		s := sample("", o)
		if err := l.Check(s); err != nil {
			return fmt.Errorf("observation %d: %w", o.Sequence, err)
		}
		l.Add(s)
	}
	for i := range found.Heard {
		if err := l.Hear(found.Heard[i].Observation()); err != nil {
			return fmt.Errorf("value %d of the second sensor: %w", i+1, err)
		}
	}
	past, err := l.past(found)
	if err != nil {
		return err
	}
	if err := l.Optimizer.Resume(past); err != nil {
		return err
	}
	for i := range found.Skipped {
		if s := &found.Skipped[i]; !s.ByPerson && !slices.ContainsFunc(found.Skipped[:i], func(e journal.Skipped) bool { return e.Target == s.Target }) {
			l.GiveUp(s.Target[:])
		}
	}
	l.book.SetNoise(l.noise())
	return nil
}

// past returns the decisions and the last fit of an earlier run.
func (l *Learner) past(found *journal.State) (planner.Past, error) {
	past := planner.Past{Decisions: found.Decided}
	for _, d := range found.Decisions {
		past.Chosen = append(past.Chosen, []float64{d.Target[0], d.Target[1]})
	}
	fits := found.Hyper
	if len(fits) == 0 || found.Restruck {
		return past, nil
	}
	last := fits[len(fits)-1]
	h, err := last.GP(l.cfg.Model.Covariates, nil) // the next job has the second quantity
	if err != nil {
		return past, err
	}
	past.Hyper = &h
	if slices.ContainsFunc(l.book.Changed(found), affectsLearning) {
		return past, nil
	}
	past.Whole = !slices.ContainsFunc(found.Observations, func(o record.Observation) bool { return o.Struck == "" && o.Sequence > last.Samples })
	first := last // of the newest fits that are equal: none has been made since
	for i := len(fits) - 2; i >= 0 && fits[i].Equal(last.Hyper); i-- {
		first = fits[i]
	}
	past.Fitted = len(found.Begin.Earlier) + first.Samples
	for i := range found.Observations {
		if o := &found.Observations[i]; o.Struck != "" && o.Sequence <= first.Samples {
			past.Fitted--
		}
	}
	return past, nil
}

// affectsLearning reports whether a changed parameter affects what is learnt from samples.
func affectsLearning(c record.Change) bool {
	group, _, _ := strings.Cut(c.Name, ".")
	return group == "model" || group == "execution" || group == "method"
}

// GivenUp is called when a target has been given up and is in the record. A grid may choose it once more, unless a person did not want it.
func (l *Learner) GivenUp(c mission.CommandSkipped) {
	times := 0
	for _, s := range l.book.Record().Skipped {
		if orb.Point(s.Target) == c.Target {
			times++
		}
	}
	if times == 1 && !c.ByPerson {
		l.GiveUp(c.Target[:])
	}
}

// handheld is the standard deviation of a place if the file states none, m: that of a
// hand-held satellite receiver.
const handheld = 3

// ReadEarlier reads the samples from before a mission that begins now. Places farther from the
// field's boundary than the field is large are refused: they are in other coordinates.
func (l *Learner) ReadEarlier(g *ground.Ground, log *slog.Logger) error {
	cfg := l.cfg
	if cfg.Earlier == "" {
		return nil
	}
	near := g.Outline().Boundary.Bound()
	file, column := record.SplitName(cfg.Earlier)
	list, none, err := samples.Read(file, samples.Rules{
		Datum: cfg.Datum(), Units: cfg.Units, Transform: record.Transform(cfg.Reading.Transform),
		StdDev: cfg.Reading.StdDev, PlaceStdDev: handheld, Column: cmp.Or(cfg.EarlierColumn, column), ColumnBy: "earlier.column",
		Near: near.Pad(max(near.Max[0]-near.Min[0], near.Max[1]-near.Min[1])),
	})
	if err != nil {
		return fmt.Errorf("explorer: earlier.file: %w", err)
	}
	if len(list) > 0 {
		low, high, place := list[0].Value, list[0].Value, 0.0
		for i := range list {
			low, high = min(low, list[i].Value), max(high, list[i].Value)
			place = max(place, list[i].Belief.XX, list[i].Belief.YY)
		}
		log.Info("the model knows samples from before the mission", "file", cfg.Earlier, "samples", len(list), "column", none.Column, "lowest", low, "highest", high,
			"place_stddev_m", math.Round(100*math.Sqrt(place))/100)
	}
	if n, most := outside(list, g); n > 0 {
		log.Warn("samples from before the mission lie outside the field or in a keep-out: check that their coordinates are those of this map",
			"file", cfg.Earlier, "outside", n, "samples", len(list), "farthest_m", math.Ceil(most))
	}
	if text := none.String(); text != "" {
		log.Warn(text, "file", cfg.Earlier)
	}
	return l.earlier(list)
}

// outside returns the number of samples that are surely outside the field or in a keep-out, and the largest distance from it, m.
func outside(list []record.Observation, g *ground.Ground) (n int, most float64) {
	const surely = 3 // standard deviations
	for i := range list {
		b := &list[i].Belief
		if out := -g.Region().SignedDistance(orb.Point{b.X, b.Y}); out > surely*math.Sqrt(max(b.XX, b.YY)) {
			n, most = n+1, max(most, out)
		}
	}
	return n, most
}

// earlier adds samples from before the mission to the model and to the record. The
// model must have no others yet.
func (l *Learner) earlier(list []record.Observation) error {
	for i := range list {
		s := sample(record.OriginEarlier, &list[i])
		if err := l.Check(s); err != nil {
			return fmt.Errorf("explorer: earlier.file: sample %d: %w", list[i].Sequence, err)
		}
		l.Add(s)
	}
	l.book.SetEarlier(list)
	return nil
}
