// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/report"
	"ugp_explorer/planner"
	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/mission"
)

// After one sample every place is expected to be like it. Then nothing is recommended anywhere: in
// the status, the record, its files, the journal, and after a crash.
func TestNothingIsRecommendedAmongEquals(t *testing.T) {
	cfg := small()
	cfg.Recommend = planner.RecommendAnywhere
	cfg.Mission.Budget.Samples = 2
	cfg.OutputDir = filepath.Join(t.TempDir(), "mission")
	w := newWorld(t, cfg)
	w.start()
	w.until("the way to the second target", func() bool { return len(w.observations) == 1 && w.explorer.State() == mission.StateTravelling })
	w = w.crashed(time.Second, func(c *settings.Config) { c.Recommend = cfg.Recommend })
	w.until("the status", func() bool { return w.status.State != "" })
	if r := w.explorer.Record(); len(r.Recommended) != 1 || r.Recommended[0].Target != nil || r.Recommendation != nil {
		t.Errorf("resumed after one sample: %+v, recommendation %+v", r.Recommended, r.Recommendation)
	}
	w.do("stop")
	w.finish()
	m, err := record.ReadMission(filepath.Join(w.cfg.OutputDir, record.MissionFile))
	if err != nil || len(m.Observations) != 1 || len(m.Recommended) != 1 || m.Recommended[0].Target != nil || m.Recommendation != nil {
		t.Fatalf("error %v, record %+v", err, m)
	}
	if s := w.status; s.SamplesTaken != 1 || !math.IsNaN(s.BestValue) || !math.IsNaN(s.BestStddev) || s.BestPlace.X != 0 || s.BestPlace.Y != 0 {
		t.Errorf("status %+v, want no best place", s)
	}
	page, err := os.ReadFile(filepath.Join(w.cfg.OutputDir, report.PageFile))
	if err != nil || !bytes.Contains(page, []byte("no place is expected to be better than any other")) {
		t.Errorf("report of %d bytes, error %v", len(page), err)
	}
	for name, want := range map[string]bool{"samples.csv": true, "recommended.csv": false} {
		if _, err := os.Stat(filepath.Join(w.cfg.OutputDir, "export", name)); (err == nil) != want {
			t.Errorf("export/%s: %v", name, err)
		}
	}
}

// Tiles beside the field's file are the report's photo. Those that cannot be used stop no mission.
func TestPhotoBesideTheField(t *testing.T) {
	for name, c := range map[string]struct {
		tile  string
		datum bool
		why   string // "": the photo is there
	}{
		"good": {"16/34233/21566.png", true, ""}, "elsewhere": {"16/1/1.png", true, "no tile"}, "no datum": {"16/34233/21566.png", false, "field.datum is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			cfg := small()
			cfg.Mission.Budget.Samples, cfg.OutputDir, cfg.Field.File = 1, filepath.Join(dir, "out"), filepath.Join(dir, "field.geojson")
			outline := "[[0,0],[80,0],[80,80],[0,80],[0,0]]"
			if c.datum {
				d := earth.Datum{Lon: 8.0471, Lat: 52.2726}
				cfg.Field.Datum = []float64{d.Lon, d.Lat}
				var corners []string
				for _, p := range [][2]float64{{0, 0}, {80, 0}, {80, 80}, {0, 80}, {0, 0}} {
					lon, lat := d.LonLat(p[0], p[1])
					corners = append(corners, fmt.Sprintf("[%.8f,%.8f]", lon, lat))
				}
				outline = "[" + strings.Join(corners, ",") + "]"
			}
			must.OK(t, os.WriteFile(cfg.Field.File, []byte(`{"type":"Polygon","coordinates":[`+outline+`]}`), 0o666))
			tile := filepath.Join(dir, "field.tiles", filepath.FromSlash(c.tile))
			must.OK(t, os.MkdirAll(filepath.Dir(tile), 0o777))
			var b bytes.Buffer
			must.OK(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 256, 256))))
			must.OK(t, os.WriteFile(tile, b.Bytes(), 0o666))
			w := newWorld(t, cfg)
			if got := w.explorer.NoPhoto(); (got == "") != (c.why == "") || !strings.Contains(got, c.why) || c.why != "" && !strings.Contains(w.log.String(), "field.tiles") {
				t.Errorf("the photo is left out because %q", got)
			}
			w.mission()
			page, err := os.ReadFile(filepath.Join(cfg.OutputDir, "report.html"))
			if err != nil || bytes.Contains(page, []byte("data:image/jpeg;base64,")) != (c.why == "") {
				t.Errorf("a photo in the report: %v, %v", c.why != "", err)
			}
		})
	}
}
