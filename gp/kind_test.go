// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"ugp_explorer/internal/testkit/gptest"
)

// exact is the kernel that kind is named after (R&W Eq. 4.9, 4.17 and 4.19).
func exact(kind Kind, r float64) float64 {
	switch kind {
	case SquaredExponential:
		return math.Exp(-r * r / 2)
	case Matern52:
		return (1 + math.Sqrt(5)*r + 5*r*r/3) * math.Exp(-math.Sqrt(5)*r)
	case Matern32:
		return (1 + math.Sqrt(3)*r) * math.Exp(-math.Sqrt(3)*r)
	case Matern12:
		return math.Exp(-r)
	case RationalQuadratic:
		return 1 / (1 + r*r/2)
	}
	panic("no such kind")
}

// maxErrors are the largest differences between the mixtures and the kernels that they
// are named after over r ≥ 0, rounded up to three digits.
var maxErrors = map[Kind]float64{SquaredExponential: 0, Matern52: 7.22e-4, Matern32: 6.1e-4, Matern12: 3.28e-3, RationalQuadratic: 6.66e-4}

// mixtureAt is the mixture written out, of the square of r.
func mixtureAt(kind Kind, r2 float64) float64 {
	sum := 0.0
	for _, c := range kind.mixture() {
		sum += c.Weight * math.Exp(-r2/(2*c.Scale*c.Scale))
	}
	return sum
}

// TestKindError: the mixtures are mixtures, are off by what they say, and cannot
// be better: with J terms the error has 2J extremes of alternating sign and one
// size. The grid's steps of 0.1 % find an extreme to some 1e-6 of itself.
func TestKindError(t *testing.T) {
	for _, kind := range Kinds() {
		mix := kind.mixture()
		sum := 0.0
		for _, c := range mix {
			sum += c.Weight
			if !(c.Weight > 0 && c.Scale > 0) {
				t.Errorf("%v: %+v", kind, c)
			}
		}
		gptest.Near(t, kind.String()+": weights", sum, 1, 1e-15)
		var extremes []float64 // of each run of one sign
		for r := 1e-4; r < 1e6; r *= 1.001 {
			e := exact(kind, r) - mixtureAt(kind, r*r)
			switch n := len(extremes); {
			case math.Abs(e) < 1e-12: // rounding
			case n == 0 || e > 0 != (extremes[n-1] > 0):
				extremes = append(extremes, e)
			case math.Abs(e) > math.Abs(extremes[n-1]):
				extremes[n-1] = e
			}
		}
		if kind == SquaredExponential {
			if len(extremes) != 0 || maxErrors[kind] != 0 {
				t.Errorf("%v: errors %v, %g", kind, extremes, maxErrors[kind])
			}
			continue
		}
		if len(extremes) != 2*len(mix) {
			t.Errorf("%v: %d alternations, want %d: %v", kind, len(extremes), 2*len(mix), extremes)
		}
		bound := maxErrors[kind]
		most := 1e-3
		if kind == Matern12 {
			most = 3.3e-3
		}
		if bound > most {
			t.Errorf("%v: error %g, want at most %g", kind, bound, most)
		}
		for _, e := range extremes {
			if e = math.Abs(e); e > bound || e < 0.99*bound || math.Abs(e/math.Abs(extremes[0])-1) > 1e-5 {
				t.Errorf("%v: extremes %v, want all of one size and %g to three digits", kind, extremes, bound)
				break
			}
		}
	}
}

// TestSlopeVariance: minus the mixture's curvature at 0, below the kernel's own,
// of which a smoother mixture loses some.
func TestSlopeVariance(t *testing.T) {
	for kind, own := range map[Kind]float64{SquaredExponential: 1, Matern52: 5.0 / 3, Matern32: 3, RationalQuadratic: 1} {
		want := -fd.Derivative(func(r float64) float64 { return mixtureAt(kind, r*r) }, 0,
			&fd.Settings{Formula: fd.Central2nd, Step: 1e-3})
		got := kind.SlopeVariance()
		gptest.Near(t, kind.String(), got, want, 1e-4)
		if got > own || got < 0.85*own {
			t.Errorf("%v: %g, the kernel's own is %g", kind, got, own)
		}
	}
}

func TestParseKinds(t *testing.T) {
	for name, want := range map[string][]Kind{
		"se": {SquaredExponential}, "rq": {RationalQuadratic}, "matern": {Matern52, Matern32}, "auto": Kinds(),
	} {
		got, err := ParseKinds(name)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v; want %v", name, got, err, want)
		}
		if !slices.Contains(KindNames(), name) {
			t.Errorf("%s is not among the names, %v", name, KindNames())
		}
	}
	for _, name := range KindNames() {
		if kinds, err := ParseKinds(name); err != nil || len(kinds) == 0 {
			t.Errorf("%s: %v, %v", name, kinds, err)
		}
	}
	if _, err := ParseKinds("spline"); !errors.Is(err, ErrHyper) || !strings.Contains(err.Error(), "matern") {
		t.Errorf("spline: %v", err)
	}
}
