// Package recorder writes the messages that a node publishes and receives to a
// rosbag2 bag, as they go over the wire. It never delays the node: messages wait in
// a bounded queue for a goroutine that writes and syncs them twice a second. A
// kill -9 or a power failure costs half a second of messages and those of one sync.
//
// In simulated time, messages are written at once, and equal runs write equal bags.
package recorder

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ugp_explorer/msgs/bag/bagwriter"
	ri "ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
)

// flushPeriod is the time between two writes of the waiting messages to the disk.
const flushPeriod = 500 * time.Millisecond

// Recorder records one node. Only callbacks of the node may call its methods.
type Recorder struct {
	node     *ros.Node
	cfg      Config
	simul    bool
	commands string // full name of the topic of the node's commands
	also     also

	mu      sync.Mutex // guards the fields below
	latched []latched  // newest messages of each latched topic, oldest topic first
	clock   thinner
	run     *run   // nil while no bag is written
	status  Status // of run, or of the previous run
}

// latched is a message that a latched topic keeps. Each bag begins with these.
type latched struct {
	end    *ros.EndpointInfo
	cdr    []byte
	source int64
}

// Status is the state of a recording.
type Status struct {
	Bag      string // folder of the bag; empty before the first bag
	Messages int64  // messages accepted for recording
	Bytes    int64  // of the accepted messages
	Dropped  int64  // messages that did not fit into the queue
	Refused  int64  // messages that a bag cannot have, such as one without the header of CDR
	Refusal  error  // why the last of those was refused; nil if there is none
	Err      error  // error that stopped the recording; nil while it runs and after Close
}

// New listens to a node; Start begins the first bag. command is the topic of the
// node's commands, which are recorded with topics "mission", too; it may be empty.
func New(node *ros.Node, command string, cfg Config) (*Recorder, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	_, simulated := node.Executor().(*exec.Simulated)
	r := &Recorder{node: node, cfg: cfg, simul: simulated, also: newAlso(node)}
	if cfg.ClockRate > 0 {
		r.clock.period = int64(float64(time.Second) / cfg.ClockRate)
	}
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

// On reports whether anything is recorded at all.
func (r *Recorder) On() bool { return r.cfg.Topics != None }

// Status returns the state of the recording.
func (r *Recorder) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status
}

// Start ends the current bag and begins a new one in the folder dir, which must be empty
// if it exists. The bag begins with the node's parameters and the newest message of each
// latched topic.
func (r *Recorder) Start(dir string) error {
	if !r.On() {
		return nil
	}
	if err := r.Close(); err != nil {
		return err
	}
	if err := Room(filepath.Dir(dir), r.cfg.Reserve); err != nil {
		return r.stopped(Status{Bag: dir, Err: err})
	}
	w, err := bagwriter.Create(dir, r.cfg.FileBytes)
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
	r.clock.begin()
	return nil
}

// Look subscribes to those topics of Config.Also that have appeared. Call it every second or
// so while a bag is written.
func (r *Recorder) Look() {
	r.mu.Lock()
	writing := r.run != nil && r.status.Err == nil
	r.mu.Unlock()
	switch {
	case !writing:
		r.also.close()
	case r.cfg.Topics == All:
		r.also.look(r.cfg.Also)
	}
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

// Close ends the bag, which is then complete and on the disk. Closing again does nothing.
func (r *Recorder) Close() error {
	r.also.close()
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

// hear is the Tap of the node: it receives all messages that the node sends and receives.
func (r *Recorder) hear(end *ros.EndpointInfo, cdr []byte, source int64) {
	if end.Kind == ros.SubscriptionEnd && r.cfg.Topics != All && end.Name != r.commands {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if end.Name == clockTopic && end.Kind == ros.SubscriptionEnd && !r.clock.wants(cdr) {
		return
	}
	if end.QoS.Durability == ros.TransientLocal {
		r.keep(end, cdr, source)
	}
	if r.run != nil {
		r.take(end, cdr, source)
	}
}

// keep stores a message as the newest of its latched topic: the only one of a topic that the
// node publishes, as each of those replaces the one before, and as many as the subscription
// asks for of others, which may have several publishers, such as /tf_static. r.mu is held.
func (r *Recorder) keep(end *ros.EndpointInfo, cdr []byte, source int64) {
	most := 1
	if end.Kind == ros.SubscriptionEnd {
		most = end.QoS.Limit()
	}
	oldest, n := -1, 0
	for i := range r.latched {
		if r.latched[i].end == end {
			if n++; oldest < 0 {
				oldest = i
			}
		}
	}
	switch {
	case n < most:
		r.latched = append(r.latched, latched{end, append([]byte(nil), cdr...), source})
	case most == 1:
		m := &r.latched[oldest]
		m.cdr, m.source = append(m.cdr[:0], cdr...), source
	default:
		r.latched = append(slices.Delete(r.latched, oldest, oldest+1), latched{end, append([]byte(nil), cdr...), source})
	}
}

// take queues a message for the bag. r.mu is held.
func (r *Recorder) take(end *ros.EndpointInfo, cdr []byte, source int64) {
	if r.status.Err != nil {
		return
	}
	m := message{topic: r.run.topic(end), log: r.node.Now(), publish: max(source, 0)}
	if err := refusal(m.topic, end, cdr); err != nil {
		r.status.Refused, r.status.Refusal = r.status.Refused+1, err
		return
	}
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

// refusal returns why a message cannot be in a bag in which its topic is t, nil if it can.
func refusal(t *bagwriter.Topic, end *ros.EndpointInfo, cdr []byte) error {
	if t.Type != end.Type {
		return fmt.Errorf("%s: the message is of type %s, and the topic of type %s: a bag has one type per topic", end.Name, end.Type, t.Type)
	}
	return cmp.Or(t.Validate(), t.Check(cdr))
}

// fail ends the recording after an error of the goroutine that writes.
func (r *Recorder) fail(of *run, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.run == of && r.status.Err == nil {
		r.status.Err = err
	}
}

// topic describes the topic of an endpoint for the bag. The QoS of a received topic
// is that of its publishers, if they are known.
func (r *Recorder) topic(end *ros.EndpointInfo) bagwriter.Topic {
	t := bagwriter.Topic{Name: end.Name, Type: end.Type, Hash: end.TypeHash}
	if end.Kind == ros.SubscriptionEnd {
		for _, other := range r.node.Endpoints(end.Name) {
			if q := profile(other.QoS); other.Kind == ros.PublisherEnd && other.Type == end.Type && !slices.Contains(t.QoS, q) {
				t.QoS = append(t.QoS, q)
			}
		}
	}
	if len(t.QoS) == 0 {
		t.QoS = []bagwriter.QoS{profile(end.QoS)}
	}
	return t
}

func profile(q ros.QoS) bagwriter.QoS {
	p := bagwriter.DefaultQoS()
	p.Depth = q.Depth
	switch {
	case q.History == ros.KeepAll:
		p.History = bagwriter.KeepAll
	case q.Depth < 1: // as rosbag2 writes it; to keep the last 0 messages makes it warn
		p.History = bagwriter.HistoryUnknown
	}
	if q.Reliability == ros.BestEffort {
		p.Reliability = bagwriter.BestEffort
	}
	if q.Durability == ros.TransientLocal {
		p.Durability = bagwriter.TransientLocal
	}
	if q.Lifespan > 0 {
		p.Lifespan = q.Lifespan
	}
	if q.Deadline > 0 {
		p.Deadline = q.Deadline
	}
	if q.Liveliness == ros.ManualByTopic {
		p.Liveliness = bagwriter.ManualByTopic
	}
	if q.Lease > 0 {
		p.Lease = q.Lease
	}
	return p
}

// Room returns an error if the disk of a folder has less than reserve MB free.
func Room(dir string, reserve int64) error {
	free, known := freeBytes(dir)
	if known && free < reserve*1e6 {
		return fmt.Errorf("the disk is nearly full: %d MB are free, less than the reserve of %d MB", free/1e6, reserve)
	}
	return nil
}

// String describes the recording in one line.
func (s Status) String() string {
	var b strings.Builder
	switch {
	case s.Bag == "":
		return "not started"
	case s.Err != nil:
		fmt.Fprintf(&b, "stopped: %v", s.Err)
	default:
		fmt.Fprintf(&b, "%d messages, %.1f MB", s.Messages, float64(s.Bytes)/1e6)
	}
	if s.Dropped > 0 {
		fmt.Fprintf(&b, "; %d messages dropped", s.Dropped)
	}
	if s.Refused > 0 {
		fmt.Fprintf(&b, "; %d messages not recorded, the last because %v", s.Refused, s.Refusal)
	}
	return b.String()
}
