// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
)

// Result is what became of a trial.
type Result struct {
	Seed      int64
	Faults    int        // in its schedule
	Only      []int      // numbers of those that were enough to break the rule
	Violation *Violation // nil: all rules were kept
	End       string     // the last status
	Samples   int
	Simulated float64 // s
	Outside   float64 // how far outside the field, or in a keep-out, the robot was at most, m
}

// run runs a trial, with all of its faults or, if only is not nil, with those of
// these numbers. trace, unless it is nil, gets a line for each fault, each change of the
// mission's state and each line of a node's log. The error is one of the harness or of ctx;
// broken rules are in the result.
func run(ctx context.Context, t *Trial, only []int, trace func(string)) (Result, error) {
	seed, list := t.Seed, slices.Clone(t.Faults)
	if only != nil {
		for _, n := range only {
			if n < 1 || n > len(t.Faults) {
				return Result{}, fmt.Errorf("faults: seed %d has %d faults, and no number %d", seed, len(t.Faults), n)
			}
		}
		list = slices.DeleteFunc(list, func(f Fault) bool { return !slices.Contains(only, f.Number) })
	}
	folder, err := os.MkdirTemp("", "faults")
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(folder)
	w, err := newWorld(t, list, folder)
	if err != nil {
		return Result{}, fmt.Errorf("faults: seed %d: %w", seed, err)
	}
	v := w.watcher
	v.trace = trace
	err = w.run(ctx)
	if ctx.Err() != nil {
		return Result{}, errors.Join(err, ctx.Err())
	}
	if err != nil {
		v.fail("panic", "%v", err)
	}
	v.checkEnd()
	v.checkRecord()
	w.close()
	return Result{
		Seed: seed, Faults: len(t.Faults), Only: only, Violation: v.violation, End: v.mission.state + ": " + v.mission.text,
		Samples: len(v.samples.acknowledged), Simulated: w.seconds(), Outside: v.motion.farthest,
	}, nil
}
