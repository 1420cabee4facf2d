// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/shared"
)

// BenchmarkFitLong is the fit of a long mission: two starts, the observations chosen.
func BenchmarkFitLong(b *testing.B) {
	obs := pathObservations(10000, rand.New(rand.NewPCG(1, 2)))
	cfg := DefaultConfig(120)
	cfg.Starts = 2
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Hyper(obs, fieldHyper, cfg, rand.New(rand.NewPCG(3, 4))); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFit is a whole fit with the default configuration.
func BenchmarkFit(b *testing.B) {
	for _, n := range []int{30, 100} {
		obs := fieldObservations(n, rand.New(rand.NewPCG(1, 2)))
		h := fieldHyper
		for _, h.Kind = range gp.Kinds() {
			b.Run(fmt.Sprintf("%v/n=%d", h.Kind, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Hyper(obs, h, DefaultConfig(120), rand.New(rand.NewPCG(3, 4))); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkFitPoints is the fit that other programs' times are compared with: observations at points, which they all have,
// drawn from a Matérn 5/2 kernel, and a start that knows nothing. Meuse is the logarithm of zinc in the soil beside that river.
func BenchmarkFitPoints(b *testing.B) {
	run := func(name string, draw func(b *testing.B) []gp.Observation, side float64) {
		b.Run(name, func(b *testing.B) {
			obs := draw(b)
			cfg := DefaultConfig(side / 5)
			cfg.MaxObservations = max(cfg.MaxObservations, len(obs))
			start := gp.Hyper{Kind: gp.Matern52, SignalVariance: 1, LengthScales: []float64{side / 5, side / 5}, NoiseVariance: 0.1}
			b.ReportAllocs()
			for b.Loop() {
				_, err := Hyper(obs, start, cfg, rand.New(rand.NewPCG(3, 4)))
				must.OK(b, err)
			}
		})
	}
	for _, n := range []int{100, 500} {
		truth := gp.Hyper{Kind: gp.Matern52, SignalVariance: 1, LengthScales: []float64{120, 120}, NoiseVariance: 0.1}
		run(fmt.Sprintf("n=%d", n), func(b *testing.B) []gp.Observation {
			return simulate(b, truth, n, 1000, 0, rand.New(rand.NewPCG(1, 2)))
		}, 1000)
	}
	run("Meuse", meuse, 3000)
}

// meuse returns the 155 samples by the Meuse, which are not shipped.
func meuse(b *testing.B) (obs []gp.Observation) {
	f, err := os.Open(shared.File(b, "meuse.csv"))
	must.OK(b, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	must.OK(b, err)
	column := func(row []string, name string) float64 {
		v, err := strconv.ParseFloat(row[slices.Index(rows[0], name)], 64)
		must.OK(b, err)
		return v
	}
	for _, row := range rows[1:] {
		obs = append(obs, gp.Observation{Belief: gp.Point(column(row, "x")-179000, column(row, "y")-330000), Value: math.Log(column(row, "zinc"))})
	}
	return obs
}
