// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sense

import (
	"slices"
	"time"

	"ugp_explorer/localization"
)

// Beside gathers the readings of another quantity that are made at the stops of the samples. The gatherer of the samples
// begins and ends each stop; after that, [Beside.Value] is what was measured there.
type Beside struct {
	cfg      *Readings
	since    int64 // stamp of the beginning of the stop, ns: later readings belong to it; 0: there is no stop
	readings []localization.Observation
	missed   bool // the last stop had none
}

var _ Gatherer = (*Beside)(nil)

// patience is how long a stop that has all its readings waits for those of other quantities: a probe that measures several
// quantities sends them one after the other.
const patience = time.Second

// others are the gatherers beside one that takes samples.
type others []*Beside

// Beside returns a gatherer of the readings of another quantity at the same stops.
func (o *others) Beside(cfg *Readings) *Beside {
	b := &Beside{cfg: cfg}
	*o = append(*o, b)
	return b
}

// open begins a stop at a stamp, ns; 0: the robot is no longer at a stop.
func (o others) open(since int64) {
	for _, b := range o {
		b.since, b.readings = since, b.readings[:0]
	}
}

// close ends a stop whose sample is made next.
func (o others) close() {
	for _, b := range o {
		b.since, b.missed = 0, len(b.readings) == 0
	}
}

// complete reports whether all have their readings.
func (o others) complete() bool {
	return !slices.ContainsFunc(o, func(b *Beside) bool { return len(b.readings) < b.cfg.Readings })
}

// Value returns the mean of the readings of the stop that has ended; ok is false if there were none. Its variance is 0, unknown,
// if one of them states none.
func (b *Beside) Value() (o localization.Observation, ok bool) {
	unknown := slices.ContainsFunc(b.readings, func(m localization.Observation) bool { return m.Variance == 0 })
	stop := localization.NewStop(1)
	for _, m := range b.readings {
		if unknown {
			m.Variance = 0 // all weigh the same
		}
		stop.Add(m)
	}
	if len(b.readings) == 0 {
		return o, false
	}
	if o = stop.Combine(); unknown {
		o.Variance = 0
	}
	return o, true
}

// gather implements Gatherer.
func (b *Beside) gather(matched []localization.Observation, counts *ReadingCounts) {
	for _, m := range matched {
		switch {
		case b.since == 0 || len(b.readings) >= b.cfg.Readings:
			counts.Idle++
		case m.Stamp < b.since:
			counts.Early++
		default:
			b.readings = append(b.readings, m)
		}
	}
}

// expire implements Gatherer. The gatherer of the samples knows how long to wait.
func (b *Beside) expire(int64) {}

// wants implements Gatherer: readings have to come at a stop, and after one without any until the next one that has some.
func (b *Beside) wants() bool { return b.missed || b.since != 0 }

// ClockChanged implements Gatherer. The gatherer of the samples starts the stop again, or ends it.
func (b *Beside) ClockChanged(int64) {}
