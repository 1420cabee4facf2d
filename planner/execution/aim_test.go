// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package execution

import (
	"errors"
	"math"
	"testing"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/field/localizability"
)

// Targets are judged by the map of localisation, but the target of a sample by what that
// sample knew of its place: at the edge of a wood a cell of the map has seen both sides.
func TestLocalAim(t *testing.T) {
	m := localizability.New(localizability.Config{Bound: orb.Bound{Max: orb.Point{400, 400}}})
	for x := 0.5; x < 400; x++ { // 1 m in the west, 10 m in the east
		v := 1.0
		if x > 200 {
			v = 100
		}
		m.Add(0, []localizability.Seen{{At: orb.Point{x, 200}, Variance: v, Metres: 1}})
	}
	arrival := func(x, stdDev float64) Arrival {
		v := stdDev * stdDev
		return Arrival{Target: []float64{x, 200}, Located: gp.Belief{Mean: []float64{x, 200}, Cov: mat.NewSymDense(2, []float64{v, 0, 0, v})}}
	}
	for name, c := range map[string]struct {
		scale float64
		at    []float64
		want  float64 // m
	}{
		"in the open":                            {30, []float64{100, 200}, 1},
		"in the wood":                            {30, []float64{300, 200}, 10},
		"sample in the open at the edge":         {30, []float64{199.9, 200}, 1},
		"sample in the wood at the edge":         {30, []float64{200.1, 200}, 10},
		"sample in the wood that had a good fix": {30, []float64{350, 200}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := LearnNoise(NoiseConfig{Local: true, Config: Config{StdDev: 0.1}}, 2,
				[]Arrival{arrival(199.9, 1), arrival(200.1, 10), arrival(350, 2)}, m.Expect(0), c.scale)
			must.OK(t, err)
			place := a.Placing()
			if place == nil {
				t.Fatal("targets are judged alike")
			}
			if s := math.Sqrt(place(c.at).Cov.At(0, 0)); math.Abs(s/c.want-1) > 0.05 {
				t.Errorf("%.3g m, want %g", s, c.want)
			}
		})
	}
	a, err := LearnNoise(NoiseConfig{Local: true, Config: Config{StdDev: 0.1}}, 2, nil, m.Expect(0), 101)
	if err != nil || a.ByPlace() {
		t.Errorf("a tenth of the length-scale matters: error %v", err)
	}
}

// At the target of a sample its whole covariance counts, and what it knew for certain.
func TestLocalAimCorrelated(t *testing.T) {
	m := localizability.New(localizability.Config{Bound: orb.Bound{Max: orb.Point{400, 400}}})
	m.Add(0, []localizability.Seen{{At: orb.Point{100, 200}, Variance: 100, Metres: 1}})
	located := mat.NewSymDense(2, []float64{9, -5, -5, 4})
	cfg := NoiseConfig{Local: true, Config: Config{StdDev: 0.5}}
	arrivals := []Arrival{
		{Target: []float64{100, 200}, Located: gp.Belief{Mean: []float64{101, 199}, Cov: located}},
		{Target: []float64{50, 200}, Located: gp.Point(50, 201)},
	}
	a, err := LearnNoise(cfg, 2, arrivals, m.Expect(0), 30)
	must.OK(t, err)
	place := a.Placing()
	for i, want := range []*mat.SymDense{mat.NewSymDense(2, []float64{9.25, -5, -5, 4.25}), mat.NewSymDense(2, []float64{0.25, 0, 0, 0.25})} {
		if got := place(arrivals[i].Target).Cov; !mat.EqualApprox(got, want, 1e-12) {
			t.Errorf("at %v: %v, want %v", arrivals[i].Target, mat.Formatted(got), mat.Formatted(want))
		}
	}
	// What cannot be used is an error, also where nothing is learnt.
	bad := Arrival{Target: []float64{100, 200}, Located: gp.Belief{Mean: []float64{101, 199}, Cov: mat.NewSymDense(2, []float64{1, 2, 2, 1})}}
	for _, cfg := range []NoiseConfig{cfg, {Local: true, Learn: true, Config: DefaultConfig(1)}, {Learn: true, Config: DefaultConfig(1)}} {
		if _, err := LearnNoise(cfg, 2, append(arrivals, bad), m.Expect(0), 30); !errors.Is(err, gp.ErrBelief) {
			t.Errorf("%+v: an indefinite covariance: %v", cfg, err)
		}
	}
	if _, err := LearnNoise(cfg, 3, nil, m.Expect(0), 30); !errors.Is(err, errExecution) {
		t.Errorf("a map of the plane in space: %v", err)
	}
}
