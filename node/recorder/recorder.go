// Package recorder writes what a node publishes and takes to a rosbag2 bag, as it
// goes over the wire. It never holds the node up: messages wait in a bounded queue
// for a goroutine that writes and syncs them twice a second. So what a kill -9 or a
// power failure can cost is half a second and what the disk takes for a sync.
//
// On an executor of simulated time, which waits for everybody, messages are written
// at once, and equal runs write equal bags.
package recorder

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"ugp_explorer/msgs/bag"
	ri "ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
)

// flushPeriod is how often what waits is written and synced.
const flushPeriod = 500 * time.Millisecond

// Recorder records one node. Its methods are for callbacks of the node.
type Recorder struct {
	node     *ros.Node
	cfg      Config
	simul    bool
	commands string // full name of the topic of the node's commands

	mu      sync.Mutex // of what follows
	latched []latched  // newest message of each latched topic, in their order
	run     *run       // nil: no bag is being written
	status  Status     // of run, or the last
}

// latched is a message that a bag begins with.
type latched struct {
	end    *ros.EndpointInfo
	cdr    []byte
	source int64
}

// Status says how the recording goes.
type Status struct {
	Bag      string // its folder; "": there has been none
	Messages int64  // taken in
	Bytes    int64  // of them
	Dropped  int64  // messages for which there was no room
	Err      error  // why it has stopped; nil: it has not, or was closed
}

// New listens to a node, and begins no bag yet. command is the topic of the node's
// commands, which belong to the mission though they are taken; "": none.
func New(node *ros.Node, command string, cfg Config) (*Recorder, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	_, simulated := node.Executor().(*exec.Simulated)
	r := &Recorder{node: node, cfg: cfg, simul: simulated}
	if cfg.Topics == None {
		return r, nil
	}
	if command != "" {
		var err error
		if r.commands, err = node.ResolveTopic(command); err != nil {
			return nil, err
		}
	}
	node.SetTap(r.hear)
	return r, nil
}

// On reports whether anything is to be recorded.
func (r *Recorder) On() bool { return r.cfg.Topics != None }

// Status returns how the recording goes.
func (r *Recorder) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status
}

// Start begins a bag in the folder dir, which must not be there, after it has
// ended the one before. It begins with the node's parameters and the newest message
// of each latched topic.
func (r *Recorder) Start(dir string) error {
	if !r.On() {
		return nil
	}
	if err := r.Close(); err != nil {
		return err
	}

	if err := room(filepath.Dir(dir), r.cfg.Reserve); err != nil {
		return r.stopped(Status{Bag: dir, Err: err})
	}
	w, err := bag.Create(dir, r.cfg.FileBytes)
	if err != nil {
		return r.stopped(Status{Bag: dir, Err: err})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = Status{Bag: dir}
	r.run = newRun(r, w, dir)
	r.writeParameters()
	for _, m := range r.latched {
		r.take(m.end, m.cdr, m.source)
	}
	return nil
}

func (r *Recorder) stopped(s Status) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = s
	return s.Err
}

// writeParameters records all parameters. r.mu is held.
func (r *Recorder) writeParameters() {
	m := r.node.ParametersMessage()
	end := ros.EndpointInfo{Kind: ros.PublisherEnd, Endpoint: ros.Endpoint{
		Node: r.node.FullName(), Name: "/parameter_events", Type: m.TypeName(), TypeHash: (&ri.ParameterEvent{}).TypeHash(), QoS: ros.ParameterEvents(),
	}}
	r.take(&end, m.AppendCDR(nil), r.node.Now())
}

// Close ends the bag, so that it is whole and on the disk. Closing again does
// nothing.
func (r *Recorder) Close() error {
	r.mu.Lock()
	run := r.run
	r.run = nil
	r.mu.Unlock()
	if run == nil {
		return nil
	}
	err := run.close()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.status.Err == nil {
		r.status.Err = err
	}
	return err
}

// hear is the node's Tap.
func (r *Recorder) hear(end *ros.EndpointInfo, cdr []byte, source int64) {
	if end.Kind == ros.SubscriptionEnd && r.cfg.Topics != All && end.Name != r.commands {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if end.QoS.Durability == ros.TransientLocal {
		r.keep(end, cdr, source)
	}
	if r.run != nil {
		r.take(end, cdr, source)
	}
}

// keep makes a message the newest of its latched topic. r.mu is held.
func (r *Recorder) keep(end *ros.EndpointInfo, cdr []byte, source int64) {
	for i := range r.latched {
		if m := &r.latched[i]; m.end == end {
			m.cdr, m.source = append(m.cdr[:0], cdr...), source
			return
		}
	}
	r.latched = append(r.latched, latched{end, append([]byte(nil), cdr...), source})
}

// take gives a message to the bag. r.mu is held.
func (r *Recorder) take(end *ros.EndpointInfo, cdr []byte, source int64) {
	if r.status.Err != nil {
		return
	}
	m := message{end: end, log: r.node.Now(), publish: max(source, 0)}
	if m.log < 0 || !r.run.add(m, cdr) {
		r.status.Dropped++
		return
	}
	r.status.Messages++
	r.status.Bytes += int64(len(cdr))
	if r.simul {
		r.status.Err = r.run.writeAll()
	}
}

// fail has the recording end for an error of the goroutine that writes.
func (r *Recorder) fail(of *run, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.run == of && r.status.Err == nil {
		r.status.Err = err
	}
}

// topic describes the topic of an endpoint for the bag. What is heard is offered by
// others, whose profiles are recorded where they are known.
func (r *Recorder) topic(end *ros.EndpointInfo) bag.Topic {
	t := bag.Topic{Name: end.Name, Type: end.Type, Hash: end.TypeHash}
	if end.Kind == ros.SubscriptionEnd {
		for _, other := range r.node.Endpoints(end.Name) {
			if q := profile(other.QoS); other.Kind == ros.PublisherEnd && other.Type == end.Type && !has(t.QoS, q) {
				t.QoS = append(t.QoS, q)
			}
		}
	}
	if len(t.QoS) == 0 {
		t.QoS = []bag.QoS{profile(end.QoS)}
	}
	return t
}

func has(list []bag.QoS, q bag.QoS) bool {
	for _, other := range list {
		if other == q {
			return true
		}
	}
	return false
}

func profile(q ros.QoS) bag.QoS {
	p := bag.DefaultQoS()
	p.Depth = q.Depth
	if q.History == ros.KeepAll {
		p.History = bag.KeepAll
	}
	if q.Reliability == ros.BestEffort {
		p.Reliability = bag.BestEffort
	}
	if q.Durability == ros.TransientLocal {
		p.Durability = bag.TransientLocal
	}
	if q.Lifespan > 0 {
		p.Lifespan = q.Lifespan
	}
	return p
}

// ErrDiskFull is wrapped by the error of a recording that stopped to leave room.
var ErrDiskFull = errors.New("the disk is nearly full")

// room returns an error unless a folder's disk has so many MB free.
func room(dir string, reserve int64) error {
	free, known := freeBytes(dir)
	if known && free < reserve*1e6 {
		return fmt.Errorf("%w: %d MB are free, and %d MB are to stay so", ErrDiskFull, free/1e6, reserve)
	}
	return nil
}

// String says how the recording goes, in a line.
func (s Status) String() string {
	var b strings.Builder
	switch {
	case s.Bag == "":
		return "not begun"
	case s.Err != nil:
		fmt.Fprintf(&b, "stopped: %v", s.Err)
	default:
		fmt.Fprintf(&b, "%d messages, %.1f MB", s.Messages, float64(s.Bytes)/1e6)
	}
	if s.Dropped > 0 {
		fmt.Fprintf(&b, "; %d were dropped", s.Dropped)
	}
	return b.String()
}
