// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
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
			cfg.Fieldsim.Field.Boundary, cfg.Fieldsim.Start, cfg.Explorer.Report = outline, []float64{20, 25, 0.5}, false
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
