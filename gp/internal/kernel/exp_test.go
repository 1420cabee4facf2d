// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"ugp_explorer/internal/testkit/gptest"
)

// exactExpNeg returns exp(-h) to some 100 bits: its series at h/1024, squared ten
// times.
func exactExpNeg(h float64) *big.Float {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(140).SetFloat64(v) }
	sum, term, x := number(1), number(1), number(-h/1024)
	for k := 1; k < 40; k++ {
		term.Mul(term, x)
		term.Quo(term, number(float64(k)))
		sum.Add(sum, term)
	}
	for range 10 {
		sum.Mul(sum, sum)
	}
	return sum
}

// TestExpNeg: the relative error is what the comment says, everywhere up to the
// cutoff.
func TestExpNeg(t *testing.T) {
	rng := gptest.Rand(60)
	worst := 0.0
	for i := range 2000 {
		h := 40 * rng.Float64()
		switch i % 4 {
		case 0:
			h = expCutoff * rng.Float64()
		case 1:
			h = math.Exp(-30 * rng.Float64())
		}
		want := exactExpNeg(h)
		off := new(big.Float).Sub(want, big.NewFloat(ExpNeg(h)))
		e, _ := off.Quo(off, want).Float64()
		worst = max(worst, math.Abs(e))
	}
	if worst > 2.5e-16 {
		t.Errorf("relative error of %.3g, want at most 2.5e-16", worst)
	}
	for _, c := range []struct{ h, want float64 }{{0, 1}, {expCutoff * (1 + 1e-15), 0}, {math.Inf(1), 0}, {math.MaxFloat64, 0}} {
		if got := ExpNeg(c.h); got != c.want {
			t.Errorf("exp(-%g) is %g, want %g", c.h, got, c.want)
		}
	}
	if got := ExpNeg(math.NaN()); !math.IsNaN(got) {
		t.Errorf("exp(NaN) is %g", got)
	}
}

// TestExpNegAll: each number is to the bit that of ExpNeg, whatever stands beside it.
func TestExpNegAll(t *testing.T) {
	rng := gptest.Rand(61)
	h := []float64{0, expCutoff, expCutoff * (1 + 1e-15), math.Inf(1), math.MaxFloat64, math.NaN(), 0x1p-1074}
	for range 2000 {
		h = append(h, expCutoff*rng.Float64(), math.Exp(-30*rng.Float64()))
	}
	for n := range 12 {
		for from := 0; from+n <= len(h); from += max(n, 1) {
			got := slices.Clone(h[from : from+n])
			ExpNegAll(got)
			for i, v := range h[from : from+n] {
				if want := ExpNeg(v); math.Float64bits(got[i]) != math.Float64bits(want) {
					t.Fatalf("exp(-%g) is %g among %d, %g alone", v, got[i], n, want)
				}
			}
		}
	}
}

func BenchmarkExpNeg(b *testing.B) {
	h, work := make([]float64, 1024), make([]float64, 1024)
	for i := range h {
		h[i] = 0.01 * float64(i)
	}
	b.Run("alone", func(b *testing.B) {
		for b.Loop() {
			for i, v := range h {
				work[i] = ExpNeg(v)
			}
		}
	})
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			copy(work, h)
			ExpNegAll(work)
		}
	})
}
