package explorer

import (
	"cmp"
	"fmt"
	"log/slog"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/node/web"
	"ugp_explorer/planner/mission"
)

// facts returns the part of a snapshot that needs neither the graph nor the executor.
func (e *Explorer) facts() *show.Snapshot {
	return &show.Snapshot{
		Mission: e.mode.status(), Record: e.book.Now(), Known: *e.optimizer.Learnt(), QueryCov: e.optimizer.QueryCov(), Counts: e.tally(),
	}
}

// snapshot returns the mission as it is now.
func (e *Explorer) snapshot() *show.Snapshot {
	s := e.facts()
	s.State, s.Text, s.Trouble = e.mode.publicState(), e.mode.text(), e.Trouble()
	s.Waits, s.Advice = e.mode.lacks()
	s.Guard, _ = e.guard.Text()
	s.Over = e.Finished()
	s.Files = s.Over && e.book.Saved() && e.cfg.OutputDir != ""
	return s
}

// closeUp returns a snapshot with what diagnostics and the page show besides.
func (e *Explorer) closeUp() *show.Snapshot {
	s := e.snapshot()
	s.Close = &show.CloseUp{Checked: e.Watched(), Took: e.took}
	if rest, ok := e.mode.rest(); ok {
		s.Close.Rest = &rest
	}
	return s
}

// Snapshot returns what the page shows, see [settings.Config.HasPage].
func (e *Explorer) Snapshot() *web.Snapshot {
	s := e.closeUp()
	c := s.Close
	c.Offers, c.Plan, c.Track, c.Robot = e.mode.offers(), e.mode.plan(), e.book.Tracks().Estimated, show.Robot(e.sense)
	if c.Field, _ = e.truth.Field(); s.Record.LooksForBest() {
		c.Truth = e.truth.Evaluate(&s.Record)
	}
	return e.show.Page(s, e.photo)
}

func (e *Explorer) publishStatus() { e.show.Status(e.snapshot()) }

func (e *Explorer) publishSamples() { e.show.Samples(e.book.Record().Observations) }

func (e *Explorer) publishMaps() { e.show.Maps(e.snapshot(), e.mapped) }

// mapped takes up that maps are published: new samples may have come meanwhile, and the record may wait for the maps.
func (e *Explorer) mapped() {
	if e.show.MapsDue() {
		e.publishMaps()
	}
	if e.finished && !e.working && !e.book.Saved() {
		e.save()
	}
}

// publish publishes status and diagnostics.
func (e *Explorer) publish() {
	if !e.show.Diagnosed() && e.book.Journal.Bags.Status().Bag == "" {
		e.publishStatus()
		return
	}
	s := e.closeUp()
	e.show.Status(s)
	e.show.Diagnostics(s)
}

// Trouble returns the most urgent problem, "" if there is none.
func (e *Explorer) Trouble() string {
	guard, _ := e.guard.Text()
	return cmp.Or(e.unguarded(), guard, e.watch.Text())
}

// unguarded says that a guard that was there is gone, or "".
func (e *Explorer) unguarded() string { return e.unlessOver(e.guard.Gone)() }

// unlessOver returns a check that finds nothing wrong any more when the mission is over.
func (e *Explorer) unlessOver(check func() string) func() string {
	return func() string {
		if e.finished {
			return ""
		}
		return check()
	}
}

// Rest returns what the rest of the mission is expected to take; ok is false while no budget ends it.
func (e *Explorer) Rest() (rest mission.Rest, ok bool) { return e.mode.rest() }

// Watched returns everything that is checked, each with what is wrong with it: for /diagnostics, the
// page and ugp doctor.
func (e *Explorer) Watched() []diagnostic_msgs.DiagnosticStatus {
	all := e.watch.Diagnostics()
	if e.book.Journal.Bags.On() {
		all = append(all, e.book.Journal.Bags.Diagnostic())
	}
	return all
}

// startWatch starts the checks of what the mission needs from other nodes, in the order of
// urgency.
func (e *Explorer) startWatch() error {
	w, err := watch.New(e.node, e.publish)
	if err != nil {
		return err
	}
	e.watch = w
	untilDone := func(want watch.Want) watch.Want {
		if e.finished {
			return watch.WantNothing
		}
		return want
	}
	e.mode.watch(w, untilDone)
	if len(e.cfg.Team) > 0 {
		w.Condition("team", slog.LevelInfo, e.unlessOver(e.team.Unheard))
	}
	return nil
}

// watchExplorers starts the checks of other explorers in the place of this one. rival names one.
func (e *Explorer) watchExplorers(w *watch.Watch, rival func() string) {
	w.Condition("other explorers", slog.LevelWarn, func() string {
		for _, o := range e.show.Others() {
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
	w.Condition("guard's input", slog.LevelWarn, a.unlessOver(a.guard.Missing))
	w.Notice("guard", a.unlessOver(func() string {
		_, why := a.edge.Guarded(a.guard.Needs())
		return why
	}))
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

// logLine logs a line of the mission.
func (e *Explorer) logLine(format string, args ...any) {
	e.node.Logger().Info(fmt.Sprintf(format, args...))
}

// Refusal returns why a mission that starts by itself does not, once its position does not become more certain by waiting;
// "" otherwise.
func (e *Explorer) Refusal() string { return e.mode.refusal() }

// Extent says how large the field and its keep-outs are, see [show.Extent].
func (e *Explorer) Extent() string { return show.Extent(e.cfg, e.ground) }

// TightBudget says that the budgets keep the robot near its start, see [show.TightBudget].
func (e *Explorer) TightBudget() (why string, pointless bool) {
	return show.TightBudget(e.cfg, e.ground)
}
