// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"ugp_explorer/internal/num"
)

func reading(value, variance float64) Observation {
	return Observation{Reading: Reading{Value: value, Variance: variance}, Belief: Belief{XX: 1, YY: 1}}
}

// The expected values are computed by hand.
func TestCombineVariance(t *testing.T) {
	for _, c := range []struct {
		name            string
		stdDev          float64 // of readings that state none
		in              []Observation
		value, variance float64
	}{
		{"one reading without variance: the prior's", 3, []Observation{reading(5, 0)}, 5, 9},
		{"one reading with variance", 1, []Observation{reading(5, 0.25)}, 5, 0.25},
		// s² = (4·9 + 2)/(4 + 2) = 38/6, over 3.
		{"spread pooled with the prior", 3, []Observation{reading(4, 0), reading(5, 0), reading(6, 0)}, 5, 38.0 / 18},
		// Weights 1 and 4: (0 + 4·1)/5; χ² = 0.64 + 4·0.04 = 0.8,
		// (4 + 0.8)/(4 + 1) < 1, so 1/5.
		{"with variances, spread as stated", 1, []Observation{reading(0, 1), reading(1, 0.25)}, 0.8, 0.2},
		// χ² = 64 + 16 = 80, S² = 84/5, over 5.
		{"stated variance too small", 1, []Observation{reading(0, 1), reading(10, 0.25)}, 8, 84.0 / 25},
		{"one with variance, one without", 1, []Observation{reading(0, 0), reading(1, 0.25)}, 0.8, 0.2},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := NewStop(c.stdDev)
			for _, m := range c.in {
				s.Add(m)
			}
			o := s.Combine()
			near(t, "value", o.Value, c.value, 1e-12)
			near(t, "variance", o.Variance, c.variance, 1e-12)
			if o.Readings != len(c.in) {
				t.Errorf("%d readings", o.Readings)
			}
		})
	}
}

// The belief has the moments of the mixture, computed with gonum's weighted moments
// and the law of total covariance, and its covariance is not divided by n.
func TestCombineBelief(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	s := NewStop(1)
	var xs, ys, ws []float64
	var xx, xy, yy, sumW float64
	for i := range 6 {
		v := 0.5 + rng.Float64()
		b := Belief{rng.NormFloat64(), rng.NormFloat64(), 1 + rng.Float64(), 0.2 * rng.Float64(), 1 + rng.Float64()}
		s.Add(Observation{Reading: Reading{Stamp: int64(100 - i), Value: rng.NormFloat64(), Variance: v}, Belief: b})
		w := 1 / v
		xs, ys, ws = append(xs, b.X), append(ys, b.Y), append(ws, w)
		xx, xy, yy, sumW = xx+w*b.XX, xy+w*b.XY, yy+w*b.YY, sumW+w
	}
	o := s.Combine()
	biased := (sumW - 1) / sumW // gonum divides by Σw − 1
	near(t, "X", o.Belief.X, stat.Mean(xs, ws), 1e-12)
	near(t, "Y", o.Belief.Y, stat.Mean(ys, ws), 1e-12)
	near(t, "XX", o.Belief.XX, xx/sumW+stat.Variance(xs, ws)*biased, 1e-12)
	near(t, "XY", o.Belief.XY, xy/sumW+stat.Covariance(xs, ys, ws)*biased, 1e-12)
	near(t, "YY", o.Belief.YY, yy/sumW+stat.Variance(ys, ws)*biased, 1e-12)
	if o.Stamp != 97 { // the middle between 95 and 100
		t.Errorf("stamp %d", o.Stamp)
	}
	s.Reset()
	same := Belief{1, 2, 0.3, 0.1, 0.4}
	for range 100 {
		s.Add(Observation{Reading: Reading{Value: 1, Variance: 1}, Belief: same})
	}
	o = s.Combine()
	near(t, "XX of 100 like readings", o.Belief.XX, 0.3, 1e-12)
	near(t, "variance of 100 like readings", o.Variance, 0.01, 1e-12)
}

func TestStopKeepsSoManyReadings(t *testing.T) {
	s := NewStop(1)
	for i := range MaxReadings + 2 {
		if got := s.Add(reading(1, 0)); got != (i < MaxReadings) {
			t.Errorf("reading %d taken: %v", i, got)
		}
	}
	if s.Len() != MaxReadings {
		t.Errorf("%d readings", s.Len())
	}
	if s.Reset(); s.Len() != 0 {
		t.Error("not reset")
	}
}

// Over many stops of Gaussian readings the squared error over the stated variance is
// one on average, whether the sensor states its variance or the prior is used. When
// the stated standard deviation is too small by half, the ratio may rise only by the
// factor that the prior's weight leaves.
func TestCombineIsCalibrated(t *testing.T) {
	const stops, n = 4000, 20
	for _, c := range []struct {
		name          string
		stated, prior float64 // standard deviations; truth is 2
		lo, hi        float64
	}{
		// E[S²] > 1 for stated variances, since S² ≥ 1: on the safe side.
		{"stated correctly", 2, 1, 0.75, 1.05},
		{"prior right", 0, 2, 0.9, 1.15},
		{"prior worth 4 readings and too small by half", 0, 1, 0.9, 1.4},
		{"stated too small by half", 1, 1, 0.9, 1.4},
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(9, 9))
			s := NewStop(c.prior)
			var sum float64
			for range stops {
				s.Reset()
				for range n {
					s.Add(reading(2*rng.NormFloat64(), c.stated*c.stated))
				}
				o := s.Combine()
				sum += o.Value * o.Value / o.Variance
			}
			if got := sum / stops; got < c.lo || got > c.hi {
				t.Errorf("error squared over variance is %v on average, want within [%v, %v]", got, c.lo, c.hi)
			}
		})
	}
}

func TestCombineNeverBreaks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		s := NewStop(1)
		lo, hi := math.Inf(1), math.Inf(-1)
		for range 1 + rng.IntN(12) {
			c := randomCov(rng, math.Exp(4*rng.NormFloat64()), 1)
			r := Reading{Value: math.Exp(5*rng.NormFloat64()) * rng.NormFloat64()}
			if rng.IntN(2) == 0 {
				r.Variance = math.Exp(10 * rng.NormFloat64())
			}
			lo, hi = math.Min(lo, r.Value), math.Max(hi, r.Value)
			s.Add(Observation{Reading: r, Belief: Belief{rng.NormFloat64(), rng.NormFloat64(), c[0][0], c[0][1], c[1][1]}})
		}
		o := s.Combine()
		slack := 1e-9 * math.Max(math.Abs(lo), math.Abs(hi))
		if !(o.Value >= lo-slack && o.Value <= hi+slack) || !(o.Variance > 0) || !num.Finite(o.Variance) {
			t.Fatalf("%+v of values within [%v, %v]", o, lo, hi)
		}
		b := o.Belief
		if !(b.XX >= 0 && b.YY >= 0 && b.XX*b.YY-b.XY*b.XY >= -1e-9*b.XX*b.YY) {
			t.Fatalf("belief %+v", b)
		}
	})
}
