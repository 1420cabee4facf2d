package explorer

import "ugp_explorer/planner/mission"

// atFirstPose is what an active explorer does by itself with the first pose.
type atFirstPose struct {
	start     bool // the mission starts
	resumable bool // the mission of an earlier run waits for the command resume
	resume    bool // it continues; resumable is true then
	halt      bool // the robot is told to stay: it may still drive to the goal of an earlier run
	said      bool // the log says that the mission waits for the command start
}

// changed takes up a new state of the mission: one that a person has resumed, sent home or
// stopped, or that has met a fault, does not continue by itself any more.
func (d *atFirstPose) changed(state mission.State) {
	d.resumable = d.resumable && state == mission.StatePaused
	d.resume = d.resume && d.resumable
}

// doAtFirstPose does what waited for a pose, now that there is one.
func (a *active) doAtFirstPose() {
	e, d := a.e, &a.atFirstPose
	if d.halt && !e.resumption.pending {
		d.halt = false
		if !a.state().Active() {
			a.halt()
		}
	}
	if next := a.next(); next != "" && !d.said {
		d.said = true
		e.node.Logger().Info("the mission waits for a person: " + next)
	}
	if !d.start && !d.resume || a.driver.Missing() != "" || !a.driver.Settled() {
		return
	}
	if d.start && e.timeKnown() {
		d.start = false
		a.start()
	}
	if d.resume && !e.resumption.pending {
		d.resume = false
		a.tell(mission.EventResume{Stamp: a.now()})
	}
}
