package explorer

import (
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/planner"
	"ugp_explorer/planner/mission"
)

// mode is what an explorer does with poses, observations and decisions: it sends the
// robot on a mission (active), or observes from wherever the robot goes (passive).
type mode interface {
	// open advertises what only this mode publishes.
	open() error

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
	commands() []command

	// reads reports whether readings have to come now.
	reads() bool
	// expectGoal starts the checks of who receives the goal, while want says that somebody
	// must; expectOthers starts those of others who send goals.
	expectGoal(w *watch.Watch, want func() watch.Want)
	expectOthers(*watch.Watch)
	// rival returns who else sends the robot about, "" for nobody.
	rival() string

	// tick lets time pass, and goalDue the goal's period.
	watchTime()
	goalDue()
	// clockChanged tells that the clock was set by so many ns.
	clockChanged(by int64)
	// newPose tells that there is a newer pose, metres of driving after the one before.
	newPose(metres float64)
	// mateSampled tells that a team mate's observation is known.
	mateSampled()
	// broken tells that the journal cannot be written, and mended that it can again.
	broken(reason string)
	mended()
	// standStill makes a robot that is being driven stay where it is, before the program ends.
	standStill()

	// wantsTarget reports whether a target is wanted, and none is being chosen.
	wantsTarget() bool
	// wish returns what the job t is to decide, which then is being chosen; nil: nothing.
	wish(t *task) *planner.Wish
	// learnt tells that the model knows all samples of a job.
	learnt(t *task)
	// failed tells that a job has failed.
	failed(t *task)
	// decided takes up what a job has decided.
	decided(t *task)
	// learnsAtOnce reports whether samples that the last job did not know are to be learnt
	// at once.
	learnsAtOnce() bool

	// restore goes on with a mission of an earlier run, and returns where it stands.
	restore(found *journal.State) (mission.Status, error)
	// resume goes on from the present time, gap ns after the mission was heard of last;
	// counted is false when that time is not known, and not spent.
	resume(s mission.Status, gap int64, counted bool) error
}

var (
	_ mode = (*active)(nil)
	_ mode = (*passive)(nil)
)
