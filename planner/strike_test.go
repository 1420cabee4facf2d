// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner"
)

// valuesAt are the bits of what is learnt, by its predictions: equal models have equal ones.
func valuesAt(l *planner.Learnt) (bits []uint64) {
	for _, x := range [][]float64{{30, 30}, {70, 50}, {12, 81}} {
		mean, variance := l.Mixture.Posterior(gp.Point(x...))
		bits = append(bits, math.Float64bits(mean), math.Float64bits(variance))
	}
	return append(bits, math.Float64bits(l.Best.Mean), math.Float64bits(l.Hyper.SignalVariance), math.Float64bits(l.Hyper.LengthScales[0]))
}

// known returns what is learnt once the model is that of the samples which count.
func known(t *testing.T, o *planner.Optimizer) *planner.Learnt {
	if o.Behind() {
		return learn(t, o)
	}
	return o.Learnt()
}

// numbered returns sample k of a smooth field.
func numbered(k int) planner.Sample {
	x := []float64{10 + math.Mod(8*float64(k), 80), 20 + 60*math.Mod(0.618*float64(k), 1)}
	return planner.Sample{Number: k, Target: x, Located: gp.Point(x...), Value: math.Sin(x[0]/30) + math.Cos(x[1]/40), Variance: 0.01}
}

// Samples that are struck and restored leave the model as it was, to the last bit, whatever is learnt meanwhile. What is learnt
// without them depends on nothing but the samples that count.
func TestStrikeAndRestore(t *testing.T) {
	region, cfg := square(t), testConfig()
	cfg.Strategy.Search.Starts, cfg.Model.Average = 10, 2
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(2, 8).Draw(r, "samples")
		fresh := func() *planner.Optimizer {
			o, err := planner.NewOptimizer(region, cfg)
			must.OK(t, err)
			return o
		}
		o := fresh()
		for k := range n {
			o.Add(numbered(k))
			if rapid.Bool().Draw(r, "learnt at once") {
				learn(t, o)
			}
		}
		before := valuesAt(known(t, o))
		struck := rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 1, n, rapid.ID).Draw(r, "struck")
		without := fresh()
		for k := range n {
			without.Add(numbered(k))
		}
		for _, k := range struck {
			o.Strike("", k, true)
			without.Strike("", k, true)
		}
		if got := o.Len(); got != n-len(struck) || !o.Restruck() {
			r.Fatalf("%d of %d samples count after %d were struck, restruck %v", got, n, len(struck), o.Restruck())
		}
		if rapid.Bool().Draw(r, "learnt without them") {
			got := known(t, o)
			if got.Posterior.Len() != o.Len() || o.Behind() {
				r.Fatalf("the model has %d samples, %d count, behind %v", got.Posterior.Len(), o.Len(), o.Behind())
			}
			if len(struck) < n && !slices.Equal(valuesAt(got), valuesAt(learn(t, without))) {
				r.Fatalf("the model without samples depends on them")
			}
		}
		for _, k := range struck {
			o.Strike("", k, false)
		}
		if after := valuesAt(known(t, o)); !slices.Equal(before, after) {
			r.Fatalf("the model is another one after samples were struck and restored: %x, was %x", after, before)
		}
	})
}

// What a job learnt while one of its samples was struck is not taken over.
func TestStrikeDuringAJob(t *testing.T) {
	o, err := planner.NewOptimizer(square(t), testConfig())
	must.OK(t, err)
	for k := range 4 {
		o.Add(numbered(k))
	}
	j := o.Job(nil)
	o.Strike("", 2, true)
	if j.Run(); j.Err != nil || !o.Outdated(j) || o.Adopt(j) || o.Modelled() != 0 {
		t.Errorf("error %v, outdated %v, %d samples are in the model", j.Err, o.Outdated(j), o.Modelled())
	}
	if learn(t, o); o.Modelled() != 3 || o.Behind() {
		t.Errorf("%d samples are in the model, behind %v", o.Modelled(), o.Behind())
	}
}
