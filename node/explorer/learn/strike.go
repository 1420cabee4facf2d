// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/planner"
)

// judge strikes a new observation whose value is far outside all others, unless the previous one at the same place confirms it: then both
// are used.
func (l *Learner) judge(o *record.Observation) {
	all := l.book.Record().Observations
	others, noise := l.others(0)
	if n := len(all); n > 0 && len(others) > 0 && all[n-1].Struck == record.StruckFarOut {
		before := &all[n-1]
		// Where nobody sends the robot, the next observation is the second one.
		if again := before.Target == o.Target || o.Approach == nil; again && planner.Agree(before.Value, o.Value, others, noise) {
			o.Confirms = before.Sequence
			l.log.Info(fmt.Sprintf("sample %d agrees with sample %d, which was far outside all others: both count", o.Sequence, o.Confirms))
			return
		}
	}
	if planner.FarOut(o.Value, others, noise, false) {
		o.Struck = record.StruckFarOut
		l.tellFarOut(o, others, "it counts only if the next sample at its place agrees, or if a person restores it")
	}
}

// judgeEarlier restores the observation that the newest one confirms, and strikes those that were believed while there were few others, but
// are far outside now.
func (l *Learner) judgeEarlier(newest *record.Observation) {
	if newest.Confirms > 0 {
		l.Optimizer.Strike("", newest.Confirms, false)
		all := l.book.Record().Observations
		l.show.Observation(all[len(all)-2])
	}
	if newest.Struck != "" {
		return
	}
	values, _ := l.others(0)
	for _, extreme := range []float64{slices.Min(values), slices.Max(values)} {
		all := l.book.Record().Observations
		i := slices.IndexFunc(all, func(o record.Observation) bool { return o.Value == extreme && o.Struck == "" })
		if i < 0 || all[i].Kept || all[i].Confirms > 0 {
			continue
		}
		o := all[i]
		if others, noise := l.others(o.Sequence); planner.FarOut(o.Value, others, noise, true) {
			l.tellFarOut(&o, others, "it does not count unless a person restores it")
			_, _ = l.Strike(o.Sequence, record.StruckFarOut) // a journal that cannot be written is a fault already
		}
	}
}

// others returns the values of all samples that count, but that of one own sample. noise returns the median standard deviation of their
// noise, and must not be called without values.
func (l *Learner) others(but int) (values []float64, noise func() float64) {
	var stdDevs []float64
	for origin, o := range l.book.Record().Samples {
		if origin != record.OriginOwn || o.Sequence != but {
			values, stdDevs = append(values, o.Value), append(stdDevs, math.Sqrt(o.Variance))
		}
	}
	return values, func() float64 {
		slices.Sort(stdDevs)
		return stdDevs[len(stdDevs)/2]
	}
}

// tellFarOut logs that a value is far outside all others, and what follows.
func (l *Learner) tellFarOut(o *record.Observation, others []float64, so string) {
	m := l.book.Record()
	l.log.Warn(fmt.Sprintf("sample %d, %s at %s, is far outside all others, %s to %s: %s; \"restore %[1]d\" on ~/command includes it", o.Sequence,
		m.Measured(o.Value, math.Sqrt(o.Variance)), show.Place(orb.Point{o.Belief.X, o.Belief.Y}), num.Short(slices.Min(others), 4), num.Short(slices.Max(others), 4), so))
}

// unlikely is the least number of samples of which all are far outside others, for these samples or the others to be doubted.
const unlikely = 3

// values are values with the largest standard deviation of their noise.
type values struct {
	list  []float64
	noise float64
}

func (v *values) add(value, variance float64) {
	v.list, v.noise = append(v.list, value), max(v.noise, math.Sqrt(variance))
}

// String returns the range.
func (v *values) String() string {
	return num.Short(slices.Min(v.list), 4) + " to " + num.Short(slices.Max(v.list), 4)
}

// unlike reports whether there are enough values, and all are far outside others.
func (v *values) unlike(others *values) bool {
	return len(v.list) >= unlikely && !slices.ContainsFunc(v.list, func(value float64) bool {
		return !planner.FarOut(value, others.list, func() float64 { return others.noise }, false)
	})
}

// unlikeOthers says that the samples from before the mission seem to be of another unit or quantity, or those from one sample of the mission on, or
// "".
func (l *Learner) unlikeOthers() string {
	m := l.book.Record()
	var earlier, own, first, later values
	from := 0 // number of the sample from which on all are far outside
	for i := range m.Earlier {
		earlier.add(m.Earlier[i].Value, m.Earlier[i].Variance)
	}
	for i := range m.Observations {
		o := &m.Observations[i]
		if o.Struck == record.StruckByPerson {
			continue
		}
		own.add(o.Value, o.Variance)
		if confirmed := i+1 < len(m.Observations) && m.Observations[i+1].Confirms == o.Sequence; from == 0 && (o.Struck == record.StruckFarOut || confirmed) {
			from = o.Sequence
		}
		if from > 0 {
			later.add(o.Value, o.Variance)
		} else {
			first.add(o.Value, o.Variance)
		}
	}
	switch {
	case own.unlike(&earlier):
		return fmt.Sprintf("all %d samples of this mission, %s, are far outside the %d of earlier.file, %s: check the unit and the quantity of that file, and start a mission without it if they are wrong",
			len(own.list), &own, len(earlier.list), &earlier)
	case later.unlike(&first):
		return fmt.Sprintf("all %d samples from sample %d on, %s, are far outside the %d before it, %s: check whether the sensor or its unit has changed, and strike the samples that are wrong",
			len(later.list), from, &later, len(first.list), &first)
	}
	return ""
}

// Doubted says which samples are excluded because they are far outside all others, or that all from before the mission, or from one sample on,
// are doubtful, or that the sensor is, or "".
func (l *Learner) Doubted() string {
	if text := l.unlikeOthers(); text != "" {
		return text
	}
	var list []string
	for _, o := range l.book.Record().Struck() {
		if o.Struck == record.StruckFarOut {
			list = append(list, fmt.Sprintf("sample %d (%s)", o.Sequence, l.book.Record().Measured(o.Value, math.Sqrt(o.Variance))))
		}
	}
	switch len(list) {
	case 0:
		return l.book.Record().AlikeText()
	case 1:
		return list[0] + " is far outside all others and does not count: restore it if it is right, strike it if it is wrong"
	}
	return strings.Join(list, " and ") + " are far outside all others and do not count: restore what is right, strike what is wrong"
}

// RefusesStrike says why a person cannot strike or restore a sample of this robot; "" if that is possible.
func (l *Learner) RefusesStrike(sequence int, struck bool) string {
	all := l.book.Record().Observations
	for i := range all {
		if all[i].Sequence != sequence {
			continue
		}
		switch was := all[i].Struck; {
		case struck && was == record.StruckByPerson:
			return fmt.Sprintf("sample %d is struck already", sequence)
		case !struck && was == "":
			return fmt.Sprintf("sample %d counts already", sequence)
		}
		return ""
	}
	if len(all) == 0 {
		return "there is no sample yet"
	}
	return fmt.Sprintf("there is no sample %d: this robot has those from %d to %d", sequence, all[0].Sequence, all[len(all)-1].Sequence)
}

// Strike strikes a sample of this robot for a reason, or restores it if the reason is empty, and returns what was done. The change is on
// the disk before it is published.
func (l *Learner) Strike(sequence int, why record.Struck) (text string, err error) {
	o, err := l.book.Struck(sequence, why)
	if err != nil {
		return "", err
	}
	l.Optimizer.Strike("", sequence, why != "")
	l.show.Observation(*o)
	text = "counts again"
	if why != "" {
		text = "is struck: maps, targets and the answer ignore it"
	}
	return fmt.Sprintf("sample %d, %s at %s, %s", sequence, l.book.Record().Measured(o.Value, math.Sqrt(o.Variance)),
		show.Place(orb.Point{o.Belief.X, o.Belief.Y}), text), nil
}

// StrikeOfMate is called when another robot has struck one of its samples, or restored it.
func (l *Learner) StrikeOfMate(robot string, sequence int, struck bool) {
	l.Optimizer.Strike(robot, sequence, struck)
	l.book.StruckByMate(robot, sequence, struck)
}
