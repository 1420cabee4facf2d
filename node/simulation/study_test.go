// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/record"
)

// regrets returns an outcome whose final regrets are given; those of an earlier
// sample are there to be overlooked.
func regrets(method string, seed int64, raw, smooth, expected float64) MissionOutcome {
	return MissionOutcome{
		Trial: Trial{Seed: seed, Method: method}, Observations: 30, Wanted: 30, Distance: 1000 * float64(seed), Simulated: 1800,
		Samples: []int{1, 30}, Simple: Numbers{90, 0.5}, Recommended: Numbers{91, raw}, Smooth: Numbers{92, smooth}, Expected: Numbers{93, expected},
		Instantaneous: Numbers{94, 0.75}, Mean: Numbers{95, 8},
	}
}

// The table's figures, worked by hand: the smooth regrets of "ours" are 1, 2, 3
// (mean 2, s² = 1, s/√3 = 0.5774), of "theirs" 2, 2, 5 (mean 3, s² = 3, s/√3 = 1);
// the differences are 1, 0, 2 (mean 1, s² = 1), and a draw is no win. The
// expected regrets are 4, 4, 4 and 1, 4, 4: differences −3, 0, 0 (mean −1, s² = 3).
// The raw ones are all 7, the means 8.
func TestTable(t *testing.T) {
	outcomes := []MissionOutcome{
		regrets("ours", 1, 7, 1, 4), regrets("theirs", 1, 7, 2, 1),
		regrets("theirs", 3, 7, 5, 4), regrets("ours", 3, 7, 3, 4), // the order of methods does not matter
		regrets("ours", 2, 7, 2, 4), regrets("theirs", 2, 7, 2, 4),
		regrets("ours", 4, 9, 9, 9), // a seed that lacks a method is in no average
	}
	// Misses of 3 and 4 m: √((9+16)/2/2) = 2.5 m in x and in y.
	outcomes[0].Misses, outcomes[0].Consistency = Numbers{3}, Numbers{1}
	outcomes[1].Misses, outcomes[1].Consistency = Numbers{4}, Numbers{5}
	// Reckoned with as 5 m: ½√(2/4 - 2 + log 4²) = 0.56.
	outcomes[0].Assumed = 5
	outcomes[4].GivenUp, outcomes[4].Ending = true, "lost"
	outcomes[5].FromHome = 6 // it is not at home
	table := Plan{[]string{"ours", "theirs"}, Seeds{1, 4}, []string{""}, []float64{1}}.table(outcomes)
	lines := strings.Split(table, "\n")
	for _, c := range []struct {
		line int
		want string
	}{
		{4, "| as configured | ours | 4 | 3 | 3 | 1 | 30.0 | 3.00 | 1.00 | 100 | 3.750 ± 1.797 | 3, within 5.0 m |"},
		{5, "| as configured | theirs | 3 | 2 | 2 | 0 | 30.0 | 4.00 | 5.00 | 0 | 3.000 ± 1.000 | 2, within 5.0 m |"},
		{7, "over 3 seeds"},
		{9, "| method | samples | smooth | behind | expected | behind | raw | behind | mean | behind | distance, km | time, h |"},
		{10, "|---|---|---|---|---|---|---|---|---|---|---|---|"},
		{11, "| ours | 30 | 2.0000 ± 0.5774 | | 4.0000 ± 0.0000 | | 7.0000 ± 0.0000 | | 8.0000 ± 0.0000 | | 2.0 | 0.50 |"},
		{12, "| theirs | 30 | 3.0000 ± 1.0000 | 1.0000 ± 0.5774 (2) | 3.0000 ± 1.0000 | -1.0000 ± 1.0000 (0) | 7.0000 ± 0.0000 | 0.0000 ± 0.0000 (0) | 8.0000 ± 0.0000 | 0.0000 ± 0.0000 (0) | 2.0 | 0.50 |"},
		{14, "2 samples: the true places are 2.50 m from their targets"},
		{14, "distance from their beliefs 3.00"},
		{14, "; 50.0 % inside the 2σ ellipse"},
		{15, "assumed 5.00 m for this distance at the end: the error in expected values is at most 0.56 norms of the field by Proposition approx as printed (1.13 by its proof)."},
		{16, "Left out, because a method has no result: seed 4."},
		{17, "seed 2, ours, after 30 samples: lost."},
	} {
		if !strings.Contains(lines[c.line], c.want) {
			t.Errorf("line %d is %q, want %q", c.line+1, lines[c.line], c.want)
		}
	}
}

// A mission that has driven and taken no sample is named with its ending, and the others count as without it.
func TestMissionWithoutASample(t *testing.T) {
	none := MissionOutcome{Trial: Trial{Seed: 2, Method: "ours"}, Wanted: 30, Distance: 100, Ending: "5 failures in a row"}
	p := Plan{[]string{"ours"}, Seeds{1, 2}, []string{""}, []float64{1}}
	table := p.table([]MissionOutcome{regrets("ours", 1, 7, 1, 4), none})
	for _, want := range []string{"| as configured | ours | 2 | 1 | 2 | 0 | 15.0 |", "seed 2, ours, after 0 samples: 5 failures in a row."} {
		if !strings.Contains(table, want) {
			t.Errorf("the table does not say %q:\n%s", want, table)
		}
	}
	if table = p.table([]MissionOutcome{none}); strings.Contains(table, "0 samples: the true places") || strings.Contains(table, "| ours | NaN |") {
		t.Errorf("the table describes samples that were not taken:\n%s", table)
	}
}

// A receiver that errs by metres is at home where it can tell no more: with a deviation of 3.4 m, √(-4·ln 0.05)·3.4 = 11.8 m.
func TestHomeAsTheReceiverCanTell(t *testing.T) {
	near, far := regrets("ours", 1, 1, 1, 1), regrets("ours", 2, 1, 1, 1)
	near.FromHome, far.FromHome = 11, 12
	for fixError, told := range map[float64]string{3.4: "| 1, within 11.8 m |", 0.02: "| 0, within 5.0 m |"} {
		line := strings.Split(Plan{[]string{"ours"}, Seeds{1, 2}, []string{""}, []float64{fixError}}.table([]MissionOutcome{near, far}), "\n")[4]
		if !strings.Contains(line, "| ours | 2 | 0 | 0 | 0 |") || !strings.HasSuffix(line, told) {
			t.Errorf("%g m: %s", fixError, line)
		}
	}
}

// Recordings with the same name of a file, and of a kind of receivers, have rows and pictures of their own.
func TestReceiversOfOneName(t *testing.T) {
	receivers := []string{"rtk", "rtk.csv", "may/rtk.csv", "june/open/rtk.csv", "june/trees/rtk.csv", "../river.csv", ""}
	names := []string{"rtk", "rtk.csv", "may/rtk", "open/rtk", "trees/rtk", "river", "as configured"}
	p := Plan{Methods: []string{"ours"}, Seeds: Seeds{1, 1}, Receivers: receivers, FixErrors: make([]float64, len(receivers))}
	var outcomes []MissionOutcome
	for i, receiver := range receivers {
		if got := p.receiverName(receiver); got != names[i] {
			t.Errorf("%q is called %q, want %q", receiver, got, names[i])
		}
		o := regrets("ours", 1, 1, 2, 3)
		o.Receiver = receiver
		outcomes = append(outcomes, o)
	}
	drawn := map[string]bool{}
	charts := p.charts(outcomes)
	for _, c := range charts {
		if drawn[c.Name] || strings.ContainsAny(c.Name, "/\\") {
			t.Errorf("the picture %q is drawn twice, or is in another folder", c.Name)
		}
		drawn[c.Name] = true
	}
	if want := 3 * len(receivers); len(charts) != want {
		t.Errorf("there are %d pictures, want %d", len(charts), want)
	}
}

// A mission that ended early counts on with what it had: of "theirs" the smooth
// regret is 92 to the last sample of the others.
func TestCharts(t *testing.T) {
	short := regrets("theirs", 1, 7, 8, 9)
	short.Samples = short.Samples[:1]
	charts := Plan{[]string{"ours", "theirs"}, Seeds{1, 2}, []string{""}, []float64{1}}.charts([]MissionOutcome{regrets("ours", 1, 1, 2, 3), regrets("ours", 2, 1, 4, 3), short, regrets("theirs", 2, 7, 8, 9)})
	if len(charts) != 3 || charts[1].Name != "smooth" {
		t.Fatalf("charts %+v, want mean, smooth and expected", charts)
	}
	ours, theirs := charts[1].Series[0], charts[1].Series[1]
	if len(ours.Mean) != 30 || ours.Mean[28] != 92 || ours.Mean[29] != 3 || math.Abs(ours.Deviation[29]-math.Sqrt2) > 1e-12 {
		t.Errorf("ours ends with %v ± %v, want 92 and 3, at last ± √2", ours.Mean[28:], ours.Deviation[28:])
	}
	if theirs.Label != "theirs" || theirs.Mean[29] != 50 {
		t.Errorf("%s ends with %v, want theirs with 50", theirs.Label, theirs.Mean[29])
	}
	gap := regrets("ours", 1, 1, math.NaN(), 3)
	if charts := (Plan{[]string{"ours"}, Seeds{1, 1}, []string{""}, []float64{1}}).charts([]MissionOutcome{gap}); len(charts) != 2 || charts[1].Name != "expected" {
		t.Errorf("with a value that is missing: %+v", charts)
	}
	if charts := (Plan{[]string{"ours"}, Seeds{1, 1}, []string{""}, []float64{1}}).charts([]MissionOutcome{{Trial: Trial{1, "ours", ""}}}); charts != nil {
		t.Errorf("charts without a truth: %+v", charts)
	}
}

// A mission that was given up counts with what it had; one that was interrupted does not, nor one without a
// record.
func TestStudyCounts(t *testing.T) {
	enough, broken := errors.New("that is enough"), errors.New("a wheel fell off")
	stopped, stop := context.WithCancelCause(t.Context())
	stop(enough)
	lost := fmt.Errorf("%w: lost", ErrGivenUp)
	for name, c := range map[string]struct {
		ctx  context.Context
		m    *record.Mission
		err  error
		want bool
	}{
		"whole":             {t.Context(), &record.Mission{}, nil, true},
		"given up":          {t.Context(), &record.Mission{}, lost, true},
		"without a record":  {t.Context(), nil, lost, false},
		"broken":            {t.Context(), &record.Mission{}, broken, false},
		"interrupted":       {stopped, &record.Mission{}, errors.Join(ErrGivenUp, enough), false},
		"whole just before": {stopped, &record.Mission{}, nil, true},
	} {
		s := Plan{[]string{"a"}, Seeds{1, 1}, []string{""}, []float64{1}}.Study(nil, func(context.Context, Trial) (*record.Mission, float64, error) { return c.m, 0, c.err })
		o, err := s.Run(c.ctx, Trial{1, "a", ""})
		if (err == nil) != c.want || !c.want && !errors.Is(err, c.err) || o.GivenUp != (c.want && c.err != nil) {
			t.Errorf("%s: %+v, %v", name, o, err)
		}
	}
}

// An outcome has the figures of a record, and comes back from a log as it was, figures that are no numbers
// included.
func TestOutcome(t *testing.T) {
	nan := math.NaN()
	at := record.Place{3, 4}
	m := &record.Mission{
		Distance: 12.5, SimulatedTime: 1e4, WallTime: 0.25, Noise: &record.Covariance{XX: 2, YY: 2.5},
		Observations: []record.Observation{{TruePlace: &at, Belief: record.Belief{X: 1, Y: 4, XX: 1, YY: 1}}, {}},
		Truth: &record.Truth{RegretOverSamples: []record.RegretAt{
			{Samples: 1, Simple: 0.1 + 0.2, Recommended: nan, Smooth: 3, Expected: nan, Instantaneous: 0.5, Mean: nan}, {Samples: 2, Simple: 1.0 / 3},
		}},
	}
	want := MissionOutcome{
		Trial: Trial{7, "uei", ""}, Samples: []int{1, 2},
		Simple: Numbers{0.1 + 0.2, 1.0 / 3}, Recommended: Numbers{nan, 0}, Smooth: Numbers{3, 0}, Expected: Numbers{nan, 0}, Instantaneous: Numbers{0.5, 0}, Mean: Numbers{nan, 0},
		Distance: 12.5, Simulated: 1e4, Wall: 0.25, Misses: Numbers{5}, Consistency: Numbers{4}, Assumed: 1.5, Observations: 2,
	}
	got := outcome(Trial{7, "uei", ""}, m)
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
	text, err := json.Marshal(got)
	must.OK(t, err)
	var again MissionOutcome
	must.OK(t, json.Unmarshal(text, &again))
	if diff := cmp.Diff(want, again, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("it came back otherwise:\n%s", diff)
	}
	if k := []float64{got.after(0, got.Smooth), got.after(1, got.Smooth), got.after(9, got.Smooth)}; !math.IsNaN(k[0]) || !slices.Equal(k[1:], []float64{3, 0}) {
		t.Errorf("after 0, 1 and 9 samples: %v", k)
	}
}
