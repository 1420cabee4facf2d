package main

import (
	"fmt"
	"math"
	"time"

	"github.com/schollz/progressbar/v3"

	"ugp_explorer/msgs/ugp_explorer_msgs"
)

// linePeriod is the wall time between two lines of progress without a terminal.
const linePeriod = 3 * time.Second

// barPeriod is the wall time between two updates of the bar.
const barPeriod = 100 * time.Millisecond

// progress shows how far a task is, and how much time is left: a bar in a terminal; elsewhere a plain line with
// the first step, with the last one and every few seconds.
type progress struct {
	t       terminal
	counts  bool                     // the bar shows the number of steps
	bar     *progressbar.ProgressBar // nil without a terminal, and before the first step
	started time.Time
	printed time.Time
	done    int  // shown last; -1: none
	ended   bool // nothing more is shown
}

func newProgress(t terminal, counts bool) *progress {
	now := t.now()
	return &progress{t: t, counts: counts, started: now, printed: now, done: -1}
}

// show says on a line, or more briefly beside the bar, that so many steps are done; 0 steps: it is not known how many there are.
func (p *progress) show(done, steps int, line, brief string) {
	if p.ended { // the page is still served
		return
	}
	now := p.t.now()
	rest := left(now.Sub(p.started), done, steps)
	if !p.t.isTTY {
		first := done == 1 && p.printed.Equal(p.started)
		if last := done == steps && done != p.done && done > 0; first || last || now.Sub(p.printed) >= linePeriod {
			p.printed = now
			fmt.Fprintln(p.t.err, line+rest)
		}
		p.done = done
		return
	}
	if p.bar == nil {
		length := steps
		if length == 0 {
			length = -1 // no limit: a spinner
		}
		options := []progressbar.Option{progressbar.OptionSetWriter(p.t.err), progressbar.OptionSetWidth(10),
			progressbar.OptionSetElapsedTime(false), progressbar.OptionSetPredictTime(false)}
		if p.counts {
			options = append(options, progressbar.OptionShowCount())
		}
		p.bar = progressbar.NewOptions(length, options...)
	}
	if done == p.done && now.Sub(p.printed) < barPeriod {
		return
	}
	p.bar.Describe(brief + rest)
	if done != p.done {
		_ = p.bar.Set(done) // an overfull bar must not stop the robot
	}
	p.printed, p.done = now, done
}

// share shows the share of a task that is done.
func (p *progress) share(what string, share float64) {
	p.show(int(1000*share), 1000, fmt.Sprintf("%s: %.0f %%", what, 100*share), what)
}

// mission shows the progress of a mission.
func (p *progress) mission(m *ugp_explorer_msgs.MissionStatus) {
	p.show(int(m.SamplesTaken), int(m.SamplesBudget), m.State+": "+describe(m), best(m)+length(m.Distance))
}

// describe returns a line with a mission's samples, best value, distance and time.
func describe(m *ugp_explorer_msgs.MissionStatus) string {
	text := count(int(m.SamplesTaken), "sample")
	if m.SamplesBudget > 0 {
		text = fmt.Sprintf("%d of %s", m.SamplesTaken, count(int(m.SamplesBudget), "sample"))
	}
	text += ", " + best(m) + length(m.Distance) + " driven in " + clock(m.ElapsedTime)
	if !math.IsInf(m.RemainingTime, 1) {
		text += fmt.Sprintf(" (%s of the budget left)", clock(max(m.RemainingTime, 0)))
	}
	return text
}

// best returns the best value so far followed by a comma, or nothing before the first
// sample.
func best(m *ugp_explorer_msgs.MissionStatus) string {
	if math.IsNaN(m.BestValue) {
		return ""
	}
	return fmt.Sprintf("best %s ± %s, ", significant(m.BestValue, 4), significant(m.BestStddev, 2))
}

// length formats metres in kilometres, or in metres below one kilometre.
func length(metres float64) string {
	if metres < 1000 {
		return fmt.Sprintf("%.0f m", metres)
	}
	return fmt.Sprintf("%.1f km", metres/1000)
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
	p.ended = true
	if p.bar != nil {
		_ = p.bar.Exit() // Finish would show an interrupted task as complete
		fmt.Fprintln(p.t.err)
	}
}
