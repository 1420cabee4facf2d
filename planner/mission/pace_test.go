// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"math"
	"testing"
)

func TestSpendRatio(t *testing.T) {
	const density = 0.01 // samples per metre
	for _, c := range []struct {
		name     string
		budget   Budget
		sample   float64 // s
		samples  int
		distance float64
		duration float64
		want     float64
	}{
		{"no limit", Budget{}, 5, 3, 500, 900, 1},
		{"samples only, 200 m for each", Budget{Samples: 30}, 5, 3, 600, 900, 1},
		{"samples only, metres go faster", Budget{Samples: 30}, 5, 3, 3000, 900, 0.52 / 0.12},
		{"samples only, far beyond", Budget{Samples: 30}, 5, 15, 9000, 900, 1.02 / 0.52},
		{"at the start", Budget{Distance: 1000, Samples: 10}, 5, 0, 0, 0, 1},
		{"in step", Budget{Distance: 1000, Samples: 10}, 5, 5, 500, 900, 1},
		{"metres go faster", Budget{Distance: 1000, Samples: 10}, 5, 2, 500, 900, 0.52 / 0.22},
		{"samples go faster", Budget{Distance: 1000, Samples: 10}, 5, 5, 200, 900, 0.22 / 0.52},
		{"samples by the density", Budget{Distance: 1000}, 5, 2, 500, 900, 0.52 / 0.22},
		{"a limit of samples beyond the density", Budget{Distance: 1000, Samples: 1e5}, 5, 2, 500, 900, 0.52 / 0.22},
		{"overdrawn", Budget{Distance: 1000, Samples: 10}, 5, 10, 1100, 900, 1},
		// 2200 s, 10 samples of 20 s: 2000 s of driving, of which 540 - 2·20 = 500 are used.
		{"time", Budget{Duration: 2200, Samples: 10}, 20, 2, 0, 540, 0.27 / 0.22},
		{"the scarcer of both is the time", Budget{Duration: 2200, Distance: 1e4, Samples: 10}, 20, 2, 500, 540, 0.27 / 0.22},
		{"the scarcer of both is the distance", Budget{Duration: 2200, Distance: 1000, Samples: 10}, 20, 2, 500, 540, 0.52 / 0.22},
		// At 1 m/s, N = 0.01·(2400 - 100·N): 12 samples in 1200 s, and 1200 s of driving.
		{"time and no samples", Budget{Duration: 2400}, 100, 3, 0, 900, 0.52 / 0.27},
		{"samples that take all the time", Budget{Duration: 2400, Samples: 24}, 100, 3, 0, 900, 0.52 / 0.27},
		{"samples shorter than expected", Budget{Duration: 2200, Samples: 10}, 20, 5, 0, 50, 0.02 / 0.52},
	} {
		l := Ledger{
			Config:  BudgetConfig{Budget: c.budget, ReserveFactor: 1.25, Speed: 1, SampleTime: c.sample},
			Samples: c.samples, Distance: c.distance, Duration: c.duration,
		}
		if got := l.SpendRatio(density); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}

func TestExpectedSamples(t *testing.T) {
	const density = 0.01 // samples per metre
	for _, c := range []struct {
		name   string
		budget Budget
		taken  int
		want   int
	}{
		{"no limit", Budget{}, 3, 0},
		{"samples only", Budget{Samples: 30}, 12, 18},
		{"metres", Budget{Distance: 2000}, 5, 15},
		{"fewer samples than metres suffice for", Budget{Distance: 2000, Samples: 7}, 5, 2},
		{"more than were expected", Budget{Distance: 2000}, 25, 1},
		{"time", Budget{Duration: 2400}, 3, 9}, // as in TestSpendRatio: 12 in all
	} {
		l := Ledger{Config: BudgetConfig{Budget: c.budget, ReserveFactor: 1, Speed: 1, SampleTime: 100}, Samples: c.taken}
		if got := l.ExpectedSamples(density); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
