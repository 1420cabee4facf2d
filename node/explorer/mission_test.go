// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/node/report"
	"ugp_explorer/node/sense"
)

// used returns the n readings in a row whose middle is the stamp.
func (w *world) used(n int, stamp float64) []localization.Reading {
	w.t.Helper()
	for i := 0; i+n <= len(w.given); i++ {
		r := w.given[i : i+n]
		if math.Abs(float64(r[0].Stamp+r[n-1].Stamp)/2e9-stamp) < 1e-6 {
			return r
		}
	}
	w.t.Fatalf("no %d readings around %.3f s", n, stamp)
	return nil
}

func nearBelief(t *testing.T, name string, got, want record.Belief, tolerance float64) {
	t.Helper()
	near(t, name+": x", got.X, want.X, tolerance)
	near(t, name+": y", got.Y, want.Y, tolerance)
	near(t, name+": xx", got.XX, want.XX, tolerance)
	near(t, name+": xy", got.XY, want.XY, tolerance)
	near(t, name+": yy", got.YY, want.YY, tolerance)
}

// posteriorFrom rebuilds the model after k samples out of the record alone.
func posteriorFrom(t *testing.T, m *record.Mission, k int) *gp.GP {
	t.Helper()
	h := m.Hyper[k-1]
	hyper, err := h.GP(nil, nil)
	must.OK(t, err)
	g, err := gp.New(hyper)
	must.OK(t, err)
	for _, o := range m.Observations[:k] {
		b := o.Located()
		must.OK(t, g.Add(gp.Observation{Belief: b, Value: o.ModelValue, NoiseVariance: o.ModelVariance, OnePlace: m.AtOnePlace(&o)}))
	}
	near(t, "log likelihood", h.LogLikelihood, g.LogMarginalLikelihood(), 1e-9)
	return g
}

// A whole mission: what is in the record, on the topics and on the disk.
func TestMission(t *testing.T) {
	cfg := small()
	cfg.Mission.Budget.Samples = 6
	cfg.OutputDir = filepath.Join(t.TempDir(), "new", "folder")
	cfg.Quantity, cfg.Units, cfg.Field.Name, cfg.Seed = "potassium", "mg/l", "square", 7
	w := newWorld(t, cfg)
	m := w.mission()

	if len(m.Observations) != 6 || len(m.Decisions) != 6 || len(m.Hyper) != 6 || len(m.Recommended) != 6 || len(m.Skipped) != 0 {
		t.Fatalf("%d observations, %d decisions, %d hyper-parameters, %d recommended, %d skipped, want 6, 6, 6, 6, 0",
			len(m.Observations), len(m.Decisions), len(m.Hyper), len(m.Recommended), len(m.Skipped))
	}
	for i, o := range m.Observations {
		d := m.Decisions[i]
		if d.Samples != i || d.Target != o.Target || d.Beta != 3 {
			t.Errorf("decision %d is %+v, target sampled %v", i, d, o.Target)
		}
		for _, v := range o.Target {
			if v < 2-1e-6 || v > fieldEdge-2+1e-6 {
				t.Errorf("target %v is out of the field less 2 m", o.Target)
			}
		}
		if d := math.Hypot(o.Belief.X-o.Target[0], o.Belief.Y-o.Target[1]); d > cfg.Mission.ArrivalTolerance {
			t.Errorf("sample %d was taken %g m from its target, want within %g m", i+1, d, cfg.Mission.ArrivalTolerance)
		}
		if o.Sequence != i+1 || o.TruePlace != nil {
			t.Errorf("observation %d: sequence %d, true place %v, want %d, none", i, o.Sequence, o.TruePlace, i+1)
		}
		if i > 0 && o.Stamp <= m.Observations[i-1].Stamp {
			t.Errorf("stamps %g, %g do not rise", m.Observations[i-1].Stamp, o.Stamp)
		}
	}

	// Algorithm 1, line 5, at every step: the best of the targets so far.
	sigma := mat.NewSymDense(2, []float64{1, 0, 0, 1}) // execution.stddev is 1 m
	if want := (&record.Covariance{XX: 1, YY: 1}); !cmp.Equal(m.Noise, want) {
		t.Errorf("execution noise %+v, want %+v", m.Noise, want)
	}
	for i, r := range m.Recommended {
		g := posteriorFrom(t, m, i+1)
		best := record.RecommendedAt{Samples: i + 1, Mean: math.Inf(-1)}
		for _, o := range m.Observations[:i+1] {
			mean, variance := g.Posterior(gp.Belief{Mean: o.Target[:], Cov: sigma})
			if mean > best.Mean {
				best.Target, best.Mean, best.StdDev = &o.Target, mean, math.Sqrt(variance)
			}
		}
		if diff := cmp.Diff(best, r, cmpopts.EquateApprox(1e-9, 1e-12)); diff != "" {
			t.Errorf("recommended after %d: %s", i+1, diff)
		}
		if m.Hyper[i].Samples != i+1 {
			t.Errorf("hyper-parameters %d are after %d samples", i, m.Hyper[i].Samples)
		}
		if i+1 < len(m.Decisions) { // what the decision said of its target is what the model says
			d := m.Decisions[i+1]
			mean, variance := g.Posterior(gp.Belief{Mean: d.Target[:], Cov: sigma})
			near(t, "decision: mean", d.Mean, mean, 1e-8)
			near(t, "decision: deviation", d.StdDev, math.Sqrt(variance), 1e-8)
		}
	}
	last := m.Recommended[5]
	want := record.Recommendation{
		Target: *last.Target, Mean: last.Mean, StdDev: last.StdDev, Value: last.Mean,
		Low: last.Mean - 2*last.StdDev, High: last.Mean + 2*last.StdDev, AfterSamples: 6,
	}
	if diff := cmp.Diff(&want, m.Recommendation, cmpopts.EquateApprox(1e-12, 1e-12)); diff != "" {
		t.Errorf("recommendation: %s", diff)
	}

	// The way home, the account, and what the record says of the mission.
	if d := math.Hypot(w.x-20, w.y-10); d > cfg.Mission.HomeTolerance {
		t.Errorf("the robot ends %g m from home", d)
	}
	near(t, "distance", m.Distance, w.driven, 1e-6)
	if m.Home == nil || *m.Home != (record.Place{20, 10}) {
		t.Errorf("home %v, want (20, 10)", m.Home)
	}
	if m.Method != "ugp-ucb" || m.Seed != 7 || m.Frame != "map" || m.Quantity != "potassium" || m.Units != "mg/l" ||
		m.Field.Name != "square" || m.Field.Margin != 2 || m.Budget != (record.Budget{Samples: 6}) {
		t.Errorf("the head of the record: %+v", m)
	}
	if m.Outcome != "the budget of 6 samples is used" {
		t.Errorf("outcome %q", m.Outcome)
	}
	if v := m.Settings["ugp_explorer"]["beta.fixed"]; v != 3.0 {
		t.Errorf("setting beta.fixed is %v, want 3", v)
	}
	near(t, "simulated time", m.SimulatedTime, float64(w.ex.Now()-epoch)/1e9-0.3-3, 1.5)
	near(t, "start", m.Started, 100.3, 0.11)
	if n := m.Counts["readings before the stop"] + m.Counts["readings while not sampling"] + 6; n != int64(m.Counts["readings matched"]) {
		t.Errorf("of %d readings matched %d are accounted for", m.Counts["readings matched"], n)
	}

	checkTopics(t, w, m)
	checkFiles(t, cfg.OutputDir, m)
}

func checkTopics(t *testing.T, w *world, m *record.Mission) {
	t.Helper()
	if len(w.observations) != len(m.Observations) {
		t.Fatalf("%d observations heard, want %d", len(w.observations), len(m.Observations))
	}
	for i, got := range w.observations {
		o := m.Observations[i]
		at, c := got.Belief.Pose.Position, &got.Belief.Covariance
		if (record.Belief{X: at.X, Y: at.Y, XX: c[0], XY: c[1], YY: c[7]}) != o.Belief || got.Value != o.Value || got.Variance != o.Variance ||
			got.Target.X != o.Target[0] || got.Target.Y != o.Target[1] || int(got.Sequence) != i || got.Header.FrameID != "map" {
			t.Errorf("observation %d heard as %+v, want %+v", i, got, o)
		}
		near(t, "stamp of an observation", float64(got.Header.Stamp.Sec)+float64(got.Header.Stamp.Nanosec)/1e9, o.Stamp, 1e-6)
		marker := w.markers.Markers[i]
		if marker.Pose.Position.X != o.Belief.X || marker.Pose.Position.Y != o.Belief.Y {
			t.Errorf("marker %d is at %+v, want the belief's mean", i, marker.Pose.Position)
		}
		// The 2σ ellipse's area is 4π·√det.
		area := math.Pi / 4 * marker.Scale.X * marker.Scale.Y
		near(t, "area of a marker", area, 4*math.Pi*math.Sqrt(o.Belief.XX*o.Belief.YY-o.Belief.XY*o.Belief.XY), 1e-9)
	}
	s := w.status
	r := m.Recommendation
	if s.State != "done" || s.SamplesTaken != 6 || s.SamplesBudget != 6 || s.BestPlace.X != r.Target[0] || s.BestPlace.Y != r.Target[1] ||
		s.BestValue != r.Value || s.BestStddev != r.StdDev || s.Distance != m.Distance || !math.IsInf(s.RemainingDistance, 1) ||
		!math.IsInf(s.RemainingTime, 1) || s.SignalVariance != m.Hyper[5].SignalVariance || s.Mean != m.Hyper[5].Mean {
		t.Errorf("last status %+v", s)
	}
	for _, state := range []string{"travelling", "sampling", "returning", "done"} {
		if !slices.Contains(w.states, state) {
			t.Errorf("status never said %q: %v", state, w.states)
		}
	}
	checkCloud(t, w, m)
	heard := map[string]string{}
	for _, v := range w.diagnostics.Status[0].Values {
		heard[v.Key] = v.Value
	}
	if len(heard) != len(m.Counts)+4 || heard[show.LastRound] == "" || heard["covariances accepted"] == "0" || w.diagnostics.Status[0].Level != 0 {
		t.Errorf("diagnostics %+v", w.diagnostics.Status)
	}
	if s := &w.status; s.ExpectedDistance != 0 || s.ExpectedTime != 0 || s.ShareDone != 1 || s.StoppedBy != ugp_explorer_msgs.MissionStatusStoppedByNobody || !slices.Contains(s.Commands, "more") {
		t.Errorf("the last status is %+v", s)
	}
	for i, name := range []string{sense.PoseCheck, sense.ReadingCheck} {
		if in := w.status.Inputs; len(in) != 2 || in[i].Name != name || in[i].State != ugp_explorer_msgs.InputStatusStateOK || in[i].Publishers != 1 || in[i].Received == 0 {
			t.Errorf("the inputs are %+v", in)
		}
	}
}

// The cloud is the posterior at N(cell, Σ̂); outside the field there is none.
func checkCloud(t *testing.T, w *world, m *record.Mission) {
	t.Helper()
	grid, columns, err := convert.CloudColumns(&w.cloud, "mean", "stddev")
	must.OK(t, err)
	sigma := mat.NewSymDense(2, []float64{1, 0, 0, 1})
	inside, highest, lowest := 0, 0, 0
	for k := range grid.Len() {
		x, y := grid.Node(k%grid.NX, k/grid.NX)
		in := x >= 0 && x <= fieldEdge && y >= 0 && y <= fieldEdge
		if !in {
			if !math.IsNaN(columns[0][k]) || w.mean.Data[k] != -1 {
				t.Errorf("cell (%g, %g) outside the field has mean %g, %d", x, y, columns[0][k], w.mean.Data[k])
			}
			continue
		}
		inside++
		mean, variance := w.explorer.Model().Posterior(gp.Belief{Mean: []float64{x, y}, Cov: sigma})
		near(t, "cloud: mean", columns[0][k], mean, 1e-8)
		near(t, "cloud: stddev", columns[1][k], math.Sqrt(variance), 1e-8)
		switch w.mean.Data[k] {
		case 98:
			highest = k
		case 1:
			lowest = k
		}
	}
	if inside != 100 { // 100 m by cells of 10 m
		t.Errorf("%d cells in the field, want 100", inside)
	}
	if highest == lowest || columns[0][highest] <= columns[0][lowest] {
		t.Errorf("mean grid: 98 at %g, 1 at %g", columns[0][highest], columns[0][lowest])
	}
	if w.mean.Info.Origin.Position.X != grid.X0-5 || w.mean.Info.Resolution != 10 {
		t.Errorf("mean grid's origin %g, resolution %g", w.mean.Info.Origin.Position.X, w.mean.Info.Resolution)
	}
}

func checkFiles(t *testing.T, dir string, m *record.Mission) {
	t.Helper()
	read, err := record.ReadMission(filepath.Join(dir, record.MissionFile))
	must.OK(t, err)
	if diff := cmp.Diff(m, read, cmpopts.IgnoreFields(record.Mission{}, "WallTime", "Settings", "Counts", "Distance", "SimulatedTime"), cmpopts.EquateEmpty(), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("mission.json: %s", diff)
	}
	near(t, "distance in mission.json", read.Distance, m.Distance, 1e-9)
	page, err := os.ReadFile(filepath.Join(dir, report.PageFile))
	if err != nil || len(page) < 1000 {
		t.Errorf("report: %d bytes, %v", len(page), err)
	}
}
