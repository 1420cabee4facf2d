// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/names"
	"ugp_explorer/node/ros/param"
)

// NodeOptions are the options of a node. The zero value is a node in the root namespace
// without remapping.
type NodeOptions struct {
	Namespace  string           // before remapping; "" is "/"
	Remaps     names.Remaps     // from the command line
	Parameters *param.Set       // that the node declares; nil for none
	Overrides  *param.Overrides // from parameter files and the command line; nil for none
	// LogHandler receives the node's log records, in addition to /rosout; nil for none.
	LogHandler slog.Handler
	LogLevel   slog.Level // lowest that is logged; INFO if not set
	NoRosout   bool       // do not publish /rosout
	// ClockSource reports whether the node publishes /clock; nil: it does not. The
	// parameter use_sim_time, which all nodes of a simulation get, has no effect on a node
	// that does. It is called when the parameters are set.
	ClockSource func() bool
	// Warnings are problems of the transport that the user should know. They are logged
	// at the start and repeated by a watch.
	Warnings []string
}

// Node is a participant of the graph: a name and the endpoints opened under it. For its
// use with an executor see the package comment.
type Node struct {
	tr         Transport
	ex         exec.Executor
	name, ns   string
	full       string
	remaps     names.Remaps
	parameters *param.Set
	log        *slog.Logger
	endpoints  []io.Closer   // in the order in which they were opened
	timers     []*exec.Timer // periodic ones
	hooks      []*nodeHook
	clock      *Subscription         // to /clock; nil without use_sim_time
	mismatched map[[2]GUID]time.Time // since when pairs do not match, zero where that is logged
	warnings   []string
	tap        *tap
	logTap     *atomic.Pointer[LogListener]
	whole      *Node // of which this one is a part, see Part; nil for a whole node
	time       *nodeTime
	closed     bool
}

type nodeHook struct {
	fn     func()
	cancel func()
	ran    bool
}

// NewNode adds a node to the graph. It remaps name, applies the overrides of the
// parameters, and returns all errors in them together.
func NewNode(tr Transport, ex exec.Executor, name string, opts NodeOptions) (*Node, error) {
	ns := opts.Namespace
	if ns == "" {
		ns = "/"
	}
	if err := errors.Join(names.ValidateNode(name), names.ValidateNamespace(ns)); err != nil {
		return nil, err
	}
	name = opts.Remaps.NodeName(ns, name)
	ns = opts.Remaps.Namespace(ns, name)
	n := &Node{
		tr: tr, ex: ex, name: name, ns: ns, full: names.Join(ns, name),
		remaps: opts.Remaps, parameters: opts.Parameters, warnings: opts.Warnings,
		tap: &tap{}, time: &nodeTime{}, logTap: &atomic.Pointer[LogListener]{},
	}
	if n.parameters == nil {
		n.parameters = param.NewSet()
	}
	if err := tr.AddNode(n.full); err != nil {
		return nil, err
	}
	if err := n.start(opts); err != nil {
		n.Close()
		return nil, err
	}
	return n, nil
}

func (n *Node) start(opts NodeOptions) error {
	if err := n.openLog(opts); err != nil {
		return err
	}
	for _, w := range n.warnings {
		n.log.Warn(w)
	}
	if r, ok := n.tr.(Reporter); ok {
		r.OnReport(func(message string, args ...any) {
			n.ex.Post(func() {
				if !n.closed {
					n.log.Warn(message, args...)
				}
			})
		})
	}
	if _, ok := n.parameters.Get(simTimeParameter); !ok {
		n.parameters.Bool(new(bool), simTimeParameter, param.Describe("use the time on /clock, as in a simulation, instead of the computer's clock"))
	}
	if err := n.applyOverrides(opts.Overrides); err != nil {
		return err
	}
	if err := n.serveParameters(); err != nil {
		return err
	}
	if err := n.startTime(opts.ClockSource != nil && opts.ClockSource()); err != nil {
		return err
	}
	if r, ok := n.ex.(*exec.RealTime); ok {
		if s, ok := n.tr.(exec.Source); ok {
			r.SleepIn(s)
		}
	}
	n.time.start(n.ex)
	if _, alone := n.ex.(*exec.Simulated); alone {
		return nil // within one process there are no other participants, and runs end when nothing is due
	}
	_, err := n.NewTimer(mismatchPeriod, n.logMismatches)
	return err
}

// applyOverrides sets the parameters before anyone reads them.
func (n *Node) applyOverrides(o *param.Overrides) error {
	if err := n.parameters.Err(); err != nil {
		return fmt.Errorf("ros: node %s: %w", n.full, err)
	}
	for _, doubt := range o.Doubts([]string{n.full}, n.parameters) {
		n.log.Warn("a parameter file probably does not say what is meant", "problem", doubt.Error())
	}
	return n.parameters.Override(n.full, o)
}

// Name returns the name of the node after remapping, without its namespace.
func (n *Node) Name() string { return n.name }

// FullName returns namespace and name, "/ns/name".
func (n *Node) FullName() string { return n.full }

// Parameters returns the node's parameters.
func (n *Node) Parameters() *param.Set { return n.parameters }

// Warnings returns the warnings about the transport, see NodeOptions.
func (n *Node) Warnings() []string { return n.warnings }

// Executor returns the executor of the node's callbacks.
func (n *Node) Executor() exec.Executor { return n.ex }

// Logger returns the node's logger. It may be used from work given to Async.
func (n *Node) Logger() *slog.Logger { return n.log }

// Resolve returns the full name of a topic, a service or an action, expanded and remapped for this
// node.
func (n *Node) Resolve(name string) (string, error) { return n.remaps.Resolve(name, n.ns, n.name) }

// Endpoints returns the endpoints of the topic or service with that full name, or all
// endpoints of the graph if name is empty.
func (n *Node) Endpoints(name string) []EndpointInfo { return n.tr.Endpoints(name) }

// NewTimer runs fn each period until the timer is stopped or the node closed.
func (n *Node) NewTimer(period time.Duration, fn func()) (*exec.Timer, error) {
	if period <= 0 {
		return nil, fmt.Errorf("ros: node %s: the period of a timer is %v, want more than 0", n.full, period)
	}
	t := n.ex.Every(period, fn)
	n.timers = append(n.timers, t)
	return t, nil
}

// After runs fn once, d from now, unless the node is closed by then.
func (n *Node) After(d time.Duration, fn func()) *exec.Timer {
	return n.ex.After(d, func() {
		if !n.closed {
			fn()
		}
	})
}

// Async runs work in parallel with the callbacks, and then done, which may be nil, as a
// callback, unless the node is closed by then. work must not use the node, except for its
// logger. On a Simulated executor work runs at once, and done after everything that is
// due already.
func (n *Node) Async(work, done func()) {
	if done == nil {
		n.ex.Async(work, nil)
		return
	}
	n.ex.Async(work, func() {
		if !n.closed {
			done()
		}
	})
}

// OnShutdown runs fn before the node ends: when its executor shuts down for any reason,
// including a panic, or in Close. The functions run once each, last first, and may
// publish. Use it to stop the robot.
func (n *Node) OnShutdown(fn func()) {
	h := &nodeHook{fn: fn}
	h.cancel = n.ex.OnShutdown(h.run)
	n.hooks = append(n.hooks, h)
}

// OnClose makes Close close c too, before everything that was opened earlier.
func (n *Node) OnClose(c io.Closer) { n.endpoints = append(n.endpoints, c) }

func (h *nodeHook) run() {
	if !h.ran {
		h.ran = true
		h.fn()
	}
}

// Part returns a part of the node that can be closed before it: it has the node's name,
// parameters, clock, logger and taps, but endpoints, timers and shutdown functions of its own.
// The node's Close closes it too.
func (n *Node) Part() *Node {
	part := *n
	part.endpoints, part.timers, part.hooks, part.whole = nil, nil, nil, n
	n.endpoints = append(n.endpoints, &part)
	return &part
}

// Close runs the functions given to OnShutdown that have not run yet, stops the timers,
// closes the endpoints and removes the node from the graph. Closing again does nothing. On a
// [Node.Part] it closes what was opened there, and the node continues.
func (n *Node) Close() error {
	if n.closed {
		return nil
	}
	var errs []error
	for i := len(n.hooks) - 1; i >= 0; i-- {
		errs = append(errs, exec.Safely(n.hooks[i].run))
		n.hooks[i].cancel()
	}
	n.closed = true
	for _, t := range n.timers {
		t.Stop()
	}
	opened := slices.Clone(n.endpoints) // a part takes itself off
	for i := len(opened) - 1; i >= 0; i-- {
		errs = append(errs, opened[i].Close())
	}
	if n.whole != nil {
		n.whole.endpoints = slices.DeleteFunc(n.whole.endpoints, func(c io.Closer) bool { return c == io.Closer(n) })
		return errors.Join(errs...)
	}
	return errors.Join(append(errs, n.tr.RemoveNode(n.full))...)
}

// mismatchPeriod is the time between two looks for ends that do not match, and passing the wall time for which they may: RViz opens a
// topic with other settings than those of its file first.
const mismatchPeriod, passing = time.Second, 10 * time.Second

// logMismatches logs each end of the graph that has the same name as one of this node's but does
// not match it, once as long as both exist.
func (n *Node) logMismatches() {
	there := map[[2]GUID]time.Time{}
	for _, c := range n.endpoints {
		end, ok := c.(interface{ Info() EndpointInfo })
		if !ok {
			continue // a part, or what a user of the node closes with it
		}
		own := end.Info()
		for _, o := range n.tr.Endpoints(own.Name) {
			if o.Kind != own.Kind.Opposite() {
				continue
			}
			why := Mismatch(own, o)
			if why == nil {
				continue
			}
			pair := [2]GUID{own.GUID, o.GUID}
			since, before := n.mismatched[pair]
			switch {
			case !before:
				since = time.Now()
			case !since.IsZero() && time.Since(since) > passing:
				since = time.Time{}
				n.log.Warn("an endpoint of the same name does not match",
					"name", own.Name, "own", own.Kind.String(), "type", own.Type,
					"other", o.Kind.String(), "other_node", o.Node, "other_type", o.Type, "reasons", why)
			}
			there[pair] = since
		}
	}
	n.mismatched = there
}
