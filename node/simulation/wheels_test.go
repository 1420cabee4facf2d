// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/diagnostic_msgs"
)

// Wheels of half or twice the configured radius are named by the filter, with what to do.
func TestWrongWheels(t *testing.T) {
	outline := outlineFile(t, rectangle(60, 60))
	for name, c := range map[string]struct {
		counted float64
		want    string // "": nothing
	}{
		"right":            {1, ""},
		"half of the path": {0.5, "times as far as the odometry of /fieldsim says: correct the radius of the wheels"},
		"twice the path":   {2, "times as far as the odometry of /fieldsim says: correct the radius of the wheels"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := DefaultConfig(3)
			cfg.Fieldsim.Field.Boundary, cfg.Fieldsim.Start = outline, []float64{20, 25, 0.5}
			cfg.Explorer.Mission.Budget.Samples = 8
			s := begin(t, &cfg, Options{Parameters: parameters(t, "fieldsim: {ros__parameters: {fix.stddev: 0.1}}")})
			s.world.Encoders(c.counted, c.counted)
			said := ""
			listen(t, s, "spectator", "/diagnostics", func(m *diagnostic_msgs.DiagnosticArray) {
				for _, d := range m.Status {
					if strings.HasPrefix(d.Name, "ekf:") && strings.Contains(d.Message, "odometry of") && said != d.Message {
						said = d.Message
					}
				}
			})
			must.OK(t, s.Run(t.Context()))
			if m := s.Explorer().Record(); len(m.Observations) != 8 {
				t.Errorf("%d samples: %s", len(m.Observations), m.Outcome)
			}
			if !strings.Contains(said, c.want) || (c.want == "") != (said == "") {
				t.Errorf("the filter says %q, want %q", said, c.want)
			}
		})
	}
}

// Wheels whose radius is wrong by a fifth displace no place: the filter learns their scale from fixes that err by metres for minutes.
func TestWheelsOfWrongSize(t *testing.T) {
	outline := outlineFile(t, rectangle(200, 200))
	for _, counted := range []float64{0.8, 1.2} {
		t.Run(fmt.Sprint(counted), func(t *testing.T) {
			t.Parallel()
			cfg := DefaultConfig(1)
			cfg.Fieldsim.Field.Boundary = outline
			cfg.Explorer.Mission.Budget.Samples = 15
			s := begin(t, &cfg, Options{Parameters: parameters(t, "/**/guard: {ros__parameters: {allowance: 25.0}}\n/**/fieldsim: {ros__parameters: {fix.receiver: consumer}}")})
			s.world.Encoders(counted, counted)
			must.OK(t, s.Run(t.Context()))
			m := s.Explorer().Record()
			if len(m.Observations) != 15 {
				t.Errorf("%d samples: %s", len(m.Observations), m.Outcome)
			}
			worst := 0.0
			for _, o := range m.Observations {
				worst = max(worst, math.Hypot(o.Belief.X-o.TruePlace[0], o.Belief.Y-o.TruePlace[1]))
			}
			if worst > 9 {
				t.Errorf("a place is %.1f m off", worst)
			}
			p := s.world.Pose()
			if off := math.Hypot(p.X-cfg.Fieldsim.Start[0], p.Y-cfg.Fieldsim.Start[1]); off > 5 {
				t.Errorf("it ends %.1f m from home", off)
			}
		})
	}
}
