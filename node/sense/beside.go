// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sense

import (
	"time"

	"ugp_explorer/localization"
)

// Beside gathers the readings of another quantity that are made at the stops of the samples. It never makes a sample
// by itself: who takes one asks for its [Beside.Value].
type Beside struct {
	cfg    *Readings
	stop   *localization.Stop
	sample sampler
	missed bool // no reading came at the last stop
}

// sampler is a gatherer of samples.
type sampler interface {
	Gatherer
	// began returns from which stamp on readings belong to the stop under way, ns; 0: there is no stop.
	began() int64
	// settle makes the sample of the stop if all readings have come.
	settle()
}

var _ Gatherer = (*Beside)(nil)

// patience is how long a stop that has all its readings waits for those of other quantities: a probe that measures several
// at once sends them one after the other.
const patience = time.Second

// others are the gatherers beside one that takes samples.
type others []*Beside

// add returns a gatherer beside sample.
func (o *others) add(cfg *Readings, sample sampler) *Beside {
	b := &Beside{cfg: cfg, stop: localization.NewStop(cfg.StdDev), sample: sample}
	*o = append(*o, b)
	return b
}

// complete reports whether all have their readings.
func (o others) complete() bool {
	for _, b := range o {
		if !b.complete() {
			return false
		}
	}
	return true
}

// begin begins a stop.
func (o others) begin() {
	for _, b := range o {
		b.stop.Reset()
	}
}

// end ends a stop, whose sample is made next.
func (o others) end() {
	for _, b := range o {
		b.missed = b.stop.Len() == 0
	}
}

// Value returns the mean of the readings at the stop whose sample is being made; ok is false if there were none.
func (b *Beside) Value() (o localization.Observation, ok bool) {
	if b.stop.Len() == 0 {
		return o, false
	}
	return b.stop.Combine(), true
}

func (b *Beside) complete() bool { return b.stop.Len() >= b.cfg.Readings }

// gather implements gatherer.
func (b *Beside) gather(matched []localization.Observation, counts *ReadingCounts) {
	for _, m := range matched {
		switch since := b.sample.began(); {
		case since == 0 || b.complete():
			counts.Idle++
		case m.Stamp < since:
			counts.Early++
		default:
			b.stop.Add(m)
		}
	}
	b.sample.settle()
}

// expire implements gatherer. The sample's gatherer says how long is waited.
func (b *Beside) expire(int64) {}

// wants implements gatherer: after a stop without a reading they have to come until there is one with.
func (b *Beside) wants() bool { return b.missed || b.sample.wants() }

// ClockChanged implements gatherer. The sample's gatherer begins again.
func (b *Beside) ClockChanged(int64) {}
