// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"
)

func TestStream(t *testing.T) {
	a, b := Stream(7, "plant"), Stream(7, "plant")
	if a.Uint64() != b.Uint64() {
		t.Error("the same seed and name gave different numbers")
	}
	seen := map[uint64]string{}
	for seed := range uint64(50) {
		for _, name := range []string{"plant", "odometer", "fix", "probe", "field"} {
			n := Stream(seed, name).Uint64()
			if other, ok := seen[n]; ok {
				t.Errorf("streams %s of seed %d and %s begin alike", name, seed, other)
			}
			seen[n] = name
		}
	}
}
