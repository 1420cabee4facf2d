// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"fmt"
	"math/rand/v2"

	"ugp_explorer/planner"
	"ugp_explorer/sim"
)

// draws are the random numbers of a trial. Each part of the trial has a stream of its
// own, which is the same for every method and setting.
type draws struct {
	seed  uint64
	name  string // of the experiment
	trial int
}

func (d draws) stream(part string) *rand.Rand {
	return sim.Stream(d.seed, fmt.Sprintf("%s/%d/%s", d.name, d.trial, part))
}

// random returns the random numbers of the trial's optimiser, which fits nothing. Streams are
// named after the step that they are for.
func (d draws) random() func(planner.Stream, int) *rand.Rand {
	return func(s planner.Stream, step int) *rand.Rand {
		switch s {
		case planner.StreamStrategy:
			return d.stream("strategy")
		case planner.StreamSearch:
			return d.stream(fmt.Sprintf("step %d", step))
		case planner.StreamRecommend:
			return d.stream(fmt.Sprintf("recommend %d", step-1))
		}
		panic("experiment: an unknown stream of random numbers")
	}
}

// uniform draws a place of the box between lo and hi.
func uniform(lo, hi []float64, rng *rand.Rand) []float64 {
	x := make([]float64, len(lo))
	for i := range x {
		x[i] = lo[i] + rng.Float64()*(hi[i]-lo[i])
	}
	return x
}
