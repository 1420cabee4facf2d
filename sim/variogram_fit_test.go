// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
)

// line returns data at x = 0, 10, 20, …
func line(values ...float64) *PointData {
	p := &PointData{Values: values}
	for i := range values {
		p.XY = append(p.XY, orb.Point{10 * float64(i), 5})
	}
	return p
}

func TestEmpiricalVariogram(t *testing.T) {
	lags := empiricalVariogram(line(1, 2, 4, 3), 10, 25)
	// By hand: differences 1, 2, −1 at 10 m; 3, 1 at 20 m.
	want := []lag{{10, (1.0 + 4 + 1) / 6, 3}, {20, (9.0 + 1) / 4, 2}}
	if len(lags) != len(want) {
		t.Fatalf("got %v", lags)
	}
	for i := range want {
		if lags[i] != want[i] {
			t.Errorf("lag %d is %+v, want %+v", i, lags[i], want[i])
		}
	}
}

// Lags that follow a model exactly give the model back.
func TestFitVariogram(t *testing.T) {
	for _, v := range []Variogram{
		BroomsBarnVariogram(),
		{Model: Spherical, Structured: 3, Range: 200},
	} {
		var lags []lag
		for k := 1; k <= 14; k++ {
			h := 40 * float64(k)
			lags = append(lags, lag{h, v.semivariance(h), 100 * (20 - k)})
		}
		got, err := fitVariogram(lags)
		must.OK(t, err)
		name := v.Model.String()
		near(t, name+" range", got.Range, v.Range, 1e-3*v.Range)
		near(t, name+" nugget", got.Nugget, v.Nugget, 1e-3*v.sill())
		near(t, name+" structured", got.Structured, v.Structured, 1e-3*v.sill())
	}
}

func TestFitVariogramEdges(t *testing.T) {
	flat := []lag{{10, 2, 5}, {20, 2, 5}, {30, 2, 5}, {40, 2, 5}}
	v, err := fitVariogram(flat)
	must.OK(t, err)
	near(t, "semivariance of flat lags at 10 m", v.semivariance(10), 2, 1e-9)
	near(t, "semivariance of flat lags at 40 m", v.semivariance(40), 2, 1e-9)

	// A variogram that falls has no structure to find.
	v, err = fitVariogram([]lag{{10, 3, 5}, {20, 2, 5}, {30, 1, 5}, {40, 1, 5}})
	must.OK(t, err)
	near(t, "sill of falling lags", v.semivariance(100), 1.75, 1e-9)
	if v.Nugget < 0 || v.Structured < 0 {
		t.Errorf("negative variance in %+v", v)
	}
	_, err = fitVariogram(flat[:3])
	wantError(t, err, "3 lags are too few")
	_, err = fitVariogram([]lag{{10, 0, 5}, {20, 0, 5}, {30, 0, 5}, {40, 0, 5}})
	wantError(t, err, "all values are the same")
}
