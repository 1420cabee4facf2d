// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"math"
	"testing"

	"ugp_explorer/node/record"
)

func TestAnswer(t *testing.T) {
	sampled := []record.Observation{{Sequence: 1}}
	level := 50.0
	at := record.Settings{"ugp_explorer": {"field.datum": []float64{-56.9, -33.51}}}
	// Four cells, of which one is outside the field: log10 of 50, of 49 and of 10, and what they could be.
	maps := &record.Maps{
		Grid: record.Grid{Cell: 10, NX: 2, NY: 2}, Mean: []float64{math.Log10(50), math.Log10(49), 1, math.NaN()}, StdDev: []float64{0.016, 0.016, 0.01, math.NaN()},
	}
	linear := &record.Maps{Grid: maps.Grid, Mean: []float64{60, 52, 12, math.NaN()}, StdDev: []float64{2, 4, 3, math.NaN()}}
	minimum := &record.Maps{Grid: maps.Grid, Mean: []float64{60, 13, 12, math.NaN()}, StdDev: []float64{2, 0.4, 0.5, math.NaN()}}
	for _, c := range []struct {
		name              string
		m                 record.Mission
		best, sd          float64
		maps              *record.Maps
		want, note, place string
	}{
		{
			name: "a logarithm is undone, with a datum", best: math.Log10(50), sd: 0.017, maps: maps,
			m:     record.Mission{Quantity: "potassium", Units: "mg/l", Transform: record.TransformLog10, Settings: at, Home: &record.Place{100, 0}},
			want:  "Highest potassium: about 50 mg/l (46 to 54) at 33.51009° S, 56.89978° W, 81 m from home; a higher value is still possible on 67 % of the field.",
			note:  "The potassium there lies between 46 mg/l and 54 mg/l with a probability of 95 %; it is as likely to be above as below 50 mg/l. A higher value counts as possible where its probability is more than 2 %.",
			place: "-33.510090, -56.899785",
		}, {
			name: "the sensor takes the logarithm", best: math.Log10(50), sd: 0.017,
			m:    record.Mission{Quantity: "log10 K", Units: "log10(mg/l)"},
			want: "Highest K: about 50 mg/l (46 to 54) at (20.0, -10.0) m on the map.",
			note: "The K there lies between 46 mg/l and 54 mg/l with a probability of 95 %; it is as likely to be above as below 50 mg/l.",
		}, {
			name: "the lowest value, without units", best: 12, sd: 0.06, maps: minimum,
			m:    record.Mission{Objective: record.ObjectiveMinimum},
			want: "Lowest value: about 12.00 (11.88 to 12.12) at (20.0, -10.0) m on the map; a lower value is still possible on 33 % of the field.",
		}, {
			name: "no place is better", maps: linear,
			m:    record.Mission{Quantity: "pH"},
			want: "There is no best place: the same pH is expected everywhere.",
		}, {
			name: "threshold", maps: linear,
			m:    record.Mission{Quantity: "potassium", Units: "mg/l", Objective: record.ObjectiveThreshold, Threshold: &level},
			want: "The potassium is above 50 mg/l on 33 % of the field and below it on 33 %; 33 % is undecided.",
			note: "The field is undecided where the other side of the threshold has a probability of more than 2 %.",
		}, {
			name: "map", maps: linear,
			m:    record.Mission{Quantity: "potassium", Units: "mg/l", Objective: record.ObjectiveMap},
			want: "The potassium is expected between 12 and 60 mg/l over the field, known to ± 3 mg/l on average.",
		}, {
			name: "map of a logarithm", maps: &record.Maps{Mean: []float64{1, 1.5, 2}, StdDev: []float64{0.1, 0.2, 0.3}},
			m:    record.Mission{Quantity: "potassium", Units: "mg/l", Transform: record.TransformLog10, Objective: record.ObjectiveMap},
			want: "The potassium is expected between 10 and 100 mg/l over the field, known within a factor of 1.6 on average.",
		}, {
			name: "map by a sensor that takes the logarithm", maps: &record.Maps{Mean: []float64{1, 1.5, 2}, StdDev: []float64{0.1, 0.2, 0.3}},
			m:    record.Mission{Quantity: "log10 potassium", Units: "log10(mg/l)", Objective: record.ObjectiveMap},
			want: "The potassium is expected between 10 and 100 mg/l over the field, known within a factor of 1.6 on average.",
		},
	} {
		c.m.Observations = sampled
		if c.best != 0 {
			c.m.Recommendation = c.m.NewRecommendation(record.Place{20, -10}, c.best, c.sd, 1)
		}
		got := c.m.Answer(c.maps)
		if got.Text != c.want || got.Decimal != c.place || c.note != "" && got.Note != c.note {
			t.Errorf("%s:\n%s\n%s\n%s\nwant\n%s\n%s\n%s", c.name, got.Text, got.Note, got.Decimal, c.want, c.note, c.place)
		}
	}
	if got := new(record.Mission).Answer(nil).Text; got != "There is no answer yet: no sample has been taken." {
		t.Errorf("without a sample: %s", got)
	}
}
