package explorer

import (
	"cmp"
	"fmt"
	"log/slog"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/explorer/logbook"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/planner/mission"
)

// facts returns the part of a snapshot that needs neither the graph nor the executor.
func (p *parts) facts() *show.Snapshot {
	return &show.Snapshot{
		Mission: p.mission.Status(), Record: p.book.Now(), Known: *p.learner.Learnt(), QueryCov: p.learner.QueryCov(), Counts: p.tally(),
	}
}

// snapshot returns the mission as it is now.
func (p *parts) snapshot() *show.Snapshot {
	s := p.facts()
	s.State, s.Text, s.Trouble = p.state(), p.text(), p.trouble()
	s.Waits, s.Advice = p.lacks()
	s.Guard, _ = p.guard.Text()
	s.Over = p.over()
	s.Files = s.Over && p.book.Saved() && p.cfg.OutputDir != ""
	return s
}

// closeUp returns a snapshot with what diagnostics and the page show besides.
func (p *parts) closeUp() *show.Snapshot {
	s := p.snapshot()
	s.Close = &show.CloseUp{Checked: p.watched(), Took: p.took}
	if rest, ok := p.rest(); ok {
		s.Close.Rest = &rest
	}
	return s
}

// plan returns the path that the page shows, m; nil: none.
func (p *parts) plan() []record.Place {
	if p.pilot != nil {
		return p.pilot.Driver.Path()
	}
	if list := p.book.Record().Suggestions; len(list) > 0 {
		return []record.Place{p.sense.Place(), list[len(list)-1].Target}
	}
	return nil
}

// trouble returns the most urgent problem, "" if there is none.
func (p *parts) trouble() string {
	guard, _ := p.guard.Text()
	return cmp.Or(p.unguarded(), guard, p.watch.Text())
}

// watched returns everything that is checked, each with what is wrong with it.
func (p *parts) watched() []diagnostic_msgs.DiagnosticStatus {
	all := p.watch.Diagnostics()
	if p.book.Journal.Bags.On() {
		all = append(all, p.book.Journal.Bags.Diagnostic())
	}
	return all
}

// tally returns all counts, in a fixed order.
func (p *parts) tally() []show.Count {
	n := p.sense.Counts()
	others := []show.Count{
		{Name: "samples without a logarithm", N: p.learner.Transformed},
		{Name: "samples refused by the model", N: p.learner.Refused},
		{Name: "poses in another frame", N: n.Frames},
		{Name: "poses not usable", N: n.Poses},
		{Name: "poses out of order", N: n.OutOfOrder},
		{Name: "covariances accepted", N: int64(n.Covariances.Accepted)},
	}
	if unusable, repeated := p.team.Refused(); len(p.cfg.Team) > 0 {
		others = append(others, show.Count{Name: "observations of team mates not usable", N: unusable}, show.Count{Name: "observations of team mates repeated", N: repeated})
	}
	return p.book.Tally(&n, others...)
}

// arrival tells that the robot stands and samples.
func (p *parts) arrival() string {
	at, now := p.sense.Probe(), p.mission.Status()
	word := "arrived"
	if now.Drive == mission.DriveGivenUp {
		word = "standing"
	}
	return fmt.Sprintf("%s at %s, %s from target %d", word, show.Place(at), show.Metres(p.pilot.TargetDistance()), now.Samples+1)
}

// recorded returns the mission's present record. The result shares the record's slices.
func (p *parts) recorded() *record.Mission {
	m := p.book.Mission(p.facts())
	m.Truth, m.Consistency = p.truth.Evaluate(m), p.truth.Consistency()
	return m
}

func (p *parts) newReport() *logbook.Report {
	r := &logbook.Report{Mission: p.recorded(), Tracks: p.book.Tracks(), Mapping: p.show.Mapping(p.facts()), Photo: p.photo, Rasters: p.rasters}
	r.Field, r.Tracks.True = p.truth.Field()
	return r
}

func (l *loop) publishStatus() { l.show.Status(l.snapshot()) }

func (l *loop) publishSamples() { l.show.Samples(l.book.Record().Observations) }

func (l *loop) publishMaps() { l.show.Maps(l.snapshot(), l.mapped) }

// mapped takes up that maps are published: new samples may have come meanwhile, and the record may wait for the maps.
func (l *loop) mapped() {
	if l.show.MapsDue() {
		l.publishMaps()
	}
	if l.finished && !l.working && !l.book.Saved() {
		l.save()
	}
}

// publish publishes status and diagnostics.
func (l *loop) publish() {
	if !l.show.Diagnosed() && l.book.Journal.Bags.Status().Bag == "" {
		l.publishStatus()
		return
	}
	s := l.closeUp()
	l.show.Status(s)
	l.show.Diagnostics(s)
}

// save writes the record and the report concurrently with the callbacks, at the end of the
// mission after the last maps are published. A mission without a sample writes nothing and
// leaves an earlier mission's record in the folder unchanged.
func (l *loop) save() {
	if l.show.Busy() { // save is called again when it ends
		return
	}
	if l.book.Complete() {
		l.logResult("")
		l.book.NoteStatus(l.snapshot) // it says why the mission is over
		l.book.NoteSaved()
		return
	}
	l.working = true // over waits until it is false
	r := l.newReport()
	l.ending = r
	var err, exportErr error
	l.node.Async(func() { err, exportErr = r.Write(l.cfg) }, func() {
		l.working, l.ending = false, nil
		if l.book.Wrote(r, err, exportErr) {
			l.logResult(l.cfg.OutputDir)
		}
	})
}

// logResult tells what the mission has found and where it is written, once.
func (l *loop) logResult(folder string) {
	if best := l.facts().Best(); l.book.TellsResult() && best != "" {
		l.logLine("best place found: %s", best)
	}
	if folder != "" {
		l.logLine("record and report: %s", folder)
	}
}

// startWatch starts the checks of what the mission needs from other nodes, in the order of
// urgency.
func (l *loop) startWatch() (err error) {
	if l.watch, err = watch.New(l.node, l.publish); err != nil {
		return err
	}
	w := l.watch
	untilDone := func(want watch.Want) watch.Want {
		if l.finished {
			return watch.WantNothing
		}
		return want
	}
	w.Condition("other explorers", slog.LevelWarn, func() string {
		for _, o := range l.show.Others() {
			return o.Owner() + " publishes " + o.Name + " too: two explorers have the same name, or one was killed just now; stop one or change its name or namespace"
		}
		if l.pilot == nil { // another explorer may well drive the robot
			return ""
		}
		return l.pilot.Rival()
	})
	l.sense.WatchPoses(w, untilDone)
	if l.pilot != nil {
		l.pilot.Driver.Watch(w, func() watch.Want { return untilDone(watch.WantMatch) })
	}
	l.sense.WatchReadings(w, untilDone)
	if l.pilot != nil {
		l.pilot.Watch(w, l.guard, l.unlessOver)
	}
	if len(l.cfg.Team) > 0 {
		w.Condition("team", slog.LevelInfo, l.unlessOver(l.team.Unheard))
	}
	return nil
}
