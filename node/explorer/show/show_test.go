// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package show_test

import (
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
)

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
		State:   mission.StatePaused, Text: "paused", Advice: "call ~/resume", Trouble: "no pose",
		Record: record.Mission{Observations: []record.Observation{{Belief: localization.Belief{X: 1, Y: 2, XX: 4, YY: 4}, Value: 7, Variance: 1}}},
		Counts: []show.Count{{Name: "readings matched", N: 3}},
		Close:  &show.CloseUp{}, Rest: &mission.Rest{Distance: 12, Done: 0.5}, StoppedBy: "person", Commands: []string{"resume"},
	}
	v.Status()
	if !v.Diagnosed() {
		t.Error("nobody listens for diagnostics")
	}
	v.Diagnostics(s)
	rostest.Drain(t, ex)
	if m := &status; m.Text != "paused; call ~/resume; no pose" || !m.HasTarget || m.Target.Y != 4 || m.SamplesTaken != 1 ||
		m.ExpectedDistance != 12 || m.ShareDone != 0.5 || m.StoppedBy != ugp_explorer_msgs.MissionStatusStoppedByPerson || !slices.Equal(m.Commands, []string{"resume"}) {
		t.Errorf("the status is %+v", m)
	}
	if d := array.Status[0]; d.Level != diagnostic_msgs.DiagnosticStatusWarn || d.Values[0] != (diagnostic_msgs.KeyValue{Key: "readings matched", Value: "3"}) {
		t.Errorf("the diagnostics are %+v", d)
	}
	if line := s.Sample(false); line != "sample 1 at (1.00, 2.00) m ± 2.00 m: 7 (5 to 9)" {
		t.Errorf("the log says %q", line)
	}
}
