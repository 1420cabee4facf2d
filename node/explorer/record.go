package explorer

import (
	"cmp"

	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/logbook"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
)

// finish ends the mission. The record is written after the model has learnt the last
// sample.
func (e *Explorer) finish(reason string) {
	e.book.SetOutcome(reason)
	e.finished = true
	e.logLine("%s", e.snapshot().End(reason))
	if !e.working {
		e.save()
	}
}

// SetSource adds the description of a replayed bag to the record.
func (e *Explorer) SetSource(s *record.Source) { e.book.SetSource(s) }

// Record returns the mission's present record. The result shares the record's slices.
func (e *Explorer) Record() *record.Mission {
	m := e.book.Mission(e.facts())
	m.Truth, m.Consistency = e.truth.Evaluate(m), e.truth.Consistency()
	return m
}

// tally returns all counts, in a fixed order.
func (e *Explorer) tally() []show.Count {
	n := e.sense.Counts()
	matched, covariances := n.Matched, n.Covariances
	type count struct {
		name string
		n    int64
	}
	list := []count{
		{record.CountMatched, int64(matched.Matched)},
		{record.CountIdle, n.Idle},
		{"readings before the stop", n.Early},
		{record.CountNoVariance, n.NoVariance},
		{record.CountOutside, n.Outside},
		{record.CountStrayStamp, n.Stamps},
		{record.CountOlderThanPoses, int64(matched.TooEarly)},
		{record.CountGap, int64(matched.Gap)},
		{record.CountNoPose, int64(matched.TimedOut)},
		{record.CountBeyondQueue, int64(matched.Overflow)},
		{record.CountReset, int64(matched.Reset)},
		{record.CountBadVariance, int64(matched.Invalid)},
		{"samples without a logarithm", e.rejected.transformed},
		{"samples refused by the model", e.rejected.refused},
		{"poses in another frame", n.Frames},
		{"poses not usable", n.Poses},
		{"poses out of order", n.OutOfOrder},
		{"covariances accepted", int64(covariances.Accepted)},
	}
	if unusable, repeated := e.team.Refused(); len(e.cfg.Team) > 0 {
		list = append(list, count{"observations of team mates not usable", unusable}, count{"observations of team mates repeated", repeated})
	}
	for k := localization.NotFinite; k <= localization.Substituted; k++ {
		list = append(list, count{"covariances: " + k.String(), int64(covariances.ByKind[k])})
	}
	counts := make([]show.Count, len(list))
	for i, c := range list {
		counts[i] = show.Count{Name: c.name, N: c.n + e.book.CountBefore(c.name)}
	}
	return counts
}

// save writes the record and the report concurrently with the callbacks, at the end of the
// mission after the last maps are published. A mission without a sample writes nothing and
// leaves an earlier mission's record in the folder unchanged.
func (e *Explorer) save() {
	if e.show.Busy() { // save is called again when it ends
		return
	}
	if e.book.Complete() {
		e.logResult("")
		e.book.NoteStatus(e.snapshot) // it says why the mission is over
		e.book.NoteSaved()
		return
	}
	e.working = true // Finished waits until it is false
	r := e.newReport()
	e.ending = r
	var err, exportErr error
	e.node.Async(func() { err, exportErr = r.Write(e.cfg) }, func() {
		e.working, e.ending = false, nil
		if e.book.Wrote(r, err, exportErr) {
			e.logResult(e.cfg.OutputDir)
		}
	})
}

func (e *Explorer) newReport() *logbook.Report {
	r := &logbook.Report{Mission: e.Record(), Tracks: e.book.Tracks(), Mapping: e.show.Mapping(e.facts()), Photo: e.photo, Rasters: e.rasters}
	r.Field, r.Tracks.True = e.truth.Field()
	return r
}

// Survey returns how well the whole field is known, nil before there is a model. It uses neither
// the graph nor the executor.
func (e *Explorer) Survey() (*record.Survey, error) {
	if len(e.book.Record().Observations) == 0 {
		return nil, nil
	}
	r := e.newReport()
	_, err := r.Complete()
	return r.Mission.Survey, err
}

// Answer returns what the mission has found so far. Like Survey it may compute the maps anew.
func (e *Explorer) Answer() record.Answer {
	r := e.newReport()
	maps, _ := r.Complete() // nil with an error
	return r.Mission.Answer(maps)
}

// WriteReport writes the record, and the report of an interrupted mission. It
// does nothing if the report exists already or is disabled, or if there are no samples. It
// uses neither the graph nor the executor and may be called after both are closed.
func (e *Explorer) WriteReport() error {
	if e.book.Complete() {
		return nil
	}
	if r := e.ending; r != nil && r.Written { // the shutdown came meanwhile, and wrote a record that does not have the survey
		m := e.Record()
		m.Survey = r.Mission.Survey
		return e.book.Take(r, logbook.WriteRecord(e.cfg.OutputDir, m))
	}
	if !e.cfg.Report {
		return nil
	}
	r := e.newReport()
	err, exportErr := r.Write(e.cfg)
	return cmp.Or(e.book.Take(r, err), exportErr)
}

// shutDown stops the robot and saves all samples. It is the last thing that the explorer
// does.
func (e *Explorer) shutDown() {
	e.mode.standStill()
	if !e.book.Complete() {
		e.book.Save(e.Record())
	}
	interrupted := e.snapshot
	if e.finished {
		interrupted = nil
	}
	e.book.Close(interrupted)
}

// logResult tells what the mission has found and where it is written, once.
func (e *Explorer) logResult(folder string) {
	if best := e.facts().Best(); e.book.TellsResult() && best != "" {
		e.logLine("best place found: %s", best)
	}
	if folder != "" {
		e.logLine("record and report: %s", folder)
	}
}
