package explorer

import (
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

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
	warn  ros.Throttle
	grid  record.Grid  // of the maps
	watch *watch.Watch // set once it exists
	out   publishers
	guard string  // what the guard says while it stops the robot, or ""
	needs float64 // how far inside the outline a place must be for the guard to let the robot there and back, m

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
func (c *core) advertise() (err error) {
	n := c.node
	note := func(e error) {
		if err == nil {
			err = e
		}
	}
	c.view.out = publishers{
		mean:        open[nav_msgs.OccupancyGrid](n, "~/mean", ros.Latched(), note),
		stddev:      open[nav_msgs.OccupancyGrid](n, "~/stddev", ros.Latched(), note),
		acquisition: open[nav_msgs.OccupancyGrid](n, "~/acquisition", ros.Latched(), note),
		cloud:       open[sensor_msgs.PointCloud2](n, "~/cloud", ros.Latched(), note),
		samples:     open[visualization_msgs.MarkerArray](n, "~/samples", ros.Latched(), note),
		field:       open[visualization_msgs.MarkerArray](n, "~/field", ros.Latched(), note),
		keepout:     open[nav_msgs.OccupancyGrid](n, "~/keepout", ros.Latched(), note),
		observation: open[ugp_explorer_msgs.FieldObservation](n, "~/observation", ros.Latched().WithDepth(keptObservations), note),
		status:      open[ugp_explorer_msgs.MissionStatus](n, "~/status", ros.Latched(), note),
		diagnostics: open[diagnostic_msgs.DiagnosticArray](n, "/diagnostics", ros.DefaultQoS(), note),
	}
	_, e := ros.Subscribe(n, "guard/status", ros.Latched(), func(m *diagnostic_msgs.DiagnosticStatus, _ ros.MessageInfo) {
		for _, pair := range m.Values {
			if pair.Key == "distance inside the outline that a target needs, m" {
				needs, err := strconv.ParseFloat(pair.Value, 64)
				if err == nil && (needs > c.view.needs || needs < 0.9*c.view.needs) { // it varies from fix to fix
					c.view.needs = needs
				}
			}
		}
		if c.view.guard = ""; m.Level != diagnostic_msgs.DiagnosticStatusOK {
			c.view.guard = "the guard " + m.Message
		}
	})
	note(e)
	return err
}

// open advertises a topic and passes an error to note.
func open[M any, PM ros.MessagePtr[M]](n *ros.Node, topic string, q ros.QoS, note func(error)) *ros.Publisher[M, PM] {
	p, err := ros.Advertise[M, PM](n, topic, q)
	note(err)
	return p
}

func (c *core) header() std_msgs.Header {
	return std_msgs.Header{Stamp: ros.TimeMsg(c.node.Now()), FrameID: c.cfg.Frame}
}

// sent logs the error of a message that could not be published.
func sent(warn ros.Throttle, err error) {
	if err != nil {
		warn.Error("a message was not published", "error", err.Error())
	}
}

func (c *core) publishObservation(o record.Observation) {
	m := ugp_explorer_msgs.FieldObservation{
		Header:   std_msgs.Header{Stamp: ros.TimeMsg(int64(seconds(o.Stamp))), FrameID: c.cfg.Frame},
		Sequence: uint32(o.Sequence - 1),
		Value:    o.Value, Variance: o.Variance,
		Target: geometry_msgs.Point{X: o.Target[0], Y: o.Target[1]},
	}
	convert.BeliefWithCovariance(&m.Belief, o.Belief)
	sent(c.view.warn, c.view.out.observation.Publish(&m))
}

// publishSamples publishes an ellipse for each sample, coloured by its value.
func (c *core) publishSamples() {
	c.view.samplesDue = c.view.out.samples.Matched() == 0 && c.unheard()
	if c.view.samplesDue {
		return
	}
	observations := c.memory.record.Observations
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, o := range observations {
		lo, hi = min(lo, o.ModelValue), max(hi, o.ModelValue)
	}
	m := visualization_msgs.MarkerArray{Markers: make([]visualization_msgs.Marker, len(observations))}
	for i, o := range observations {
		fraction := 1.0
		if hi > lo {
			fraction = (o.ModelValue - lo) / (hi - lo)
		}
		convert.EllipseMarker(&m.Markers[i], c.header(), int32(i), o.Belief, convert.Colour(fraction))
	}
	sent(c.view.warn, c.view.out.samples.Publish(&m))
}

// unheard reports whether no subscriber can come later, so that messages without a present
// subscriber need not be published.
func (c *core) unheard() bool { return (c.cfg.OutputDir == "" || c.cfg.Alone) && c.page == nil }

// publishDue publishes the messages that were held for lack of subscribers once there are
// some.
func (c *core) publishDue() {
	if c.view.samplesDue {
		c.publishSamples()
	}
	if c.view.mapsDue {
		c.publishMaps()
	}
	if c.view.keepoutDue {
		c.publishKeepout()
	}
}

// publishStatus publishes the state of the mission and its best value.
func (c *core) publishStatus() {
	status := c.mode.status()
	m := ugp_explorer_msgs.MissionStatus{
		Header: c.header(), State: string(c.mode.publicState()), Text: c.withTrouble(status.Text + c.mode.remark()),
		SamplesTaken: uint32(status.Samples), SamplesBudget: uint32(status.Budget.Samples),
		Distance: status.UsedDistance, ElapsedTime: status.UsedDuration,
		RemainingDistance: orInfinite(status.RemainingDistance), RemainingTime: orInfinite(status.RemainingDuration),
		BestValue: math.NaN(), BestStddev: math.NaN(),
	}
	if r := c.memory.record.Recommendation; r != nil {
		m.BestPlace = geometry_msgs.Point{X: r.Target[0], Y: r.Target[1]}
		m.BestValue, m.BestStddev = r.Value, c.memory.record.Transform.Spread(r.Mean, r.StdDev)
	}
	if at, ok := underWay(status); ok {
		m.HasTarget, m.Target = true, geometry_msgs.Point{X: at[0], Y: at[1]}
	}
	h := c.optimizer.Learnt().Hyper
	m.SignalVariance, m.LengthScales, m.NoiseVariance, m.Mean = h.SignalVariance, h.LengthScales, h.NoiseVariance, h.Mean
	sent(c.view.warn, c.view.out.status.Publish(&m))
}

// withTrouble adds the most urgent problem to the mission's text, unless a fault names it. A guard
// that stops the robot is the first.
func (c *core) withTrouble(text string) string {
	trouble := c.view.guard
	if trouble == "" {
		trouble = c.view.watch.Text()
	}
	if strings.Contains(text, trouble) {
		return text
	}
	if text == "" || trouble == "" {
		return text + trouble
	}
	return text + "; " + trouble
}

// orInfinite converts the mission's -1, no limit, to infinity.
func orInfinite(v float64) float64 {
	if v < 0 {
		return math.Inf(1)
	}
	return v
}

// LastRound is the key of the time that the last round of learning and deciding took, among the
// values of the mission on /diagnostics.
const LastRound = "last round of learning and deciding, s"

func (c *core) publishDiagnostics() {
	if c.view.out.diagnostics.Matched() == 0 && c.memory.bags.Status().Bag == "" {
		return
	}
	status := c.mode.status()
	d := diagnostic_msgs.DiagnosticStatus{
		Level: diagnostic_msgs.DiagnosticStatusOK, Name: c.node.Name() + ": mission",
		HardwareID: "none", Message: statusLine(status),
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
	for _, t := range c.tally() {
		d.Values = append(d.Values, diagnostic_msgs.KeyValue{Key: t.name, Value: strconv.FormatInt(t.n, 10)})
	}
	d.Values = append(d.Values, diagnostic_msgs.KeyValue{Key: LastRound, Value: strconv.FormatFloat(c.view.took.Seconds(), 'f', 3, 64)})
	if c.cfg.Learn.On {
		a := &c.optimizer.Learnt().Aim
		d.Values = append(d.Values,
			diagnostic_msgs.KeyValue{Key: "execution noise learnt (standard deviation), m", Value: fmt.Sprintf("%.3g", math.Sqrt(mat.Trace(a.Cov)/2))},
			diagnostic_msgs.KeyValue{Key: "execution bias learnt, m, m", Value: fmt.Sprintf("%.3g, %.3g", a.Bias[0], a.Bias[1])})
	}
	m := diagnostic_msgs.DiagnosticArray{Header: c.header(), Status: append([]diagnostic_msgs.DiagnosticStatus{d}, c.checks()...)}
	sent(c.view.warn, c.view.out.diagnostics.Publish(&m))
}

// checks returns everything that is checked, each with what is wrong with it: for /diagnostics, the
// page and ugp doctor.
func (c *core) checks() []diagnostic_msgs.DiagnosticStatus {
	all := c.view.watch.Diagnostics()
	if c.memory.bags.On() {
		all = append(all, c.memory.bags.Diagnostic())
	}
	return all
}

// statusLine returns the state and text of the mission in one line.
func statusLine(s mission.Status) string { return string(s.State) + ": " + s.Text }

// startWatch starts the checks of what the mission needs from other nodes, in the order of
// urgency.
func (c *core) startWatch() error {
	w, err := watch.New(c.node, func() {
		c.publishStatus()
		c.publishDiagnostics()
	})
	if err != nil {
		return err
	}
	c.view.watch = w
	untilDone := func(want watch.Want) watch.Want {
		if c.finished {
			return watch.WantNothing
		}
		return want
	}
	c.mode.watch(w, untilDone)
	if len(c.team.mates) > 0 {
		w.Condition("team", slog.LevelInfo, c.team.unheard)
	}
	return nil
}

// Watched returns what the mission needs from other nodes, each with what is wrong with it.
func (e *Explorer) Watched() []diagnostic_msgs.DiagnosticStatus { return e.checks() }

// watchExplorers starts the checks of other explorers in the place of this one. rival names one.
func (c *core) watchExplorers(w *watch.Watch, rival func() string) {
	w.Condition("other explorers", slog.LevelWarn, func() string {
		for _, o := range watch.Others(c.node, c.view.out.status) {
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
