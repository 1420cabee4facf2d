// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"math"
)

// alike is the number of samples of exactly the same value from which on the sensor is doubted: noise never repeats itself, and a sensor with
// coarse steps seldom does so often. share is the least share of all samples that an extreme must have.
const alike, share = 4, 0.25

// AlikeText says that samples of this robot have exactly the same value, as those of a sensor that is stuck or at its limit have; "" if
// they do not. A zero is doubted only if all samples are zero: where there is nothing to measure, it is a value.
func (m *Mission) AlikeText() string {
	var list []*Observation
	for i := range m.Observations {
		if m.Observations[i].Struck == "" {
			list = append(list, &m.Observations[i])
		}
	}
	same := func(a, b *Observation) bool { return math.Abs(a.Value-b.Value) <= 1e-9*math.Abs(b.Value) } // means of the same readings
	said := func(who string, o *Observation) string {
		return fmt.Sprintf("%s exactly the same value, %s. The sensor may be stuck, or at its limit; the map is then wrong there. Check it, and strike the samples that are wrong.",
			who, m.Measured(o.Value, math.Sqrt(o.Variance)))
	}
	var low, high, run, first *Observation // run is the first of the last samples that are the same, first that of those that tell
	var lows, highs, length int
	for _, o := range list {
		switch {
		case low == nil || o.Value < low.Value && !same(o, low):
			low, lows = o, 1
		case same(o, low):
			lows++
		}
		switch {
		case high == nil || o.Value > high.Value && !same(o, high):
			high, highs = o, 1
		case same(o, high):
			highs++
		}
		if length++; run == nil || !same(o, run) {
			run, length = o, 1
		}
		if length >= alike && o.Value != 0 {
			first = run
		}
	}
	often := func(n int) bool { return n >= alike && float64(n) >= share*float64(len(list)) }
	switch {
	case lows == len(list) && lows >= alike:
		return said("All samples have", low)
	case first != nil:
		return said(fmt.Sprintf("From sample %d on, %d samples or more in a row have", first.Sequence, alike), first)
	case often(highs) && high.Value != 0:
		return said("Many samples have, as the highest,", high)
	case often(lows) && low.Value != 0:
		return said("Many samples have, as the lowest,", low)
	}
	return ""
}
