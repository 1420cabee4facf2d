// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"ugp_explorer/internal/testkit/must"
)

// The flag of the table of what the guard costs, which takes minutes and is not part of CI:
//
//	go test ./node/simulation -run TestPrice -price 10 -timeout 0 -v
var priced = flag.Int("price", 0, "missions of each kind for the table of what the guard costs")

// TestPrice prints how much longer missions take per metre driven when the robot must stay inside its fence, with
// fixes of several standard deviations, allowances and rates: pairs of missions of 15 samples on the farm.
func TestPrice(t *testing.T) {
	if *priced < 2 {
		t.Skip("give -price with 2 missions or more")
	}
	const unfenced = 1000 // m, an allowance that no robot of these missions reaches
	for _, row := range []struct{ stdDev, allowance float64 }{{0.02, 0}, {0.3, 3}, {0.3, 10}, {1, 10}, {1, 25}} {
		t.Run(fmt.Sprintf("%g m, %g m", row.stdDev, row.allowance), func(t *testing.T) {
			for _, period := range []float64{0.1, 0.2, 1} {
				var prices []float64
				unfinished := 0
				for seed := range int64(*priced) {
					pace := func(allowance float64) float64 { // s/m
						cfg := DefaultConfig(seed + 1)
						cfg.Explorer.Mission.Budget.Samples = 15
						cfg.Guard.Allowance = allowance
						cfg.Fieldsim.Fix.Period, cfg.Fieldsim.Fix.StdDev = period, row.stdDev
						s, err := New(&cfg, Options{})
						must.OK(t, err)
						defer s.Close() // many of them would fill the memory until the test ends
						if err := s.Run(t.Context()); errors.Is(err, ErrGivenUp) {
							return math.NaN()
						} else if err != nil {
							t.Fatal(err)
						}
						m := s.Explorer().Record()
						return m.SimulatedTime / m.Distance
					}
					if price := 100 * (pace(row.allowance)/pace(unfenced) - 1); math.IsNaN(price) {
						unfinished++
					} else {
						prices = append(prices, price)
					}
				}
				mean, stdDev := stat.MeanStdDev(prices, nil)
				t.Logf("%g Hz: %.1f ± %.1f %%, %d of %d not ended", 1/period, mean, stat.StdErr(stdDev, float64(len(prices))), unfinished, *priced)
			}
		})
	}
}
