// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ugp_explorer/gp"
	"ugp_explorer/node/record"
)

func TestHyperBothWays(t *testing.T) {
	for _, kind := range gp.Kinds() {
		want := gp.Hyper{Kind: kind, SignalVariance: 2, LengthScales: []float64{30, 40}, NoiseVariance: 0.1, Mean: -1, MeanStdDev: 20}
		kept := record.HyperOf(want)
		if got, err := kept.GP(nil, nil); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%v: %+v, error %v; want %+v", kind, got, err, want)
		}
		want.LengthScales[0] = 1 // of which the record has its own
		if kept.LengthScales[0] != 30 || !kept.Equal(kept) || kept.Equal(record.HyperOf(want)) {
			t.Errorf("%v: %+v", kind, kept)
		}
	}
	for _, kernel := range []string{"", "cubic"} {
		if _, err := (record.Hyper{Kernel: kernel}).GP(nil, nil); err == nil {
			t.Errorf("the kernel %q is not refused", kernel)
		}
	}
}
