// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"fmt"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// A receiver that sends a fix each five or ten seconds is slow, and nothing else: between two fixes the robot drives for metres, and the
// mission takes its samples and ends at home.
func TestSlowFixes(t *testing.T) {
	outline := outlineFile(t, rectangle(100, 100))
	for _, receiver := range []string{"rtk", "consumer"} {
		for _, period := range []int{5, 10} {
			t.Run(fmt.Sprint(receiver, " ", period), func(t *testing.T) {
				t.Parallel()
				cfg := DefaultConfig(1)
				cfg.Fieldsim.Field.Boundary, cfg.Fieldsim.Start = outline, []float64{40, 40, 0}
				cfg.Guard.Allowance = 25
				cfg.Explorer.Mission.Budget.Samples = 4
				s := begin(t, &cfg, Options{Parameters: parameters(t, fmt.Sprintf("fieldsim: {ros__parameters: {fix.receiver: %s, fix.period: %d.0}}", receiver, period))})
				must.OK(t, s.Run(t.Context()))
				if m := s.Explorer().Record(); len(m.Observations) != 4 {
					t.Errorf("%d samples, want 4: %s", len(m.Observations), m.Outcome)
				}
			})
		}
	}
}
