package explorer_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/record"
	"ugp_explorer/node/report"
	"ugp_explorer/planner"
	"ugp_explorer/planner/mission"
)

// With recommend: anywhere the goals are those of a mission that recommends past
// targets, and each place named is at least as good by its own model.
func TestRecommendAnywhere(t *testing.T) {
	var missions []*record.Mission
	for _, rule := range planner.Recommends() {
		cfg := small()
		cfg.Mission.Budget.Samples = 8
		cfg.Recommend = rule
		w := newWorld(t, cfg)
		w.field = func(x, y float64) float64 { return 50 * math.Exp(-math.Hypot(x-50, y-50)/15) }
		missions = append(missions, w.mission())
	}
	targets, anywhere := missions[0], missions[1]
	if len(targets.Recommended) != 8 || len(anywhere.Recommended) != 8 {
		t.Fatalf("%d and %d recommendations, want 8", len(targets.Recommended), len(anywhere.Recommended))
	}
	other := 0
	for i, a := range anywhere.Recommended {
		if anywhere.Decisions[i] != targets.Decisions[i] {
			t.Errorf("decision %d is %+v, and %+v when past targets are recommended", i, anywhere.Decisions[i], targets.Decisions[i])
		}
		if i == 0 { // all of the field is expected to be like the one sample
			if a.Target != nil || !math.IsNaN(a.Mean) || !math.IsNaN(a.StdDev) || targets.Recommended[0].Target == nil {
				t.Errorf("after one sample %+v is recommended, and %+v of past targets", a, targets.Recommended[0])
			}
			continue
		}
		mean, variance := posteriorFrom(t, anywhere, i+1).Posterior(gp.Belief{Mean: a.Target[:], Cov: mat.NewSymDense(2, []float64{1, 0, 0, 1})})
		near(t, "mean", a.Mean, mean, 1e-8)
		near(t, "deviation", a.StdDev, math.Sqrt(variance), 1e-8)
		if a.Mean < targets.Recommended[i].Mean-1e-9 {
			t.Errorf("after %d samples %g is expected at %v, less than at the best target, %g", i+1, a.Mean, a.Target, targets.Recommended[i].Mean)
		}
		if *a.Target != *targets.Recommended[i].Target {
			other++
		}
	}
	if other == 0 {
		t.Error("every place is a past target")
	}
	if r := anywhere.Recommendation; r == nil || r.Target != *anywhere.Recommended[7].Target {
		t.Errorf("the mission recommends %+v, the last was %v", r, anywhere.Recommended[7].Target)
	}
}

// After one sample every place is expected to be like it. Then nothing is recommended anywhere: in
// the status, the record, its files, the journal, and after a crash.
func TestNothingIsRecommendedAmongEquals(t *testing.T) {
	cfg := small()
	cfg.Recommend, cfg.Export, cfg.Report = planner.RecommendAnywhere, true, true
	cfg.Mission.Budget.Samples = 2
	cfg.OutputDir = filepath.Join(t.TempDir(), "mission")
	w := newWorld(t, cfg)
	w.start()
	w.until("the way to the second target", func() bool { return len(w.observations) == 1 && w.explorer.State() == mission.StateTravelling })
	w = w.crashed(time.Second, func(c *explorer.Config) { c.Recommend, c.Export, c.Report = cfg.Recommend, cfg.Export, cfg.Report })
	w.until("the status", func() bool { return w.status.State != "" })
	if r := w.explorer.Record(); len(r.Recommended) != 1 || r.Recommended[0].Target != nil || r.Recommendation != nil {
		t.Errorf("resumed after one sample: %+v, recommendation %+v", r.Recommended, r.Recommendation)
	}
	if ok, text := w.call("stop"); !ok {
		t.Fatal(text)
	}
	w.finish()
	m, err := record.ReadMission(filepath.Join(w.cfg.OutputDir, record.MissionFile))
	if err != nil || len(m.Observations) != 1 || len(m.Recommended) != 1 || m.Recommended[0].Target != nil || m.Recommendation != nil {
		t.Fatalf("error %v, record %+v", err, m)
	}
	if s := w.status; s.SamplesTaken != 1 || !math.IsNaN(s.BestValue) || !math.IsNaN(s.BestStddev) || s.BestPlace.X != 0 || s.BestPlace.Y != 0 {
		t.Errorf("status %+v, want no best place", s)
	}
	page, err := os.ReadFile(filepath.Join(w.cfg.OutputDir, report.PageFile))
	if err != nil || !bytes.Contains(page, []byte("no place is expected to be better than another")) {
		t.Errorf("report of %d bytes, error %v", len(page), err)
	}
	for name, want := range map[string]bool{"samples.csv": true, "recommended.csv": false} {
		if _, err := os.Stat(filepath.Join(w.cfg.OutputDir, "export", name)); (err == nil) != want {
			t.Errorf("export/%s: %v", name, err)
		}
	}
}
