package ros

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"ugp_explorer/msgs/diagnostic_msgs"
)

const (
	// watchPeriod is how often a Watch looks.
	watchPeriod = time.Second
	// watchPatience is how many periods in a row something has to be wrong to be
	// said: endpoints need a second to find each other at times.
	watchPatience = 5
	// watchRepeat is after how many looks the log says again what is still wrong.
	watchRepeat = 60
)

// Watch says what a node waits for, and what there is instead: in the log, on
// /diagnostics, and in a line for the node's own status. What it looks after is
// told to it in the order of urgency. It looks once a second, so that messages
// cost next to nothing, and is for callbacks of its node.
//
// Waiting is counted in seconds of the node's time, and, where that comes from
// /clock, in as many of the wall clock, which is all there is while /clock stands
// still.
type Watch struct {
	node  *Node
	items []*watched
	said  func()
	ticks int // looks, in the node's time
	wall  wallTicks
}

// watched is one thing that a Watch looks after.
type watched struct {
	name  string // of its status on /diagnostics
	level slog.Level
	wall  bool // looked at by the wall clock
	slow  bool // looked at every watchPatience periods
	// check returns 0 while all is well, and else after how many looks in a row why
	// is worth saying.
	check  func() int
	why    func() string
	values func() []diagnostic_msgs.KeyValue // for /diagnostics; may be nil

	wrong     int    // looks in a row
	wallSince uint64 // wall ticks when that began
	sentence  string // what is wrong, "" when nothing is
	logged    string // sentence that the log has
	quiet     int    // looks since
}

// NewWatch starts a watch that looks after the node's clock, where it follows
// /clock. said, which may be nil, is called when what is wrong has changed, and
// every second while the clock and with it all timers stand still: it is where a
// node publishes what the watch says.
func (n *Node) NewWatch(said func()) (*Watch, error) {
	w := &Watch{node: n, said: said}
	if w.said == nil {
		w.said = func() {}
	}
	if n.clock != nil {
		w.followClock()
	}
	_, err := n.NewTimer(watchPeriod, w.tick)
	return w, err
}

// Condition has the watch look after something that the node alone knows. check,
// which is called every few seconds as it may take a while, returns what is wrong,
// in a sentence, or "". Below the level WARN it is a note, for the log and for
// /diagnostics.
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

func (w *Watch) add(it *watched) { w.items = append(w.items, it) }

// Text returns the most urgent of what is wrong, "" when nothing is.
func (w *Watch) Text() string {
	for _, it := range w.items {
		if it.sentence != "" && it.level >= slog.LevelWarn {
			return it.sentence
		}
	}
	return strings.Join(w.node.warnings, "; ")
}

// Diagnostics returns a status of each thing that is looked after, and one of the
// transport if there is something to say of it.
func (w *Watch) Diagnostics() []diagnostic_msgs.DiagnosticStatus {
	var all []diagnostic_msgs.DiagnosticStatus
	add := func(name, message string, level slog.Level, values []diagnostic_msgs.KeyValue) {
		d := diagnostic_msgs.DiagnosticStatus{Name: w.node.name + ": " + name, HardwareID: "none", Message: message, Values: values}
		if level >= slog.LevelWarn {
			d.Level = diagnostic_msgs.DiagnosticStatusWarn
		}
		all = append(all, d)
	}
	for _, it := range w.items {
		var values []diagnostic_msgs.KeyValue
		if it.values != nil {
			values = it.values()
		}
		if it.sentence == "" {
			add(it.name, "nothing is wrong", slog.LevelInfo, values)
		} else {
			add(it.name, it.sentence, it.level, values)
		}
	}
	if len(w.node.warnings) > 0 {
		add("transport", strings.Join(w.node.warnings, "; "), slog.LevelWarn, nil)
	}
	return all
}

// tick looks once, in the node's time.
func (w *Watch) tick() {
	changed := false
	w.ticks++
	for _, it := range w.items {
		if !it.wall && (!it.slow || w.ticks%watchPatience == 0) {
			changed = w.look(it) || changed
		}
	}
	if changed {
		w.said()
	}
}

// look asks what is wrong with one thing and reports whether that has changed.
func (w *Watch) look(it *watched) bool {
	before := it.sentence
	patience := it.check()
	if patience == 0 {
		it.wrong = 0
	} else if it.wrong++; it.wrong == 1 {
		it.wallSince = w.wall.n
	}
	it.sentence = ""
	if patience > 0 && it.wrong >= patience && (!w.wall.running() || w.wall.n-it.wallSince >= watchPatience-1) {
		it.sentence = it.why()
	}
	w.log(it, before)
	return it.sentence != before
}

// log says what has become wrong, what is wrong still, and what is over.
func (w *Watch) log(it *watched, before string) {
	it.quiet++
	switch {
	case it.sentence == "" && before != "":
		w.node.log.Info("over: " + before)
	case it.sentence == "":
	case before == "", it.sentence != it.logged && it.quiet >= watchPatience, it.quiet >= watchRepeat:
		it.logged, it.quiet = it.sentence, 0
		w.node.log.Log(context.Background(), it.level, it.sentence)
	}
}
