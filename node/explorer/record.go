package explorer

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/export"
	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
	"ugp_explorer/node/report"
	"ugp_explorer/planner/covariate"
	"ugp_explorer/planner/surface"
)

// finish ends the mission. The record is written after the model has learnt the last
// sample.
func (e *Explorer) finish(reason string) {
	e.memory.record.Outcome = reason
	e.finished = true
	e.logLine("%s", e.snapshot().End(reason))
	if !e.working {
		e.save()
	}
}

// SetSource adds the description of a replayed bag to the record.
func (e *Explorer) SetSource(s *record.Source) { e.memory.record.Source = s }

// Record returns the mission's present record. The result shares the record's slices.
func (e *Explorer) Record() *record.Mission {
	status := e.mode.status()
	m := e.memory.record
	m.Settings = e.memory.settings
	m.Distance, m.SimulatedTime = status.UsedDistance, status.UsedDuration
	m.Budget = record.Budget{Samples: status.Budget.Samples, Distance: status.Budget.Distance, Time: status.Budget.Duration}
	m.WallTime = e.cfg.Wall().Sub(e.memory.startWall).Seconds()
	if m.Outcome == "" {
		m.Outcome = "interrupted while " + string(status.State)
	}
	m.Counts, m.Covariates = e.counted(), e.explained()
	m.Models = nil
	for _, k := range e.optimizer.Learnt().Mixture {
		m.Models = append(m.Models, record.Model{Weight: k.Weight, Hyper: record.HyperOf(k.Model.Hyper())})
	}
	m.Truth, m.Consistency = e.truth.Evaluate(&m), e.truth.Consistency()
	return &m
}

// counted returns all counts by name.
func (e *Explorer) counted() map[string]int64 {
	counts := map[string]int64{}
	for _, t := range e.tally() {
		counts[t.Name] = t.N
	}
	return counts
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
		{"readings matched", int64(matched.Matched)},
		{"readings while not sampling", n.Idle},
		{"readings before the stop", n.Early},
		{"readings without a variance", n.NoVariance},
		{"readings with a stray stamp", n.Stamps},
		{"readings older than every pose", int64(matched.TooEarly)},
		{"readings in a gap between poses", int64(matched.Gap)},
		{"readings whose pose never came", int64(matched.TimedOut)},
		{"readings beyond the queue", int64(matched.Overflow)},
		{"readings lost to a reset of time", int64(matched.Reset)},
		{"readings not finite", int64(matched.Invalid)},
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
		counts[i] = show.Count{Name: c.name, N: c.n + e.memory.countsBefore[c.name]}
	}
	return counts
}

// written reports whether the folder has all that is to be written of the mission.
func (e *Explorer) written() bool {
	return e.cfg.OutputDir == "" || e.memory.saved || e.memory.kept || len(e.memory.record.Observations) == 0
}

// save writes the record and the report concurrently with the callbacks, at the end of the
// mission after the last maps are published. A mission without a sample writes nothing and
// leaves an earlier mission's record in the folder unchanged.
func (e *Explorer) save() {
	if e.show.Busy() { // save is called again when it ends
		return
	}
	if e.written() {
		e.memory.saved = e.memory.saved || e.memory.kept
		e.logResult("")
		e.memory.noteStatus() // it says why the mission is over
		e.memory.noteSaved()
		return
	}
	e.working = true // Finished waits until it is false
	r := e.newReport()
	e.ending = r
	var err, exportErr error
	e.node.Async(func() { err, exportErr = r.write(e.cfg) }, func() {
		e.working, e.ending = false, nil
		e.memory.err, e.memory.record.Survey = e.memory.notWritten(err), r.mission.Survey
		if err != nil {
			e.node.Logger().Error("the record could not be written", "error", e.memory.err.Error())
			return
		}
		if exportErr != nil { // the record has all that they are made of
			e.node.Logger().Error("the results for other software could not be written; ugp export writes them, too", "error", exportErr.Error())
		}
		e.memory.saved = true
		e.memory.noteSaved()
		e.logResult(e.cfg.OutputDir)
	})
}

// fullReport is a snapshot of all data in the report of a mission.
type fullReport struct {
	mission *record.Mission
	tracks  record.Tracks
	field   *surface.GridField // true field; nil: not known
	mapping *show.Mapping
	photo   *painter.Photo
	rasters []*covariate.Raster

	maps    record.Maps // set by complete, with the true field
	written bool        // with the record and the results for other software
}

func (e *Explorer) newReport() *fullReport {
	r := &fullReport{mission: e.Record(), tracks: e.memory.tracks, mapping: e.show.Mapping(e.snapshot()), photo: e.photo, rasters: e.rasters}
	r.field, r.tracks.True = e.truth.Field()
	return r
}

// complete computes the maps and the statistics derived from them. It does not access the
// node.
func (r *fullReport) complete() error {
	var err error
	if r.maps, err = r.mapping.Maps(r.field); err != nil {
		return err
	}
	r.mission.Survey = r.maps.Survey(r.mission.Transform, r.mission.Threshold)
	return nil
}

// write writes the record, the report if one is wanted, and the results for other software, whose
// error is apart. The record is complete on the disk before anything else, so that an error in the
// report cannot lose a sample.
func (r *fullReport) write(cfg *settings.Config) (err, exportErr error) {
	if err = r.complete(); err == nil {
		err = writeRecord(cfg.OutputDir, r.mission)
	}
	var results export.Results
	if err == nil && cfg.Export && len(r.mapping.Mixture) > 0 {
		var surface export.Surface
		if surface, exportErr = export.Posterior(r.mapping.Mixture, r.mapping.QueryCov); exportErr == nil {
			o := export.DefaultOptions(r.mission)
			o.Track, o.Rasters = r.tracks.Estimated, r.rasters
			results, exportErr = export.Write(filepath.Join(cfg.OutputDir, export.Folder), r.mission, surface, o)
		}
	}
	if err == nil && cfg.Report {
		err = report.Write(cfg.OutputDir, r.mission, &r.maps, &r.tracks, results, r.photo)
	}
	r.written = err == nil && exportErr == nil
	return err, exportErr
}

func writeRecord(dir string, m *record.Mission) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("output_dir: %w", err)
	}
	return m.WriteJSON(dir + "/mission.json")
}

// Survey returns how well the whole field is known, nil before there is a model. It uses neither
// the graph nor the executor.
func (e *Explorer) Survey() (*record.Survey, error) {
	if len(e.memory.record.Observations) == 0 {
		return nil, nil
	}
	r := e.newReport()
	err := r.complete()
	return r.mission.Survey, err
}

// Answer returns what the mission has found so far. Like Survey it may compute the maps anew.
func (e *Explorer) Answer() record.Answer {
	r := e.newReport()
	if r.complete() != nil {
		return r.mission.Answer(nil)
	}
	return r.mission.Answer(&r.maps)
}

// WriteReport writes the record, and the report of an interrupted mission. It
// does nothing if the report exists already or is disabled, or if there are no samples. It
// uses neither the graph nor the executor and may be called after both are closed.
func (e *Explorer) WriteReport() error {
	if e.written() {
		return nil
	}
	if r := e.ending; r != nil && r.written { // the shutdown came meanwhile, and wrote a record that does not have the survey
		e.memory.record.Survey = r.mission.Survey
		return e.memory.notWritten(writeRecord(e.cfg.OutputDir, e.Record()))
	}
	if !e.cfg.Report {
		return nil
	}
	r := e.newReport()
	err, exportErr := r.write(e.cfg)
	e.memory.record.Survey = r.mission.Survey
	return cmp.Or(e.memory.notWritten(err), exportErr)
}

// shutDown stops the robot and saves all samples. It is the last thing that the explorer
// does.
func (e *Explorer) shutDown() {
	e.mode.standStill()
	defer func() { e.memory.close(e.finished) }()
	if e.written() {
		return
	}
	if err := writeRecord(e.cfg.OutputDir, e.Record()); err != nil {
		e.memory.err = e.memory.notWritten(err)
		e.node.Logger().Error("the record could not be written", "error", e.memory.err.Error())
	}
}

// logResult tells what the mission has found and where it is written, once.
func (e *Explorer) logResult(folder string) {
	if best := e.snapshot().Best(); best != "" && !e.memory.resultLogged {
		e.logLine("best place found: %s", best)
	}
	e.memory.resultLogged = true
	if folder != "" {
		e.logLine("record and report: %s", folder)
	}
}

// explained returns the mission's rasters with what each explains by now.
func (e *Explorer) explained() []record.Covariate {
	list := slices.Clone(e.memory.record.Covariates)
	if known := e.optimizer.Learnt().Mixture; len(list) > 0 && len(known) > 0 {
		for i, x := range known.Explained() {
			c := &list[i]
			c.Weight, c.WeightStdDev, c.Share, c.ShareStdDev = x.Mean, x.StdDev, x.Share, x.ShareStdDev
		}
	}
	return list
}
