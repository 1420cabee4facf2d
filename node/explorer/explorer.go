package explorer

import (
	"errors"
	"fmt"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/gp"
	"ugp_explorer/localization"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/recorder"
	"ugp_explorer/node/report"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
)

// Explorer is the node. It is for the goroutine of its executor.
type Explorer struct {
	node *ros.Node
	cfg  *Config
	in   subscriptions
	out  publishers
	nav  *navigator // nil: the goal is a topic, or there is none
	// Each kind of warning has its own limit, or poses at 20 Hz would hide the rest.
	warn, warnPose, warnReading, warnCommand, warnTeam ros.Throttle

	watch    *watch.Watch
	poses    *watch.Input
	readings *watch.Input

	poseStamps, readingStamps ros.Stamps

	outline field.Field
	region  *field.Region
	mapGrid report.Grid          // of the maps
	homeWay *field.DistanceField // from home; the way there is as long

	mission    *mission.Mission
	resumption resumption
	book       logbook
	replaced   []string // bags of a mission before, which this one takes the place of
	bags       *recorder.Recorder
	bagTrouble recorder.Status // as last said in the log

	pending []mission.Event // told to the mission in their order
	telling bool

	checker  *localization.Checker
	matcher  *localization.Matcher
	matched  []localization.Matched // workspace
	stop     *localization.Stop
	pose     localization.Pose // the newest
	hasPose  bool
	motion   motion
	home     [2]float64
	sampling int64 // since when the robot samples, ns; 0: it doesn't
	startDue bool  // the mission is to start by itself

	target     [2]float64      // being driven to, or sampled
	approached report.Approach // how
	path       []orb.Point     // the way there; nil: none
	avoid      []avoided

	passive   passive
	optimizer *planner.Optimizer
	team      team
	thinking  bool // a task is under way, or the record is being written
	wantPlan  bool // the mission waits for a target, and none is being chosen for it
	plan      int  // number of the plan that the mission asked for last
	truth     *truth
	record    report.Mission
	settings  report.Settings
	tracks    report.Tracks
	counts    counts
	earlier   map[string]int64 // counts of the runs before
	startWall time.Time
	saved     bool // the record on disk is the newest
	finished  bool
	saveError error

	maps                *mapping // as last published; nil: none were
	mapping             bool     // one is under way
	samplesDue, mapsDue bool     // not sent yet: nobody listened, or the maps before are under way
}

// avoided is a target that was given up, until a stamp in ns.
type avoided struct {
	disc  acquire.Disc
	until int64
}

// New starts the explorer on a node whose parameters are bound to cfg. The
// robot does not move before the mission is started.
func New(node *ros.Node, cfg *Config) (*Explorer, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	e := &Explorer{node: node, cfg: cfg, settings: report.Settings{}, startDue: cfg.AutoStart}
	for _, w := range []*ros.Throttle{&e.warn, &e.warnPose, &e.warnReading, &e.warnCommand, &e.warnTeam} {
		*w = node.NewThrottle(time.Second)
	}
	e.AddSettings(node.Name(), node.Parameters())
	if err := e.build(); err != nil {
		return nil, err
	}
	e.beginRecord()
	if err := e.openRecorder(); err != nil {
		return nil, err
	}
	if err := e.openJournal(); err != nil {
		return nil, err
	}
	if err := e.open(); err != nil {
		if e.book.Journal != nil {
			err = errors.Join(err, e.book.Close())
		}
		return nil, err
	}
	if e.resumption.pending && e.timeKnown() {
		e.timeCame()
	}
	return e, nil
}

// open joins the graph.
func (e *Explorer) open() error {
	cfg, node := e.cfg, e.node
	if err := e.connect(); err != nil {
		return err
	}
	if err := e.joinTeam(); err != nil {
		return err
	}
	e.publishField()
	if cfg.Truth {
		var err error
		if e.truth, err = newTruth(e); err != nil {
			return err
		}
	}
	if err := e.startWatch(); err != nil {
		return err
	}
	node.Executor().OnJump(e.jumped)
	node.OnShutdown(e.shutDown)
	for _, timer := range []struct {
		period float64 // s
		fn     func()
	}{
		{0.2, e.tick},
		{0.2, e.sampleDue},
		{0.2, e.heldDue},
		{cfg.GoalPeriod, e.goalDue},
		{1, e.publishStatus},
		{1, e.publishDiagnostics},
		{1, e.publishDue},
		{1, e.watchJournal},
		{1, e.watchRecording},
	} {
		if _, err := node.NewTimer(seconds(timer.period), timer.fn); err != nil {
			return err
		}
	}
	return nil
}

// tick lets the mission know that time passes.
func (e *Explorer) tick() {
	if !e.cfg.Passive {
		e.tell(mission.EventTick{Stamp: e.node.Now()})
	}
}

func (e *Explorer) build() (err error) {
	cfg := e.cfg
	e.outline = cfg.Outline
	name := "the field"
	if cfg.OutlineName != "" {
		name = cfg.OutlineName
	}
	if cfg.Field.File != "" {
		if e.outline, err = convert.ReadBoundary(cfg.Field.File, cfg.Field.Datum); err != nil {
			return fmt.Errorf("explorer: field.file: %w", err)
		}
		name = "field.file: " + cfg.Field.File
	}
	if len(e.outline.Boundary) == 0 {
		return fmt.Errorf("explorer: field.file is empty: give a GeoJSON file with the outline of the field")
	}
	if e.region, err = field.NewRegion(e.outline, cfg.Field.Margin); err != nil {
		return fmt.Errorf("explorer: %s: %w", name, err)
	}
	if e.mapGrid, err = newMapGrid(e.region, cfg.MapCell); err != nil {
		return err
	}
	e.homeWay = e.region.NewDistanceField()
	if e.checker, err = localization.NewChecker(cfg.Covariance); err != nil {
		return err
	}
	if e.matcher, err = localization.NewMatcher(cfg.Matcher); err != nil {
		return err
	}
	if e.stop, err = localization.NewStop(cfg.Reading.Stop); err != nil {
		return err
	}
	if e.mission, err = mission.New(cfg.Mission); err != nil {
		return err
	}
	e.optimizer, err = cfg.newOptimizer(e.region)
	return err
}

// AddSettings puts the parameters of another node into the record.
func (e *Explorer) AddSettings(node string, set *param.Set) {
	values := map[string]any{}
	for _, name := range set.Names() {
		if v, ok := set.Get(name); ok {
			values[name] = v.Any()
		}
	}
	e.settings[node] = values
}

// Finished reports whether the mission is over and its record written.
func (e *Explorer) Finished() bool { return e.finished && !e.thinking && !e.mapping }

// State returns the mission's state. It costs next to nothing, as it is asked for
// with every message; the whole status is put into words.
func (e *Explorer) State() mission.State {
	switch {
	case !e.cfg.Passive:
		return e.mission.State()
	case e.finished:
		return mission.StateDone
	case e.hasPose:
		return StatePassive
	}
	return e.mission.State()
}

// Status says in a line what the mission is doing.
func (e *Explorer) Status() string {
	s := e.status()
	return string(s.State) + ": " + s.Text
}

// Err returns why the mission's record could not be written, nil when it could.
func (e *Explorer) Err() error { return e.saveError }

// Model returns the posterior as last computed, nil before the first sample.
// It must not be changed.
func (e *Explorer) Model() *gp.GP { return e.optimizer.Learnt().Posterior }

// Region returns the places that may be targets.
func (e *Explorer) Region() *field.Region { return e.region }

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
