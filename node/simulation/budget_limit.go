// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// BudgetLimit is what a mission may spend, and how long a sample takes.
type BudgetLimit struct {
	Distance   float64 `json:"budget_m"`       // m, the path home included; 0: no limit
	Duration   float64 `json:"budget_s"`       // s; 0: no limit
	Samples    int     `json:"budget_samples"` // 0: no limit
	SampleTime float64 `json:"sample_s"`       // s that a sample takes; 0: as long as three readings of the probe
}

// BudgetSyntax describes the texts that [ParseBudget] accepts.
const BudgetSyntax = "6.5km or 800m, 3h, 90min or 600s, 30 (samples), or several joined by +, followed by /60s for samples that take 60 s"

// ParseBudget reads a budget such as "6.5km", "3h/60s" or "6.5km+30".
func ParseBudget(text string) (l BudgetLimit, err error) {
	bad := func() (BudgetLimit, error) {
		return BudgetLimit{}, fmt.Errorf("%q is not a budget: want %s; distances from 10 m to 1000 km, times from 36 s to 1000 h, 1 to 10000 samples of 1 to 3600 s", text, BudgetSyntax)
	}
	number := func(part, unit string, into *float64, scale, lo, hi float64) bool {
		digits, ok := strings.CutSuffix(part, unit)
		v, err := strconv.ParseFloat(digits, 64)
		if v *= scale; !ok || err != nil || !(v >= lo && v <= hi) || *into != 0 {
			return false
		}
		*into = v
		return true
	}
	distance := func(part string) bool {
		return number(part, "km", &l.Distance, 1000, 10, 1e6) || number(part, "m", &l.Distance, 1, 10, 1e6)
	}
	duration := func(part string) bool {
		return number(part, "h", &l.Duration, 3600, 36, 3.6e6) || number(part, "min", &l.Duration, 60, 36, 3.6e6) || number(part, "s", &l.Duration, 1, 36, 3.6e6)
	}
	budgets, sample, timed := strings.Cut(text, "/")
	if timed {
		v, err := strconv.ParseFloat(strings.TrimSuffix(sample, "s"), 64)
		if !strings.HasSuffix(sample, "s") || err != nil || !(v >= 1 && v <= 3600) {
			return bad()
		}
		l.SampleTime = v
	}
	for _, part := range strings.Split(budgets, "+") {
		if distance(part) || duration(part) {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 || n > 10000 || l.Samples != 0 {
			return bad()
		}
		l.Samples = n
	}
	return l, nil
}

func (l BudgetLimit) String() string {
	var parts []string
	if l.Distance > 0 {
		parts = append(parts, fmt.Sprintf("%.4g km", l.Distance/1000))
	}
	if l.Duration > 0 {
		parts = append(parts, fmt.Sprintf("%.4g h", l.Duration/3600))
	}
	if l.Samples > 0 {
		parts = append(parts, fmt.Sprintf("%d samples", l.Samples))
	}
	text := strings.Join(parts, " and ")
	if l.SampleTime > 0 {
		text += fmt.Sprintf(", %.4g s a sample", l.SampleTime)
	}
	return text
}

// kind names what is limited, and how long a sample takes: budgets of the same kind differ in
// size alone.
func (l BudgetLimit) kind() string {
	var parts []string
	for _, limit := range []struct {
		name string
		size float64
	}{{"distance", l.Distance}, {"time", l.Duration}, {"samples", float64(l.Samples)}} {
		if limit.size > 0 {
			parts = append(parts, limit.name)
		}
	}
	text := strings.Join(parts, " and ")
	if l.SampleTime > 0 {
		text += fmt.Sprintf(" with %.4g s a sample", l.SampleTime)
	}
	return text
}

// sampleSeconds returns the time of a sample, s.
func (l BudgetLimit) sampleSeconds() float64 {
	if l.SampleTime > 0 {
		return l.SampleTime
	}
	return shortSample
}

// shortSample is the time of a sample of three readings, s, stopping included.
const shortSample = 5

// The tour of an even grid of n points is about tourFactor·side·√n long, with the way home.
const tourFactor = 1.45

// fits returns the number of points of a lattice whose tour uses up the budget, on a field with
// the area of a square of this side, m. Rows are apart times as far from one another as
// points in a row. It is at least 1 and may be a fraction.
func (l BudgetLimit) fits(side, apart float64) float64 {
	n := math.Inf(1)
	if l.Samples > 0 {
		n = float64(l.Samples)
	}
	tour := tourFactor * side / math.Sqrt(apart) // m, of one point
	if l.Distance > 0 {
		root := l.Distance / tour
		n = min(n, root*root)
	}
	if l.Duration > 0 { // n·t + √n·tour/v = T
		t, drive := l.sampleSeconds(), tour/driveSpeed
		root := (math.Sqrt(drive*drive+4*t*l.Duration) - drive) / (2 * t)
		n = min(n, root*root)
	}
	return max(n, 1)
}

// lattices returns the numbers of points that are tried for a budget, in rising order: shares of
// the number that fits, and at most the budget's samples.
func (l BudgetLimit) lattices(side, apart float64) []int {
	var list []int
	for _, share := range latticeShares {
		n := max(1, int(math.Round(share*l.fits(side, apart))))
		if l.Samples > 0 {
			n = min(n, l.Samples)
		}
		if len(list) == 0 || n > list[len(list)-1] {
			list = append(list, n)
		}
	}
	if l.Distance == 0 && l.Duration == 0 {
		return list[len(list)-1:] // nothing is gained by fewer samples
	}
	return list
}

// latticeShares are the numbers of points that are tried, relative to the number that fits.
var latticeShares = []float64{0.35, 0.5, 0.7, 1, 1.4}
