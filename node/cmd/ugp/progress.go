// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"ugp_explorer/internal/num"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/record"
)

// linePeriod is the wall time between two lines of progress without a terminal, and drawPeriod that
// between two looks of the line in one while nothing is done.
const (
	linePeriod = 3 * time.Second
	drawPeriod = 100 * time.Millisecond
)

// progress shows how far a task is, and how much time is left: in a terminal on a line that changes; elsewhere
// by a line with the first step, with the last one and every few seconds.
type progress struct {
	t       terminal
	started time.Time
	printed time.Time
	done    int            // shown last; -1: none
	ended   bool           // nothing more is shown
	of      record.Mission // says which units values are in
	elapsed float64        // time of the mission when it was first shown, s; below 0: it was not
	most    bool           // the task may end before all steps are done
}

func newProgress(t terminal) *progress {
	now := t.now()
	return &progress{t: t, started: now, printed: now, done: -1, elapsed: -1}
}

// show writes on a line, or more briefly in a terminal, how many steps are done and how much time is left.
func (p *progress) show(done, steps int, line, brief string) {
	now := p.t.now()
	if !p.due(now, done, steps) {
		return
	}
	rest := p.left(now.Sub(p.started), done, steps)
	p.print(now, done, line+rest, brief+rest)
}

// due reports whether the progress should be shown again; 0 steps: their number is unknown.
func (p *progress) due(now time.Time, done, steps int) bool {
	since := now.Sub(p.printed)
	switch {
	case p.ended: // the page is still served
		return false
	case p.t.isTTY:
		return done != p.done || since >= drawPeriod
	}
	first := done == 1 && p.printed.Equal(p.started)
	last := done == steps && done != p.done && done > 0
	return first || last || since >= linePeriod
}

// print writes the line, or the shorter one in a terminal.
func (p *progress) print(now time.Time, done int, line, brief string) {
	p.printed, p.done = now, done
	if p.t.isTTY {
		fmt.Fprint(p.t.err, "\r"+brief+"\x1b[K") // and clears what the line had beyond that
	} else {
		fmt.Fprintln(p.t.err, line)
	}
}

// share shows the share of a task that is done.
func (p *progress) share(what string, share float64) {
	line := fmt.Sprintf("%s: %.0f %%", what, 100*share)
	p.show(int(1000*share), 1000, line, line)
}

// mission shows the progress of a mission: its samples, best value, distance and time, and what is left, if that is known.
func (p *progress) mission(m *ugp_explorer_msgs.MissionStatus) {
	now := p.t.now()
	if p.elapsed < 0 {
		p.elapsed = m.ElapsedTime
	}
	if !p.due(now, int(m.SamplesTaken), int(m.SamplesBudget)) {
		return
	}
	samples := num.Count(int(m.SamplesTaken), "sample")
	if m.SamplesBudget > 0 {
		samples = fmt.Sprintf("%d of %s", m.SamplesTaken, num.Count(int(m.SamplesBudget), "sample"))
	}
	line, brief := m.State+": "+samples, samples
	if !math.IsNaN(m.BestValue) {
		mean, _, _ := p.of.Transform.Forward(m.BestValue, 0) // the inverse of the transform gave the value
		stdDev := p.of.Transform.StdDev(m.BestValue, m.BestStddev)
		line += ", best " + p.of.Expected(mean, stdDev)
		brief += ", best " + p.of.ExpectedBriefly(mean, stdDev)
	}
	line += ", " + num.Metres(m.Distance) + " driven in " + num.Duration(m.ElapsedTime)
	brief += ", " + num.Metres(m.Distance)
	if !math.IsInf(m.RemainingTime, 1) {
		line += fmt.Sprintf(" (%s of the budget left)", num.Duration(max(m.RemainingTime, 0)))
	}
	passed := m.ElapsedTime - p.elapsed
	distance, duration, wait := num.Metres(m.ExpectedDistance), num.Duration(m.ExpectedTime), num.Duration(math.Ceil(now.Sub(p.started).Seconds()/passed*m.ExpectedTime))
	switch {
	case math.IsNaN(m.ShareDone):
		line, brief = line+", time left unknown", brief+", time left unknown"
	case m.ShareDone == 1: // it is over
	case passed > 0:
		line, brief = line+fmt.Sprintf(", about %s and %s left (%s of real time)", distance, duration, wait), brief+fmt.Sprintf(", about %s and %s left", distance, wait)
	default:
		line, brief = line+fmt.Sprintf(", about %s and %s left", distance, duration), brief+fmt.Sprintf(", about %s left", distance)
	}
	p.print(now, int(m.SamplesTaken), line, brief)
}

// bar draws the share of the steps that are done.
func bar(done, steps int) string {
	const width = 10
	full := width * done / max(steps, 1)
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", width-full) + "]"
}

// left estimates the remaining wall time from the steps so far.
func (p *progress) left(spent time.Duration, done, steps int) string {
	switch {
	case done == 0:
		return ", time left unknown"
	case done >= steps:
		return ""
	}
	rest := spent.Seconds() / float64(done) * float64(steps-done)
	about := "about"
	if p.most {
		about = "at most"
	}
	return fmt.Sprintf(", %s %s left", about, num.Duration(math.Ceil(rest)))
}

func (p *progress) finish() {
	if p.t.isTTY && !p.ended && p.done >= 0 {
		fmt.Fprintln(p.t.err)
	}
	p.ended = true
}
