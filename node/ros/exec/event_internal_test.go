// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package exec

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// The heap gives back what a stable sort by time gives.
func TestEventHeapOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var h eventHeap
		var want []event
		for seq := range uint64(1 + rng.IntN(300)) {
			e := event{at: rng.Int64N(20), seq: seq}
			h.push(e)
			want = append(want, e)
		}
		slices.SortStableFunc(want, func(a, b event) int { return cmp.Compare(a.at, b.at) })
		for i, w := range want {
			if e := h.pop(); e.at != w.at || e.seq != w.seq {
				t.Fatalf("event %d of %d is (%d, %d), want (%d, %d)", i, len(want), e.at, e.seq, w.at, w.seq)
			}
		}
		if len(h) != 0 {
			t.Fatalf("%d events are left", len(h))
		}
	}
}
