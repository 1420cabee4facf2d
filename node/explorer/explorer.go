package explorer

import (
	"errors"
	"fmt"
	"math"
	"time"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/localization"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/field/localizability"
	"ugp_explorer/planner/mission"

	"github.com/paulmach/orb"
)

// Explorer is the node. It is for the goroutine of its executor.
type Explorer struct {
	*core
	commands []command
}

// core is what the modes have in common.
//
// A reading passes through the parts in this order: sense matches it with a pose and gathers
// it into an observation; the memory writes the observation to the disk; the
// optimiser learns from it and decides, in a task; the mode's mission accepts the
// decision; the driver sends the goal.
type core struct {
	node      *ros.Node
	cfg       *Config
	ground    *ground.Ground
	sense     *sense.Sense
	team      *team
	optimizer *planner.Optimizer
	memory    *memory
	view      *view
	mode      mode

	localised   *localizability.Map         // nil: targets are not judged by it
	expectation *localizability.Expectation // of localised, for the task under way
	truth       *truth                      // nil: it is not followed
	resumption  resumption
	page        *page       // nil: there is none
	ending      *fullReport // that is being written at the end of the mission; nil: none

	warnPiece ros.Throttle // of observations while the robot drives

	wanted   bool // a target is wanted, and none is being chosen
	unlogged bool // the newest sample is not in the log yet
	working  bool // a task is under way, or the record is being written
	finished bool
	rejected struct {
		transformed int64 // samples whose value the transform has no image of
		refused     int64 // samples that the model would not take
	}
}

// New starts the explorer on a node whose parameters are bound to cfg. The
// robot does not move before the mission is started. Commands come by [Explorer.Order]: package
// host takes them from people.
func New(node *ros.Node, cfg *Config) (*Explorer, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	e := &Explorer{core: &core{node: node, cfg: cfg, warnPiece: newThrottle(node)}}
	if err := e.build(); err != nil {
		return nil, err
	}
	e.AddSettings(node.Name(), node.Parameters())
	found, err := e.memory.open()
	if err == nil && found != nil {
		err = e.takeUp(found)
	} else if err == nil {
		err = e.startKnowing()
	}
	if err == nil {
		err = e.join()
	}
	if err != nil {
		return nil, errors.Join(err, e.memory.abandon())
	}
	if e.resumption.pending && e.timeKnown() {
		e.timeCame()
	}
	return e, nil
}

// newThrottle returns a rate limit for one kind of warning. Each kind has its own: with a
// common one, warnings about poses at 20 Hz would hide all others.
func newThrottle(node *ros.Node) ros.Throttle { return node.NewThrottle(time.Second) }

// build makes the parts and connects them.
func (c *core) build() error {
	size, err := c.buildGround()
	if err != nil {
		return err
	}
	cfg, node := c.cfg, c.node
	if c.sense, err = sense.New(node, cfg.Sense()); err != nil {
		return err
	}
	if c.team, err = newTeam(node, cfg, c.ground.Outline().Boundary); err != nil {
		return err
	}
	if c.optimizer, err = cfg.NewOptimizer(c.ground.Region()); err != nil {
		return err
	}
	c.localised = cfg.localisation(c.ground.Outline())
	if c.memory, err = newMemory(node, cfg, c.ground, min(1, size.Inscribed/50)); err != nil {
		return err
	}
	c.memory.record.Noise = c.noiseRecord()
	if c.mode, err = newMode(c); err != nil {
		return err
	}
	c.view = &view{warn: newThrottle(node)}
	if c.view.grid, err = newMapGrid(c.ground.Region(), cfg.MapCell); err != nil {
		return err
	}
	if cfg.HasPage(node) {
		c.page = &page{}
	}
	cfg.Web.Token = "" // so that it is in no record, bag or parameter service
	c.sense.Located, c.sense.Moved = c.notePosition, c.newPose
	c.sense.Lost = func(p *localization.Pose) { c.localised.Refused(p.Stamp, orb.Point{p.X, p.Y}) }
	c.team.over, c.team.learn = func() bool { return c.finished }, c.learnOfMate
	c.memory.status, c.memory.counts = c.mode.status, c.counted
	return nil
}

// buildGround makes the ground, and gives a value to each parameter that follows its size.
func (c *core) buildGround() (size Size, err error) {
	cfg, log := c.cfg, c.node.Logger()
	open := automatics.Open(cfg)
	if c.ground, size, err = cfg.newGround(); err != nil {
		return size, err
	}
	if err = cfg.Validate(); err != nil {
		return size, err
	}
	if err = c.node.Parameters().Resolved(open...); err != nil {
		return size, fmt.Errorf("explorer: %w", err)
	}
	cfg.logAutomatic(log, size, open)
	if edge := c.ground.Outline().StdDev; edge > 0 {
		log.Info("the robot keeps farther from the edges of the field than field.margin, because field.file says that they are uncertain",
			"edge_stddev_m", edge, "field.margin", cfg.Field.Margin, "distance_m", c.ground.Region().Margin())
	}
	return size, nil
}

// join joins the graph.
func (e *Explorer) join() error {
	c := e.core
	if err := c.advertise(); err != nil {
		return err
	}
	if err := c.sense.Open(); err != nil {
		return err
	}
	e.commands = append(c.mode.commands(), command{word: "save", act: c.saveNow})
	if err := c.team.open(); err != nil {
		return err
	}
	outline := convert.FieldMarkers(c.cfg.Frame, c.ground.Outline(), c.ground.Region())
	sent(c.view.warn, c.view.out.field.Publish(&outline)) // it never changes
	c.publishKeepout()
	if c.cfg.Truth {
		var err error
		if c.truth, err = newTruth(c.node, c.cfg, c.ground.Region(), c.memory.spacing); err != nil {
			return err
		}
	}
	if err := c.startWatch(); err != nil {
		return err
	}
	if c.page != nil {
		if _, err := ros.Subscribe(c.node, "battery_state", ros.SensorData(), c.onBattery); err != nil {
			return err
		}
	}
	c.node.OnShutdown(c.node.Executor().OnJump(c.jumped)) // the node may end before its executor
	c.node.OnShutdown(c.shutDown)
	for _, timer := range []struct {
		period float64 // s
		fn     func()
	}{
		{0.2, c.mode.watchTime},
		{0.2, c.sense.Expire},
		{0.2, c.team.settled},
		{c.cfg.GoalPeriod, c.mode.goalDue},
		{1, c.publishStatus},
		{1, c.publishDiagnostics},
		{1, c.publishDue},
		{1, c.localise},
		{1, c.memory.watch},
		{1, c.memory.watchBags},
	} {
		if _, err := c.node.NewTimer(seconds(timer.period), timer.fn); err != nil {
			return err
		}
	}
	return nil
}

// notePosition records the newest estimated position.
func (c *core) notePosition(first bool) {
	at := c.sense.Place()
	if first && c.memory.record.Home == nil {
		c.setHome(at)
	}
	c.memory.track(at, c.sense.StdDev())
}

// newPose maps how well the robot knows its place, which it has reached by so many metres.
func (c *core) newPose(metres float64) {
	at := c.sense.Pose()
	c.localised.Moved(at.Stamp, c.sense.Place(), (at.Cov[0][0]+at.Cov[1][1])/2, metres)
	c.mode.newPose(metres)
}

// localise puts into the map of localisation, and notes, how well the robot has known its place
// since the last call: a resumed mission has the same map.
func (c *core) localise() {
	now := c.node.Now()
	if seen := c.localised.Take(now); len(seen) > 0 {
		c.memory.note(journal.Localised{Stamp: now, Seen: seen})
	}
}

// setHome makes a place the robot's home, unless another one is configured.
func (c *core) setHome(home orb.Point) {
	if len(c.cfg.Home) == 2 {
		home = orb.Point(c.cfg.Home)
	}
	// Nav2 drives to the free cells of ~/keepout only. Where a robot in the nearest one would not count
	// as home, that is home instead.
	if c.cfg.Interface == goalAction && !c.cfg.Passive {
		free := c.ground.Allowed(home)
		if d := math.Hypot(home[0]-free[0], home[1]-free[1]); d > c.cfg.Mission.HomeTolerance/2 {
			c.node.Logger().Warn("home lies outside the field or within field.margin of its edge, where Nav2 does not go: the robot returns to the free place nearest to it",
				"home_x_m", home[0], "home_y_m", home[1], "x_m", free[0], "y_m", free[1], "apart_m", d)
			home = free
		}
	}
	c.ground.SetHome(home)
	c.memory.record.Home = &home
}

// HomeDistance returns the drivable distance home from where the robot is, m; ok is false while that
// is not known.
func (e *Explorer) HomeDistance() (metres float64, ok bool) {
	if !e.sense.HasPose() {
		return 0, false
	}
	return e.homeDistance(), true
}

// homeDistance returns the drivable distance home from here, m.
func (c *core) homeDistance() float64 { return c.ground.HomeDistance(c.sense.Place()) }

// timeKnown reports whether the time is known. With use_sim_time it is not before the
// first message on /clock; a mission that began earlier would seem decades old after it.
func (c *core) timeKnown() bool { return c.now() > 0 }

// now returns the node's time, ns.
func (c *core) now() int64 { return c.node.Now() }

// jumped adjusts times after the clock was set, for example when a simulation restarts.
func (c *core) jumped(j exec.Jump) {
	if c.resumption.pending || j.From == 0 { // there was no time before
		return
	}
	by := j.To - j.From
	c.mode.clockChanged(by)
	c.localised.Shift(by)
	c.team.clockChanged(by, j.To)
	if by < 0 {
		c.sense.SetBack()
		c.memory.beginBag() // in a bag time goes on
	}
}

// seen compares a reading that is part of an observation with the truth.
func (c *core) seen(m localization.Observation) {
	if c.truth != nil {
		c.truth.compare(m)
	}
}

// AddSettings puts the parameters of another node into the record.
func (e *Explorer) AddSettings(node string, set *param.Set) {
	values := map[string]any{}
	for _, name := range set.Names() {
		if v, ok := set.Get(name); ok {
			values[name] = v.Any()
		}
	}
	e.memory.settings[node] = values
}

// Finished reports whether the mission is over and its record written.
func (e *Explorer) Finished() bool { return e.over() }

func (c *core) over() bool { return c.finished && !c.working && !c.view.mapping }

// State returns the mission's state.
func (e *Explorer) State() mission.State { return e.mode.state() }

// Status says in a line what the mission is doing.
func (e *Explorer) Status() string { return e.statusLine() }

func (c *core) statusLine() string { return statusLine(c.mode.status()) }

// Waiting says what a mission waits for that has not begun, "" for one that has.
func (e *Explorer) Waiting() string { return e.mode.waiting() }

// Err returns why the mission's record could not be written, nil when it could.
func (e *Explorer) Err() error { return e.memory.err }

// Model returns the posterior as last computed, nil before the first sample.
// It must not be changed.
func (e *Explorer) Model() *gp.GP { return e.optimizer.Learnt().Posterior }

// Prior returns what the model assumes about the field before the first sample: its
// hyper-parameters, and the priors of those that it learns.
func (e *Explorer) Prior() (gp.Hyper, fit.Config) { return e.optimizer.Prior() }

// Region returns the places that may be targets.
func (e *Explorer) Region() *field.Region { return e.ground.Region() }

// Busy says why another explorer cannot take the place of this one, "" while the mission has not
// begun.
func (e *Explorer) Busy() string {
	switch {
	case e.finished:
		return "the mission is over; for another field start the explorer again, with another output_dir"
	case e.resumption.pending:
		return "a mission is being resumed"
	case e.mode.publicState() == stateHeading:
		return "the robot drives to find its heading"
	case e.memory.begun, len(e.memory.record.Observations) > 0, !e.cfg.Passive && e.State() != mission.StateIdle:
		return "a mission is under way (" + e.Status() + ")"
	}
	return ""
}

// End ends the mission. If the explorer is passive, the readings since the last observation make one more,
// and the record is written when the model has seen it.
func (e *Explorer) End(reason string) { e.mode.end(reason) }

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func stampSeconds(ns int64) float64 { return float64(ns) / 1e9 }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// mode is what an explorer does with poses, observations and decisions: it sends the robot on a mission, in
// which it samples where the robot stops ([stops]) or while it drives ([driving]), or it observes from
// wherever the robot goes ([passive]).
type mode interface {
	// state returns what the mission is doing. It costs next to nothing, as it is asked
	// for with every message; status puts it into words.
	state() mission.State
	status() mission.Status
	// publicState returns the state as others see it.
	publicState() mission.State
	// remark returns what is to be said behind the status, "" for nothing.
	remark() string
	// waiting returns what a mission waits for that has not begun, "" for nothing.
	waiting() string
	// plan returns the path that the page shows, m; nil: none.
	plan() []record.Place
	commands() []command
	// watch starts the checks of what comes from other nodes. untilDone returns WantNothing when the
	// mission is over.
	watch(w *watch.Watch, untilDone func(watch.Want) watch.Want)

	// watchTime lets time pass, and goalDue goal.period.
	watchTime()
	goalDue()
	// clockChanged tells that the clock was set by so many ns.
	clockChanged(by int64)
	// newPose tells that there is a newer pose, metres of driving after the one before.
	newPose(metres float64)
	// mateSampled tells that a team mate's observation is known.
	mateSampled()
	// standStill makes a robot that is being driven stay where it is, before the program ends.
	standStill()
	// end ends the mission for a reason.
	end(reason string)

	// wish returns what the job t is to decide, when a target is wanted.
	wish(t *task) *planner.Wish
	// decided takes up what a job has decided, and failed that it has failed; wanted says that a target
	// was, or is.
	decided(t *task)
	failed(t *task, wanted bool)

	// restore goes on with a mission of an earlier run, and returns where it stands.
	restore(found *journal.State) (mission.Status, error)
	// resume goes on from the present time, gap ns after the mission was heard of last;
	// counted is false when that time is not known, and not spent.
	resume(s mission.Status, gap int64, counted bool) error
}

var (
	_ mode = (*stops)(nil)
	_ mode = (*driving)(nil)
	_ mode = (*passive)(nil)
)

// newMode returns the mode that the configuration wants.
func newMode(c *core) (mode, error) {
	switch {
	case c.cfg.Passive:
		return newPassive(c)
	case c.cfg.continuous():
		return newDriving(c)
	}
	return newStops(c)
}
