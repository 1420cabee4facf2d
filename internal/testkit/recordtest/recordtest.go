// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package recordtest has a synthetic mission and other support for tests of packages that use records.
package recordtest

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/record"
)

// syntheticTruth is a smooth field with its maximum near (510, 890).
func syntheticTruth(x, y float64) float64 {
	bump := func(cx, cy, r, h float64) float64 {
		return h * math.Exp(-((x-cx)*(x-cx)+(y-cy)*(y-cy))/(2*r*r))
	}
	return 22 + bump(510, 890, 140, 18) + bump(180, 380, 110, 13) - bump(420, 300, 170, 9) + 2*math.Sin(x/60)*math.Cos(y/75)
}

var syntheticField = record.Field{
	Name: "synthetic",
	Boundary: [][]record.Place{{
		{40, 60}, {430, 0}, {700, 90}, {720, 620}, {660, 640}, {650, 1190}, {330, 1240}, {300, 980}, {20, 940},
	}},
	KeepOuts: [][][]record.Place{{{{300, 560}, {380, 540}, {410, 620}, {330, 650}}}},
	Margin:   10,
}

// Mission returns a whole mission over a field of 720 m by 1240 m:
// samples at random targets, a Gaussian process over them, everything a
// report may show. The same arguments give the same mission.
func Mission(samples int, nx, ny int) (*record.Mission, *record.Maps, *record.Tracks) {
	rng := rand.New(rand.NewPCG(7, 11))
	m := &record.Mission{
		Version: record.Version, Program: "ugp test", Method: "ugp-ucb", Seed: 1<<63 + 1,
		Outcome: "done: every sample of the budget was taken", Frame: "map", Started: 12.5, Resumed: []float64{310},
		Quantity: "potassium", Units: "mg/l", Transform: record.TransformNone,
		Budget: record.Budget{Samples: samples, Distance: 20000, Time: 4 * 3600},
		Field:  syntheticField, Home: &record.Place{430, 20},
		Noise: &record.Covariance{XX: 2, YY: 2},
		Settings: record.Settings{
			"ugp_explorer": {"beta": 3.0, "samples": samples, "method": "ugp-ucb", "lever_arm_m": []float64{0.4, 0}, "travel_budget_m": math.Inf(1)},
			"follower":     {"max_speed_mps": 1.2, "turn_on_spot": true},
		},
		Counts:   map[string]int64{"readings dropped: no pose near enough": 3, "covariances refused: not finite": 1},
		Distance: 14321.5, SimulatedTime: 15234.25, WallTime: 21.75,
	}
	tracks := new(record.Tracks)
	at := *m.Home
	for i := 1; i <= samples; i++ {
		target := record.Place{80 + 560*rng.Float64(), 80 + 1000*rng.Float64()}
		for !contains(m.Field.Boundary, target) || contains(m.Field.KeepOuts[0], target) {
			target = record.Place{80 + 560*rng.Float64(), 80 + 1000*rng.Float64()}
		}
		sx, sy, rho := 1+14*rng.Float64()*rng.Float64(), 1+10*rng.Float64()*rng.Float64(), 1.6*rng.Float64()-0.8
		b := record.Belief{XX: sx * sx, XY: rho * sx * sy, YY: sy * sy}
		u, v := rng.NormFloat64(), rng.NormFloat64()
		real := record.Place{target[0] + 2*rng.NormFloat64(), target[1] + 2*rng.NormFloat64()}
		b.X, b.Y = real[0]+sx*u, real[1]+sy*(rho*u+math.Sqrt(1-rho*rho)*v)
		value := syntheticTruth(real[0], real[1]) + rng.NormFloat64()
		m.Observations = append(m.Observations, record.Observation{
			Sequence: i, Stamp: 12.5 + 500*float64(i), Target: target, Belief: b, Readings: 5,
			Value: value, Variance: 1, ModelValue: value, ModelVariance: 1, TruePlace: &real,
		})
		m.Decisions = append(m.Decisions, record.Decision{Samples: i - 1, Target: target, Acquisition: 40 - float64(i)/3, Mean: 25, StdDev: 5 - float64(i)/10, Beta: 3})
		for k := range 200 {
			s := float64(k) / 199
			wave := 25 * math.Sin(math.Pi*s)
			p := record.Place{at[0] + s*(real[0]-at[0]) + wave, at[1] + s*(real[1]-at[1]) - wave/2}
			tracks.True = append(tracks.True, p)
			tracks.Estimated = append(tracks.Estimated, record.Place{p[0] + s*(b.X-real[0]), p[1] + s*(b.Y-real[1])})
		}
		at = real
		m.Hyper = append(m.Hyper, record.HyperAt{
			Samples: i, LogLikelihood: -2.9 * float64(i),
			Hyper: record.Hyper{
				Kernel: "se", SignalVariance: 36 + 20/float64(i), LengthScales: []float64{120 + 60/float64(i), 150 - 90/float64(i)},
				NoiseVariance: 0.5 + 1/float64(i), Mean: 24 + 3/float64(i),
			},
		})
	}
	if samples == 0 {
		return m, nil, nil
	}
	m.Skipped = []record.Skipped{{Target: record.Place{600, 1100}, Reason: "not reached in 240 s", Stamp: 4000.5}}
	maps := syntheticMaps(m, nx, ny)
	best, bestAt, bestOf := math.Inf(-1), record.Place{}, 0
	for i, v := range maps.Truth {
		if v > best {
			best, bestAt = v, maps.Grid.Centre(i%nx, i/nx)
		}
	}
	m.Truth = &record.Truth{Name: "synthetic bumps", Raw: record.Surface{Description: "as the probe meets it", Best: best, BestAt: bestAt}}
	simple := math.Inf(1)
	for i, o := range m.Observations {
		if o.Value > m.Observations[bestOf].Value {
			bestOf = i
		}
		t := m.Observations[bestOf].Target
		simple = math.Min(simple, best-syntheticTruth(o.TruePlace[0], o.TruePlace[1]))
		here := best - syntheticTruth(t[0], t[1])
		m.Truth.RegretOverSamples = append(m.Truth.RegretOverSamples, record.RegretAt{
			Samples: i + 1, Simple: simple, Recommended: here, Smooth: math.NaN(), Expected: here * 0.9,
		})
		m.Recommended = append(m.Recommended, record.RecommendedAt{Samples: i + 1, Target: &t, Mean: 30, StdDev: 2})
	}
	star := m.Observations[bestOf].Target
	m.Recommendation = m.NewRecommendation(star, m.Observations[bestOf].Value, 1.25, samples)
	m.Truth.Raw.AtRecommendation = syntheticTruth(star[0], star[1])
	m.Truth.Raw.Regret = best - m.Truth.Raw.AtRecommendation
	m.Truth.Expected = &record.Surface{Description: "mean under the execution noise", Best: best - 0.2, BestAt: bestAt, AtRecommendation: best - 0.7, Regret: 0.5}
	return m, maps, tracks
}

// Hear gives a mission a second quantity, which goes with the field: a stop at each sample, and a piece of path on the way
// to it. It returns the posterior of it.
func Hear(t testing.TB, m *record.Mission) *gp.GP {
	t.Helper()
	m.Secondary = &record.Secondary{
		Quantity: "conductivity", Units: "mS/m", Correlation: 0.72, CorrelationStdDev: 0.1,
		Hyper: &record.Hyper{Kernel: "matern32", SignalVariance: 90, LengthScales: []float64{150, 150}, NoiseVariance: 0.25, Mean: 48},
	}
	g, err := gp.New(gp.Hyper{Kind: gp.Matern32, SignalVariance: 90, LengthScales: []float64{150, 150}, NoiseVariance: 0.25, Mean: 48})
	must.OK(t, err)
	before := *m.Home
	for _, o := range m.Observations {
		stop := record.Heard{Stamp: o.Stamp, Belief: o.Belief, Readings: 5, Value: 6 + 2*syntheticTruth(o.Belief.X, o.Belief.Y), Variance: 0.2}
		piece := record.Heard{Stamp: o.Stamp - 60, Path: 60, Belief: o.Belief, Readings: 30, Variance: 0.03}
		piece.Belief.X, piece.Belief.Y = (before[0]+o.Belief.X)/2, (before[1]+o.Belief.Y)/2
		piece.Value = 6 + 2*syntheticTruth(piece.Belief.X, piece.Belief.Y)
		before = record.Place{o.Belief.X, o.Belief.Y}
		for _, h := range []record.Heard{piece, stop} {
			m.Secondary.Heard = append(m.Secondary.Heard, h)
			b := gp.Belief{Mean: []float64{h.Belief.X, h.Belief.Y}, Cov: mat.NewSymDense(2, []float64{h.Belief.XX, h.Belief.XY, h.Belief.XY, h.Belief.YY})}
			must.OK(t, g.Add(gp.Observation{Belief: b, Value: h.Value, NoiseVariance: h.Variance}))
		}
	}
	m.Secondary.Learnt = len(m.Secondary.Heard)
	return g
}

// syntheticMaps is the posterior of a plain Gaussian process on a grid over
// the synthetic field.
func syntheticMaps(m *record.Mission, nx, ny int) *record.Maps {
	g := record.Grid{X: 0, Y: 0, Cell: math.Max(720/float64(nx), 1240/float64(ny)), NX: nx, NY: ny}
	kernel := func(a, b record.Place) float64 {
		return 36 * math.Exp(-((a[0]-b[0])*(a[0]-b[0])+(a[1]-b[1])*(a[1]-b[1]))/(2*130*130))
	}
	n := len(m.Observations)
	k, z := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	place := func(i int) record.Place { return record.Place{m.Observations[i].Belief.X, m.Observations[i].Belief.Y} }
	for i := range n {
		z.SetVec(i, m.Observations[i].ModelValue-24)
		for j := range i + 1 {
			k.SetSym(i, j, kernel(place(i), place(j)))
		}
		k.SetSym(i, i, 36+1.5)
	}
	var chol mat.Cholesky
	if !chol.Factorize(k) {
		panic("the synthetic kernel matrix is not positive definite")
	}
	var alpha, w mat.VecDense
	if err := chol.SolveVecTo(&alpha, z); err != nil {
		panic(err)
	}
	maps := &record.Maps{Grid: g}
	row := mat.NewVecDense(n, nil)
	for c := range nx * ny {
		p := g.Centre(c%nx, c/nx)
		truth, mean, dev, acq := math.NaN(), math.NaN(), math.NaN(), math.NaN()
		if contains(m.Field.Boundary, p) && !contains(m.Field.KeepOuts[0], p) {
			for i := range n {
				row.SetVec(i, kernel(p, place(i)))
			}
			if err := chol.SolveVecTo(&w, row); err != nil {
				panic(err)
			}
			truth = syntheticTruth(p[0], p[1])
			mean = 24 + mat.Dot(row, &alpha)
			dev = math.Sqrt(math.Max(0, 36-mat.Dot(row, &w)))
			acq = mean + 3*dev
		}
		maps.Truth, maps.Mean = append(maps.Truth, truth), append(maps.Mean, mean)
		maps.StdDev, maps.Acquisition = append(maps.StdDev, dev), append(maps.Acquisition, acq)
	}
	return maps
}

// contains is the even-odd rule, written with the angle-free crossing test.
func contains(rings [][]record.Place, p record.Place) bool {
	in := false
	for _, r := range rings {
		for i, a := range r {
			b := r[(i+1)%len(r)]
			if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0]+(p[1]-a[1])*(b[0]-a[0])/(b[1]-a[1]) {
				in = !in
			}
		}
	}
	return in
}

// Equal fails the test when two missions differ in anything but their settings,
// whose numbers are read back as json.Number.
func Equal(t testing.TB, got, want *record.Mission) {
	t.Helper()
	opts := cmp.Options{cmpopts.EquateNaNs(), cmpopts.EquateEmpty(), cmpopts.IgnoreFields(record.Mission{}, "Settings")}
	if d := cmp.Diff(want, got, opts); d != "" {
		t.Errorf("the record changed (−want +got):\n%s", d)
	}
}

// Names returns the names of the files in a folder.
func Names(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must.OK(t, err)
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}
