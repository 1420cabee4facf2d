// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"fmt"
	"math"
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
		"too near to the edge": {200, 15, []float64{-96, 0, 0}, "it may drive only 1 m, but such fixes need about 8 m: drive it that far straight ahead by hand, start farther inside, use a better receiver, raise allowance to 15 m, or, if it may drive, publish true on guard/override 5 times a second"},
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

// A receiver that states many metres starts no mission where the guard would stop the robot before fixes have shown its heading, also not
// a mission that starts by itself with the first pose; farther inside it does, and near the edge, too, if its fixes are steadier than it
// states.
func TestTooUncertainToStart(t *testing.T) {
	outline := outlineFile(t, rectangle(200, 200))
	steady := filepath.Join(t.TempDir(), "steady.csv")
	rows := "t_s,east_err_m,north_err_m\n"
	for i := range 1200 { // 2 m, over minutes
		rows += fmt.Sprintf("%d,%.3f,%.3f\n", i, 2*math.Sin(float64(i)/60), 2*math.Cos(float64(i)/80))
	}
	must.OK(t, os.WriteFile(steady, []byte(rows), 0o666))
	for _, c := range []struct {
		stdDev float64
		trace  string
		start  []float64
		starts bool
	}{
		{8, "", []float64{5, 100, 1.57}, false}, {8, "", []float64{100, 100, 1.57}, true},
		{12, "", []float64{30, 100, 0}, false}, {16, "", []float64{5, 5, 0.8}, false}, {16, "", []float64{100, 100, 0}, false},
		{8, steady, []float64{5, 100, 1.57}, true}, {12, steady, []float64{30, 100, 1.57}, true},
	} {
		t.Run(fmt.Sprint(c.stdDev, " m ", c.trace != "", c.start[0]), func(t *testing.T) {
			t.Parallel()
			cfg := DefaultConfig(2)
			cfg.Fieldsim.Field.Boundary, cfg.Fieldsim.Start = outline, c.start
			cfg.Fieldsim.Trace, cfg.Fieldsim.Fix.StdDev = c.trace, c.stdDev
			cfg.Explorer.Mission.Budget.Samples, cfg.Explorer.Method = 1, "random"
			s := begin(t, &cfg, Options{})
			err := s.Run(t.Context())
			n, at := len(s.Explorer().Record().Observations), s.world.Pose()
			if c.starts {
				if err != nil || n != 1 {
					t.Errorf("%d samples: %v", n, err)
				}
			} else if moved := math.Hypot(at.X-c.start[0], at.Y-c.start[1]); err == nil || moved > 0.1 ||
				!strings.Contains(err.Error(), "it does not start: ") || !strings.Contains(err.Error(), "use a better receiver, raise allowance to") {
				t.Errorf("it moved by %.1f m, and has %d samples: %v", moved, n, err)
			}
		})
	}
}
