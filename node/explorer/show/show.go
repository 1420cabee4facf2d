// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package show presents a mission. Its status, samples and maps on the graph, its diagnostics and its page are made from a [Snapshot], the
// lines of its log from the record and the mission's status.
package show

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
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
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/export"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/node/web"
	"ugp_explorer/planner"
	"ugp_explorer/planner/covariate"
	"ugp_explorer/planner/mission"
	"ugp_explorer/planner/surface"
)

// Snapshot is a mission at one moment, complete for display. Its slices are shared with the explorer, which may append to them but does not
// change their elements.
type Snapshot struct {
	Mission mission.Status
	State   mission.State // as others see it
	Text    string        // what the mission is doing
	Waits   string        // what a mission that has not begun is waiting for, or ""
	Advice  string        // what a person has to do for the mission to continue, or ""
	Next    string        // the command that a person then gives: start or resume; "": none
	Guard   string        // the guard's reason while it stops the robot, or ""
	Trouble string        // the most urgent problem that the text does not name, or ""
	Over    bool          // the mission is over and its record written
	Files   bool          // the mission's folder has its results

	StoppedBy string                          // what prevents the robot from driving, in the form of a MissionStatus
	Commands  []string                        // commands without a place that have an effect now
	Inputs    []ugp_explorer_msgs.InputStatus // that the mission needs
	Rest      *mission.Rest                   // expected rest of the mission; nil: no budget ends it

	Record   record.Mission
	Known    planner.Learnt
	QueryCov *mat.SymDense // Σ̂; nil: targets are judged as points

	Close *CloseUp // nil: not requested
}

// CloseUp has data that only diagnostics and the page show, and that take some time to compute.
type CloseUp struct {
	Checked []watch.Finding
	Counts  []Count
	Took    time.Duration // of the last round of learning and deciding, by the wall clock

	// For the page.
	Plan  []record.Place // that is being driven; nil: none
	Track []record.Place
	Robot *web.Robot
	Field *surface.GridField // true field; nil: not known
	Truth *record.Truth      // regret of the mission's recommendations; nil: not known
}

// Count is a named number of events, such as dropped or refused readings.
type Count struct {
	Name string
	N    int64
}

// Calls asks for the services of the commands that continue a mission; holds asks for their buttons on the page.
var (
	Calls = map[string]string{"start": "call ~/start to begin", "resume": "call ~/resume to continue", "more": "call ~/more to continue"}
	holds = map[string]string{"start": "hold Start to begin", "resume": "hold Resume to continue"}
)

// sentence returns the mission's text, with what a person has to do and the most urgent problem that the text does not name.
func (s *Snapshot) sentence(asks map[string]string) string {
	return Clauses(s.Text, s.Advice, asks[s.Next], s.Trouble)
}

// Clauses joins the clauses that are not empty.
func Clauses(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(c string) bool { return c == "" }), "; ")
}

// Explain adds what was learnt about rasters and a second quantity to a copy of the record.
func (s *Snapshot) Explain(m *record.Mission) {
	m.Covariates = slices.Clone(m.Covariates)
	if len(m.Covariates) > 0 && len(s.Known.Mixture) > 0 {
		for i, x := range s.Known.Mixture.Explained() {
			c := &m.Covariates[i]
			c.Weight, c.WeightStdDev, c.Share, c.ShareStdDev = x.Mean, x.StdDev, x.Share, x.ShareStdDev
		}
	}
	if known := s.Known.Secondary; m.Secondary != nil && known != nil {
		of, hyper := *m.Secondary, record.HyperOf(known.Hyper())
		of.Correlation, of.CorrelationStdDev = s.Known.Correlation.Mean, s.Known.Correlation.StdDev
		of.Hyper, of.Learnt = &hyper, known.Len()
		m.Secondary = &of
	}
}

// Show publishes a mission, and makes its page. Use it only from its node's executor.
type Show struct {
	node    *ros.Node
	cfg     *settings.Config
	ground  *ground.Ground
	mission Mission
	warn    ros.Throttle
	cells   *cells         // of the maps
	beside  export.Beside  // the covariate rasters
	rasters []record.Layer // of these
	out     publishers
	page    *page // nil: there is none

	newest              *Mapping // last made; nil: none yet
	maps                *Mapping // last published maps; nil: none yet
	mapping             bool     // maps are being computed
	samplesDue, mapsDue bool     // not published yet: no subscriber, or maps are being computed
	keepoutDue          bool     // not published yet: no subscriber
}

// Mission has a Show's questions and reports to the mission.
type Mission struct {
	Now    func() *Snapshot // returns the snapshot to show
	Mapped func()           // is called when no maps are being computed any more

	// Fit returns the hyper-parameters over which the map of another quantity of the samples is averaged, on any goroutine;
	// none: there are too few samples.
	Fit func(samples []gp.Observation) ([]fit.Weighted, error)
}

// publishers are the topics of every explorer.
type publishers struct {
	mean, stddev, acquisition, keepout *ros.Publisher[nav_msgs.OccupancyGrid, *nav_msgs.OccupancyGrid]
	cloud                              *ros.Publisher[sensor_msgs.PointCloud2, *sensor_msgs.PointCloud2]
	samples, field                     *ros.Publisher[visualization_msgs.MarkerArray, *visualization_msgs.MarkerArray]
	observation                        *ros.Publisher[ugp_explorer_msgs.FieldObservation, *ugp_explorer_msgs.FieldObservation]
	status                             *ros.Publisher[ugp_explorer_msgs.MissionStatus, *ugp_explorer_msgs.MissionStatus]
	suggestion                         *ros.Publisher[geometry_msgs.PoseStamped, *geometry_msgs.PoseStamped] // nil: none are made
	diagnostics                        *ros.Publisher[diagnostic_msgs.DiagnosticArray, *diagnostic_msgs.DiagnosticArray]
}

// KeptObservations is the number of past observations that a late subscriber gets.
const KeptObservations = 1000

// New returns a Show of missions on a ground, with the covariate rasters and their entries in the record.
func New(node *ros.Node, cfg *settings.Config, g *ground.Ground, rasters []*covariate.Raster, used []record.Covariate, m Mission) (*Show, error) {
	cells, err := newCells(g.Region(), cfg.MapCell)
	if err != nil {
		return nil, err
	}
	s := &Show{node: node, cfg: cfg, ground: g, mission: m, warn: node.NewThrottle(1e9), cells: cells, beside: export.Beside{Rasters: rasters}}
	if s.rasters, err = cells.layers(&s.beside, &record.Mission{Covariates: used}); err != nil {
		return nil, err
	}
	if cfg.HasPage(node) {
		s.page = &page{}
	}
	return s, nil
}

// Open advertises the topics, listens for the battery that the page shows, and returns the first error.
func (v *Show) Open() (err error) {
	n := v.node
	v.out = publishers{
		mean:        open[nav_msgs.OccupancyGrid](n, "~/mean", ros.Latched(), &err),
		stddev:      open[nav_msgs.OccupancyGrid](n, "~/stddev", ros.Latched(), &err),
		acquisition: open[nav_msgs.OccupancyGrid](n, "~/acquisition", ros.Latched(), &err),
		cloud:       open[sensor_msgs.PointCloud2](n, "~/cloud", ros.Latched(), &err),
		samples:     open[visualization_msgs.MarkerArray](n, "~/samples", ros.Latched(), &err),
		field:       open[visualization_msgs.MarkerArray](n, "~/field", ros.Latched(), &err),
		keepout:     open[nav_msgs.OccupancyGrid](n, "~/keepout", ros.Latched(), &err),
		observation: open[ugp_explorer_msgs.FieldObservation](n, "~/observation", ros.Latched().WithDepth(KeptObservations), &err),
		status:      open[ugp_explorer_msgs.MissionStatus](n, "~/status", ros.Latched(), &err),
		diagnostics: open[diagnostic_msgs.DiagnosticArray](n, "/diagnostics", ros.DefaultQoS(), &err),
	}
	if v.cfg.Passive {
		v.out.suggestion = open[geometry_msgs.PoseStamped](n, "~/suggestion", ros.Latched(), &err)
	}
	if v.page != nil {
		_, failed := ros.Subscribe(n, "battery_state", ros.SensorData(), v.onBattery)
		err = cmp.Or(err, failed)
	}
	return err
}

// open advertises a topic, and sets err to its error unless that has another.
func open[M any, PM ros.MessagePtr[M]](n *ros.Node, topic string, q ros.QoS, err *error) *ros.Publisher[M, PM] {
	p, failed := ros.Advertise[M, PM](n, topic, q)
	*err = cmp.Or(*err, failed)
	return p
}

func (v *Show) header() std_msgs.Header {
	return std_msgs.Header{Stamp: v.node.Stamp(), FrameID: v.cfg.Frame}
}

// Outline publishes the field and ~/keepout, which never change.
func (v *Show) Outline() {
	outline := convert.FieldMarkers(v.cfg.Frame, v.ground.Outline(), v.ground.Region())
	v.warn.Unsent(v.out.field.Publish(&outline))
	v.publishKeepout()
}

// Suggestion publishes where the robot would have been sent.
func (v *Show) Suggestion(s *record.Suggestion) {
	m := geometry_msgs.PoseStamped{Header: v.header()}
	m.Pose.Position = geometry_msgs.Point{X: s.Target[0], Y: s.Target[1]}
	m.Pose.Orientation = convert.Quaternion(math.Atan2(s.Target[1]-s.Robot[1], s.Target[0]-s.Robot[0]))
	v.warn.Unsent(v.out.suggestion.Publish(&m))
}

// Observation publishes an observation. A struck one has an infinite variance.
func (v *Show) Observation(o record.Observation) {
	m := ugp_explorer_msgs.FieldObservation{
		Header:   std_msgs.Header{Stamp: v.node.StampOf(int64(ros.Duration(o.Stamp))), FrameID: v.cfg.Frame},
		Sequence: uint32(o.Sequence - 1),
		Value:    o.Value, Variance: o.Variance,
		Target: geometry_msgs.Point{X: o.Target[0], Y: o.Target[1]},
	}
	if o.Struck != "" {
		m.Variance = math.Inf(1)
	}
	convert.BeliefWithCovariance(&m.Belief, o.Belief)
	v.warn.Unsent(v.out.observation.Publish(&m))
}

// Samples publishes a dot and an ellipse for each sample, coloured by its value.
func (v *Show) Samples(observations []record.Observation) {
	if v.samplesDue = v.samplesUnheard(); v.samplesDue {
		return
	}
	var places []localization.Belief
	var values []float64
	for i := range observations {
		if o := &observations[i]; o.Struck == "" {
			places, values = append(places, o.Belief), append(values, o.ModelValue)
		}
	}
	m := convert.SampleMarkers(v.header(), v.ground.Outline().Boundary, places, values)
	v.warn.Unsent(v.out.samples.Publish(&m))
}

func (v *Show) samplesUnheard() bool { return v.out.samples.Matched() == 0 && v.unheard() }

// unheard reports whether no subscriber can come later, so that messages without a subscriber need not be published now.
func (v *Show) unheard() bool { return !v.cfg.Joinable(v.node) && v.page == nil }

// Due publishes the messages that were held for lack of subscribers once there are
// some.
func (v *Show) Due() {
	if v.samplesDue && !v.samplesUnheard() {
		v.Samples(v.mission.Now().Record.Observations)
	}
	if v.mapsDue {
		v.Maps()
	}
	if v.keepoutDue {
		v.publishKeepout()
	}
}

// Others returns the other nodes that publish the status of this explorer.
func (v *Show) Others() []ros.EndpointInfo { return watch.Others(v.node, v.out.status) }

// Status publishes the state of the mission and its best value, unless there is neither a subscriber nor a bag: a mission simulated for
// its result alone would spend an eighth of its processor time on it.
func (v *Show) Status() {
	if v.out.status.Matched() == 0 && v.unheard() && v.cfg.OutputDir == "" {
		return
	}
	s := v.mission.Now()
	status := s.Mission
	m := ugp_explorer_msgs.MissionStatus{
		Header: v.header(), State: string(s.State), Text: s.sentence(Calls),
		SamplesTaken: uint32(status.Samples), SamplesBudget: uint32(status.Budget.Samples),
		Distance: status.UsedDistance, ElapsedTime: status.UsedDuration,
		RemainingDistance: orInfinite(status.RemainingDistance), RemainingTime: orInfinite(status.RemainingDuration),
		BestValue: math.NaN(), BestStddev: math.NaN(), ExpectedDistance: math.NaN(), ExpectedTime: math.NaN(), ShareDone: math.NaN(),
		StoppedBy: s.StoppedBy, Commands: s.Commands, Inputs: s.Inputs,
	}
	if r := s.Rest; r != nil {
		m.ExpectedDistance, m.ExpectedTime, m.ShareDone = r.Distance, r.Duration, r.Done
	}
	if r := s.Record.Recommendation; r != nil {
		m.BestPlace = geometry_msgs.Point{X: r.Target[0], Y: r.Target[1]}
		m.BestValue, m.BestStddev = r.Value, s.Record.Transform.Spread(r.Mean, r.StdDev)
	}
	if at, ok := s.Mission.UnderWay(); ok {
		m.HasTarget, m.Target = true, geometry_msgs.Point{X: at[0], Y: at[1]}
	}
	h := s.Known.Hyper
	m.SignalVariance, m.LengthScales, m.NoiseVariance, m.Mean = h.SignalVariance, h.LengthScales, h.NoiseVariance, h.Mean
	v.warn.Unsent(v.out.status.Publish(&m))
}

// orInfinite converts the mission's -1, no limit, to infinity.
func orInfinite(v float64) float64 {
	if v < 0 {
		return math.Inf(1)
	}
	return v
}
