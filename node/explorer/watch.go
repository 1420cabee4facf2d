package explorer

import (
	"log/slog"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
)

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
	if c.cfg.OutputDir != "" {
		w.Notice("size of mission.json", func() string {
			if c.finished {
				return ""
			}
			return c.memory.nearlyTooLarge()
		})
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
