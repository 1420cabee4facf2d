// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner_test

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
)

// world is a change of the origin and the units: a place p becomes scale·p + origin and a value
// y becomes unit·y + zero.
type world struct {
	scale      float64
	origin     orb.Point
	unit, zero float64
}

func (w world) at(x, y float64) orb.Point {
	return orb.Point{w.scale*x + w.origin[0], w.scale*y + w.origin[1]}
}

// decisions returns the targets and the recommended places, and the means there, of some
// decisions in a world, in the original coordinates and units.
func (w world) decisions(t *testing.T) (places [][2]float64, means []float64) {
	region := fieldtest.Region(t, field.Field{
		Boundary: orb.Polygon{{w.at(0, 0), w.at(400, 0), w.at(400, 300), w.at(250, 310), w.at(240, 400), w.at(0, 400)}},
		KeepOuts: []orb.Polygon{{{w.at(100, 100), w.at(150, 100), w.at(150, 180), w.at(100, 160)}}},
	}, 2*w.scale)
	cfg := testConfig()
	cfg.Model.LengthScale *= w.scale
	cfg.Model.SignalStdDev *= w.unit
	cfg.Model.NoiseStdDev *= w.unit
	cfg.ExecutionNoise.StdDev *= w.scale
	o, err := planner.NewOptimizer(region, cfg)
	must.OK(t, err)
	rng := plantest.Rand(3)
	for range 6 {
		x, y := 10+220*rng.Float64(), 10+380*rng.Float64()
		at, v := w.at(x, y), w.scale*w.scale
		o.Add(planner.Sample{
			Target: at[:], Located: gp.Belief{Mean: at[:], Cov: mat.NewSymDense(2, []float64{v, 0.2 * v, 0.2 * v, 0.5 * v})},
			Value: w.unit*(math.Sin(x/60)+math.Cos(y/80)) + w.zero, Variance: 0.01 * w.unit * w.unit,
		})
		robot := w.at(200, 200)
		j := o.Job(&planner.TargetRequest{Robot: robot[:], Reach: acquire.Anywhere(), Price: 1e-3 / w.scale})
		if j.Run(); j.Err != nil || j.NoTarget != nil {
			t.Fatal(j.Err, j.NoTarget)
		}
		o.Adopt(j)
		o.Decide(j)
		for _, p := range [][]float64{j.Target.X, j.Best.X} {
			places = append(places, [2]float64{(p[0] - w.origin[0]) / w.scale, (p[1] - w.origin[1]) / w.scale})
		}
		means = append(means, (j.Best.Mean-w.zero)/w.unit)
	}
	return places, means
}

// TestUnitsChangeNothing: a field far from the origin, in other units of length, or with values in
// another unit and from another zero leads to the same decisions and recommendations.
func TestUnitsChangeNothing(t *testing.T) {
	places, means := world{scale: 1, unit: 1}.decisions(t)
	for name, w := range map[string]world{
		"UTM coordinates":   {scale: 1, origin: orb.Point{4.5e5, 5.8e6}, unit: 1},
		"a field of 40 m":   {scale: 0.1, unit: 1},
		"a field of 400 km": {scale: 1000, unit: 1},
		"values in 1e-9":    {scale: 1, unit: 1e9, zero: -3e9},
		"values from 1e4":   {scale: 1, unit: 1, zero: 1e4},
	} {
		gotPlaces, gotMeans := w.decisions(t)
		near := 1e-3 // m
		if w.zero == 1e4 {
			near = 5e-3 // at a maximum of such a value, roundings of 2e-12 hide a curvature of 1e-6 over that distance
		}
		for i, p := range places {
			if q := gotPlaces[i]; math.Hypot(p[0]-q[0], p[1]-q[1]) > near {
				t.Errorf("%s: place %d is %v, want %v", name, i, q, p)
			}
		}
		for i, m := range means {
			if math.Abs(gotMeans[i]-m) > 1e-6 {
				t.Errorf("%s: mean %d is %g, want %g", name, i, gotMeans[i], m)
			}
		}
	}
}
