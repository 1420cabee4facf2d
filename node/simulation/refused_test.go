// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/mission"
)

// A mission that a consumer receiver with this allowance lets sample nothing does not start, and the answer names the allowance; with
// that one it takes its samples. The page and /diagnostics say it before. The field is a square.
func TestTooSmallAllowance(t *testing.T) {
	const standing = epoch + 30e9 // ns
	for name, c := range map[string]struct {
		side, enough float64 // m
		start        []float64
		want         string
	}{
		"too near to the edge": {200, 15, []float64{-96, 0, 0}, "it may drive only 1 m, but such fixes need about 8 m: drive it farther inside by hand, or raise allowance to 15 m"},
		"too small a field":    {24, 22, []float64{0, 0, 0}, "only places 11 m inside the field, which are 0 % of it (4 m² of 458 m²): raise allowance of the guard to 3 m, or to 22 m for all of the field"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "square.geojson")
			must.OK(t, os.WriteFile(file, fmt.Appendf(nil, `{"type": "Polygon", "coordinates": [[[%[1]g, %[1]g], [%[2]g, %[1]g], [%[2]g, %[2]g], [%[1]g, %[2]g], [%[1]g, %[1]g]]]}`, -c.side/2, c.side/2), 0o666))
			try := func(allowance float64) *Simulation {
				cfg := DefaultConfig(1)
				cfg.Explorer.Field.File, cfg.Fieldsim.Receiver, cfg.Fieldsim.Start, cfg.Guard.Allowance = file, "consumer", c.start, allowance
				cfg.Explorer.AutoStart, cfg.Explorer.Mission.Budget.Samples, cfg.Explorer.Method = false, 4, "random"
				s := begin(t, &cfg, Options{})
				must.OK(t, s.executor.Run(t.Context(), func() bool { return s.executor.Now() > standing }))
				return s
			}
			s := try(0)
			if text := fmt.Sprint(s.Explorer().Watched()); !strings.Contains(text, c.want) {
				t.Errorf("before the start it says %s", text)
			}
			if done, text, err := s.Explorer().Order("start"); done || err != nil || !strings.Contains(text, c.want) || s.Explorer().State() != mission.StateIdle {
				t.Errorf("the start is answered with %v, %q, %v", done, text, err)
			}
			s = try(c.enough)
			if done, text, err := s.Explorer().Order("start"); !done || err != nil {
				t.Fatalf("with an allowance of %g m the start is answered with %q, %v", c.enough, text, err)
			}
			must.OK(t, s.Run(t.Context()))
			if n := len(s.Explorer().Record().Observations); n != 4 {
				t.Errorf("with an allowance of %g m there are %d samples", c.enough, n)
			}
		})
	}
}
