package explorer

import (
	"errors"
	"math"
	"time"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/drive"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/explorer/logbook"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/explorer/team"
	"ugp_explorer/node/explorer/truth"
	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner"
	"ugp_explorer/planner/covariate"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/field/localizability"
	"ugp_explorer/planner/mission"

	"github.com/paulmach/orb"
)

// DefaultName is the node's name unless it is remapped.
const DefaultName = "ugp_explorer"

// Explorer is the node, and what its modes have in common. It is for the goroutine of its executor.
//
// A reading passes through the parts in this order: sense matches it with a pose and gathers
// it into an observation; the logbook writes the observation to the disk; the
// optimiser learns from it and decides, in a task; the mode's mission accepts the
// decision; the driver sends the goal.
type Explorer struct {
	node      *ros.Node
	cfg       *settings.Config
	ground    *ground.Ground
	sense     *sense.Sense
	team      *team.Team
	optimizer *planner.Optimizer
	book      *logbook.Logbook
	show      *show.Show
	guard     *drive.Guard
	watch     *watch.Watch // set once it exists
	mode      mode
	commands  []command

	localised   *localizability.Map         // nil: targets are not judged by it
	expectation *localizability.Expectation // of localised, for the task under way
	truth       *truth.Truth                // nil: it is not followed
	resumption  resumption
	photo       *painter.Photo // below the maps of page and report; nil: none
	noPhoto     string
	clockSet    int64               // by which the clock of this computer has been set, as it was told, ns
	rasters     []*covariate.Raster // that the field may go with
	ending      *logbook.Report     // that is being written at the end of the mission; nil: none

	warnPiece ros.Throttle // of observations while the robot drives

	held     *task         // a decision that waits for team mates; nil: none
	wanted   bool          // a target is wanted, and none is being chosen
	unlogged bool          // the newest sample is not in the log yet
	took     time.Duration // of the last round of learning and deciding, by the wall clock
	working  bool          // a task is under way, or the record is being written
	finished bool
	rejected struct {
		transformed int64 // samples whose value the transform has no image of
		refused     int64 // samples that the model would not take
	}
}

// New starts the explorer on a node whose parameters are bound to cfg. The
// robot does not move before the mission is started. Commands come by [Explorer.Order]: package
// host takes them from people.
func New(node *ros.Node, cfg *settings.Config) (*Explorer, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	e := &Explorer{node: node, cfg: cfg, warnPiece: newThrottle(node)}
	if err := e.build(); err != nil {
		return nil, err
	}
	e.book.AddSettings(node.Name(), node.Parameters())
	found, err := e.book.Journal.Open()
	if err == nil && found != nil {
		err = e.takeUp(found)
	} else if err == nil {
		err = e.startKnowing()
	}
	if err == nil {
		err = e.join()
	}
	if err != nil {
		return nil, errors.Join(err, e.book.Journal.Abandon())
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
func (e *Explorer) build() error {
	cfg, node := e.cfg, e.node
	var inscribed float64
	var err error
	if e.ground, inscribed, err = cfg.Ground(node.Parameters(), node.Logger()); err != nil {
		return err
	}
	e.logGround()
	if e.sense, err = sense.New(node, cfg.Sense()); err != nil {
		return err
	}
	if e.team, err = team.New(node, cfg, e.ground.Outline().Boundary, team.Mission{
		Over: func() bool { return e.finished }, Learn: e.learnOfMate, Settled: e.heldDue,
	}); err != nil {
		return err
	}
	var used []record.Covariate
	if e.rasters, used, err = cfg.ReadCovariates(e.ground.Region(), node.Logger()); err != nil {
		return err
	}
	if e.optimizer, err = cfg.NewOptimizer(e.ground.Region()); err != nil {
		return err
	}
	e.localised = cfg.Localisation(e.ground.Outline())
	spacing := min(1, inscribed/50)
	if e.book, err = logbook.New(node, cfg, e.ground, used, spacing, func(reason string) { e.mode.journalBroken(reason) }); err != nil {
		return err
	}
	e.book.SetNoise(e.noiseRecord())
	if e.mode, err = newMode(e); err != nil {
		return err
	}
	if e.show, err = show.New(node, cfg, e.ground, e.rasters, used); err != nil {
		return err
	}
	if cfg.HasPage(node) || cfg.Report && cfg.OutputDir != "" {
		e.ReadPhoto()
	}
	cfg.Web.Token = "" // so that it is in no record, bag or parameter service
	e.sense.Located, e.sense.Moved = e.notePosition, e.newPose
	e.sense.Lost = func(p *localization.Pose) { e.localised.Refused(p.Stamp, orb.Point{p.X, p.Y}) }
	return nil
}

// ReadPhoto makes the photo of the field. It is not worth a mission: one that cannot be made is left out.
func (e *Explorer) ReadPhoto() {
	var err error
	if e.photo, err = e.cfg.Photo(e.ground.Outline().Boundary.Bound()); err != nil {
		e.noPhoto = err.Error()
		e.node.Logger().Warn(e.noPhoto)
	}
}

// NoPhoto says why a photo beside the field's file is left out, "" if none is.
func (e *Explorer) NoPhoto() string { return e.noPhoto }

// logGround logs the size of the field, and what makes it smaller for the robot than it is.
func (e *Explorer) logGround() {
	log := e.node.Logger()
	log.Info("the field: " + e.Extent())
	if why, _ := e.TightBudget(); why != "" {
		log.Warn(why)
	}
	if edge := e.ground.Outline().StdDev; edge > 0 {
		log.Info("the robot keeps farther from the edges of the field than field.margin, because field.file says that they are uncertain",
			"edge_stddev_m", edge, "field.margin", e.cfg.Field.Margin, "distance_m", e.ground.Region().Margin())
	}
}

// join joins the graph.
func (e *Explorer) join() error {
	if err := e.show.Open(); err != nil {
		return err
	}
	var err error
	if e.guard, err = drive.ListenGuard(e.node); err != nil {
		return err
	}
	if err := e.sense.Open(); err != nil {
		return err
	}
	e.commands = append(e.mode.commands(), command{word: "save", act: e.saveNow})
	if err := e.team.Open(); err != nil {
		return err
	}
	e.show.Outline()
	if e.cfg.Truth {
		if e.truth, err = truth.New(e.node, e.cfg, e.ground.Region(), e.book.Spacing()); err != nil {
			return err
		}
	}
	if err := e.startWatch(); err != nil {
		return err
	}
	e.node.OnShutdown(e.node.Executor().OnJump(e.jumped)) // the node may end before its executor
	e.node.OnShutdown(e.shutDown)
	for _, timer := range []struct {
		period float64 // s
		fn     func()
	}{
		{0.2, e.mode.watchTime},
		{0.2, e.sense.Expire},
		{0.2, e.heldDue},
		{e.cfg.GoalPeriod, e.mode.goalDue},
		{1, e.publish},
		{1, func() { e.show.Due(e.snapshot, e.mapped) }},
		{1, e.localise},
		{1, e.watchJournal},
		{1, e.watchClock},
		{1, e.book.Journal.WatchBags},
	} {
		if _, err := e.node.NewTimer(ros.Duration(timer.period), timer.fn); err != nil {
			return err
		}
	}
	return nil
}

// notePosition records the newest estimated position.
func (e *Explorer) notePosition(first bool) {
	at := e.sense.Place()
	if first && e.book.Record().Home == nil {
		e.setHome(at)
	}
	e.book.Track(at, e.sense.StdDev())
}

// newPose maps how well the robot knows its place, which it has reached by so many metres.
func (e *Explorer) newPose(metres float64) {
	at := e.sense.Pose()
	e.localised.Moved(at.Stamp, e.sense.Place(), (at.Cov[0][0]+at.Cov[1][1])/2, metres)
	e.mode.newPose(metres)
}

// localise puts into the map of localisation, and notes, how well the robot has known its place
// since the last call: a resumed mission has the same map.
func (e *Explorer) localise() {
	now := e.node.Now()
	if seen := e.localised.Take(now); len(seen) > 0 {
		e.book.Journal.Note(journal.Localised{Stamp: now, Seen: seen})
	}
}

// watchJournal tries to write a journal that could not be written, and tells the mission when it succeeds.
func (e *Explorer) watchJournal() {
	if !e.book.Watch(e.mode.status()) {
		return
	}
	e.book.NoteStatus(e.snapshot)
	if !e.book.Journal.Stuck() {
		e.mode.journalMended()
	}
}

// setHome makes a place the robot's home, unless another one is configured.
func (e *Explorer) setHome(home orb.Point) {
	if len(e.cfg.Home) == 2 {
		home = orb.Point(e.cfg.Home)
	}
	// Nav2 drives to the free cells of ~/keepout only. Where a robot in the nearest one would not count
	// as home, that is home instead.
	if e.cfg.Interface == settings.GoalAction && !e.cfg.Passive {
		free := e.ground.Allowed(home)
		if d := math.Hypot(home[0]-free[0], home[1]-free[1]); d > e.cfg.Mission.HomeTolerance/2 {
			e.node.Logger().Warn("home lies outside the field or within field.margin of its edge, where Nav2 does not go: the robot returns to the free place nearest to it",
				"home_x_m", home[0], "home_y_m", home[1], "x_m", free[0], "y_m", free[1], "apart_m", d)
			home = free
		}
	}
	e.ground.SetHome(home)
	e.book.SetHome(home)
}

// HomeDistance returns the drivable distance home from where the robot is, m; ok is false while that
// is not known.
func (e *Explorer) HomeDistance() (metres float64, ok bool) {
	return e.ground.HomeDistance(e.sense.Place()), e.sense.HasPose()
}

// timeKnown reports whether the time is known. With use_sim_time it is not before the
// first message on /clock; a mission that began earlier would seem decades old after it.
func (e *Explorer) timeKnown() bool { return e.now() > 0 }

// now returns the node's time, ns.
func (e *Explorer) now() int64 { return e.node.Now() }

// jumped adjusts times after the clock was set, for example when a simulation restarts.
func (e *Explorer) jumped(j exec.Jump) {
	if e.resumption.pending || j.From == 0 { // there was no time before
		return
	}
	by := j.To - j.From
	e.mode.clockChanged(by)
	e.localised.Shift(by)
	e.team.ClockChanged(by, j.To)
	if by < 0 {
		e.sense.SetBack()
		e.book.Journal.BeginBag() // in a bag time goes on
	}
}

// watchClock tells that the clock was set. Nothing else of the mission depends on that.
func (e *Explorer) watchClock() {
	set := e.node.ClockSet()
	by := set - e.clockSet
	if e.clockSet = set; by != 0 {
		e.node.Logger().Warn("the clock of this computer was set: stamps follow it, durations and budgets do not", "by_s", time.Duration(by).Seconds())
	}
	if by < 0 {
		e.book.Journal.BeginBag()
	}
}

// seen compares a reading that is part of an observation with the truth.
func (e *Explorer) seen(m localization.Observation) {
	e.truth.Compare(m)
}

// AddSettings puts the parameters of another node into the record.
func (e *Explorer) AddSettings(node string, set *param.Set) { e.book.AddSettings(node, set) }

// Finished reports whether the mission is over and its record written.
func (e *Explorer) Finished() bool { return e.finished && !e.working && !e.show.Busy() }

// State returns the mission's state.
func (e *Explorer) State() mission.State { return e.mode.state() }

// Status says in a line what the mission is doing.
func (e *Explorer) Status() string { return show.Line(e.mode.state(), e.mode.text()) }

// Waiting says what a mission waits for that has not begun, "" for one that has.
func (e *Explorer) Waiting() string {
	waits, _ := e.mode.lacks()
	return waits
}

// wantedPose says which pose is waited for while there is none.
func (e *Explorer) wantedPose() string {
	if refusal := e.sense.Refusal(); refusal != nil {
		return "a pose that can be used: " + refusal.Error()
	}
	return "a pose"
}

// Err returns why the mission's record could not be written, nil when it could.
func (e *Explorer) Err() error { return e.book.Err() }

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
	case e.book.Journal.Begun(), len(e.book.Record().Observations) > 0, !e.cfg.Passive && e.State() != mission.StateIdle:
		return "a mission is under way (" + e.Status() + ")"
	}
	return ""
}

// End ends the mission. If the explorer is passive, the readings since the last observation make one more,
// and the record is written when the model has seen it.
func (e *Explorer) End(reason string) { e.mode.end(reason) }

func stampSeconds(ns int64) float64 { return float64(ns) / 1e9 }

// mode is what an explorer does with poses, observations and decisions: it sends the robot on a mission, in
// which it samples where the robot stops ([stops]) or while it drives ([driving]), or it observes from
// wherever the robot goes ([passive]).
type mode interface {
	// state returns what the mission is doing. It costs next to nothing, as it is asked
	// for with every message.
	state() mission.State
	status() mission.Status
	// text returns the status in one line for people.
	text() string
	// rest returns what is left of the mission; ok is false while nothing is known of its end.
	rest() (rest mission.Rest, ok bool)
	// publicState returns the state as others see it.
	publicState() mission.State
	// lacks returns what a mission waits for that has not begun, and what a person is to do for it to go
	// on; each is "" for nothing.
	lacks() (waits, advice string)
	// plan returns the path that the page shows, m; nil: none.
	plan() []record.Place
	commands() []command
	// offers returns the words of the commands without a place that do something now.
	offers() []string
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
	// refusal returns why a mission that starts by itself does not, "" if it may.
	refusal() string
	// journalBroken tells that the journal cannot be written, and journalMended that it can again.
	journalBroken(reason string)
	journalMended()
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
func newMode(e *Explorer) (mode, error) {
	switch {
	case e.cfg.Passive:
		return newPassive(e)
	case e.cfg.Continuous():
		return newDriving(e)
	}
	return newStops(e)
}
