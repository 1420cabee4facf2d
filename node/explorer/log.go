package explorer

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/mission"

	"github.com/paulmach/orb"
)

// The log tells a mission as a person would: a line for each target, arrival and sample, one
// for the way home, one at the end.

// logLine logs a line of the mission.
func (e *Explorer) logLine(format string, args ...any) {
	e.node.Logger().Info(fmt.Sprintf(format, args...))
}

// logTarget tells of a target that the robot is sent to.
func (a *active) logTarget(t *task) {
	expected := ""
	if t.Samples > 0 {
		expected = ", expected " + a.memory.record.Expected(t.Target.Mean, t.Target.StdDev)
	}
	number := a.mission.Status().Samples + 1
	if a.cfg.Continuous() {
		number = a.optimizer.Decisions()
	}
	a.logLine("target %d: %s, %s of path%s", number, place(orb.Point(t.Target.X)), metres(t.Target.Length), expected)
}

// logArrival tells that the robot stands and samples.
func (a *active) logArrival() {
	at, s := a.sense.Probe(), a.mission.Status()
	word := "arrived"
	if s.Drive == mission.DriveGivenUp {
		word = "standing"
	}
	a.logLine("%s at %s, %s from target %d", word, place(at), metres(math.Hypot(at[0]-a.target[0], at[1]-a.target[1])), s.Samples+1)
}

// logSample tells of the newest sample, if it is not told yet. best says whether the model
// knows it already.
func (e *Explorer) logSample(best bool) {
	if !e.unlogged {
		return
	}
	e.unlogged = false
	observations := e.memory.record.Observations
	n := len(observations)
	o := &observations[n-1]
	of, so := "", ""
	if budget := e.mode.status().Budget.Samples; budget > 0 {
		of = fmt.Sprintf(" of %d", budget)
	}
	if text := e.bestPlace(); best && text != "" {
		so = " (best so far " + text + ")"
	} else if best && e.memory.record.LooksForBest() {
		so = " (no place is expected to be better than another yet)"
	}
	e.logLine("sample %d%s at %s ± %s: %s%s", n, of, place(orb.Point{o.Belief.X, o.Belief.Y}), metres(math.Sqrt((o.Belief.XX+o.Belief.YY)/2)),
		e.memory.record.Measured(o.Value, math.Sqrt(o.Variance)), so)
}

// logEnd tells how the mission has ended.
func (e *Explorer) logEnd(reason string) {
	s := e.mode.status()
	samples := strconv.Itoa(len(e.memory.record.Observations))
	if n := s.Budget.Samples; n > 0 {
		samples += fmt.Sprintf(" of %d", n)
	}
	e.logLine("done: %s samples, %s driven in %.0f s: %s", samples, metres(s.UsedDistance), s.UsedDuration, reason)
}

// logResult tells what the mission has found and where it is written, once.
func (e *Explorer) logResult(folder string) {
	if best := e.bestPlace(); best != "" && !e.memory.resultLogged {
		e.logLine("best place found: %s", best)
	}
	e.memory.resultLogged = true
	if folder != "" {
		e.logLine("record and report: %s", folder)
	}
}

// bestPlace returns the recommended value and its place; "" if there is none, and where the
// mission does not look for one.
func (e *Explorer) bestPlace() string {
	r := e.memory.record.Recommendation
	if r == nil || !e.memory.record.LooksForBest() {
		return ""
	}
	return e.memory.record.Expected(r.Mean, r.StdDev) + " at " + place(orb.Point(r.Target))
}

// alike reports whether the model expects the same value everywhere, as one does that has learnt
// its mean from a single sample. No place of the field is better than another then.
func (e *Explorer) alike() bool {
	known := e.optimizer.Learnt().Posterior
	if known == nil || e.cfg.Recommend != planner.RecommendAnywhere {
		return false
	}
	mean := known.Hyper().Mean
	return !slices.ContainsFunc(known.Observations(), func(o gp.Observation) bool { return o.Value != mean })
}

func place(p orb.Point) string { return fmt.Sprintf("(%.2f, %.2f) m", p[0], p[1]) }

// metres writes a distance: small ones to the centimetre.
func metres(m float64) string {
	switch {
	case m < 10:
		return fmt.Sprintf("%.2f m", m)
	case m < 1000:
		return fmt.Sprintf("%.0f m", m)
	}
	return fmt.Sprintf("%.2f km", m/1000)
}
