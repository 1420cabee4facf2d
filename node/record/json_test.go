// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/recordtest"
	"ugp_explorer/node/record"
)

// encoded returns what WriteJSON writes.
func encoded(t *testing.T, m *record.Mission) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), record.MissionFile)
	must.OK(t, m.WriteJSON(path))
	data, err := os.ReadFile(path)
	must.OK(t, err)
	return data
}

func TestRoundTrip(t *testing.T) {
	whole, _, _ := recordtest.Mission(5, 6, 10)
	whole.Hyper[1].LogLikelihood = math.NaN()
	whole.Decisions[2].Acquisition = math.NaN()
	recordtest.Hear(t, whole)
	none, _, _ := recordtest.Mission(0, 0, 0)
	for name, m := range map[string]*record.Mission{"whole": whole, "no sample": none, "empty": {Version: record.Version}} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), record.MissionFile)
			must.OK(t, m.WriteJSON(path))
			got, err := record.ReadMission(path)
			must.OK(t, err)
			recordtest.Equal(t, got, m)
			first, err := os.ReadFile(path)
			must.OK(t, err)
			again := encoded(t, got)
			if !bytes.Equal(first, again) {
				t.Errorf("written again, the record differs:\n%s", cmp.Diff(string(first), string(again)))
			}
		})
	}
}

// TestJSONAgreesWithStandardEncoder holds the encoder against encoding/json on
// a record whose numbers are all finite.
func TestJSONAgreesWithStandardEncoder(t *testing.T) {
	m, _, _ := recordtest.Mission(3, 6, 10)
	m.Settings["ugp_explorer"]["travel_budget_m"] = 1e21
	went := record.Place{3, 4}
	m.Suggestions = []record.Suggestion{{Samples: 2, Target: record.Place{1, 2}, Went: &went, WentMean: 2, WentStdDev: 1}}
	m.Earlier = []record.Observation{m.Observations[1]}
	m.Team = []record.TeamSample{{Robot: "/robot2/ugp_explorer", Observation: m.Observations[0]}}
	m.Models = []record.Model{{Weight: 1, Hyper: record.Hyper{Kernel: "matern32", SignalVariance: 0.1, LengthScales: []float64{20, 20}, Mean: 3}}}
	m.Consistency = &record.Consistency{Readings: 7, Inside: 6, Squared: 1.9}
	m.Source = &record.Source{Bag: "field", Problems: []string{"cut off"}, Notes: []string{}}
	for i := range m.Truth.RegretOverSamples {
		m.Truth.RegretOverSamples[i].Smooth = 1.0 / 3
	}
	ours := encoded(t, m)
	theirs, err := json.Marshal(m)
	must.OK(t, err)
	var compact bytes.Buffer
	must.OK(t, json.Compact(&compact, ours))
	if d := cmp.Diff(string(theirs), compact.String()); d != "" {
		t.Error(d)
	}
}

func TestSettingWithoutJSONForm(t *testing.T) {
	path := filepath.Join(t.TempDir(), record.MissionFile)
	m := &record.Mission{Version: record.Version, Settings: record.Settings{"follower": {"odd": []any{make(chan int)}}}}
	if err := m.WriteJSON(path); err == nil || !strings.Contains(err.Error(), "chan int") {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Error("a file was written")
	}
}

// A parameter that was infinite is null in the journal, and another number is a change.
func TestChanges(t *testing.T) {
	was := map[string]any{"a": nil, "b": json.Number("1"), "c": []any{json.Number("2")}}
	is := map[string]any{"a": math.Inf(1), "b": 2.0, "c": []float64{2}, "d": "x"}
	if got, want := record.Changes(was, is, "d"), []record.Change{{Name: "b", Was: "1", Is: "2"}}; !cmp.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestReadMissionRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"no JSON":          {"mission", "not the record"},
		"no version":       {`{"program": "ugp"}`, "version is none"},
		"earlier version":  {`{"version": 1}`, "version is 1"},
		"later version":    {`{"version": 3}`, "version is 3"},
		"cut off":          {`{"version": 2, "observations": [`, "unexpected"},
		"something after":  {`{"version": 2} {}`, "after top-level value"},
		"text for numbers": {`{"version": 2, "distance_m": "far"}`, "distance_m"},
	} {
		path := filepath.Join(t.TempDir(), "m.json")
		must.OK(t, os.WriteFile(path, []byte(c.text), 0o600))
		_, err := record.ReadMission(path)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v; want one with the path and %q", name, err, c.says)
		}
	}
	if _, err := record.ReadMission(filepath.Join(t.TempDir(), "none.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}
