// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner"
)

// waves returns a random field with mean 0 and standard deviation 1 that varies over a length, m.
func waves(rng *rand.Rand, length float64) func(x, y float64) float64 {
	const n = 100
	var k [n][3]float64
	for i := range k {
		k[i] = [3]float64{rng.NormFloat64() / length, rng.NormFloat64() / length, 2 * math.Pi * rng.Float64()}
	}
	return func(x, y float64) (sum float64) {
		for _, k := range k {
			sum += math.Cos(k[0]*x + k[1]*y + k[2])
		}
		return sum * math.Sqrt(2.0/n)
	}
}

// values returns those of n samples of a random field of 1 ha, taken at random places or along a random walk. The field varies over
// 3 to 60 m, and noise is a share of its standard deviation. again are second values at the places.
func values(seed uint64, n int, noise float64, of func(z float64) float64) (list, again []float64, stdDev float64) {
	rng := plantest.Rand(seed)
	z := waves(rng, []float64{3, 10, 30, 60}[seed%4])
	stdDev = noise * math.Abs(of(1)-of(-1)) / 2
	x, y := 100*rng.Float64(), 100*rng.Float64()
	for range n {
		list, again = append(list, of(z(x, y))+stdDev*rng.NormFloat64()), append(again, of(z(x, y))+stdDev*rng.NormFloat64())
		if x, y = 100*rng.Float64(), 100*rng.Float64(); seed%8 >= 4 {
			turn := 2 * math.Pi * rng.Float64()
			x, y = math.Abs(x+10*math.Cos(turn)), math.Abs(y+10*math.Sin(turn))
		}
	}
	return list, again, stdDev
}

// judged returns which samples of a mission are called far out, and which of them do not count in the end. again are the values that
// second samples at their places have.
func judged(values, again []float64, noise float64) (asked, struck map[int]bool) {
	of := func() float64 { return noise }
	asked, struck = map[int]bool{}, map[int]bool{}
	for k := range values {
		for i := range k + 1 {
			var others []float64
			for j, v := range values[:k+1] {
				if j != i && !struck[j] {
					others = append(others, v)
				}
			}
			if struck[i] || !planner.FarOut(values[i], others, of, i < k) {
				continue
			}
			asked[i] = true
			struck[i] = i < k || !planner.Agree(values[i], again[i], others, of)
		}
	}
	return asked, struck
}

// Both errors of the rule, over missions of 5 to 60 samples: honest ones in which a sample is called far out at all, and those of 20
// samples of a field from about 10 to 20 in which one is an error code of a sensor and is not called so.
func TestFarOut(t *testing.T) {
	const missions = 240
	for _, c := range []struct {
		name  string
		of    func(z float64) float64
		noise float64
		most  float64 // share of missions
	}{
		{"Gaussian, 15 ± 2", func(z float64) float64 { return 15 + 2*z }, 0.05, 0.05},
		{"Gaussian, 15 ± 2, noisy", func(z float64) float64 { return 15 + 2*z }, 0.3, 0.05},
		{"Gaussian, 0 ± 2", func(z float64) float64 { return 2 * z }, 0.05, 0.05},
		{"lognormal, σ 0.5", func(z float64) float64 { return 10 * math.Exp(z/2) }, 0.05, 0.05},
		{"lognormal, σ 1", func(z float64) float64 { return 10 * math.Exp(z) }, 0.05, 0.05},
		{"lognormal, σ 1, noisy", func(z float64) float64 { return 10 * math.Exp(z) }, 0.3, 0.05},
		{"lognormal with its sign changed", func(z float64) float64 { return -10 * math.Exp(z) }, 0.05, 0.05},
		{"uniform", func(float64) float64 { return 7 }, 0.05, 0},
	} {
		asked, struck := 0, 0
		for seed := range uint64(missions) {
			list, again, noise := values(seed, 5+int(seed*5%56), c.noise, c.of)
			a, s := judged(list, again, noise)
			if len(a) > 0 {
				asked++
			}
			for _, lost := range s {
				if lost {
					struck++
					break
				}
			}
		}
		share := float64(asked) / missions
		t.Logf("%s: %.1f %% of %d missions have a sample far out, %.1f %% lose one", c.name, 100*share, missions, 100*float64(struck)/missions)
		if share > c.most {
			t.Errorf("%s: %.1f %% of the missions, want at most %.0f %%", c.name, 100*share, 100*c.most)
		}
	}
	for code, most := range map[float64]int{85: 0, -127: 0, -999: 0, 65535: 0, 999.9: 0, 1e300: 0, -1e300: 0, 0: missions / 10} {
		missed := 0
		for seed := range uint64(missions) {
			list, again, noise := values(seed, 20, 0.05, func(z float64) float64 { return 15 + 2*z })
			at := int(seed % 20)
			list[at] = code
			if _, struck := judged(list, again, noise); !struck[at] {
				missed++
			}
		}
		t.Logf("code %g: %.1f %% of %d missions believe it", code, 100*float64(missed)/missions, missions)
		if missed > most {
			t.Errorf("code %g: %d of %d missions believe it", code, missed, missions)
		}
	}
}
