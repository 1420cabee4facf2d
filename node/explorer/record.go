package explorer

import (
	"fmt"
	"os"

	"ugp_explorer/localization"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/report"
	"ugp_explorer/planner"
)

// program names the writer of a record.
const program = "ugp_explorer"

func (e *Explorer) beginRecord() {
	cfg := e.cfg
	b := cfg.Mission.Budget
	if cfg.Passive {
		b = planner.Budget{}
	}
	e.startWall = cfg.Wall()
	e.record = report.Mission{
		Version: report.Version, Program: program,
		Method: cfg.Method, Seed: uint64(cfg.Seed), Passive: cfg.Passive, Frame: cfg.Frame,
		Objective: cfg.Objective, Quantity: cfg.Quantity, Units: cfg.Units, Transform: report.Transform(cfg.Reading.Transform),
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
	cov := e.model.judgement()
	if cov == nil {
		return nil
	}
	return &report.Covariance{XX: cov.At(0, 0), XY: cov.At(0, 1), YY: cov.At(1, 1)}
}

// biasRecord returns the bias by which targets are judged now, nil where it is not
// learnt.
func (e *Explorer) biasRecord() *report.Place {
	if !e.cfg.Learn.On || e.model.judgement() == nil {
		return nil
	}
	return &report.Place{e.model.noise.bias[0], e.model.noise.bias[1]}
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

// save writes record and report beside the callbacks, at the mission's end. A
// mission that could not begin leaves nothing, and the record of an earlier one
// in the folder as it is.
func (e *Explorer) save() {
	if e.cfg.OutputDir == "" || e.saved || len(e.record.Observations) == 0 {
		e.noteSaved()
		return
	}
	e.thinking = true // Finished waits for it
	maps, err := e.reportMaps()
	record, tracks := e.Record(), e.tracks
	e.node.Async(func() {
		switch {
		case err != nil:
		case e.cfg.Report:
			err = report.WriteAll(e.cfg.OutputDir, record, maps, &tracks)
		default:
			err = writeRecord(e.cfg.OutputDir, record)
		}
	}, func() {
		e.thinking = false
		e.saveError = err
		if err != nil {
			e.node.Logger().Error("the record was not written", "error", err.Error())
			return
		}
		e.saved = true
		e.noteSaved()
		e.node.Logger().Info("the record is written", "folder", e.cfg.OutputDir)
	})
}

// reportMaps returns the maps for the report, with the truth where it is known.
func (e *Explorer) reportMaps() (*report.Maps, error) {
	m, err := e.maps()
	if err == nil && e.truth != nil {
		e.tracks.True = e.truth.track
		m.Truth = e.truth.layer(m.Grid, e.region)
	}
	if err == nil {
		e.record.Survey = m.Survey(e.record.Transform, e.record.Threshold)
	}
	return m, err
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

// WriteReport writes record, report and pictures of what is known now: for
// programs that were interrupted and have the time.
func (e *Explorer) WriteReport() error {
	maps, err := e.reportMaps()
	if err != nil {
		return err
	}
	return report.WriteAll(e.cfg.OutputDir, e.Record(), maps, &e.tracks)
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
