// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// bestDensity returns the number of points with the least regret, from the mean regret of some
// numbers of points in rising order: where a parabola over the logarithm of the number,
// fitted by least squares, is lowest between the first and the last of them. The means of
// single numbers are too uncertain to choose from: with ten seeds the best of four is mostly
// chance. With fewer than four numbers it is the one with the lowest mean.
func bestDensity(points []int, regret []float64) int {
	best := 0
	for i := range points {
		if regret[i] < regret[best] {
			best = i
		}
	}
	if len(points) < 4 {
		return points[best]
	}
	a, b := mat.NewDense(len(points), 3, nil), mat.NewVecDense(len(points), regret)
	for i, n := range points {
		x := math.Log(float64(n))
		a.SetRow(i, []float64{1, x, x * x})
	}
	var c mat.VecDense
	if err := c.SolveVec(a, b); err != nil {
		return points[best]
	}
	low, high := math.Log(float64(points[0])), math.Log(float64(points[len(points)-1]))
	at := func(x float64) float64 { return c.AtVec(0) + x*c.AtVec(1) + x*x*c.AtVec(2) }
	x := low
	if at(high) < at(low) {
		x = high
	}
	if c.AtVec(2) > 0 {
		x = min(max(-c.AtVec(1)/(2*c.AtVec(2)), low), high)
	}
	return int(math.Round(math.Exp(x)))
}

// DensitySettings are the best numbers of points by method and setting.
type DensitySettings map[lattice]int

// lattice is a method that visits a lattice, under a setting.
type lattice struct {
	Method string
	BudgetSetting
}

// Best returns the number of points for each lattice, from the outcomes of
// [BudgetPlan.Densities] and the side of a square of the area of each field, m.
func (p *BudgetPlan) Best(outcomes []BudgetOutcome) DensitySettings {
	best := DensitySettings{}
	for _, method := range p.lattices() {
		for _, setting := range p.Settings {
			points := setting.lattices(p.Side(setting.Field), rowsApart[method])
			if len(points) == 1 {
				best[lattice{method, setting}] = points[0]
				continue
			}
			regret := make([]float64, len(points))
			for i, n := range points {
				var of []float64
				for _, o := range outcomes {
					if o.Method == method && o.BudgetSetting == setting && o.Points == n {
						of = append(of, o.Smooth)
					}
				}
				regret[i] = stat.Mean(of, nil)
			}
			best[lattice{method, setting}] = bestDensity(points, regret)
		}
	}
	return best
}
