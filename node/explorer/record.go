package explorer

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"ugp_explorer/localization"
	"ugp_explorer/node/export"
	"ugp_explorer/node/record"
	"ugp_explorer/node/report"
	"ugp_explorer/planner/surface"
)

// finish ends the mission. The record is written after the model has learnt the last
// sample.
func (c *core) finish(reason string) {
	c.memory.record.Outcome = reason
	c.finished = true
	c.logEnd(reason)
	if !c.working {
		c.save()
	}
}

// SetSource adds the description of a replayed bag to the record.
func (e *Explorer) SetSource(s *record.Source) { e.memory.record.Source = s }

// Record returns the mission's present record. The result shares the record's slices.
func (e *Explorer) Record() *record.Mission { return e.presentRecord() }

func (c *core) presentRecord() *record.Mission {
	status := c.mode.status()
	m := c.memory.record
	m.Settings = c.memory.settings
	m.Distance, m.SimulatedTime = status.UsedDistance, status.UsedDuration
	m.WallTime = c.cfg.Wall().Sub(c.memory.startWall).Seconds()
	if m.Outcome == "" {
		m.Outcome = "interrupted while " + string(status.State)
	}
	m.Counts = c.counted()
	m.Models = nil
	for _, k := range c.optimizer.Learnt().Mixture {
		m.Models = append(m.Models, record.Model{Weight: k.Weight, Hyper: record.HyperOf(k.Model.Hyper())})
	}
	if c.truth != nil {
		m.Truth = c.truth.evaluate(&m)
		m.Consistency = c.truth.consistency()
	}
	return &m
}

// count is a named number of events, such as dropped or refused readings.
type count struct {
	name string
	n    int64
}

// counted returns all counts by name.
func (c *core) counted() map[string]int64 {
	counts := map[string]int64{}
	for _, t := range c.tally() {
		counts[t.name] = t.n
	}
	return counts
}

// tally returns all counts, in a fixed order.
func (c *core) tally() []count {
	n := c.sense.Counts()
	matched, covariances := n.Matched, n.Covariances
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
		{"samples without a logarithm", c.rejected.transformed},
		{"samples refused by the model", c.rejected.refused},
		{"poses in another frame", n.Frames},
		{"poses not usable", n.Poses},
		{"poses out of order", n.OutOfOrder},
		{"covariances accepted", int64(covariances.Accepted)},
	}
	if len(c.cfg.Team) > 0 {
		list = append(list, count{"observations of team mates not usable", c.team.unusable}, count{"observations of team mates repeated", c.team.repeated})
	}
	for k := localization.NotFinite; k <= localization.Substituted; k++ {
		list = append(list, count{"covariances: " + k.String(), int64(covariances.ByKind[k])})
	}
	for i := range list {
		list[i].n += c.memory.countsBefore[list[i].name]
	}
	return list
}

// save writes the record and the report concurrently with the callbacks, at the end of the
// mission after the last maps are published. A mission without a sample writes nothing and
// leaves an earlier mission's record in the folder unchanged.
func (c *core) save() {
	if c.view.mapping { // save is called again when it ends
		return
	}
	if c.cfg.OutputDir == "" || c.memory.saved || len(c.memory.record.Observations) == 0 {
		c.logResult("")
		c.memory.noteStatus() // it says why the mission is over
		c.memory.noteSaved()
		return
	}
	c.working = true // Finished waits until it is false
	r := c.newReport()
	c.ending = r
	var err, exportErr error
	c.node.Async(func() { err, exportErr = r.write(c.cfg) }, func() {
		c.working, c.ending = false, nil
		c.memory.err, c.memory.record.Survey = c.memory.notWritten(err), r.mission.Survey
		if err != nil {
			c.node.Logger().Error("the record could not be written", "error", c.memory.err.Error())
			return
		}
		if exportErr != nil { // the record has all that they are made of
			c.node.Logger().Error("the results for other software could not be written; ugp export writes them, too", "error", exportErr.Error())
		}
		c.memory.saved = true
		c.memory.noteSaved()
		c.logResult(c.cfg.OutputDir)
	})
}

// fullReport is a snapshot of all data in the report of a mission.
type fullReport struct {
	mission *record.Mission
	tracks  record.Tracks
	field   *surface.GridField // true field; nil: not known
	mapping *mapping

	maps    record.Maps // set by complete, with the true field
	written bool        // with the record and the results for other software
}

func (c *core) newReport() *fullReport {
	r := &fullReport{mission: c.presentRecord(), tracks: c.memory.tracks, mapping: c.newMapping()}
	if m := c.view.maps; m != nil && slices.Equal(m.mixture, r.mapping.mixture) && m.beta == r.mapping.beta {
		r.mapping = m // it has run already
	}
	if c.truth != nil {
		r.tracks.True, r.field = c.truth.track, c.truth.field
	}
	return r
}

// complete computes the maps and the statistics derived from them. It does not access the
// node.
func (r *fullReport) complete() error {
	r.mapping.run()
	if r.mapping.err != nil {
		return r.mapping.err
	}
	r.maps = *r.mapping.maps
	if r.field != nil {
		r.maps.Truth = truthLayer(r.field, r.maps.Grid, r.mapping.region)
	}
	r.mission.Survey = r.maps.Survey(r.mission.Transform, r.mission.Threshold)
	return nil
}

// write writes the record, the report if one is wanted, and the results for other software, whose
// error is apart. The record is complete on the disk before anything else, so that an error in the
// report cannot lose a sample.
func (r *fullReport) write(cfg *Config) (err, exportErr error) {
	if err = r.complete(); err == nil {
		err = writeRecord(cfg.OutputDir, r.mission)
	}
	if err == nil && cfg.Report {
		err = report.Write(cfg.OutputDir, r.mission, &r.maps, &r.tracks)
	}
	if err == nil && cfg.Export && len(r.mapping.mixture) > 0 {
		var surface export.Surface
		if surface, exportErr = export.Posterior(r.mapping.mixture, r.mapping.queryCov); exportErr == nil {
			_, exportErr = export.Write(filepath.Join(cfg.OutputDir, export.Folder), r.mission, surface, export.DefaultOptions(r.mission))
		}
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

// WriteReport writes the record, and the report of an interrupted mission. It
// does nothing if the report exists already or is disabled, or if there are no samples. It
// uses neither the graph nor the executor and may be called after both are closed.
func (e *Explorer) WriteReport() error {
	if e.cfg.OutputDir == "" || e.memory.saved || len(e.memory.record.Observations) == 0 {
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
func (c *core) shutDown() {
	c.mode.standStill()
	defer func() { c.memory.close(c.finished) }()
	if c.cfg.OutputDir == "" || c.memory.saved || len(c.memory.record.Observations) == 0 {
		return
	}
	if err := writeRecord(c.cfg.OutputDir, c.presentRecord()); err != nil {
		c.memory.err = c.memory.notWritten(err)
		c.node.Logger().Error("the record could not be written", "error", c.memory.err.Error())
	}
}
