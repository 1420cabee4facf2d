package explorer

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/msgs/visualization_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/planner"
	"ugp_explorer/planner/mission"
)

// view publishes the state of the mission and the knowledge of the field.
type view struct {
	node      *ros.Node
	cfg       *Config
	warn      ros.Throttle
	ground    *ground.Ground
	grid      record.Grid // of the maps
	memory    *memory
	optimizer *planner.Optimizer
	mode      mode
	watch     *watch.Watch // set once it exists
	tally     func() []count
	out       publishers
	guard     string  // what the guard says while it stops the robot, or ""
	needs     float64 // how far inside the outline a place must be for the guard to let the robot there and back, m

	maps                *mapping      // last published maps; nil: none yet
	mapping             bool          // maps are being computed
	samplesDue, mapsDue bool          // not published yet: no subscriber, or maps are being computed
	keepoutDue          bool          // not published yet: no subscriber
	hasPage             bool          // which shows the maps
	mapped              func()        // called when maps are published and none are being computed
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

// open advertises the topics and returns the first error.
func (v *view) open() (err error) {
	n := v.node
	note := func(e error) {
		if err == nil {
			err = e
		}
	}
	v.out = publishers{
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
				if err == nil && (needs > v.needs || needs < 0.9*v.needs) { // it varies from fix to fix
					v.needs = needs
				}
			}
		}
		if v.guard = ""; m.Level != diagnostic_msgs.DiagnosticStatusOK {
			v.guard = "the guard " + m.Message
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

func (v *view) header() std_msgs.Header {
	return std_msgs.Header{Stamp: ros.TimeMsg(v.node.Now()), FrameID: v.cfg.Frame}
}

// sent logs the error of a message that could not be published.
func sent(warn ros.Throttle, err error) {
	if err != nil {
		warn.Error("a message was not published", "error", err.Error())
	}
}

func (v *view) publishObservation(o record.Observation) {
	m := ugp_explorer_msgs.FieldObservation{
		Header:   std_msgs.Header{Stamp: ros.TimeMsg(int64(seconds(o.Stamp))), FrameID: v.cfg.Frame},
		Sequence: uint32(o.Sequence - 1),
		Value:    o.Value, Variance: o.Variance,
		Target: geometry_msgs.Point{X: o.Target[0], Y: o.Target[1]},
	}
	convert.BeliefWithCovariance(&m.Belief, belief(o))
	sent(v.warn, v.out.observation.Publish(&m))
}

func belief(o record.Observation) localization.Belief {
	return localization.Belief{X: o.Belief.X, Y: o.Belief.Y, XX: o.Belief.XX, XY: o.Belief.XY, YY: o.Belief.YY}
}

// publishSamples publishes an ellipse for each sample, coloured by its value.
func (v *view) publishSamples() {
	v.samplesDue = v.out.samples.Matched() == 0 && v.unheard()
	if v.samplesDue {
		return
	}
	observations := v.memory.record.Observations
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
		convert.EllipseMarker(&m.Markers[i], v.header(), int32(i), belief(o), convert.Colour(fraction))
	}
	sent(v.warn, v.out.samples.Publish(&m))
}

// unheard reports whether no subscriber can come later, so that messages without a present
// subscriber need not be published.
func (v *view) unheard() bool { return (v.cfg.OutputDir == "" || v.cfg.Alone) && !v.hasPage }

// publishDue publishes the messages that were held for lack of subscribers once there are
// some.
func (v *view) publishDue() {
	if v.samplesDue {
		v.publishSamples()
	}
	if v.mapsDue {
		v.publishMaps()
	}
	if v.keepoutDue {
		v.publishKeepout()
	}
}

// publishStatus publishes the state of the mission and its best value.
func (v *view) publishStatus() {
	status := v.mode.status()
	m := ugp_explorer_msgs.MissionStatus{
		Header: v.header(), State: string(v.mode.publicState()), Text: v.withTrouble(status.Text + v.mode.remark()),
		SamplesTaken: uint32(status.Samples), SamplesBudget: uint32(status.Budget.Samples),
		Distance: status.UsedDistance, ElapsedTime: status.UsedDuration,
		RemainingDistance: orInfinite(status.RemainingDistance), RemainingTime: orInfinite(status.RemainingDuration),
		BestValue: math.NaN(), BestStddev: math.NaN(),
	}
	if r := v.memory.record.Recommendation; r != nil {
		m.BestPlace = geometry_msgs.Point{X: r.Target[0], Y: r.Target[1]}
		m.BestValue, m.BestStddev = r.Value, v.memory.record.Transform.Spread(r.Mean, r.StdDev)
	}
	if at, ok := underWay(status); ok {
		m.HasTarget, m.Target = true, geometry_msgs.Point{X: at[0], Y: at[1]}
	}
	h := v.optimizer.Learnt().Hyper
	m.SignalVariance, m.LengthScales, m.NoiseVariance, m.Mean = h.SignalVariance, h.LengthScales, h.NoiseVariance, h.Mean
	sent(v.warn, v.out.status.Publish(&m))
}

// withTrouble adds the most urgent problem to the mission's text, unless a fault names it. A guard
// that stops the robot is the first.
func (v *view) withTrouble(text string) string {
	trouble := v.guard
	if trouble == "" {
		trouble = v.watch.Text()
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

func (v *view) publishDiagnostics() {
	if v.out.diagnostics.Matched() == 0 && v.memory.bags.Status().Bag == "" {
		return
	}
	status := v.mode.status()
	d := diagnostic_msgs.DiagnosticStatus{
		Level: diagnostic_msgs.DiagnosticStatusOK, Name: v.node.Name() + ": mission",
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
	for _, c := range v.tally() {
		d.Values = append(d.Values, diagnostic_msgs.KeyValue{Key: c.name, Value: strconv.FormatInt(c.n, 10)})
	}
	d.Values = append(d.Values, diagnostic_msgs.KeyValue{Key: LastRound, Value: strconv.FormatFloat(v.took.Seconds(), 'f', 3, 64)})
	if v.cfg.Learn.On {
		a := &v.optimizer.Learnt().Aim
		d.Values = append(d.Values,
			diagnostic_msgs.KeyValue{Key: "execution noise learnt (standard deviation), m", Value: fmt.Sprintf("%.3g", math.Sqrt(mat.Trace(a.Cov)/2))},
			diagnostic_msgs.KeyValue{Key: "execution bias learnt, m, m", Value: fmt.Sprintf("%.3g, %.3g", a.Bias[0], a.Bias[1])})
	}
	m := diagnostic_msgs.DiagnosticArray{Header: v.header(), Status: append([]diagnostic_msgs.DiagnosticStatus{d}, v.checks()...)}
	sent(v.warn, v.out.diagnostics.Publish(&m))
}

// checks returns everything that is checked, each with what is wrong with it: for /diagnostics, the
// page and ugp doctor.
func (v *view) checks() []diagnostic_msgs.DiagnosticStatus {
	all := v.watch.Diagnostics()
	if v.memory.bags.On() {
		all = append(all, v.memory.bags.Diagnostic())
	}
	return all
}

// statusLine returns the state and text of the mission in one line.
func statusLine(s mission.Status) string { return string(s.State) + ": " + s.Text }
