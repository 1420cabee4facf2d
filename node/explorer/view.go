package explorer

import (
	"cmp"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/msgs/visualization_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/planner/mission"
)

// view is what is published of the mission and of what is known of the field.
type view struct {
	warn     ros.Throttle
	grid     record.Grid     // of the maps
	rasters  []record.Raster // that the field may go with
	watch    *watch.Watch    // set once it exists
	out      publishers
	guard    string    // what the guard says while it stops the robot, or ""
	guardAt  int64     // when it said something last, node's time, ns; 0: there is none
	guarding ros.Grace // what is late in fast simulated time may still come
	helpless bool      // the guard does not let the robot drive before a person has looked at it
	needs    float64   // how far inside the outline a place must be for the guard to let the robot there and back, m

	maps                *mapping      // last published maps; nil: none yet
	mapping             bool          // maps are being computed
	samplesDue, mapsDue bool          // not published yet: no subscriber, or maps are being computed
	keepoutDue          bool          // not published yet: no subscriber
	took                time.Duration // of the last round of learning and deciding, by the wall clock
}

// publishers are the topics of every explorer.
type publishers struct {
	mean, stddev, acquisition, keepout *ros.Publisher[nav_msgs.OccupancyGrid, *nav_msgs.OccupancyGrid]
	cloud                              *ros.Publisher[sensor_msgs.PointCloud2, *sensor_msgs.PointCloud2]
	samples, field                     *ros.Publisher[visualization_msgs.MarkerArray, *visualization_msgs.MarkerArray]
	observation                        *ros.Publisher[ugp_explorer_msgs.FieldObservation, *ugp_explorer_msgs.FieldObservation]
	status                             *ros.Publisher[ugp_explorer_msgs.MissionStatus, *ugp_explorer_msgs.MissionStatus]
	diagnostics                        *ros.Publisher[diagnostic_msgs.DiagnosticArray, *diagnostic_msgs.DiagnosticArray]
}

// keptObservations is the number of past observations that a late subscriber gets.
const keptObservations = 1000

// advertise advertises the topics and returns the first error.
func (e *Explorer) advertise() (err error) {
	n := e.node
	e.view.out = publishers{
		mean:        open[nav_msgs.OccupancyGrid](n, "~/mean", ros.Latched(), &err),
		stddev:      open[nav_msgs.OccupancyGrid](n, "~/stddev", ros.Latched(), &err),
		acquisition: open[nav_msgs.OccupancyGrid](n, "~/acquisition", ros.Latched(), &err),
		cloud:       open[sensor_msgs.PointCloud2](n, "~/cloud", ros.Latched(), &err),
		samples:     open[visualization_msgs.MarkerArray](n, "~/samples", ros.Latched(), &err),
		field:       open[visualization_msgs.MarkerArray](n, "~/field", ros.Latched(), &err),
		keepout:     open[nav_msgs.OccupancyGrid](n, "~/keepout", ros.Latched(), &err),
		observation: open[ugp_explorer_msgs.FieldObservation](n, "~/observation", ros.Latched().WithDepth(keptObservations), &err),
		status:      open[ugp_explorer_msgs.MissionStatus](n, "~/status", ros.Latched(), &err),
		diagnostics: open[diagnostic_msgs.DiagnosticArray](n, "/diagnostics", ros.DefaultQoS(), &err),
	}
	e.view.guarding = n.NewGrace(guardSilence)
	_, failed := ros.Subscribe(n, "guard/status", ros.Latched(), func(m *diagnostic_msgs.DiagnosticStatus, _ ros.MessageInfo) {
		e.view.guardAt = e.node.Now()
		e.view.guarding.Came()
		for _, pair := range m.Values {
			if pair.Key == "distance inside the outline that a target needs, m" {
				needs, err := strconv.ParseFloat(pair.Value, 64)
				if err == nil && (needs > e.view.needs || needs < 0.9*e.view.needs) { // it varies from fix to fix
					e.view.needs = needs
				}
			}
		}
		if e.view.guard = ""; m.Level != diagnostic_msgs.DiagnosticStatusOK {
			e.view.guard = "the guard " + m.Message
		}
		e.view.helpless = m.Level == diagnostic_msgs.DiagnosticStatusError
	})
	return cmp.Or(err, failed)
}

// open advertises a topic, and sets err to its error unless that has another.
func open[M any, PM ros.MessagePtr[M]](n *ros.Node, topic string, q ros.QoS, err *error) *ros.Publisher[M, PM] {
	p, failed := ros.Advertise[M, PM](n, topic, q)
	*err = cmp.Or(*err, failed)
	return p
}

func (e *Explorer) header() std_msgs.Header {
	return std_msgs.Header{Stamp: ros.TimeMsg(e.node.Now()), FrameID: e.cfg.Frame}
}

// sent logs the error of a message that could not be published.
func sent(warn ros.Throttle, err error) {
	if err != nil {
		warn.Error("a message was not published", "error", err.Error())
	}
}

func (e *Explorer) publishObservation(o record.Observation) {
	m := ugp_explorer_msgs.FieldObservation{
		Header:   std_msgs.Header{Stamp: ros.TimeMsg(int64(ros.Duration(o.Stamp))), FrameID: e.cfg.Frame},
		Sequence: uint32(o.Sequence - 1),
		Value:    o.Value, Variance: o.Variance,
		Target: geometry_msgs.Point{X: o.Target[0], Y: o.Target[1]},
	}
	convert.BeliefWithCovariance(&m.Belief, o.Belief)
	sent(e.view.warn, e.view.out.observation.Publish(&m))
}

// publishSamples publishes a dot and an ellipse for each sample, coloured by its value.
func (e *Explorer) publishSamples() {
	e.view.samplesDue = e.view.out.samples.Matched() == 0 && e.unheard()
	if e.view.samplesDue {
		return
	}
	observations := e.memory.record.Observations
	places, values := make([]localization.Belief, len(observations)), make([]float64, len(observations))
	for i, o := range observations {
		places[i], values[i] = o.Belief, o.ModelValue
	}
	m := convert.SampleMarkers(e.header(), e.ground.Outline().Boundary, places, values)
	sent(e.view.warn, e.view.out.samples.Publish(&m))
}

// unheard reports whether no subscriber can come later, so that messages without a present
// subscriber need not be published.
func (e *Explorer) unheard() bool { return (e.cfg.OutputDir == "" || e.cfg.Alone) && e.page == nil }

// publishDue publishes the messages that were held for lack of subscribers once there are
// some.
func (e *Explorer) publishDue() {
	if e.view.samplesDue {
		e.publishSamples()
	}
	if e.view.mapsDue {
		e.publishMaps()
	}
	if e.view.keepoutDue {
		e.publishKeepout()
	}
}

// publishStatus publishes the state of the mission and its best value.
func (e *Explorer) publishStatus() {
	status := e.mode.status()
	m := ugp_explorer_msgs.MissionStatus{
		Header: e.header(), State: string(e.mode.publicState()), Text: e.told(e.mode.text()),
		SamplesTaken: uint32(status.Samples), SamplesBudget: uint32(status.Budget.Samples),
		Distance: status.UsedDistance, ElapsedTime: status.UsedDuration,
		RemainingDistance: orInfinite(status.RemainingDistance), RemainingTime: orInfinite(status.RemainingDuration),
		BestValue: math.NaN(), BestStddev: math.NaN(),
	}
	if r := e.memory.record.Recommendation; r != nil {
		m.BestPlace = geometry_msgs.Point{X: r.Target[0], Y: r.Target[1]}
		m.BestValue, m.BestStddev = r.Value, e.memory.record.Transform.Spread(r.Mean, r.StdDev)
	}
	if at, ok := underWay(status); ok {
		m.HasTarget, m.Target = true, geometry_msgs.Point{X: at[0], Y: at[1]}
	}
	h := e.optimizer.Learnt().Hyper
	m.SignalVariance, m.LengthScales, m.NoiseVariance, m.Mean = h.SignalVariance, h.LengthScales, h.NoiseVariance, h.Mean
	sent(e.view.warn, e.view.out.status.Publish(&m))
}

// told adds to the mission's text what a person is to do, and the most urgent problem, unless a fault
// names it. A guard that stops the robot is the first.
func (e *Explorer) told(text string) string {
	if _, advice := e.mode.lacks(); advice != "" {
		text += "; " + advice
	}
	trouble := e.Trouble()
	if strings.Contains(text, trouble) {
		return text
	}
	if text == "" || trouble == "" {
		return text + trouble
	}
	return text + "; " + trouble
}

// Trouble returns the most urgent problem, "" if there is none.
func (e *Explorer) Trouble() string {
	return cmp.Or(e.unguarded(), e.view.guard, e.view.watch.Text())
}

// guardSilence is the time without a word of the guard after which it is gone. It says something each second.
const guardSilence = 3 * time.Second

// unguarded says that a guard that was there is gone, or "".
func (e *Explorer) unguarded() string {
	age := time.Duration(e.node.Now() - e.view.guardAt)
	if e.view.guardAt == 0 || age <= guardSilence || e.view.guarding.Lasts() || e.finished {
		return ""
	}
	return fmt.Sprintf("the guard has been silent for %v, so that nothing keeps the robot inside its field: start the guard again", age.Round(time.Second))
}

// unguardedDrive says that velocities for a guard reach none, or "".
func (e *Explorer) unguardedDrive() string {
	topic, err := e.node.Resolve("cmd_vel_in")
	if err != nil || e.finished {
		return ""
	}
	sends := ""
	for _, o := range e.node.Endpoints(topic) {
		switch o.Kind {
		case ros.SubscriptionEnd:
			return ""
		case ros.PublisherEnd:
			sends = o.Owner()
		}
	}
	if sends == "" {
		return ""
	}
	return sends + " sends velocities on " + topic + ", and no guard takes them: start the guard, or let velocities go to the robot"
}

// orInfinite converts the mission's -1, no limit, to infinity.
func orInfinite(v float64) float64 {
	if v < 0 {
		return math.Inf(1)
	}
	return v
}

// Keys of what the rest of the mission is expected to take, among the values of the mission on /diagnostics. They are missing while
// no budget ends it.
const (
	leftDistance = "path that is left, with the way home, m"
	leftTime     = "time that is left, with the way home, s"
	shareDone    = "share of the mission that is done"
)

// Rest returns what the rest of the mission is expected to take; ok is false while no budget ends it.
func (e *Explorer) Rest() (rest mission.Rest, ok bool) { return e.mode.rest() }

// RestIn returns what Rest does of the explorer that has published the diagnostics; ok is false without it.
func RestIn(d *diagnostic_msgs.DiagnosticArray) (rest mission.Rest, ok bool) {
	for _, s := range d.Status {
		for _, v := range s.Values {
			at := map[string]*float64{leftDistance: &rest.Distance, leftTime: &rest.Duration, shareDone: &rest.Done}[v.Key]
			if at == nil {
				continue
			}
			var err error
			if *at, err = strconv.ParseFloat(v.Value, 64); err != nil {
				return mission.Rest{}, false
			}
			ok = true
		}
	}
	return rest, ok
}

// LastRound is the key of the time that the last round of learning and deciding took, among the
// values of the mission on /diagnostics.
const LastRound = "last round of learning and deciding, s"

func (e *Explorer) publishDiagnostics() {
	if e.view.out.diagnostics.Matched() == 0 && e.memory.bags.Status().Bag == "" {
		return
	}
	status := e.mode.status()
	d := diagnostic_msgs.DiagnosticStatus{
		Level: diagnostic_msgs.DiagnosticStatusOK, Name: e.node.Name() + ": mission",
		HardwareID: "none", Message: e.Status(),
	}
	switch status.State {
	case mission.StateFault:
		d.Level = diagnostic_msgs.DiagnosticStatusError
	case mission.StatePaused:
		d.Level = diagnostic_msgs.DiagnosticStatusWarn
	case mission.StateTravelling, mission.StateReturning:
		if status.Waiting != "" {
			d.Level = diagnostic_msgs.DiagnosticStatusWarn
		}
	}
	for _, t := range e.tally() {
		d.Values = append(d.Values, diagnostic_msgs.KeyValue{Key: t.name, Value: strconv.FormatInt(t.n, 10)})
	}
	number := func(key string, v float64) {
		d.Values = append(d.Values, diagnostic_msgs.KeyValue{Key: key, Value: strconv.FormatFloat(v, 'f', 3, 64)})
	}
	number(LastRound, e.view.took.Seconds())
	if rest, ok := e.mode.rest(); ok {
		number(leftDistance, rest.Distance)
		number(leftTime, rest.Duration)
		number(shareDone, rest.Done)
	}
	m := diagnostic_msgs.DiagnosticArray{Header: e.header(), Status: append([]diagnostic_msgs.DiagnosticStatus{d}, e.Watched()...)}
	sent(e.view.warn, e.view.out.diagnostics.Publish(&m))
}

// Watched returns everything that is checked, each with what is wrong with it: for /diagnostics, the
// page and ugp doctor.
func (e *Explorer) Watched() []diagnostic_msgs.DiagnosticStatus {
	all := e.view.watch.Diagnostics()
	if e.memory.bags.On() {
		all = append(all, e.memory.bags.Diagnostic())
	}
	return all
}

// statusLine returns the state and text of the mission in one line. Most texts have the state in them.
func statusLine(state mission.State, text string) string {
	if strings.Contains(text, string(state)) {
		return text
	}
	return string(state) + ": " + text
}

// startWatch starts the checks of what the mission needs from other nodes, in the order of
// urgency.
func (e *Explorer) startWatch() error {
	w, err := watch.New(e.node, func() {
		e.publishStatus()
		e.publishDiagnostics()
	})
	if err != nil {
		return err
	}
	e.view.watch = w
	untilDone := func(want watch.Want) watch.Want {
		if e.finished {
			return watch.WantNothing
		}
		return want
	}
	e.mode.watch(w, untilDone)
	if len(e.team.mates) > 0 {
		w.Condition("team", slog.LevelInfo, e.team.unheard)
	}
	return nil
}

// watchExplorers starts the checks of other explorers in the place of this one. rival names one.
func (e *Explorer) watchExplorers(w *watch.Watch, rival func() string) {
	w.Condition("other explorers", slog.LevelWarn, func() string {
		for _, o := range watch.Others(e.node, e.view.out.status) {
			return o.Owner() + " publishes " + o.Name + " too: two explorers have the same name, or one was killed just now; stop one or change its name or namespace"
		}
		return rival()
	})
}

// watch implements mode. Another explorer may well drive the robot.
func (p *passive) watch(w *watch.Watch, untilDone func(watch.Want) watch.Want) {
	p.watchExplorers(w, func() string { return "" })
	p.sense.WatchPoses(w, untilDone)
	p.sense.WatchReadings(w, untilDone)
}

// watch implements mode.
func (a *active) watch(w *watch.Watch, untilDone func(watch.Want) watch.Want) {
	a.watchExplorers(w, a.rival)
	a.sense.WatchPoses(w, untilDone)
	a.driver.Watch(w, func() watch.Want { return untilDone(watch.WantMatch) })
	a.sense.WatchReadings(w, untilDone)
	w.Condition("other goals", slog.LevelDebug, a.otherGoals)
	w.Condition("guard's input", slog.LevelWarn, a.unguardedDrive)
	w.Notice("guard", func() string {
		if a.finished {
			return ""
		}
		_, why := a.guarded()
		return why
	})
}

// rival returns a message if a second explorer sends goals to the same robot.
func (a *active) rival() string {
	for _, o := range a.driver.Others() {
		if isExplorer(a.node, o.Node) {
			return "there are two explorers: " + o.Node + " sends goals on " + o.Name + " too; stop one or give it another namespace"
		}
	}
	return ""
}

// otherGoals names another node that may send goals. This is only a note on /diagnostics:
// RViz's goal tool exists wherever RViz runs. Of the action's clients only one whose goal is
// under way counts.
func (a *active) otherGoals() string {
	if a.driver.ByAction() {
		if action := a.driver.OthersGoal(); action != "" {
			return "another client's goal is under way on " + action
		}
		return ""
	}
	for _, o := range a.driver.Others() {
		if !isExplorer(a.node, o.Node) {
			return o.Owner() + " may send goals on " + o.Name + " too"
		}
	}
	return ""
}

// isExplorer reports whether a node publishes a mission status.
func isExplorer(at *ros.Node, node string) bool {
	missionStatus := (&ugp_explorer_msgs.MissionStatus{}).TypeName()
	for _, o := range at.Endpoints("") {
		if node != "" && o.Node == node && o.Kind == ros.PublisherEnd && o.Type == missionStatus {
			return true
		}
	}
	return false
}
