package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/record"
	"ugp_explorer/node/report"
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
}

func newProgress(t terminal) *progress {
	now := t.now()
	return &progress{t: t, started: now, printed: now, done: -1}
}

// show says on a line, or more briefly in a terminal, that so many steps are done; 0 steps: it is not known how many there are.
func (p *progress) show(done, steps int, line, brief string) {
	if p.ended { // the page is still served
		return
	}
	now := p.t.now()
	rest, since := left(now.Sub(p.started), done, steps), now.Sub(p.printed)
	if p.t.isTTY {
		if done != p.done || since >= drawPeriod {
			p.printed = now
			fmt.Fprint(p.t.err, "\r"+brief+rest+"\x1b[K") // and clears what the line had beyond that
		}
	} else {
		first := done == 1 && p.printed.Equal(p.started)
		if last := done == steps && done != p.done && done > 0; first || last || since >= linePeriod {
			p.printed = now
			fmt.Fprintln(p.t.err, line+rest)
		}
	}
	p.done = done
}

// share shows the share of a task that is done.
func (p *progress) share(what string, share float64) {
	line := fmt.Sprintf("%s: %.0f %%", what, 100*share)
	p.show(int(1000*share), 1000, line, line)
}

// mission shows the progress of a mission: its samples, best value, distance and time.
func (p *progress) mission(m *ugp_explorer_msgs.MissionStatus) {
	text := report.Count(int(m.SamplesTaken), "sample")
	if m.SamplesBudget > 0 {
		text = fmt.Sprintf("%d of %s", m.SamplesTaken, report.Count(int(m.SamplesBudget), "sample"))
	}
	text += ", "
	if !math.IsNaN(m.BestValue) {
		best, stdDev, units := p.of.PlainValue(m.BestValue, m.BestStddev)
		text += strings.TrimSpace(fmt.Sprintf("best %s ± %s %s", significant(best, 4), significant(stdDev, 2), units)) + ", "
	}
	text += report.Distance(m.Distance)
	line := m.State + ": " + text + " driven in " + clock(m.ElapsedTime)
	if !math.IsInf(m.RemainingTime, 1) {
		line += fmt.Sprintf(" (%s of the budget left)", clock(max(m.RemainingTime, 0)))
	}
	p.show(int(m.SamplesTaken), int(m.SamplesBudget), line, text)
}

// left estimates the remaining wall time from the samples taken so far. It says nothing of the way home.
func left(spent time.Duration, taken, budget int) string {
	switch {
	case budget == 0 || taken == 0:
		return ", time left unknown"
	case taken >= budget:
		return ""
	}
	rest := spent.Seconds() / float64(taken) * float64(budget-taken)
	return fmt.Sprintf(", about %s left", clock(math.Ceil(rest)))
}

func (p *progress) finish() {
	if p.t.isTTY && !p.ended && p.done >= 0 {
		fmt.Fprintln(p.t.err)
	}
	p.ended = true
}
