package explorer

import (
	"fmt"
	"os"

	"ugp_explorer/localization"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/report"
	"ugp_explorer/planner"
	"ugp_explorer/planner/mission"
	"ugp_explorer/sim"
)

// program names the writer of a record.
const program = "ugp_explorer"

func (e *Explorer) beginRecord() {
	cfg := e.cfg
	b := cfg.Mission.Budget
	if cfg.Passive {
		b = mission.Budget{}
	}
	e.startWall = cfg.Wall()
	e.record = report.Mission{
		Version: report.Version, Program: program,
		Method: cfg.Method, Seed: uint64(cfg.Seed), Passive: cfg.Passive, Frame: cfg.Frame,
		Objective: report.Objective(cfg.Objective), Quantity: cfg.Quantity, Units: cfg.Units, Transform: report.Transform(cfg.Reading.Transform),
		Budget: report.Budget{Samples: b.Samples, Distance: b.Distance, Time: b.Duration},
		Field:  convert.FieldRecord(e.outline, cfg.Field.Name, cfg.Field.Margin),
	}
	if cfg.Objective == planner.ObjectiveThreshold {
		e.record.Threshold = &cfg.Threshold
	}
	e.record.Noise = e.noiseRecord()
}

// noiseRecord returns the Σ̂ by which targets are judged now; nil: as points.
func (e *Explorer) noiseRecord() *report.Covariance {
	cov := e.optimizer.Judgement()
	if cov == nil {
		return nil
	}
	return &report.Covariance{XX: cov.At(0, 0), XY: cov.At(0, 1), YY: cov.At(1, 1)}
}

// biasRecord returns the bias by which targets are judged now, nil where it is not
// learnt.
func (e *Explorer) biasRecord() *report.Place {
	if !e.cfg.Learn.On || e.optimizer.Judgement() == nil {
		return nil
	}
	return &report.Place{e.optimizer.Learnt().Aim.Bias[0], e.optimizer.Learnt().Aim.Bias[1]}
}

// finish ends the mission. The record is written when the model has seen the
// last sample.
func (e *Explorer) finish(reason string) {
	e.record.Outcome = reason
	e.finished = true
	e.node.Logger().Info("the mission is over", "reason", reason, "samples", len(e.record.Observations))
	if !e.thinking {
		e.save()
	}
}

// SetSource puts what a replay was fed with into the record.
func (e *Explorer) SetSource(s *report.Source) { e.record.Source = s }

// Record returns the mission's record as it is now. It shares its slices.
func (e *Explorer) Record() *report.Mission {
	status := e.status()
	m := e.record
	m.Settings = e.settings
	m.Distance, m.SimulatedTime = status.UsedDistance, status.UsedDuration
	m.WallTime = e.cfg.Wall().Sub(e.startWall).Seconds()
	if m.Outcome == "" {
		m.Outcome = "interrupted while " + string(status.State)
	}
	m.Counts = e.counted()
	if e.truth != nil {
		m.Truth = e.truth.evaluate(&m)
		m.Consistency = e.truth.consistency()
	}
	return &m
}

// count is how often something was dropped, refused or treated.
type count struct {
	name string
	n    int64
}

// counted returns all counts by their names.
func (e *Explorer) counted() map[string]int64 {
	counts := map[string]int64{}
	for _, c := range e.tally() {
		counts[c.name] = c.n
	}
	return counts
}

// tally returns all counts, in a fixed order.
func (e *Explorer) tally() []count {
	matched, covariances := e.matcher.Counts(), e.checker.Counts()
	c := []count{
		{"readings matched", int64(matched.Matched)},
		{"readings while not sampling", e.counts.idle},
		{"readings before the stop", e.counts.early},
		{"readings without a variance", e.counts.noVariance},
		{"readings with a stray stamp", e.counts.stray},
		{"readings older than every pose", int64(matched.TooEarly)},
		{"readings in a gap between poses", int64(matched.Gap)},
		{"readings whose pose never came", int64(matched.TimedOut)},
		{"readings beyond the queue", int64(matched.Overflow)},
		{"readings lost to a reset of time", int64(matched.Reset)},
		{"readings not finite", int64(matched.Invalid)},
		{"samples without a logarithm", e.counts.transformed},
		{"samples refused by the model", e.counts.refused},
		{"poses in another frame", e.counts.frames},
		{"poses not usable", e.counts.poses},
		{"poses out of order", int64(e.matcher.Poses().Counts().OutOfOrder)},
		{"covariances accepted", int64(covariances.Accepted)},
	}
	if len(e.cfg.Team) > 0 {
		c = append(c, count{"observations of team mates not usable", e.counts.strange}, count{"observations of team mates repeated", e.counts.repeated})
	}
	for k := localization.NotFinite; k <= localization.Substituted; k++ {
		c = append(c, count{"covariances: " + k.String(), int64(covariances.Of(k))})
	}
	for i := range c {
		c[i].n += e.earlier[c[i].name]
	}
	return c
}

// save writes record and report beside the callbacks, at the mission's end, when the
// last maps are published. A mission that could not begin leaves nothing, and the
// record of an earlier one in the folder as it is.
func (e *Explorer) save() {
	if e.mapping { // its end calls again
		return
	}
	if e.cfg.OutputDir == "" || e.saved || len(e.record.Observations) == 0 {
		e.noteSaved()
		return
	}
	e.thinking = true // Finished waits for it
	r := e.newReport()
	var err error
	e.node.Async(func() {
		if err = r.complete(); err != nil {
			return
		}
		if e.cfg.Report {
			err = r.write(e.cfg.OutputDir)
		} else {
			err = writeRecord(e.cfg.OutputDir, r.mission)
		}
	}, func() {
		e.thinking = false
		e.saveError, e.record.Survey = err, r.mission.Survey
		if err != nil {
			e.node.Logger().Error("the record was not written", "error", err.Error())
			return
		}
		e.saved = true
		e.noteSaved()
		e.node.Logger().Info("the record is written", "folder", e.cfg.OutputDir)
	})
}

// fullReport is a snapshot of all that the report tells of a mission.
type fullReport struct {
	mission *report.Mission
	tracks  report.Tracks
	field   *sim.GridField // nil: the truth is not known
	mapping *mapping

	maps report.Maps // with the truth, once complete
}

func (e *Explorer) newReport() *fullReport {
	r := &fullReport{mission: e.Record(), tracks: e.tracks, mapping: e.mapsNow()}
	if e.truth != nil {
		r.tracks.True, r.field = e.truth.track, e.truth.field
	}
	return r
}

// complete computes the maps, and what is told of the field by them. It touches
// nothing of the node.
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

func (r *fullReport) write(dir string) error {
	return report.WriteAll(dir, r.mission, &r.maps, &r.tracks)
}

// writeRecord writes what is known now, in the foreground.
func (e *Explorer) writeRecord() error {
	return writeRecord(e.cfg.OutputDir, e.Record())
}

func writeRecord(dir string, m *report.Mission) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("output_dir: %w", err)
	}
	return m.WriteJSON(dir + "/mission.json")
}

// WriteReport writes record, report and pictures of what is known now, for a mission
// that was interrupted. It does nothing when the report is there already or not
// wanted, and when nothing was sampled. It needs neither the graph nor the executor,
// and may be called after both are closed.
func (e *Explorer) WriteReport() error {
	if e.cfg.OutputDir == "" || !e.cfg.Report || e.saved || len(e.record.Observations) == 0 {
		return nil
	}
	r := e.newReport()
	if err := r.complete(); err != nil {
		return err
	}
	e.record.Survey = r.mission.Survey
	return r.write(e.cfg.OutputDir)
}

// shutDown is the last thing that the explorer does: the robot is told to stay,
// and nothing that was sampled is lost.
func (e *Explorer) shutDown() {
	if e.State().Active() {
		e.halt()
	}
	defer e.closeJournal()
	if e.cfg.OutputDir == "" || e.saved || len(e.record.Observations) == 0 {
		return
	}
	if err := e.writeRecord(); err != nil {
		e.saveError = err
		e.node.Logger().Error("the record was not written", "error", err.Error())
	}
}
