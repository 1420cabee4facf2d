package main

import (
	"fmt"
	"math"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"ugp_explorer/msgs/ugp_explorer_msgs"
)

// linePeriod is the wall time between two lines where there is no terminal.
const linePeriod = 3 * time.Second

// progress shows how far a mission has come: a bar in a terminal, a plain line
// every few seconds elsewhere.
type progress struct {
	t       terminal
	bar     *progressbar.ProgressBar // nil without a terminal, and before the budget is known
	started time.Time
	printed time.Time
	samples int // shown last
}

func newProgress(t terminal) *progress {
	now := time.Now()
	return &progress{t: t, started: now, printed: now, samples: -1}
}

func (p *progress) update(m *ugp_explorer_msgs.MissionStatus) {
	taken, budget := int(m.SamplesTaken), int(m.SamplesBudget)
	text := describe(m)
	if !p.t.isTTY {
		if time.Since(p.printed) >= linePeriod {
			p.printed = time.Now()
			fmt.Fprintf(p.t.err, "%s, %s\n", text, p.left(taken, budget))
		}
		return
	}
	if p.bar == nil {
		length := budget
		if length == 0 {
			length = -1 // no limit: a spinner
		}
		p.bar = progressbar.NewOptions(length, progressbar.OptionSetWriter(p.t.err), progressbar.OptionSetWidth(24),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100*time.Millisecond))
	}
	p.bar.Describe(text)
	if taken != p.samples {
		p.samples = taken
		_ = p.bar.Set(taken) // an overfull bar is no reason to stop a robot
	}
}

// describe says in a line what the mission is doing and has found.
func describe(m *ugp_explorer_msgs.MissionStatus) string {
	budget := ""
	if m.SamplesBudget > 0 {
		budget = fmt.Sprintf(" of %d", m.SamplesBudget)
	}
	text := fmt.Sprintf("%-10s %d%s samples", m.State, m.SamplesTaken, budget)
	if !math.IsNaN(m.BestValue) {
		text += fmt.Sprintf(", best %.4g ± %.2g", m.BestValue, m.BestStddev)
	}
	text += fmt.Sprintf(", %.1f km, %s", m.Distance/1000, clock(m.ElapsedTime))
	if !math.IsInf(m.RemainingTime, 1) {
		text += fmt.Sprintf(" (%s left)", clock(m.RemainingTime))
	}
	return text
}

// left guesses the wall time that is left, from the samples taken so far.
func (p *progress) left(taken, budget int) string {
	if budget == 0 || taken == 0 {
		return "time left unknown"
	}
	rest := time.Since(p.started).Seconds() / float64(taken) * float64(budget-taken)
	return fmt.Sprintf("about %.0f s left", math.Ceil(rest))
}

func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
		fmt.Fprintln(p.t.err)
	}
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
