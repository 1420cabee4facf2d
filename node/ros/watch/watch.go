// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package watch

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
)

const (
	// period is the time between two checks.
	period = time.Second
	// patience is the number of periods in a row after which a problem is
	// reported: endpoints sometimes need a second to find each other.
	patience = 5
	// repeat is the number of checks after which the log repeats a problem.
	repeat = 60
)

// Finding is the result of one check.
type Finding struct {
	Name   string
	Text   string     // what is wrong, or what a person should know; "": nothing
	Level  slog.Level // of the text
	Input  *Input     // nil: the check is not of an input
	Values []diagnostic_msgs.KeyValue
}

// Wrong reports whether something is wrong.
func (f *Finding) Wrong() bool { return f.Text != "" && f.Level >= slog.LevelWarn }

// Diagnostic returns a node's finding as /diagnostics has it.
func (f *Finding) Diagnostic(n *ros.Node) diagnostic_msgs.DiagnosticStatus {
	d := diagnostic_msgs.DiagnosticStatus{Name: n.Name() + ": " + f.Name, HardwareID: "none", Message: cmp.Or(f.Text, "nothing is wrong"), Values: f.Values}
	if f.Wrong() {
		d.Level = diagnostic_msgs.DiagnosticStatusWarn
	}
	return d
}

// Watch reports what a node waits for, and what the graph has instead: in the log, on
// /diagnostics, and as text for the node's own status. Add inputs, outputs, actions and
// conditions in the order of urgency. It checks them once a second, so messages cost
// almost nothing. It may be used only from callbacks of its node.
//
// Waiting times are measured in the node's time and, if that comes from /clock, in wall
// time too, which is all that passes while /clock stands still.
type Watch struct {
	node  *ros.Node
	items []*watched
	said  func()
	ticks int        // looks, in the node's time
	wall  *wallTicks // nil without use_sim_time
}

// watched is one thing that a Watch checks.
type watched struct {
	name  string // of its status on /diagnostics
	input *Input // nil: it is none
	level slog.Level
	wall  bool // checked by the wall clock
	slow  bool // checked every patience periods
	once  bool // not logged again while it stays the same
	// check returns 0 if all is well, otherwise the number of checks in a row after
	// which the problem is reported.
	check  func() int
	why    func() string                     // describes the problem
	values func() []diagnostic_msgs.KeyValue // for /diagnostics; may be nil

	wrong     int    // failed checks in a row
	wallSince uint64 // wall ticks at the first of them
	sentence  string // the problem, "" for none
	logged    string // the problem last logged
	quiet     int    // checks since then
}

// New starts a watch for node n. If the node takes its time from /clock, the watch
// checks that too. said, which may be nil, is called whenever a reported problem changes,
// and every second while /clock stands still, and all timers with it. There the node publishes the
// findings.
func New(n *ros.Node, said func()) (*Watch, error) {
	w := &Watch{node: n, said: said}
	if w.said == nil {
		w.said = func() {}
	}
	if clock := n.Clock(); clock != nil {
		w.watchClock(clock)
	}
	_, err := n.NewTimer(period, w.tick)
	return w, err
}

// Condition adds a check of the node's own. check is called every few seconds, because it
// may be slow, and returns the problem as a sentence, or "". Below the level WARN a problem
// is a note that appears only in the log and on /diagnostics.
func (w *Watch) Condition(name string, level slog.Level, check func() string) {
	var sentence string
	w.add(&watched{
		name: name, level: level, slow: true,
		check: func() int {
			if sentence = check(); sentence == "" {
				return 0
			}
			return 1
		},
		why: func() string { return sentence },
	})
}

// Notice adds a check like Condition, of a problem that may stay for days: the log has it once,
// and again when the sentence changes. Its level is WARN.
func (w *Watch) Notice(name string, check func() string) {
	w.Condition(name, slog.LevelWarn, check)
	w.items[len(w.items)-1].once = true
}

func (w *Watch) add(it *watched) { w.items = append(w.items, it) }

// Text returns the most urgent problem, except those of the named checks; "" if there is none.
func (w *Watch) Text(except ...string) string {
	for _, it := range w.items {
		if it.sentence != "" && it.level >= slog.LevelWarn && !slices.Contains(except, it.name) {
			return it.sentence
		}
	}
	return strings.Join(w.node.Warnings(), "; ")
}

// TransportCheck is the name of the finding of a transport about which the node has warnings.
const TransportCheck = "transport"

// Findings returns a finding of everything that is checked, and one of the transport
// if the node has warnings about it.
func (w *Watch) Findings() (all []Finding) {
	for _, it := range w.items {
		f := Finding{Name: it.name, Text: it.sentence, Level: it.level, Input: it.input}
		if it.values != nil {
			f.Values = it.values()
		}
		all = append(all, f)
	}
	if len(w.node.Warnings()) > 0 {
		all = append(all, Finding{Name: TransportCheck, Text: strings.Join(w.node.Warnings(), "; "), Level: slog.LevelWarn})
	}
	return all
}

// Inputs returns the states of all inputs.
func (w *Watch) Inputs() (all []ugp_explorer_msgs.InputStatus) {
	for _, it := range w.items {
		if it.input != nil {
			all = append(all, it.input.Status())
		}
	}
	return all
}

// Diagnostics returns the findings as /diagnostics has them.
func (w *Watch) Diagnostics() (all []diagnostic_msgs.DiagnosticStatus) {
	for _, f := range w.Findings() {
		all = append(all, f.Diagnostic(w.node))
	}
	return all
}

// tick checks everything once, in the node's time.
func (w *Watch) tick() {
	changed := false
	w.ticks++
	for _, it := range w.items {
		if !it.wall && (!it.slow || w.ticks%patience == 0) {
			changed = w.look(it) || changed
		}
	}
	if changed {
		w.said()
	}
}

// look checks one thing and reports whether its problem has changed.
func (w *Watch) look(it *watched) bool {
	before := it.sentence
	wait := it.check()
	if wait == 0 {
		it.wrong = 0
	} else if it.wrong++; it.wrong == 1 {
		it.wallSince = w.wallTicks()
	}
	it.sentence = ""
	if wait > 0 && it.wrong >= wait && (w.wall == nil || w.wallTicks()-it.wallSince >= patience-1) {
		it.sentence = ros.Printable(it.why(), ros.MostText) // it may quote a stranger's names
	}
	w.log(it, before)
	return it.sentence != before
}

// wallTicks returns the seconds of wall time that were counted.
func (w *Watch) wallTicks() uint64 {
	if w.wall == nil {
		return 0
	}
	return w.wall.n
}

// log logs a new problem, one that persists, and the end of one.
func (w *Watch) log(it *watched, before string) {
	it.quiet++
	switch {
	case it.sentence == "" && before != "":
		w.node.Logger().Info("over: " + before)
	case it.sentence == "":
	case before == "", it.sentence != it.logged && it.quiet >= patience, it.quiet >= repeat && !it.once:
		it.logged, it.quiet = it.sentence, 0
		w.node.Logger().Log(context.Background(), it.level, it.sentence)
	}
}
