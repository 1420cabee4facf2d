package main

import (
	"cmp"
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

// progress shows the progress of a mission: a bar in a terminal; elsewhere a plain line at
// the first sample and every few seconds.
type progress struct {
	t       terminal
	bar     *progressbar.ProgressBar // nil without a terminal, and before the budget is known
	started time.Time
	printed time.Time // zero: no line yet
	samples int       // shown last; -1: none
	ended   bool      // nothing more is shown
}

func newProgress(t terminal) *progress {
	return &progress{t: t, started: t.now(), samples: -1}
}

func (p *progress) update(m *ugp_explorer_msgs.MissionStatus) {
	if p.ended { // the page is still served
		return
	}
	taken, budget := int(m.SamplesTaken), int(m.SamplesBudget)
	now := p.t.now()
	if !p.t.isTTY {
		last := p.printed
		if last.IsZero() && taken == 0 {
			last = p.started
		}
		if now.Sub(last) >= linePeriod {
			p.printed = now
			fmt.Fprintf(p.t.err, "%s: %s%s\n", m.State, describe(m), left(now.Sub(p.started), taken, budget))
		}
		return
	}
	if p.bar == nil {
		length := budget
		if length == 0 {
			length = -1 // no limit: a spinner
		}
		p.bar = progressbar.NewOptions(length, progressbar.OptionSetWriter(p.t.err), progressbar.OptionSetWidth(10),
			progressbar.OptionShowCount(), progressbar.OptionSetElapsedTime(false), progressbar.OptionSetPredictTime(false))
	}
	if taken == p.samples && now.Sub(p.printed) < barPeriod {
		return
	}
	p.bar.Describe(best(m) + driven(m) + left(now.Sub(p.started), taken, budget))
	if taken != p.samples {
		_ = p.bar.Set(taken) // an overfull bar must not stop the robot
	}
	p.printed, p.samples = now, taken
}

// describe returns a line with a mission's samples, best value, distance and time.
func describe(m *ugp_explorer_msgs.MissionStatus) string {
	text := count(int(m.SamplesTaken), "sample")
	if m.SamplesBudget > 0 {
		text = fmt.Sprintf("%d of %s", m.SamplesTaken, count(int(m.SamplesBudget), "sample"))
	}
	text += ", " + best(m) + driven(m) + " driven in " + clock(m.ElapsedTime)
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

func driven(m *ugp_explorer_msgs.MissionStatus) string { return length(m.Distance) }

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
		_ = p.bar.Exit() // Finish would show an interrupted mission as complete
		fmt.Fprintln(p.t.err)
	}
}

// meter shows how much of a task is done and how much time is left: a bar in a terminal; elsewhere a
// plain line every few seconds.
type meter struct {
	t       terminal
	what    string
	steps   int                      // that are counted; 0: only the share matters
	bar     *progressbar.ProgressBar // nil without a terminal
	started time.Time
	printed time.Time
}

// shareSteps is the number of steps of the bar of a share.
const shareSteps = 1000

func newMeter(t terminal, what string, steps int) *meter {
	m := &meter{t: t, what: what, steps: steps, started: t.now()}
	m.printed = m.started
	if t.isTTY {
		options := []progressbar.Option{progressbar.OptionSetWriter(t.err), progressbar.OptionSetWidth(24), progressbar.OptionThrottle(barPeriod),
			progressbar.OptionSetPredictTime(true), progressbar.OptionSetDescription(what)}
		if steps > 0 {
			options = append(options, progressbar.OptionShowCount())
		}
		m.bar = progressbar.NewOptions(cmp.Or(steps, shareSteps), options...)
	}
	return m
}

func (m *meter) update(share float64) {
	if m.bar != nil {
		_ = m.bar.Set(int(math.Round(share * float64(cmp.Or(m.steps, shareSteps)))))
		return
	}
	now, last := m.t.now(), m.steps > 0 && share == 1
	if share <= 0 || now.Sub(m.printed) < linePeriod && !last {
		return
	}
	m.printed = now
	text := fmt.Sprintf("%s: %.0f %%", m.what, 100*share)
	if m.steps > 0 {
		text = fmt.Sprintf("%.0f of %d %s", share*float64(m.steps), m.steps, m.what)
	}
	if !last {
		text += ", about " + clock(math.Ceil(now.Sub(m.started).Seconds()/share*(1-share))) + " left"
	}
	fmt.Fprintln(m.t.err, text)
}

func (m *meter) finish() {
	if m.bar != nil {
		_ = m.bar.Exit()
		fmt.Fprintln(m.t.err)
	}
}
