// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package recorder writes the messages that a node publishes and receives to
// rosbag2 bags, as they go over the wire. It never delays the node: messages wait in
// a bounded queue for a goroutine that writes and syncs them twice a second. A
// kill -9 or a power failure costs half a second of messages and those of one sync.
//
// In simulated time, messages are written at once, and equal runs write equal bags.
package recorder

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"ugp_explorer/msgs"
	"ugp_explorer/msgs/bag/bagwriter"
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
)

// Folder records a node in the bags of a mission's folder: one for each run of the node and another
// when time is set back. Only callbacks of the node may call its methods.
type Folder struct {
	node      *ros.Node
	warn      ros.Throttle
	dir       string
	cfg       Config
	simulated bool
	commands  string                       // full name of the topic of the node's commands
	also      []string                     // full names of Config.Also, if they are recorded
	subs      map[string]*ros.Subscription // of these, by name
	refused   map[string]bool              // those that cannot be subscribed to
	said      Status                       // as last logged
	replaced  []string                     // bags of an earlier mission, removed when this one begins

	mu      sync.Mutex // guards the fields below
	latched []latched  // newest messages of each latched topic, oldest topic first
	clock   int64      // newest time on /clock in this bag, ns; -1: none
	queue   *queue     // nil while no bag is written
	status  Status     // of this bag, or of the previous one
}

// latched is a message that a latched topic keeps. Each bag begins with these.
type latched struct {
	end    *ros.EndpointInfo
	cdr    []byte
	source int64
}

// New listens to a node, and writes its bags to the folder dir; Begin begins the first. command is the topic
// of the node's commands, which topics "mission" records, too; it may be empty.
func New(node *ros.Node, dir, command string, cfg Config) (*Folder, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	f := &Folder{node: node, warn: node.NewThrottle(time.Second), dir: dir, cfg: cfg, subs: map[string]*ros.Subscription{}, refused: map[string]bool{}}
	_, f.simulated = node.Executor().(*exec.Simulated)
	if !f.On() {
		return f, nil
	}
	var err error
	if command != "" {
		if f.commands, err = node.Resolve(command); err != nil {
			return nil, err
		}
	}
	for _, topic := range cfg.Also {
		if cfg.Topics != all {
			break
		}
		name, err := node.Resolve(topic)
		if err != nil {
			return nil, fmt.Errorf("recorder: Also (record.also): %w", err)
		}
		f.also = append(f.also, name)
	}
	node.SetTap(f.onTap)
	return f, nil
}

// On reports whether anything is recorded.
func (f *Folder) On() bool { return f.cfg.Topics != None }

// Status returns the state of the recording.
func (f *Folder) Status() Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.status
}

// Begin begins a bag of the given name, instead of the one before. It begins with the node's
// parameters and the newest message of each latched topic.
func (f *Folder) Begin(name string) {
	if !f.On() {
		return
	}
	if err := f.close(); err == nil {
		f.begin(filepath.Join(f.dir, name))
	}
	if f.Status().Err != nil {
		f.Watch()
	}
}

func (f *Folder) begin(bag string) {
	var w *bagwriter.Writer
	err := Room(f.dir, f.cfg.Reserve)
	if err == nil {
		w, err = bagwriter.Create(bag, fileBytes)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status, f.clock = Status{Bag: bag, Err: err}, -1
	if err != nil {
		return
	}
	f.queue = &queue{w: w, known: map[string]*bagwriter.Topic{}, stop: make(chan struct{}), done: make(chan struct{})}
	if f.simulated {
		close(f.queue.done)
	} else {
		go f.write(f.queue)
	}
	m := f.node.ParametersMessage()
	end := ros.EndpointInfo{Kind: ros.PublisherEnd, Endpoint: ros.Endpoint{
		Node: f.node.FullName(), Name: "/parameter_events", Type: m.TypeName(), TypeHash: msgs.TypeHash(m.TypeName()), QoS: ros.Parameters(),
	}}
	f.take(&end, m.AppendCDR(nil), f.node.Now()+f.node.ClockSet())
	for _, m := range f.latched {
		f.take(m.end, m.cdr, m.source)
	}
}

// End ends the bag with the mission: it is then complete and on the disk. Ending again does nothing.
func (f *Folder) End() {
	err, s := f.close(), f.Status()
	if err == nil && s.Bag != "" && s.Err == nil {
		f.node.Logger().Debug("the bag is written", "folder", s.Bag, "recording", s.String())
	}
	f.Watch()
}

func (f *Folder) close() error {
	f.ignoreAlso()
	f.mu.Lock()
	queue := f.queue
	f.queue = nil
	f.mu.Unlock()
	if queue == nil {
		return nil
	}
	err := queue.close()
	f.fail(err)
	return err
}

// fail ends the recording after an error.
func (f *Folder) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.status.Err == nil {
		f.status.Err = err
	}
}

// onTap is the Tap of the node: it receives all messages that the node sends and receives.
func (f *Folder) onTap(end *ros.EndpointInfo, cdr []byte, source int64) {
	if end.Kind == ros.SubscriptionEnd && f.cfg.Topics != all && end.Name != f.commands {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if end.Name == "/clock" && end.Kind == ros.SubscriptionEnd && !f.wantsClock(cdr) {
		return
	}
	if end.QoS.TransientLocal {
		f.keep(end, cdr, source)
	}
	if f.queue != nil {
		f.take(end, cdr, source)
	}
}

// wantsClock reports whether a message on /clock is recorded: the first, each at least the period
// later than the last, and one that sets the time back. Simulators publish each step, up to a thousand
// a second. One that cannot be decoded is recorded as it came. f.mu is held.
func (f *Folder) wantsClock(cdr []byte) bool {
	var m rosgraph_msgs.Clock
	if m.UnmarshalCDR(cdr) != nil {
		return true
	}
	now := ros.TimeNs(m.Clock)
	if since := now - f.clock; f.clock >= 0 && since >= 0 && since < int64(clockPeriod) {
		return false
	}
	f.clock = now
	return true
}

// keep stores a message as the newest of its latched topic: the only one of a topic that the
// node publishes, as each of those replaces the one before, and as many as the subscription
// asks for of others, which may have several publishers, such as /tf_static. f.mu is held.
func (f *Folder) keep(end *ros.EndpointInfo, cdr []byte, source int64) {
	most := 1
	if end.Kind == ros.SubscriptionEnd {
		most = end.QoS.Depth
	}
	oldest, n := -1, 0
	for i := range f.latched {
		if f.latched[i].end == end {
			if n++; oldest < 0 {
				oldest = i
			}
		}
	}
	m := latched{end, slices.Clone(cdr), source}
	switch {
	case n < most:
		f.latched = append(f.latched, m)
	case most == 1:
		f.latched[oldest] = m
	default:
		f.latched = append(slices.Delete(f.latched, oldest, oldest+1), m)
	}
}

// take queues a message for the bag. f.mu is held.
func (f *Folder) take(end *ros.EndpointInfo, cdr []byte, source int64) {
	if f.status.Err != nil {
		return
	}
	t := f.queue.known[end.Name]
	if t == nil {
		t = f.topic(end)
		f.queue.known[end.Name] = t
	}
	err := t.Check(cdr)
	if t.Type != end.Type {
		err = fmt.Errorf("%s: the message is of type %s, and the topic of type %s: a bag has one type per topic", end.Name, end.Type, t.Type)
	}
	m := message{topic: t, log: f.node.Now() + f.node.ClockSet(), publish: max(source, 0), size: len(cdr)}
	switch {
	case err != nil:
		f.status.Refused, f.status.Refusal = f.status.Refused+1, err
		return
	case m.log < 0 || !f.queue.add(m, cdr):
		f.status.Dropped++
		return
	}
	f.status.Messages++
	f.status.Bytes += int64(len(cdr))
	if f.simulated {
		f.status.Err = f.queue.writeAll()
	}
}

// topic describes the topic of an endpoint for the bag. The QoS of a received topic
// is that of its publishers, if they are known.
func (f *Folder) topic(end *ros.EndpointInfo) *bagwriter.Topic {
	t := &bagwriter.Topic{Name: end.Name, Type: end.Type, Hash: end.TypeHash}
	if end.Kind == ros.SubscriptionEnd {
		for _, other := range f.node.Endpoints(end.Name) {
			if q := bagwriter.QoS(other.QoS); other.Kind == ros.PublisherEnd && other.Type == end.Type && !slices.Contains(t.QoS, q) {
				t.QoS = append(t.QoS, q)
			}
		}
	}
	if len(t.QoS) == 0 {
		t.QoS = []bagwriter.QoS{bagwriter.QoS(end.QoS)}
	}
	return t
}

// alsoDepth is the number of messages of a topic that may wait for the node: a quarter of a
// second of an IMU at 400 Hz.
const alsoDepth = 100

// hearAlso subscribes to the topics of Config.Also that other nodes publish and this one does not hear yet.
func (f *Folder) hearAlso() {
	publishes := func(e ros.EndpointInfo) bool { return e.Kind == ros.PublisherEnd && e.Node != f.node.FullName() }
	for _, name := range f.also {
		ends := f.node.Endpoints(name)
		i := slices.IndexFunc(ends, publishes)
		if f.subs[name] != nil || f.refused[name] || i < 0 ||
			slices.ContainsFunc(ends, func(e ros.EndpointInfo) bool { return e.Kind == ros.SubscriptionEnd && e.Node == f.node.FullName() }) {
			continue
		}
		q := ros.SensorData().WithDepth(alsoDepth)
		if !slices.ContainsFunc(ends, func(e ros.EndpointInfo) bool { return publishes(e) && !e.QoS.TransientLocal }) {
			q = ros.Latched().WithDepth(alsoDepth)
		}
		sub, err := ros.SubscribeRaw(f.node, name, ends[i].Type, ends[i].TypeHash, q, func([]byte, ros.MessageInfo) {}) // the tap hears it
		if err != nil {
			f.refused[name] = true
			f.node.Logger().Warn("a topic cannot be recorded", "topic", name, "error", err.Error())
			continue
		}
		f.subs[name] = sub
	}
}

// ignoreAlso ends these subscriptions.
func (f *Folder) ignoreAlso() {
	for name, sub := range f.subs {
		if err := sub.Close(); err != nil {
			f.node.Logger().Warn("a subscription was not closed", "topic", name, "error", err.Error())
		}
	}
	clear(f.subs)
}
