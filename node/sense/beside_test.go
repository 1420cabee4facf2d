// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sense

import (
	"math"
	"testing"
	"time"

	"ugp_explorer/localization"
)

const second = int64(time.Second)

// at returns a reading with a pose.
func at(stamp int64, value, variance float64) localization.Observation {
	return localization.Observation{Reading: localization.Reading{Stamp: stamp, Value: value, Variance: variance}, Belief: localization.Belief{XX: 1, YY: 1}}
}

// A stop waits for the readings of other quantities, a second at most. What comes meanwhile does not change its own value.
func TestStopWaitsForOthers(t *testing.T) {
	var counts, beside ReadingCounts
	var done []localization.Observation
	rules := &Readings{StdDev: 1, Readings: 2, Wait: 20}
	s := NewStops(rules, func(localization.Observation) {}, func(o localization.Observation) { done = append(done, o) })
	other := s.Beside(&Readings{Readings: 2})
	gather := func(list ...localization.Observation) { s.gather(list, &counts) }

	other.gather([]localization.Observation{at(second, 7, 1)}, &beside)
	if beside.Idle != 1 || other.wants() {
		t.Errorf("without a stop: %+v", beside)
	}
	s.Begin(10 * second)
	other.gather([]localization.Observation{at(9*second, 7, 1), at(10*second, 8, 0)}, &beside)
	gather(at(10*second, 1, 0), at(11*second, 3, 0))
	gather(at(12*second, 100, 0))
	if len(done) > 0 || beside.Early != 1 || counts.Idle != 1 || !other.wants() {
		t.Fatalf("samples %+v, readings %+v, of the other quantity %+v", done, counts, beside)
	}
	other.gather([]localization.Observation{at(11*second, 11, 1e-6), at(12*second, 50, 1)}, &beside)
	gather()
	if len(done) != 1 || done[0].Value != 2 || done[0].Readings != 2 {
		t.Fatalf("samples %+v", done)
	}
	if v, ok := other.Value(); !ok || v.Value != 9.5 || v.Variance != 0 || v.Readings != 2 {
		t.Errorf("of the other quantity %+v, %v: the mean of all readings, where the noise of one is unknown", v, ok)
	}

	s.Begin(20 * second)
	gather(at(20*second, 5, 0), at(21*second, 5, 0))
	for _, now := range []int64{21 * second, 22*second - 1} {
		if s.expire(now); len(done) != 1 {
			t.Fatalf("at %d s there are %d samples", now, len(done))
		}
	}
	if s.expire(22 * second); len(done) != 2 || done[1].Value != 5 {
		t.Fatalf("samples %+v", done)
	}
	if v, ok := other.Value(); ok || !other.wants() {
		t.Errorf("nothing came, and there is %+v; wanted %v", v, other.wants())
	}

	s.Begin(30 * second)
	other.gather([]localization.Observation{at(30*second, 4, 0.5), at(31*second, 4, 0.5)}, &beside)
	s.Cancel()
	if s.expire(60 * second); len(done) != 2 {
		t.Errorf("a stop that was given up has a sample")
	}
	s.Begin(61 * second)
	other.gather([]localization.Observation{at(61*second, 6, 0.5)}, &beside)
	gather(at(61*second, 5, 0))
	if s.expire(81 * second); len(done) != 3 {
		t.Fatalf("samples %+v", done)
	}
	if v, ok := other.Value(); !ok || v.Value != 6 || v.Variance != 0.5 || v.Readings != 1 || other.wants() {
		t.Errorf("of the other quantity %+v, %v", v, ok)
	}
}

// Where nobody sends the robot, a stop waits for the readings of other quantities while the robot stands, and a piece of path
// has none of them.
func TestHaltsWaitForOthers(t *testing.T) {
	var counts ReadingCounts
	var done []localization.Observation
	var other *Beside
	var values []float64
	p := NewPieces(&Readings{StdDev: 1, Readings: 1, Wait: 20, PieceTime: 2, Standing: 0.1, Settle: 1}, func(localization.Observation) {}, func(o localization.Observation) {
		v, ok := other.Value()
		if !ok {
			v.Value = math.NaN()
		}
		done, values = append(done, o), append(values, v.Value)
	})
	other = p.Beside(&Readings{Readings: 1})
	p.Begin()
	for i := int64(1); i <= 20; i++ { // it drives for 10 s, stands for 5 s until the clock is set, and drives on
		stamp, speed := i*second, 1.0
		if i > 10 && i <= 15 {
			speed = 0
		}
		value := float64(i)
		if i == 12 {
			value = 50 // when it has stood for a second
		}
		if i != 13 {
			other.gather([]localization.Observation{at(stamp, value, 1)}, &counts)
		}
		p.gather([]localization.Observation{at(stamp, value, 1)}, &counts)
		if i == 15 {
			p.ClockChanged(stamp)
		}
		p.Moved(stamp, speed, speed)
	}
	p.End()
	stops := 0
	for i, o := range done {
		if o.Path != nil {
			if !math.IsNaN(values[i]) {
				t.Errorf("a piece of path at %d ns has the value %g", o.Stamp, values[i])
			}
			continue
		}
		if stops++; o.Value != 13 || values[i] != 14 {
			t.Errorf("the stop has the value %g and the other one %g, want 13 and 14", o.Value, values[i])
		}
	}
	if stops != 1 || len(done) < 5 {
		t.Errorf("%d stops of %d observations", stops, len(done))
	}
}
