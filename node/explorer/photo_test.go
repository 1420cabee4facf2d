// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/earth"
)

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
