// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/report"
	"ugp_explorer/planner/mission"
)

// Ctrl-C in the middle: the last that is heard is an empty plan, and what was
// sampled is on the disk.
func TestShutDownInTheMiddle(t *testing.T) {
	for _, c := range []struct {
		state   mission.State
		samples int
	}{{mission.StateTravelling, 2}, {mission.StateSampling, 1}, {mission.StateReturning, 4}, {mission.StateTravelling, 0}} {
		cfg := small()
		cfg.OutputDir = filepath.Join(t.TempDir(), "out")
		cfg.Reading.Count = 5
		w := newWorld(t, cfg)
		w.start()
		w.until("samples", func() bool { return len(w.observations) == c.samples })
		w.state(c.state)
		w.run(500 * time.Millisecond)
		w.interrupted()
		if w.driving() {
			t.Errorf("%s: the last plan is %v, want an empty one", c.state, w.plans[len(w.plans)-1])
		}
		g := w.goals[len(w.goals)-1]
		if dx, dy := g.x-w.x, g.y-w.y; dx*dx+dy*dy > 0.6*0.6 {
			t.Errorf("%s: the last goal is (%g, %g), the robot at (%g, %g)", c.state, g.x, g.y, w.x, w.y)
		}
		file := filepath.Join(cfg.OutputDir, record.MissionFile)
		if c.samples == 0 {
			if _, err := os.Stat(file); !os.IsNotExist(err) {
				t.Errorf("nothing was sampled, but the record is there: %v", err)
			}
			continue
		}
		m, err := record.ReadMission(file)
		must.OK(t, err)
		if m.Outcome != "interrupted while "+string(c.state) && c.state != mission.StateReturning {
			t.Errorf("outcome %q", m.Outcome)
		}
		if len(m.Observations) != c.samples || len(m.Recommended) != c.samples || m.Recommendation.AfterSamples != c.samples {
			t.Errorf("%s: %d observations, %d recommended, want %d", c.state, len(m.Observations), len(m.Recommended), c.samples)
		}
		if diff := cmp.Diff(w.explorer.Record().Observations, m.Observations); diff != "" {
			t.Errorf("%s: observations on the disk: %s", c.state, diff)
		}
	}
}

// Before the mission has begun, and with existing_mission replace before its first sample, Ctrl-C leaves
// nothing, and the log says so. Otherwise the log names the folder in which the mission can be continued.
func TestShutDownBeforeTheFirstSample(t *testing.T) {
	for _, c := range []struct {
		existing string
		begins   bool
		want     string // in the log
	}{
		{settings.ExistingReplace, true, "no sample was taken: the journal is removed"},
		{settings.ExistingResume, true, "the interrupted mission is saved, and continues when the explorer is started again with the same output_dir"},
		{settings.ExistingResume, false, "the mission has not begun, so nothing is saved"},
	} {
		cfg := small()
		cfg.Existing, cfg.OutputDir = c.existing, filepath.Join(t.TempDir(), "out")
		w := newWorld(t, cfg)
		w.run(time.Second)
		if c.begins {
			w.start()
			w.state(mission.StateTravelling)
		}
		w.interrupted()
		log := w.log.String()
		saved := strings.Contains(log, "the interrupted mission is saved")
		if _, err := os.Stat(filepath.Join(cfg.OutputDir, journal.FileName)); os.IsNotExist(err) == saved || !strings.Contains(log, c.want) || !strings.Contains(log, cfg.OutputDir) {
			t.Errorf("%+v: %v, and the log has\n%s", c, err, log)
		}
	}
}

// After Ctrl-C there is a report of what was sampled.
func TestReportAfterShutDown(t *testing.T) {
	for _, samples := range []int{2, 0} {
		cfg := small()
		cfg.OutputDir = t.TempDir()
		w := newWorld(t, cfg)
		w.start()
		w.until("samples", func() bool { return len(w.observations) == samples })
		w.state(mission.StateTravelling)
		w.must(w.ex.Close())
		w.must(w.explorer.WriteReport())
		if _, err := os.Stat(filepath.Join(cfg.OutputDir, report.PageFile)); (err == nil) != (samples > 0) {
			t.Errorf("%d samples: %v", samples, err)
		}
		m, err := record.ReadMission(filepath.Join(cfg.OutputDir, record.MissionFile))
		if samples == 0 {
			if !errors.Is(err, os.ErrNotExist) {
				t.Errorf("a record of nothing: %v", err)
			}
			continue
		}
		if err != nil || len(m.Observations) != samples || m.Outcome != "interrupted while travelling" || (m.Survey != nil) != (samples > 0) {
			t.Errorf("%d samples: %v, %+v", samples, err, m)
		}
	}
}

// An interruption while the report of a finished mission is being written lets it be written,
// and no part of it is drawn twice, since the program would take twice as long to end.
func TestShutDownWhileTheReportIsWritten(t *testing.T) {
	for range 20 {
		if shutDownWhileWriting(t) {
			return
		}
	}
	t.Error("every report was complete before the interruption came")
}

// shutDownWhileWriting returns false if the report was complete before the interruption came.
func shutDownWhileWriting(t *testing.T) bool {
	t.Helper()
	cfg := small()
	cfg.Mission.Budget.Samples = 1
	cfg.OutputDir = t.TempDir()
	w := newWorld(t, cfg)
	w.start()
	w.state(mission.StateReturning)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(cfg.OutputDir, record.MissionFile)); err == nil { // the pictures follow
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	w.ex.Pace(1e6) // the report is written beside the callbacks
	switch err := w.ex.Run(ctx, nil); {
	case err == nil:
		return false
	case !errors.Is(err, context.Canceled):
		t.Fatalf("Run: %v", err)
	}
	page := filepath.Join(cfg.OutputDir, report.PageFile)
	before, err := os.Stat(page)
	if err != nil {
		t.Fatalf("the report was not completed: %v", err)
	}
	w.must(w.explorer.WriteReport())
	if after, err := os.Stat(page); err != nil || !os.SameFile(before, after) {
		t.Errorf("the report was written again: %v", err)
	}
	m, err := record.ReadMission(filepath.Join(cfg.OutputDir, record.MissionFile))
	if err != nil || m.Survey == nil || m.Outcome != w.explorer.Record().Outcome || strings.Contains(m.Outcome, "interrupted") {
		t.Errorf("%v, the record is %+v", err, m)
	}
	return true
}
