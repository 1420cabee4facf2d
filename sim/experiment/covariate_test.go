// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/planner"
	"ugp_explorer/planner/covariate"
	"ugp_explorer/planner/execution"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/surface"
	"ugp_explorer/sim"
)

// Where a raster varies over metres, and the robot knows its place to metres, a sample has the raster's mean
// over the places where it may have been taken. The map is then better than with places taken as exact,
// and the raster's weight is not underestimated. UGP_RASTER_FIELDS=100 measures, with -v.
func TestShortRangeRaster(t *testing.T) {
	fields := 5
	if n, err := strconv.Atoi(os.Getenv("UGP_RASTER_FIELDS")); err == nil {
		fields = n
	}
	const (
		side, cell   = 100., 1.
		rasterRange  = 10. // m, of the raster's spherical variogram; the rest of the field has 60 m
		weight, rest = 1., 0.5
		missed, fix  = 2., 2. // m, in x and in y: of a sample's place from its target, and of what is known of it
		samples      = 40
	)
	region, err := field.NewRegion(field.Field{Boundary: orb.Polygon{{{0, 0}, {side, 0}, {side, side}, {0, side}, {0, 0}}}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	bound := orb.Bound{Max: orb.Point{side, side}}
	methods := []string{"ugp-ucb", "gp-ucb"}
	maps, weights := make([][]float64, len(methods)), make([][]float64, len(methods))
	for seed := range uint64(fields) {
		draw := func(variance, distance float64, stream string) *surface.GridField {
			g, err := surface.GridOver(bound, cell, 20)
			if err != nil {
				t.Fatal(err)
			}
			f, err := sim.Simulate(g, sim.Variogram{Model: sim.Spherical, Structured: variance, Range: distance}, 0, "", "", sim.Stream(seed, stream))
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		drawn, smooth := draw(1, rasterRange, "raster"), draw(rest*rest, 60, "rest")
		var values []float64
		const width = int(side/cell) + 21
		for k := range width * width {
			values = append(values, drawn.Smooth(float64(k%width)*cell-10, float64(k/width)*cell-10))
		}
		raster, err := covariate.New(-10, -10, cell, width, values, func(x, y float64) bool { return region.Contains([]float64{x, y}) })
		if err != nil {
			t.Fatal(err)
		}
		truth := func(x, y float64) float64 {
			c, _, _ := raster.Mean(x, y, [3]float64{})
			return weight*c + smooth.Smooth(x, y)
		}
		for m, method := range methods {
			cfg := planner.OptimizerConfig{
				Catalogue: planner.Robot(), Method: method, Strategy: planner.DefaultStrategyConfig(),
				ExecutionNoise: execution.NoiseConfig{Config: execution.Config{StdDev: missed}},
				Model: planner.ModelConfig{
					Fit: true, Kinds: []gp.Kind{gp.Matern32, gp.Matern52}, SignalStdDev: 1, LengthScale: 20, NoiseStdDev: 0.1,
					Average: 8, ExactLimit: 500, Prior: fit.DefaultConfig(1), Covariates: []gp.Covariate{raster},
				},
				Random: planner.Seeded(1),
			}
			o, err := planner.NewOptimizer(region, cfg)
			if err != nil {
				t.Fatal(err)
			}
			rng := sim.Stream(seed, "samples")
			normal := func(x []float64, stdDev float64) []float64 {
				return []float64{x[0] + stdDev*rng.NormFloat64(), x[1] + stdDev*rng.NormFloat64()}
			}
			for range samples {
				target := []float64{10 + 80*rng.Float64(), 10 + 80*rng.Float64()}
				at := normal(target, missed)
				o.Add(planner.Sample{
					Target: target, Located: gp.Belief{Mean: normal(at, fix), Cov: RKHS().isotropic(fix)},
					Value: truth(at[0], at[1]) + 0.05*rng.NormFloat64(), Variance: 0.05 * 0.05,
				})
			}
			job := o.Job(nil)
			if job.Run(); job.Err != nil {
				t.Fatal(job.Err)
			}
			var squares []float64
			for _, x := range region.Grid(1000, 1) {
				mean, _ := job.Posterior.Posterior(gp.Point(x...))
				squares = append(squares, math.Pow(mean-truth(x[0], x[1]), 2))
			}
			maps[m] = append(maps[m], math.Sqrt(stat.Mean(squares, nil)))
			weights[m] = append(weights[m], job.Posterior.CovariateWeights()[0].Mean)
		}
	}
	floats.Sub(maps[1], maps[0]) // by how much points are worse
	belief, worse, se := stat.Mean(maps[0], nil), stat.Mean(maps[1], nil), stat.StdErr(stat.StdDev(maps[1], nil), float64(fields))
	t.Logf("%d fields: the map's error is %.3f with beliefs and larger by %.3f ± %.3f with points; the weight, which is %g, is %.2f with beliefs and %.2f with points",
		fields, belief, worse, se, weight, stat.Mean(weights[0], nil), stat.Mean(weights[1], nil))
	if worse < 2*se || math.Abs(stat.Mean(weights[0], nil)-weight) > math.Abs(stat.Mean(weights[1], nil)-weight) {
		t.Error("beliefs do not help")
	}
}
