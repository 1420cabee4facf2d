// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import "slices"

// shrink returns the result of a trial that breaks a rule, with as few of its faults as
// break the same rule: without any one of them it is kept. Other results are returned as
// they are. run runs the trial with some of its faults.
func shrink(r Result, run func(only []int) (Result, error)) (Result, error) {
	if r.Violation == nil {
		return r, nil
	}
	if r.Only == nil {
		r.Only = []int{}
		for n := range r.Faults {
			r.Only = append(r.Only, n+1)
		}
	}
	for i := 0; i < len(r.Only); {
		without, err := run(slices.Delete(slices.Clone(r.Only), i, i+1))
		if err != nil {
			return r, err
		}
		if without.Violation == nil || without.Violation.Rule != r.Violation.Rule {
			i++
			continue
		}
		r, i = without, 0 // with one gone, another may be needed no more
	}
	return r, nil
}
