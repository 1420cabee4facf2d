// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
)

// A field beside the true one has the correlation with it that is asked for, whether the true one is drawn or
// kriged from point data.
func TestCorrelated(t *testing.T) {
	survey := "x,y,value\n"
	for i := range 60 {
		x, y := 40*float64(i%10), 50*float64(i/10)
		survey += fmt.Sprintf("%g,%g,%g\n", x, y, 20+3*math.Sin(x/60)+2*math.Cos(y/80)+0.1*float64(i*i%7))
	}
	file := filepath.Join(t.TempDir(), "survey.csv")
	must.OK(t, os.WriteFile(file, []byte(survey), 0o600))
	for name, c := range map[string]fieldsim.FieldConfig{"drawn": {}, "rough": {Shape: "exponential"}, "kriged": {File: file}} {
		w, err := c.Open(5)
		must.OK(t, err)
		for _, want := range []float64{-0.4, 0, 0.7, 1} {
			at, places, err := c.Correlated(w.Truth, w.Outline.Boundary, want, 6)
			must.OK(t, err)
			var own, of []float64
			for _, p := range places {
				own, of = append(own, at(p[0], p[1])), append(of, w.Truth.Smooth(p[0], p[1]))
			}
			if got := stat.Correlation(own, of, nil); math.Abs(got-want) > 1e-9 || len(places) < 1000 {
				t.Errorf("%s: the correlation over %d places is %g, want %g", name, len(places), got, want)
			}
		}
	}
}

// The second sensor measures every 2 s, while the robot drives and while it stands. It does not change a
// reading, a fix or the way of the robot.
func TestSecondary(t *testing.T) {
	trip := func(correlation float64) *rig {
		r := newRig(t, func(c *fieldsim.Config) { c.Secondary = correlation })
		for range 5 {
			r.drive(20*time.Second, 1.5, 0.02)
			r.run(20 * time.Second)
		}
		return r
	}
	r, without := trip(0.7), trip(math.NaN())
	if len(without.secondary) > 0 || without.sim.Secondary() != nil {
		t.Errorf("%d readings of a second sensor, and there is none", len(without.secondary))
	}
	if len(r.reading) == 0 || !slices.Equal(r.reading, without.reading) || !slices.Equal(r.fix, without.fix) || !slices.Equal(r.truth, without.truth) {
		t.Errorf("the second sensor changes the %d readings, %d fixes or %d true poses", len(r.reading), len(r.fix), len(r.truth))
	}
	if n := len(r.secondary); n < 97 || n > 100 {
		t.Fatalf("%d readings in 200 s, want one every 2 s", n)
	}
	var noise []float64
	for _, h := range r.secondary {
		at := r.truthAt(ros.TimeNs(h.m.Header.Stamp)).Pose.Pose.Position
		noise = append(noise, h.m.Value-r.sim.Secondary()(at.X, at.Y))
		if h.m.Variance != 1 {
			t.Fatalf("a reading states the variance %g, want 1", h.m.Variance)
		}
	}
	// Of 97 readings and more: within 4 standard errors.
	if mean, stdDev := stat.MeanStdDev(noise, nil); math.Abs(mean) > 0.4 || math.Abs(stdDev-1) > 0.3 {
		t.Errorf("the noise is %g ± %g mS/m, want 0 ± 1", mean, stdDev)
	}
}
