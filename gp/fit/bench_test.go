// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ugp_explorer/gp"
)

// BenchmarkFitLong is the fit of a long mission: two starts, the observations chosen.
func BenchmarkFitLong(b *testing.B) {
	obs := pathObservations(10000, rand.New(rand.NewPCG(1, 2)))
	cfg := DefaultConfig(120)
	cfg.Starts = 2
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Hyper(obs, fieldHyper, cfg, rand.New(rand.NewPCG(3, 4))); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFit is a whole fit with the default configuration.
func BenchmarkFit(b *testing.B) {
	for _, n := range []int{30, 100} {
		obs := fieldObservations(n, rand.New(rand.NewPCG(1, 2)))
		h := fieldHyper
		for _, h.Kind = range gp.Kinds() {
			b.Run(fmt.Sprintf("%v/n=%d", h.Kind, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Hyper(obs, h, DefaultConfig(120), rand.New(rand.NewPCG(3, 4))); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
