// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/simulation"
)

// mission runs a simulated mission of two samples, with two from before, in a corner of the
// farm, which is over in minutes, and returns its folder with its bag, and its record.
func mission(t *testing.T, source string) (dir string, m *record.Mission) {
	t.Helper()
	cfg := simulation.DefaultConfig(1)
	cfg.Explorer.PoseSource = source
	cfg.Fieldsim.Receiver = "rtk" // with another one the robot may wait at an edge, where a replay takes a sample, too
	cfg.Fieldsim.Field.Boundary = filepath.Join(t.TempDir(), "field.geojson")
	const corner = `{"type":"Polygon","coordinates":[[[100,100],[160,100],[160,160],[100,160],[100,100]]]}`
	must.OK(t, os.WriteFile(cfg.Fieldsim.Field.Boundary, []byte(corner), 0o666))
	e := &cfg.Explorer
	e.Earlier = filepath.Join(t.TempDir(), "earlier.csv")
	must.OK(t, os.WriteFile(e.Earlier, []byte("x,y,value [log10(mg/l)],stddev\n110,120,1.2,0.05\n150,140,1.6,0.05\n"), 0o666))
	dir = filepath.Join(t.TempDir(), "mission")
	e.OutputDir, e.Record.Topics = dir, "all"
	e.Mission.Budget.Samples, e.Search.Starts, e.Model.Prior.Starts = 2, 60, 2
	s, err := simulation.New(&cfg, simulation.Options{})
	must.OK(t, err)
	defer s.Close()
	must.OK(t, s.Run(t.Context()))
	return dir, s.Explorer().Record()
}

// The replay of a mission that we recorded makes the very observations that the
// mission made: belief, value and variance, by the parameters in its bag, whatever its
// poses come from.
func TestOwnMission(t *testing.T) {
	for _, source := range []string{"odometry", "tf"} {
		t.Run(source, func(t *testing.T) { ownMission(t, source) })
	}
}

func ownMission(t *testing.T, source string) {
	dir, want := mission(t, source)
	cfg := DefaultConfig()
	r := run(t, dir, cfg)
	got := r.Explorer().Record()
	if len(want.Observations) != 2 || len(got.Observations) != 2 {
		t.Fatalf("%d observations, of the mission %d", len(got.Observations), len(want.Observations))
	}
	for i := range got.Observations {
		g, w := got.Observations[i], want.Observations[i]
		g.Target, g.Approach, w.Target, w.Approach = record.Place{}, nil, record.Place{}, nil
		if diff := cmp.Diff(w, g); diff != "" {
			t.Errorf("observation %d: %s", i+1, diff)
		}
	}
	if diff := cmp.Diff(want.Earlier, got.Earlier, cmpopts.EquateNaNs()); len(got.Earlier) != 2 || diff != "" {
		t.Errorf("%d samples from before the mission, want its 2: %s", len(got.Earlier), diff)
	}
	if notes := r.Source().Notes; len(notes) == 0 || !strings.HasPrefix(notes[0], "the parameters are those of the mission") {
		t.Errorf("notes %q", notes)
	}
	if got.Quantity != want.Quantity || got.Transform != want.Transform || got.Truth == nil || got.Consistency == nil {
		t.Errorf("quantity %q, transform %q, truth %v", got.Quantity, got.Transform, got.Truth)
	}
}

// What is struck in a mission, also after its end, by a person or by itself, is struck in its replay for the same reason.
func TestStruckInTheMission(t *testing.T) {
	dir, want := mission(t, "odometry")
	file, _, err := journal.Open(journal.OS{}, dir)
	must.OK(t, err)
	must.OK(t, file.Append(journal.Struck{Stamp: 1, Sample: 1, Why: record.StruckFarOut}))
	must.OK(t, file.Append(journal.Struck{Stamp: 1, Sample: 2, Why: record.StruckByPerson}))
	must.OK(t, file.Close())
	cfg := DefaultConfig()
	r := run(t, dir, cfg)
	got := r.Explorer().Record()
	if len(got.Observations) != 2 || got.Observations[0].Struck != record.StruckFarOut || got.Observations[1].Struck != record.StruckByPerson {
		t.Errorf("the samples are %+v", got.Observations)
	}
	if n := r.Explorer().Model().Len(); n != len(want.Earlier) {
		t.Errorf("the model has %d samples", n)
	}
	if notes := strings.Join(r.Source().Notes, "\n"); !strings.Contains(notes, "as in the mission, sample 2, ") {
		t.Errorf("the notes do not say it: %s", notes)
	}
}
