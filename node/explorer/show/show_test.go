// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package show_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
)

// What a second sensor gives is mapped before there is a sample, in the field only, and the record says what was learnt of it;
// a record that others hold stays as it was.
func TestSecondary(t *testing.T) {
	cfg := settings.DefaultConfig()
	cfg.Outline = field.Field{Boundary: orb.Polygon{{{0, 0}, {100, 0}, {100, 50}, {0, 50}, {0, 0}}}}
	_, node := rostest.Simulated(t, "hears", ros.NodeOptions{Parameters: cfg.Parameters(), NoRosout: true})
	g, _, err := cfg.Ground(node.Parameters(), node.Logger())
	must.OK(t, err)
	v, err := show.New(node, &cfg, g, nil, nil, show.Mission{})
	must.OK(t, err)
	known, err := gp.New(gp.Hyper{SignalVariance: 100, LengthScales: []float64{30, 30}, Mean: 50})
	must.OK(t, err)
	must.OK(t, known.Add(gp.Observation{Belief: gp.Point(40, 20), Value: 62, NoiseVariance: 1}))
	held := &record.Secondary{Quantity: "conductivity", Units: "mS/m", Heard: make([]record.Heard, 1)}
	s := &show.Snapshot{Record: record.Mission{Secondary: held}}
	if maps, err := v.Mapping(s).Maps(nil); err != nil || len(maps.Layers) > 0 {
		t.Errorf("nothing was heard, and there are the maps %v, %v", maps.Layers, err)
	}
	s.Known.Secondary, s.Known.Correlation = known, planner.Correlation{Mean: 0.7, StdDev: 0.2}
	maps, err := v.Mapping(s).Maps(nil)
	must.OK(t, err)
	must.OK(t, maps.Validate())
	inside, layer := 0, maps.Layer("secondary")
	if layer == nil || layer.Title() != "Conductivity" || layer.Units != "mS/m" {
		t.Fatalf("the maps are %+v", maps.Layers)
	}
	for k, got := range layer.Values {
		at := maps.Grid.Centre(k%maps.Grid.NX, k/maps.Grid.NX)
		if math.IsNaN(got) != (g.Region().SignedDistance(at) < 0) {
			t.Fatalf("at %v the map is %g", at, got)
		}
		if want, _ := known.Posterior(gp.Point(at[:]...)); !math.IsNaN(got) {
			if inside++; math.Abs(got-want) > 1e-9 {
				t.Fatalf("at %v the map is %g, want %g", at, got, want)
			}
		}
	}
	if inside == 0 || maps.Mean != nil {
		t.Errorf("%d cells are mapped, the field is %v", inside, maps.Mean)
	}
	m := s.Record
	if s.Explain(&m); m.Secondary.Correlation != 0.7 || m.Secondary.CorrelationStdDev != 0.2 || m.Secondary.Hyper.Mean != 50 || m.Secondary.Learnt != 1 || len(m.Secondary.Heard) != 1 {
		t.Errorf("the record has %+v", m.Secondary)
	}
	if held.Correlation != 0 || held.Hyper != nil {
		t.Errorf("the record before has %+v", held)
	}
}

// The map of another quantity is that of the samples which have it. One that cannot be learnt costs only its own map.
func TestAlso(t *testing.T) {
	cfg := settings.DefaultConfig()
	cfg.Outline = field.Field{Boundary: orb.Polygon{{{0, 0}, {100, 0}, {100, 50}, {0, 50}, {0, 0}}}}
	_, node := rostest.Simulated(t, "maps", ros.NodeOptions{Parameters: cfg.Parameters(), NoRosout: true})
	g, _, err := cfg.Ground(node.Parameters(), node.Logger())
	must.OK(t, err)
	h := gp.Hyper{SignalVariance: 4, LengthScales: []float64{30, 30}, NoiseVariance: 0.1, Mean: 6}
	v, err := show.New(node, &cfg, g, nil, nil, show.Mission{Fit: func(samples []gp.Observation) ([]fit.Weighted, error) {
		if len(samples) != 2 {
			return nil, errors.New("refused")
		}
		return []fit.Weighted{{Hyper: h, Weight: 1}}, nil
	}})
	must.OK(t, err)
	m := record.Mission{Also: []record.Quantity{{Topic: "ph", Quantity: "pH"}, {Topic: "p", Quantity: "P"}}}
	for i, value := range []*record.Value{{Value: 5, Variance: 0.1}, nil, {Value: 8}, {Value: 100}} {
		m.Observations = append(m.Observations, record.Observation{Belief: record.Belief{X: float64(20 * i), Y: 20, XX: 1, YY: 1}, Also: []*record.Value{value}})
	}
	m.Observations[3].Struck = record.StruckByPerson
	mapping := v.Mapping(&show.Snapshot{Record: m})
	maps, err := mapping.Maps(nil)
	must.OK(t, err)
	must.OK(t, maps.Validate())
	layer, also := maps.Layer("also1"), mapping.Record.Also
	if len(maps.Layers) != 1 || layer == nil || layer.Title() != "pH" || len(also[0].Models) != 1 || len(also[1].Models) != 0 || m.Also[0].Models != nil {
		t.Fatalf("maps %+v, models %+v, and in the record of before %+v", maps.Layers, also, m.Also)
	}
	known, err := gp.New(h)
	must.OK(t, err)
	must.OK(t, known.Add(gp.Observation{Belief: m.Observations[0].Located(), Value: 5, NoiseVariance: 0.1}))
	must.OK(t, known.Add(gp.Observation{Belief: m.Observations[2].Located(), Value: 8}))
	inside := 0
	for k, got := range layer.Values {
		if at := maps.Grid.Centre(k%maps.Grid.NX, k/maps.Grid.NX); !math.IsNaN(got) {
			inside++
			if want, _ := known.Posterior(gp.Point(at[:]...)); math.Abs(got-want) > 1e-9 {
				t.Fatalf("at %v the map is %g, want %g", at, got, want)
			}
		}
	}
	if inside < 10 {
		t.Errorf("%d cells are mapped", inside)
	}
}

// A snapshot is all that status, diagnostics and log are made of: there is no explorer here.
func TestASnapshotIsEnough(t *testing.T) {
	cfg := settings.DefaultConfig()
	cfg.Outline = field.Field{Boundary: orb.Polygon{{{0, 0}, {100, 0}, {100, 100}, {0, 100}, {0, 0}}}}
	ex, node := rostest.Simulated(t, "shows", ros.NodeOptions{Parameters: cfg.Parameters(), NoRosout: true})
	g, _, err := cfg.Ground(node.Parameters(), node.Logger())
	must.OK(t, err)
	var s *show.Snapshot
	v, err := show.New(node, &cfg, g, nil, nil, show.Mission{Now: func() *show.Snapshot { return s }})
	must.OK(t, err)
	must.OK(t, v.Open())
	var status ugp_explorer_msgs.MissionStatus
	var array diagnostic_msgs.DiagnosticArray
	rostest.Hear(t, node, "~/status", ros.Latched(), func(m *ugp_explorer_msgs.MissionStatus) { status = *m })
	rostest.Hear(t, node, "/diagnostics", ros.DefaultQoS(), func(m *diagnostic_msgs.DiagnosticArray) { array = *m })
	rostest.Drain(t, ex)

	s = &show.Snapshot{
		Mission: mission.Status{State: mission.StatePaused, Interrupted: mission.StateTravelling, Target: orb.Point{3, 4}, Samples: 1, RemainingDistance: -1},
		State:   mission.StatePaused, Text: "paused", Advice: "look at the robot", Next: "resume", Trouble: "no pose",
		Record: record.Mission{Observations: []record.Observation{{Belief: localization.Belief{X: 1, Y: 2, XX: 4, YY: 4}, Value: 7, Variance: 1}}},
		Close:  &show.CloseUp{Counts: []show.Count{{Name: "readings matched", N: 3}}}, Rest: &mission.Rest{Distance: 12, Done: 0.5}, StoppedBy: "person", Commands: []string{"resume"},
	}
	v.Status()
	if !v.Diagnosed() {
		t.Error("nobody listens for diagnostics")
	}
	v.Diagnostics(s)
	rostest.Drain(t, ex)
	if m := &status; m.Text != "paused; look at the robot; call ~/resume to continue; no pose" || !m.HasTarget || m.Target.Y != 4 || m.SamplesTaken != 1 ||
		m.ExpectedDistance != 12 || m.ShareDone != 0.5 || m.StoppedBy != ugp_explorer_msgs.MissionStatusStoppedByPerson || !slices.Equal(m.Commands, []string{"resume"}) {
		t.Errorf("the status is %+v", m)
	}
	if d := array.Status[0]; d.Level != diagnostic_msgs.DiagnosticStatusWarn || d.Values[0] != (diagnostic_msgs.KeyValue{Key: "readings matched", Value: "3"}) {
		t.Errorf("the diagnostics are %+v", d)
	}
	if line := show.Sample(&s.Record, s.Mission, false); line != "sample 1 at (1.00, 2.00) m ± 2.00 m: 7 (5 to 9)" {
		t.Errorf("the log says %q", line)
	}
}
