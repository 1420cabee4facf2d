// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ideal_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/shared"
	reader "ugp_explorer/node/covariate"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/simulation/ideal"
	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
	"ugp_explorer/sim"
)

// The logarithm of zinc in the soil beside the Meuse goes with the square root of the distance to the
// river (their correlation over the samples is -0.8). With that raster, or with a second sensor that measures the same all
// the way, few samples tell more of it. The true field is kriged from the 155 samples; nugget and noise are those of the
// published variogram. UGP_MEUSE_SEEDS=30 measures instead of testing, with -v.
func TestMeuse(t *testing.T) {
	samples, grid := shared.File(t, "meuse.csv"), shared.File(t, "meuse_grid.csv")
	points, err := sim.LoadPoints(samples, "zinc", nil)
	must.OK(t, err)
	for i, v := range points.Values {
		points.Values[i] = math.Log(v)
	}
	outline, err := sim.Outline(points)
	must.OK(t, err)
	truth, err := sim.FieldFromPoints(points, outline)
	must.OK(t, err)
	raster := distanceToRiver(t, grid)
	region, err := field.NewRegion(field.Field{Boundary: outline}, 0)
	must.OK(t, err)
	of, _, err := reader.Read(raster, region, nil)
	must.OK(t, err)
	distance := func(x, y float64) float64 { // standardised over the field
		v, _, _ := of.Mean(x, y, [3]float64{})
		return v
	}

	// The errors of two maps differ by ten of their standard errors from those without, the regrets of four missions by one.
	seeds, counts := map[planner.Objective]int{planner.ObjectiveMap: 2, planner.ObjectiveMaximum: 4}, []int{10}
	if n, err := strconv.Atoi(os.Getenv("UGP_MEUSE_SEEDS")); err == nil {
		seeds, counts = map[planner.Objective]int{planner.ObjectiveMap: n, planner.ObjectiveMaximum: n}, []int{10, 30}
	}
	for _, samples := range counts {
		for objective, seeds := range seeds {
			var missed [3][]float64 // alone, with the raster, and with the second sensor: error of the map, or regret
			for seed := range uint64(seeds) {
				for with := range missed {
					r := robot(field.Field{Boundary: outline}, mission.Budget{Samples: samples})
					r.Config.Seed, r.Config.Objective = int64(seed)+1, objective
					w := ideal.World{Field: truth.Smooth, Nugget: 0.2, Noise: 0.1, Random: sim.Stream(seed, "world")}
					switch with {
					case 1:
						r.Config.Covariates = []string{raster}
					case 2:
						r.Config.Secondary.Type, w.Secondary = "FieldReading", fieldsim.Conductivity(distance)
					}
					r.Start = outline[0][sim.Stream(seed, "start").IntN(len(outline[0]))]
					f, err := ideal.Fly(t.Context(), w, []ideal.Robot{r})
					must.OK(t, err)
					missed[with] = append(missed[with], missing(f[0], truth.Smooth, objective))
				}
			}
			without := stat.Mean(missed[0], nil)
			for k, name := range map[int]string{1: "the raster", 2: "the second sensor"} {
				difference := slices.Clone(missed[k])
				floats.Sub(difference, missed[0])
				with := stat.Mean(missed[k], nil)
				t.Logf("%s, %d samples, %d seeds: %.3f, with %s %.3f, difference %.3f ± %.3f", objective, samples, seeds,
					without, name, with, stat.Mean(difference, nil), stat.StdErr(stat.StdDev(difference, nil), float64(seeds)))
				if with > 0.9*without {
					t.Errorf("%s, after %d samples %s helps little: %.3f of %.3f", objective, samples, name, missed[k], missed[0])
				}
			}
		}
	}
}

// missing returns the regret of the place that a mission recommends, or the root mean square error of its map
// if it is for that or for a contour line.
func missing(f ideal.Flight, truth func(x, y float64) float64, objective planner.Objective) float64 {
	sign := 1.0
	if objective == planner.ObjectiveMinimum {
		sign = -1
	}
	var squares []float64
	best := math.Inf(-1)
	for _, x := range f.Region.Grid(1000, 1) {
		mean, _ := f.Model.Posterior(gp.Point(x...))
		v := truth(x[0], x[1])
		squares, best = append(squares, (mean-v)*(mean-v)), max(best, sign*v)
	}
	if objective == planner.ObjectiveMap || objective == planner.ObjectiveThreshold {
		return math.Sqrt(stat.Mean(squares, nil))
	}
	at := f.Record.Recommendation.Target
	return best - sign*truth(at[0], at[1])
}

// distanceToRiver writes the square root of a grid's distances as a raster.
func distanceToRiver(t *testing.T, grid string) string {
	t.Helper()
	f, err := os.Open(grid)
	must.OK(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	must.OK(t, err)
	column := slices.Index(rows[0], "dist")
	text := "x,y,value\n"
	for _, row := range rows[1:] {
		v, err := strconv.ParseFloat(row[column], 64)
		must.OK(t, err)
		text += fmt.Sprintf("%s,%s,%g\n", row[0], row[1], math.Sqrt(v))
	}
	file := filepath.Join(t.TempDir(), "river.csv")
	must.OK(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}
