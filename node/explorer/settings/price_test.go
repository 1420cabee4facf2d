// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package settings

import (
	"math"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
)

// The price of distance on a field of 500 m side inside its margin: two standard deviations
// per kilometre, which follow the budget, and up to twice as much where distance is scarce and
// nothing else limits the mission; a price that is given does not, nor does that of a mission without any limit.
func TestPrice(t *testing.T) {
	outline := field.Field{Boundary: orb.Polygon{{{0, 0}, {504, 0}, {504, 504}, {0, 504}, {0, 0}}}}
	spent := mission.Ledger{Samples: 5, Distance: 2000, Duration: 1000}
	for _, c := range []struct {
		name    string
		travel  float64
		budget  mission.Budget
		passive bool
		want    float64 // 1/km
		samples int     // of the budget
	}{
		{"distance", math.NaN(), mission.Budget{Samples: 25, Distance: 4000}, false, 2 * 0.52 / 0.22, 25},
		{"time", math.NaN(), mission.Budget{Samples: 25, Duration: 2000}, false, 2 * (1000./2000 + 0.02) / 0.22, 25},
		{"distance alone", math.NaN(), mission.Budget{Distance: 4000}, false, 2 * 0.52 / (5./64 + 0.02), 64},                                   // 8 sides
		{"distance alone, a little scarce", math.NaN(), mission.Budget{Distance: 2500}, false, 2.8 * (2000./2500 + 0.02) / (5./40 + 0.02), 40}, // 5 of 7 sides
		{"distance alone and scarce", math.NaN(), mission.Budget{Distance: 1000}, false, 4 * 1.02 / (5./16 + 0.02), 16},
		{"distance, and as many samples as it suffices for", math.NaN(), mission.Budget{Samples: 16, Distance: 1000}, false, 4 * 1.02 / (5./16 + 0.02), 16},
		{"distance, and more samples", math.NaN(), mission.Budget{Samples: 25, Distance: 1000}, false, 4 * 1.02 / (5./16 + 0.02), 25},
		{"distance, and fewer samples", math.NaN(), mission.Budget{Samples: 15, Distance: 1000}, false, 2 * 1.02 / (5./15 + 0.02), 15},
		{"distance and time", math.NaN(), mission.Budget{Distance: 1000, Duration: 1e4}, false, 2 * 1.02 / (5./16 + 0.02), 0},
		{"a generous limit", math.NaN(), mission.Budget{Samples: 6, Distance: 1e7}, false, 2 * 0.05, 6},
		{"samples alone", math.NaN(), mission.Budget{Samples: 25}, false, 2 * (2000./3125 + 0.02) / 0.22, 25}, // 125 m for each
		{"nothing limited", math.NaN(), mission.Budget{}, false, 0.05, 0},
		{"given", 0.3, mission.Budget{Samples: 25, Distance: 4000}, false, 0.3, 25},
		{"given as 0", 0, mission.Budget{Distance: 4000, Duration: 2000}, false, 0, 0},
		{"passive alone", math.NaN(), mission.Budget{Distance: 4000}, true, 0.05, 0},
		{"passive", math.NaN(), mission.Budget{Samples: 25, Distance: 4000}, true, 0.05, 25},
	} {
		cfg := DefaultConfig()
		cfg.Field.Margin, cfg.Travel, cfg.Mission.Budget, cfg.Passive = 2, c.travel, c.budget, c.passive
		cfg.Mission.SampleTime = 0
		if _, _, err := cfg.fitTo(outline); err != nil {
			t.Fatal(err)
		}
		ledger := spent
		ledger.Config = cfg.Mission.BudgetConfig
		if got := 1000 * cfg.Price(ledger); math.Abs(got-c.want) > 1e-3*c.want {
			t.Errorf("%s: the price is %g per km, want %g", c.name, got, c.want)
		}
		if got := cfg.Mission.Budget.Samples; got != c.samples {
			t.Errorf("%s: the budget is %d samples, want %d", c.name, got, c.samples)
		}
	}
}

// Without stops the price is two thirds of that, whatever is left of the budget, and the
// budget has no samples.
func TestPriceWithoutStops(t *testing.T) {
	outline := field.Field{Boundary: orb.Polygon{{{0, 0}, {504, 0}, {504, 504}, {0, 504}, {0, 0}}}}
	for _, budget := range []mission.Budget{{Distance: 4000}, {Duration: 4000}} {
		cfg := DefaultConfig()
		cfg.Field.Margin, cfg.Mission.Budget, cfg.Reading.AtStops = 2, budget, false
		if _, _, err := cfg.fitTo(outline); err != nil {
			t.Fatal(err)
		}
		for _, distance := range []float64{10, 3500} {
			l := mission.Ledger{Config: cfg.Rules().BudgetConfig, Samples: 5, Distance: distance, Duration: distance}
			if got := 1000 * cfg.Price(l); math.Abs(got-1.3) > 0.05 {
				t.Errorf("%+v, %g used: the price is %g per km, want 4/3", budget, distance, got)
			}
		}
		if cfg.Mission.Budget.Samples != 0 || cfg.Rules().Budget.Samples != 0 || cfg.Rules().SampleTime != 0 {
			t.Errorf("the budget is %+v, that of the mission %+v", cfg.Mission.Budget, cfg.Rules().Budget)
		}
	}
}

// A mission without stops spreads a fifth of its way, if that is limited.
func TestSpreadOfTheWay(t *testing.T) {
	for _, c := range []struct {
		distance, duration float64
		want               int
	}{{6500, 0, 130}, {6500, 1000, 20}, {0, 1000, 20}, {0, 0, 0}} {
		cfg := DefaultConfig()
		cfg.Reading.AtStops, cfg.Mission.Speed, cfg.Path.Length, cfg.Path.Time = false, 1, 10, 60
		cfg.Mission.Budget = mission.Budget{Distance: c.distance, Duration: c.duration}
		if cfg.spread() != c.want {
			t.Errorf("%+v: %d observations are spread", c, cfg.spread())
		}
	}
}
