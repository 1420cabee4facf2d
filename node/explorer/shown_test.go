// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/report"
)

// What a second sensor measured is in the report and in the results for other software, which the record gives later, too:
// the field's map uses the second quantity, and so does the one that is made again.
func TestSecondSensorIsShown(t *testing.T) {
	w := withSecond(begun(t, func(c *settings.Config) {
		conducts(c)
		c.Model.Average, c.Learn.Local = 8, true
	}))
	w.finish()
	dir := w.cfg.OutputDir
	m, err := record.ReadMission(filepath.Join(dir, record.MissionFile))
	must.OK(t, err)
	s := m.Secondary
	if s.Hyper == nil || s.Learnt != len(s.Heard) || s.CorrelationStdDev == 0 {
		t.Fatalf("learnt from %d of %d values: %+v, correlation %g ± %g", s.Learnt, len(s.Heard), s.Hyper, s.Correlation, s.CorrelationStdDev)
	}
	if !slices.ContainsFunc(m.Models, func(model record.Model) bool { return model.Correlation != 0 }) {
		t.Errorf("no model of the field uses the second quantity: %+v", m.Models)
	}
	names := exportAgain(t, dir)
	for _, name := range []string{"heard.csv", "heard.geojson", "secondary.tif"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not among the results, %q", name, names)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, report.PageFile))
	must.OK(t, err)
	for _, want := range []string{m.Heard(), `<canvas id="secondary"`} {
		if !strings.Contains(html.UnescapeString(string(page)), want) {
			t.Errorf("the report has no %q", want)
		}
	}
}

// The page has a layer of the second quantity with its name, and says what the samples say of it and of a raster so far.
func TestPageShowsWhatTheFieldGoesWith(t *testing.T) {
	w, url := pageWorld(t, conducts, func(c *settings.Config) { c.Covariates, c.Model.Average = []string{soil(t)}, 8 })
	withSecond(w)
	w.start()
	var m *record.Mission
	w.until("what the samples say, and maps of them", func() bool {
		m = w.explorer.Record()
		return m.Secondary.Correlation != 0 && m.Covariates[0].Share > 0.01 && w.explorer.Snapshot().Maps.Samples >= 2
	})
	w.do("pause")
	m = w.explorer.Record()
	got := w.events(url, "status", "maps")
	for event, wants := range map[string][]string{
		"status": {m.Heard(), m.Explained(0)},
		"maps":   {`"layers":["mean","stddev","acquisition","secondary","raster1"],"named":[{"layer":"secondary","name":"Conductivity","units":"mS/m"},{"layer":"raster1",`},
	} {
		for _, want := range wants {
			if !strings.Contains(got[event], want) {
				t.Errorf("the %s has no %q: %s", event, want, got[event])
			}
		}
	}
}
