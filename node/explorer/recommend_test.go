// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/report"
	"ugp_explorer/planner"
	"ugp_explorer/planner/mission"
)

// After one sample every place is expected to be like it. Then nothing is recommended anywhere: in
// the status, the record, its files, the journal, and after a crash.
func TestNothingIsRecommendedAmongEquals(t *testing.T) {
	cfg := small()
	cfg.Recommend = planner.RecommendAnywhere
	cfg.Mission.Budget.Samples = 2
	cfg.OutputDir = filepath.Join(t.TempDir(), "mission")
	w := newWorld(t, cfg)
	w.start()
	w.until("the way to the second target", func() bool { return len(w.observations) == 1 && w.explorer.State() == mission.StateTravelling })
	w = w.crashed(time.Second, func(c *settings.Config) { c.Recommend = cfg.Recommend })
	w.until("the status", func() bool { return w.status.State != "" })
	if r := w.explorer.Record(); len(r.Recommended) != 1 || r.Recommended[0].Target != nil || r.Recommendation != nil {
		t.Errorf("resumed after one sample: %+v, recommendation %+v", r.Recommended, r.Recommendation)
	}
	w.do("stop")
	w.finish()
	m, err := record.ReadMission(filepath.Join(w.cfg.OutputDir, record.MissionFile))
	if err != nil || len(m.Observations) != 1 || len(m.Recommended) != 1 || m.Recommended[0].Target != nil || m.Recommendation != nil {
		t.Fatalf("error %v, record %+v", err, m)
	}
	if s := w.status; s.SamplesTaken != 1 || !math.IsNaN(s.BestValue) || !math.IsNaN(s.BestStddev) || s.BestPlace.X != 0 || s.BestPlace.Y != 0 {
		t.Errorf("status %+v, want no best place", s)
	}
	page, err := os.ReadFile(filepath.Join(w.cfg.OutputDir, report.PageFile))
	if err != nil || !bytes.Contains(page, []byte("no place is expected to be better than any other")) {
		t.Errorf("report of %d bytes, error %v", len(page), err)
	}
	for name, want := range map[string]bool{"samples.csv": true, "recommended.csv": false} {
		if _, err := os.Stat(filepath.Join(w.cfg.OutputDir, "export", name)); (err == nil) != want {
			t.Errorf("export/%s: %v", name, err)
		}
	}
}
