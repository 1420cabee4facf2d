package explorer

import (
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/planner"
	"ugp_explorer/planner/mission"
)

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
