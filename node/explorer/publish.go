package explorer

import (
	"fmt"
	"math"
	"strconv"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/msgs/visualization_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/report"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

func (e *Explorer) header() std_msgs.Header {
	return std_msgs.Header{Stamp: ros.TimeMsg(e.node.Now()), FrameID: e.cfg.Frame}
}

// sent reports a message that could not be published.
func (e *Explorer) sent(err error) {
	if err != nil {
		e.warn.Error("a message was not published", "error", err.Error())
	}
}

// publishGoal sends the last of the points as the goal, headed along the path,
// and the path, which is empty for a robot that is to stay. It returns the goal.
func (e *Explorer) publishGoal(goal, path []orb.Point) geometry_msgs.PoseStamped {
	plan := nav_msgs.Path{Header: e.header()}
	convert.Path(&plan, path)
	e.sent(e.out.plan.Publish(&plan))
	at := geometry_msgs.PoseStamped{Header: plan.Header}
	at.Pose.Position = geometry_msgs.Point{X: goal[0][0], Y: goal[0][1]}
	at.Pose.Orientation = convert.Quaternion(e.pose.Yaw)
	if n := len(plan.Poses); n > 0 {
		at.Pose.Orientation = plan.Poses[n-1].Pose.Orientation
	}
	e.sent(e.out.goal.Publish(&at))
	return at
}

func (e *Explorer) publishObservation(o report.Observation) {
	m := ugp_explorer_msgs.FieldObservation{
		Header:   std_msgs.Header{Stamp: ros.TimeMsg(int64(seconds(o.Stamp))), FrameID: e.cfg.Frame},
		Sequence: uint32(o.Sequence - 1),
		Value:    o.Value, Variance: o.Variance,
		Target: geometry_msgs.Point{X: o.Target[0], Y: o.Target[1]},
	}
	convert.BeliefWithCovariance(&m.Belief, belief(o))
	e.sent(e.out.observation.Publish(&m))
}

func belief(o report.Observation) localization.Belief {
	return localization.Belief{X: o.Belief.X, Y: o.Belief.Y, XX: o.Belief.XX, XY: o.Belief.XY, YY: o.Belief.YY}
}

// publishField sends the outline, once for all.
func (e *Explorer) publishField() {
	m := convert.FieldMarkers(e.cfg.Frame, e.outline, e.region)
	e.sent(e.out.field.Publish(&m))
}

// publishSamples sends an ellipse for each sample, coloured by its value.
func (e *Explorer) publishSamples() {
	e.samplesDue = e.out.samples.Matched() == 0 && e.unheard()
	if e.samplesDue {
		return
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, o := range e.record.Observations {
		lo, hi = min(lo, o.ModelValue), max(hi, o.ModelValue)
	}
	m := visualization_msgs.MarkerArray{Markers: make([]visualization_msgs.Marker, len(e.record.Observations))}
	for i, o := range e.record.Observations {
		fraction := 1.0
		if hi > lo {
			fraction = (o.ModelValue - lo) / (hi - lo)
		}
		convert.EllipseMarker(&m.Markers[i], e.header(), int32(i), belief(o), convert.Colour(fraction))
	}
	e.sent(e.out.samples.Publish(&m))
}

// unheard reports whether nobody will ask later for what nobody listens to now.
func (e *Explorer) unheard() bool { return e.cfg.OutputDir == "" || e.cfg.Alone }

// publishDue sends what was not sent for want of listeners, once there are some.
func (e *Explorer) publishDue() {
	if e.samplesDue {
		e.publishSamples()
	}
	if e.mapsDue {
		e.publishMaps()
	}
}

// publishStatus says what the mission is doing and what it has found.
func (e *Explorer) publishStatus() {
	status := e.status()
	m := ugp_explorer_msgs.MissionStatus{
		Header: e.header(), State: string(status.State), Text: e.withTrouble(e.withResumption(status.Text)),
		SamplesTaken: uint32(status.Samples), SamplesBudget: uint32(status.Budget.Samples),
		Distance: status.UsedDistance, ElapsedTime: status.UsedDuration,
		RemainingDistance: orInfinite(status.RemainingDistance), RemainingTime: orInfinite(status.RemainingDuration),
		BestValue: math.NaN(), BestStddev: math.NaN(),
	}
	if r := e.record.Recommendation; r != nil {
		m.BestPlace = geometry_msgs.Point{X: r.Target[0], Y: r.Target[1]}
		m.BestValue, m.BestStddev = r.Value, e.record.Transform.Spread(r.Mean, r.StdDev)
	}
	if at, ok := underWay(status); ok {
		m.HasTarget, m.Target = true, geometry_msgs.Point{X: at[0], Y: at[1]}
	}
	h := e.optimizer.Learnt().Hyper
	m.SignalVariance, m.LengthScales, m.NoiseVariance, m.Mean = h.SignalVariance, h.LengthScales, h.NoiseVariance, h.Mean
	e.sent(e.out.status.Publish(&m))
}

// orInfinite reads the mission's -1, no limit, as infinity.
func orInfinite(v float64) float64 {
	if v < 0 {
		return math.Inf(1)
	}
	return v
}

func (e *Explorer) publishDiagnostics() {
	if e.out.diagnostics.Matched() == 0 && e.bags.Status().Bag == "" {
		return
	}
	status := e.status()
	d := diagnostic_msgs.DiagnosticStatus{
		Level: diagnostic_msgs.DiagnosticStatusOK, Name: e.node.Name() + ": mission",
		HardwareID: "none", Message: e.Status(),
	}
	switch status.State {
	case mission.StateFault:
		d.Level = diagnostic_msgs.DiagnosticStatusError
	case mission.StatePaused:
		d.Level = diagnostic_msgs.DiagnosticStatusWarn
	}
	for _, c := range e.tally() {
		d.Values = append(d.Values, diagnostic_msgs.KeyValue{Key: c.name, Value: strconv.FormatInt(c.n, 10)})
	}
	if e.cfg.Learn.On {
		n := &e.optimizer.Learnt().Aim
		d.Values = append(d.Values,
			diagnostic_msgs.KeyValue{Key: "execution noise learnt, m", Value: fmt.Sprintf("%.3g", math.Sqrt(mat.Trace(n.Cov)/2))},
			diagnostic_msgs.KeyValue{Key: "execution bias learnt, m, m", Value: fmt.Sprintf("%.3g, %.3g", n.Bias[0], n.Bias[1])})
	}
	m := diagnostic_msgs.DiagnosticArray{Header: e.header(), Status: append([]diagnostic_msgs.DiagnosticStatus{d}, e.watch.Diagnostics()...)}
	if e.bags.On() {
		m.Status = append(m.Status, e.recordingDiagnostic())
	}
	e.sent(e.out.diagnostics.Publish(&m))
}
