// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ring

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The queue behaves like a slice whose first element is taken.
func TestQueue(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var q Queue[int]
	var want []int
	for i := range 10_000 {
		if len(want) > 0 && rng.IntN(100) < 48 {
			if got := *q.Front(); got != want[0] {
				t.Fatalf("step %d: %d is in front, want %d", i, got, want[0])
			}
			if got := q.Pop(); got != want[0] {
				t.Fatalf("step %d: got %d, want %d", i, got, want[0])
			}
			want = want[1:]
		} else {
			q.Push(i)
			want = append(want, i)
		}
		if q.Len() != len(want) {
			t.Fatalf("step %d: %d elements, want %d", i, q.Len(), len(want))
		}
	}
	var all []int
	q.Each(func(v *int) { all = append(all, *v) })
	if !slices.Equal(all, want) {
		t.Fatalf("Each gives %v, want %v", all, want)
	}
}
