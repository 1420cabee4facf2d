// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"bytes"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/node/explorer"
	"ugp_explorer/sim"
)

// Violation is a rule that a trial has broken.
type Violation struct {
	Rule string
	At   float64 // s since the trial began
	Text string
}

func (v *Violation) String() string { return fmt.Sprintf("%s at %.1f s: %s", v.Rule, v.At, v.Text) }

// truth is what the simulated robot really does.
type truth struct {
	pose   sim.Pose
	speed  float64 // m/s
	driven float64 // m
	known  bool
}

// watcher watches a trial. It knows the messages, the true pose of the robot and what was
// injected, and shares no code with the nodes that it judges.
type watcher struct {
	*world
	trace     func(string) // nil: nobody wants to know
	violation *Violation
	ground    ground

	mission  missionView
	motion   motionView
	samples  samplesView
	traffic  traffic
	minder   minder
	disturbs []disturbance
	waiting  map[string]func() // called when the mission is in a state
}

// disturbance is a fault that has begun.
type disturbance struct {
	harm harm
	end  float64 // s
}

func newWatcher(w *world) *watcher {
	f := w.trial.field
	v := &watcher{world: w, ground: ground{f.Boundary, f.KeepOuts}}
	v.waiting = map[string]func(){}
	v.motion.put = v.out(orb.Point{w.trial.start.X, w.trial.start.Y})
	v.samples.acknowledged = map[int]observed{}
	v.traffic.sent = map[string]int{}
	return v
}

// fail notes the first rule that is broken.
func (v *watcher) fail(rule, format string, args ...any) {
	if v.violation == nil {
		v.violation = &Violation{rule, v.seconds(), fmt.Sprintf(format, args...)}
	}
}

// note writes a line to the trace.
func (v *watcher) note(format string, args ...any) {
	if v.trace != nil {
		v.trace(fmt.Sprintf("%8.2f s  ", v.seconds()) + fmt.Sprintf(format, args...))
	}
}

// disturbed notes a fault that begins, and what it disturbs.
func (v *watcher) disturbed(f *Fault, h harm) {
	v.note("FAULT %v", *f)
	v.disturbs = append(v.disturbs, disturbance{h, f.end() + f.delay()})
}

// delay returns how long what a fault did may still be felt after its end, s.
func (f *Fault) delay() float64 {
	switch f.Kind {
	case "late", "shuffle":
		return f.Size
	case "kill-at-write", "disk-full", "disk-sick":
		return math.Inf(1) // nobody knows when it is
	}
	return 0
}

// disturbedBy reports whether a harm is felt now or was within the last s seconds.
func (v *watcher) disturbedBy(h harm, s float64) bool {
	for _, d := range v.disturbs {
		if d.harm&h != 0 && v.seconds() <= d.end+s {
			return true
		}
	}
	return false
}

// ever reports whether one of the harms has been done so far.
func (v *watcher) ever(h harm) bool { return v.harmed&h != 0 }

// killed is told of the end of a process.
func (v *watcher) killed(name string) {
	if name == explorer.DefaultName {
		v.mission.deadSince = v.seconds()
		v.mission.dead = true
		v.mission.kills++
	}
}

func (v *watcher) explorerStarts() {
	m := &v.mission
	m.dead = false
	m.aliveSince = v.seconds()
	if m.begun && len(v.samples.acknowledged) == 0 && v.journal() == nil {
		v.note("the journal of the mission was removed, since it was over without a sample: another mission begins")
		m.begun, m.waited, m.target, m.short = false, 0, orb.Point{}, 0
	}
	if v.seconds() > 0 {
		m.waits = !v.trial.config.Explorer.AutoResume && bytes.Contains(v.journal(), []byte(`,"start":{`))
		v.checkJournal()
	}
}

func (v *watcher) notStarted(name string, err error) {
	v.fail("restart", "%s does not start again: %v", name, err)
}

// ended reports whether the trial is over.
func (v *watcher) ended() bool {
	m, now := &v.mission, v.seconds()
	switch {
	case v.violation != nil:
		return true
	case now > longestTrial:
		v.fail("ends", "the trial is not over after %.0f s: %s: %s", now, m.state, m.text)
		return true
	case m.state != "done" && m.dead && v.over(): // killed after its last write, before it said so
		if now < m.deadSince+afterwards {
			return false
		}
		m.since, m.stdDev = m.deadSince, v.motion.stdDev
		if m.state, m.text = v.lastWords(); m.state != "done" {
			v.fail("reason", "the journal says that the mission is over and written, and not why; it was %s: %s", m.state, m.text)
		}
		return true
	case m.state != "done" || now < m.since+afterwards:
		return false
	case m.dead:
		return v.over()
	}
	return v.explorer.Finished()
}

const (
	// afterwards is the time for which a trial continues after the end of its mission, s.
	afterwards = 5
	// longestTrial is the time after which a trial is given up, s. The minder has sent the
	// mission home and stopped it long before.
	longestTrial = 4000
)

// spread returns the standard deviation in the direction in which it is largest.
func spread(xx, xy, yy float64) float64 {
	return math.Sqrt(max(0, (xx+yy)/2+math.Hypot((xx-yy)/2, xy)))
}

func apart(a, b orb.Point) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }
