// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/recordtest"
	"ugp_explorer/node/record"
)

// The sentence says what the samples say, and no more.
func TestHeard(t *testing.T) {
	places := func(n int) []record.Heard { return make([]record.Heard, n) }
	for _, c := range []struct {
		m    record.Mission
		want string
	}{
		{m: record.Mission{Quantity: "potassium"}},
		{m: record.Mission{Quantity: "potassium", Secondary: &record.Secondary{Quantity: "conductivity", Heard: places(412), Correlation: 0.716, CorrelationStdDev: 0.1}},
			want: "Conductivity correlates with potassium by 0.72 ± 0.10; it was measured at 412 places."},
		{m: record.Mission{Quantity: "log10 K", Units: "log10(mg/l)", Secondary: &record.Secondary{Quantity: "gamma", Heard: places(1), Correlation: -0.4, CorrelationStdDev: 0.25}},
			want: "Gamma correlates with K by -0.40 ± 0.25; it was measured at 1 place."},
		{m: record.Mission{Secondary: &record.Secondary{Heard: places(3), Correlation: -0.001, CorrelationStdDev: 0.3}},
			want: "The second quantity correlates with value by 0.00 ± 0.30; it was measured at 3 places."},
		{m: record.Mission{Quantity: "potassium", Secondary: &record.Secondary{Quantity: "conductivity", Heard: places(12)}},
			want: "Conductivity was measured at 12 places; no sample says yet how it goes with potassium."},
		{m: record.Mission{Quantity: "potassium", Secondary: &record.Secondary{Quantity: "conductivity"}},
			want: "Conductivity was not measured anywhere."},
	} {
		if got := c.m.Heard(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if note := c.m.Answer(nil).Note; note != c.want {
			t.Errorf("the answer's note is %q, want %q", note, c.want)
		}
	}
}

// A record that was written and read again has the posterior of the second quantity with which the mission ended.
func TestSecondaryIsLearntAgain(t *testing.T) {
	m, _, _ := recordtest.Mission(5, 6, 10)
	if g, err := m.Secondary.GP(); g != nil || err != nil {
		t.Errorf("without a sensor there is the posterior %v, %v", g, err)
	}
	want := recordtest.Hear(t, m)
	path := filepath.Join(t.TempDir(), record.MissionFile)
	must.OK(t, m.WriteJSON(path))
	read, err := record.ReadMission(path)
	must.OK(t, err)
	recordtest.Equal(t, read, m)
	got, err := read.Secondary.GP()
	must.OK(t, err)
	for _, at := range []gp.Belief{gp.Point(333, 444), m.Observations[2].Located()} {
		mean, variance := got.Posterior(at)
		wantMean, wantVariance := want.Posterior(at)
		if math.Abs(mean-wantMean) > 1e-9 || math.Abs(variance-wantVariance) > 1e-9 {
			t.Errorf("at %v: %g, %g; want %g, %g", at.Mean, mean, variance, wantMean, wantVariance)
		}
	}
	m.Secondary.Heard[3].Variance = -1
	if _, err := m.Secondary.GP(); err == nil || !strings.Contains(err.Error(), "-1") {
		t.Errorf("a negative variance: %v", err)
	}
	m.Secondary.Hyper.Kernel = "cubic"
	if _, err := m.Secondary.GP(); err == nil || !strings.Contains(err.Error(), "cubic") {
		t.Errorf("an unknown kernel: %v", err)
	}
	m.Secondary.Hyper = nil
	if g, err := m.Secondary.GP(); g != nil || err != nil {
		t.Errorf("nothing was learnt, and there is %v, %v", g, err)
	}
}
