// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ideal_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/recorder"
	"ugp_explorer/node/simulation/ideal"
	"ugp_explorer/planner"
	"ugp_explorer/planner/mission"
)

// waves is a field that varies too much for a few samples. Its mean is about 0, it is highest at (47, 63)
// m and lowest at (110, 63) m, among other places.
func waves(x, y float64) float64 { return 1.5*math.Sin(x/20-0.8) + math.Sin(y/40) }

// writeRaster writes the waves with another scale, as points, beyond the block.
func writeRaster(t *testing.T) string {
	t.Helper()
	text := "x,y,value\n"
	for x := -20; x <= 320; x += 5 {
		for y := -20; y <= 220; y += 5 {
			text += fmt.Sprintf("%d,%d,%.4f\n", x, y, 70+20*waves(float64(x), float64(y)))
		}
	}
	file := filepath.Join(t.TempDir(), "raster.csv")
	must.OK(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func wavy() ideal.World {
	w := world(1)
	w.Field = waves
	return w
}

// Whatever a mission is for, however it reads, and alone or in a team, a raster that says all of the
// field makes much of what it misses.
func TestRasters(t *testing.T) {
	raster := writeRaster(t)
	const samples = 12
	for name, c := range map[string]struct {
		objective planner.Objective
		transform record.Transform
		robots    int
	}{
		"maximum":   {planner.ObjectiveMaximum, record.TransformNone, 1},
		"minimum":   {planner.ObjectiveMinimum, record.TransformNone, 1},
		"map":       {planner.ObjectiveMap, record.TransformNone, 1},
		"threshold": {planner.ObjectiveThreshold, record.TransformNone, 1},
		"transform": {planner.ObjectiveMaximum, record.TransformLog10, 1},
		"team":      {planner.ObjectiveMap, record.TransformNone, 2},
	} {
		var missed [2]float64
		for with, files := range [][]string{nil, {raster}} {
			var robots []ideal.Robot
			for i := range c.robots {
				r := robot(block, mission.Budget{Samples: samples / c.robots})
				r.Start[0] += 5 * float64(i)
				r.Config.Covariates, r.Config.Objective, r.Config.Threshold = files, c.objective, 0.5
				r.Config.Reading.Transform = string(c.transform)
				if c.robots > 1 {
					r.Namespace, r.Config.Team = fmt.Sprint("/robot", i), []string{fmt.Sprintf("/robot%d/%s", 1-i, explorer.DefaultName)}
				}
				robots = append(robots, r)
			}
			w := wavy()
			w.Transform = c.transform
			flights, err := ideal.Fly(t.Context(), w, robots)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, f := range flights {
				missed[with] += missing(f, waves, c.objective) / float64(len(flights))
				if with == 1 && f.Record.Covariates[0].Share < 0.7 {
					t.Errorf("%s: the rasters explain %+v", name, f.Record.Covariates)
				}
			}
		}
		if !(missed[1] < 0.4*missed[0]) {
			t.Errorf("%s: %.3f is missed with the raster, %.3f without", name, missed[1], missed[0])
		}
	}
}

// A mission that is taken up again knows what its raster says: it goes to the same place as without
// the interruption.
func TestRasterResumed(t *testing.T) {
	r := robot(block, mission.Budget{Samples: 5})
	cfg := &r.Config
	cfg.Covariates, cfg.OutputDir, cfg.Record.Topics = []string{writeRaster(t)}, t.TempDir(), recorder.None
	whole, err := ideal.Fly(t.Context(), wavy(), []ideal.Robot{r})
	must.OK(t, err)
	lines, err := os.ReadFile(filepath.Join(cfg.OutputDir, journal.FileName))
	must.OK(t, err)
	const before = 3
	var kept []byte
	for n := 0; n < before; { // the robot was killed when it had taken a sample
		line, rest, ok := bytes.Cut(lines, []byte("\n"))
		if !ok {
			t.Fatalf("the journal has %d samples", n)
		}
		kept, lines = append(append(kept, line...), '\n'), rest
		if strings.Contains(string(line), `"observation"`) {
			n++
		}
	}
	cfg.OutputDir, cfg.Existing, cfg.AutoResume = t.TempDir(), settings.ExistingResume, true
	must.OK(t, os.WriteFile(filepath.Join(cfg.OutputDir, journal.FileName), kept, 0o600))
	last := whole[0].Record.Observations[before-1].Belief
	r.Start = orb.Point{last.X, last.Y}
	resumed, err := ideal.Fly(t.Context(), wavy(), []ideal.Robot{r})
	must.OK(t, err)
	if n := len(resumed[0].Record.Observations); n != 5 {
		t.Fatalf("%d samples in the end, want 5", n)
	}
	got, want := resumed[0].Record.Observations[before].Target, whole[0].Record.Observations[before].Target
	if math.Hypot(got[0]-want[0], got[1]-want[1]) > 0.01 {
		t.Errorf("it goes to %v, and to %v without the interruption", got, want)
	}
}
