// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/planner"
)

// A mission about a threshold that has a raster, a second sensor and other quantities goes on after two crashes, with a struck sample
// and with more budget, and its record always gives the results again.
func TestAllQuantitiesTogether(t *testing.T) {
	raster := soil(t)
	change := func(c *settings.Config) {
		conducts(c)
		measuresMore(c)
		c.Covariates, c.Objective, c.Threshold = []string{raster}, planner.ObjectiveThreshold, 0.5
		c.Model.Average, c.Learn.Local = 8, true
	}
	w := begun(t, change)
	sensors := func() {
		withSecond(w)
		withProbes(w)
	}
	sensors()
	for taken := 1; taken <= 2; taken++ {
		w.setsOutAfter(taken)
		before := w.explorer.Record()
		w = w.crashed(10*time.Second, change)
		sensors()
		after := w.explorer.Record()
		if len(after.Secondary.Heard) != len(before.Secondary.Heard) || len(after.Observations) != taken || after.Observations[taken-1].AlsoAt(1) == nil {
			t.Fatalf("after crash %d, %d of %d values are heard, the samples are %+v", taken, len(after.Secondary.Heard), len(before.Secondary.Heard), after.Observations)
		}
		w.run(time.Second)
		w.do("resume")
	}
	m := w.finish()
	check := func(with int) {
		t.Helper()
		for i, q := range m.Also {
			if n := len(m.AlsoSamples(i)); n != with || len(q.Models) == 0 {
				t.Errorf("%s has %d samples, want %d, and the models %+v", q.Quantity, n, with, q.Models)
			}
		}
		names := exportAgain(t, w.cfg.OutputDir)
		for _, name := range []string{"secondary.tif", "also_phosphorus.tif", "also_probe_ph.tif", "raster_1.tif"} {
			if !slices.Contains(names, name) {
				t.Errorf("%s is not among the results, %q", name, names)
			}
		}
	}
	check(4)
	w.say("strike 2")
	w.say("more 50")
	w.until("two more samples", func() bool { return len(w.observations) == 6 })
	m = w.finish()
	check(5)
	answer := w.explorer.Answer()
	w = w.crashed(time.Hour, change)
	sensors()
	w.run(time.Minute)
	if got := w.explorer.Answer(); got != answer || !strings.Contains(got.Note, "its correlation with quantity is") {
		t.Errorf("after the end the answer is %+v, and was %+v", got, answer)
	}
}
