// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package logbook

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/export"
	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/report"
	"ugp_explorer/planner/surface"
)

// complete reports whether everything about the mission is written to the folder.
func (l *Logbook) complete() bool {
	return l.cfg.OutputDir == "" || l.saved || l.kept || len(l.record.Observations) == 0
}

// Mission returns the record of a snapshot. It shares its slices with the logbook.
func (l *Logbook) Mission(s *show.Snapshot) *record.Mission {
	m, at := l.Now(), &s.Mission
	m.Distance, m.SimulatedTime = at.UsedDistance, at.UsedDuration
	m.Budget = record.Budget{Samples: at.Budget.Samples, Distance: at.Budget.Distance, Time: at.Budget.Duration}
	m.WallTime = l.cfg.Wall().Sub(l.startWall).Seconds()
	if m.Outcome == "" {
		m.Outcome = "interrupted while " + string(at.State)
	}
	m.Counts, m.Models = l.counts(), nil
	for _, k := range s.Known.Mixture {
		m.Models = append(m.Models, record.Model{Weight: k.Weight, Hyper: record.HyperOf(k.Model.Hyper())})
	}
	s.Explain(&m)
	return &m
}

// counts returns all counts by name.
func (l *Logbook) counts() map[string]int64 {
	counts := map[string]int64{}
	for _, c := range l.mission.Counts() {
		counts[c.Name] = c.N
	}
	return counts
}

// Report is a snapshot of all data in the report of a mission.
type Report struct {
	Mission *record.Mission
	Tracks  record.Tracks
	Field   *surface.GridField // true field; nil: not known
	Mapping *show.Mapping
	Photo   *painter.Photo

	maps    record.Maps // set by Complete, with the true field
	Written bool        // with the record and the results for other software

	replaced bool // in the meantime, a shutdown has written a record without the survey
}

// Complete computes the maps, and the statistics derived from them, which it adds to the record. It does not access
// the node.
func (r *Report) Complete() (*record.Maps, error) {
	var err error
	if r.maps, err = r.Mapping.Maps(r.Field); err != nil {
		return nil, err
	}
	r.Mission.Survey = r.maps.Survey(r.Mission.Transform, r.Mission.Threshold)
	r.Mission.Also = r.Mapping.Record.Also
	return &r.maps, nil
}

// write writes the record, the report, and the results for other software, which have a separate error. The record is
// complete on the disk before anything else, so that an error in the report cannot lose a sample.
func (r *Report) write(cfg *settings.Config) (err, exportErr error) {
	if _, err = r.Complete(); err == nil {
		err = WriteRecord(cfg.OutputDir, r.Mission)
	}
	var results export.Results
	if err == nil && len(r.Mapping.Mixture) > 0 {
		var surface export.Surface
		if surface, exportErr = export.Posterior(r.Mapping.Mixture, r.Mapping.QueryCov); exportErr == nil {
			o := export.DefaultOptions(r.Mission)
			o.Track, o.Beside = r.Tracks.Estimated, r.Mapping.Beside
			results, exportErr = export.Write(filepath.Join(cfg.OutputDir, export.Folder), r.Mission, surface, o)
		}
	}
	if err == nil {
		err = report.Write(cfg.OutputDir, r.Mission, &r.maps, &r.Tracks, results, r.Photo)
	}
	r.Written = err == nil && exportErr == nil
	return err, exportErr
}

// WriteRecord writes a record to a folder.
func WriteRecord(dir string, m *record.Mission) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("output_dir: %w", err)
	}
	return m.WriteJSON(dir + "/mission.json")
}

// Saved reports whether the record on the disk is the newest.
func (d *draft) Saved() bool { return d.saved }

// Finish ends the journal of a mission that is over, and before that writes the record and the report concurrently with
// the callbacks. A mission without a sample writes nothing, and leaves an earlier mission's record in the folder
// unchanged.
func (l *Logbook) Finish() {
	if l.complete() {
		l.NoteStatus() // it says why the mission is over
		l.end("")
		return
	}
	r := l.mission.Report()
	l.writing = r
	var err, exportErr error
	l.node.Async(func() { err, exportErr = r.write(l.cfg) }, func() {
		if r.replaced {
			return // WriteReport follows
		}
		l.writing = nil
		if l.err = l.take(r, err); l.err != nil {
			l.node.Logger().Error("the record could not be written", "error", l.err.Error())
			return
		}
		if exportErr != nil { // the record has all their data
			l.node.Logger().Error("the results for other software could not be written; ugp export can write them", "error", exportErr.Error())
		}
		l.saved = true
		l.end(l.cfg.OutputDir)
	})
}

// Writing reports whether the record and the report are being written.
func (l *Logbook) Writing() bool { return l.writing != nil }

// end logs the mission's result and folder, once, and ends the journal.
func (l *Logbook) end(folder string) {
	if best := show.Best(&l.record); !l.resultLogged && best != "" {
		l.node.Logger().Info("best place found: " + best)
	}
	l.resultLogged = true
	if folder != "" {
		l.node.Logger().Info("record and report: " + folder)
	}
	l.saved = l.saved || l.kept
	l.Journal.Note(journal.Saved{Stamp: l.node.Now()})
	if !l.Journal.stuck {
		l.Close(false)
	}
}

// WriteReport writes the record, and the report of an interrupted mission unless there is one, or there
// are no samples. It does not use the node.
func (l *Logbook) WriteReport() error {
	if l.complete() {
		return nil
	}
	if r := l.writing; r != nil && r.Written { // the shutdown came meanwhile, and wrote a record that does not have the survey
		m := l.mission.Report().Mission
		m.Survey, m.Also = r.Mission.Survey, r.Mission.Also
		return l.take(r, WriteRecord(l.cfg.OutputDir, m))
	}
	r := l.mission.Report()
	err, exportErr := r.write(l.cfg)
	return cmp.Or(l.take(r, err), exportErr)
}

// take adds the statistics of a report to the record, and completes the error with which it could not be written.
func (l *Logbook) take(r *Report, err error) error {
	l.record.Survey, l.record.Also = r.Mission.Survey, r.Mission.Also
	return l.notWritten(err)
}

// Save writes the record of an interrupted mission.
func (l *Logbook) Save() {
	if l.complete() {
		return
	}
	if l.writing != nil {
		l.writing.replaced = true
	}
	if err := WriteRecord(l.cfg.OutputDir, l.mission.Report().Mission); err != nil {
		l.err = l.notWritten(err)
		l.node.Logger().Error("the record could not be written", "error", l.err.Error())
	}
}

// notWritten completes the error of a record that could not be written, nil for none: it says
// whether the journal on the disk has the samples.
func (l *Logbook) notWritten(err error) error {
	if err == nil {
		return nil
	}
	n := len(l.record.Observations)
	if found, failed := journal.Read(l.cfg.OutputDir); failed != nil || len(found.Observations) < n {
		return fmt.Errorf("the samples are not saved: %w", err)
	}
	return fmt.Errorf("the results are not written, but all samples (%d) are saved in %s, from which the explorer writes them when it is started again with this output_dir: %w",
		n, filepath.Join(l.cfg.OutputDir, journal.FileName), err)
}
