// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package acquire

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/diff/fd"

	"ugp_explorer/gp"
	"ugp_explorer/internal/num"
	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner/field"
)

// The value against the model's own posterior, the gradient against differences
// of the value.
func TestUCBValueAndGradient(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	model := plantest.Model(t, r, 25, 1)
	for _, weight := range []float64{0, 0.03} {
		travel := r.NewDistanceField()
		travel.From([]float64{20, 60})
		u := &UCB{Predictor: plantest.Predictor(t, model, plantest.Execution), Beta: 1.7}
		net := &netValue{acq: u, weight: weight, travel: travel}
		points := r.Points(60, plantest.Rand(2))
		g := make([]float64, 2)
		checked := 0
		for i := range 60 {
			x := points.RawRowView(i)
			if r.SignedDistance(orb.Point(x)) < 2.01 {
				continue // differences would leave the region
			}
			checked++
			mean, variance := model.Posterior(gp.Belief{Mean: x, Cov: plantest.Execution})
			_, length, err := r.Path(orb.Point{20, 60}, orb.Point(x))
			must.OK(t, err)
			want := mean + 1.7*math.Sqrt(variance) - weight*length
			if value := net.value(x); math.Abs(value-want) > 1e-9 {
				t.Errorf("value at %v is %.12g, want %.12g", x, value, want)
			}
			net.grad(g)
			diff := fd.Gradient(nil, net.value, x, &fd.Settings{Formula: fd.Central, Step: 1e-4})
			for k := range g {
				if math.Abs(g[k]-diff[k]) > 1e-6 {
					t.Errorf("∂/∂x%d at %v is %.9g, by differences %.9g", k, x, g[k], diff[k])
				}
			}
		}
		if checked < 40 {
			t.Errorf("only %d places checked", checked)
		}
	}
}

// Behind a wall, the value is -Inf as soon as travel has a cost.
func TestNoPath(t *testing.T) {
	r := fieldtest.Region(t, field.Field{Boundary: orb.Polygon{plantest.Rect(0, 0, 30, 10)}, KeepOuts: []orb.Polygon{{plantest.Rect(10, -1, 11, 11)}}}, 1)
	travel := r.Travel()
	travel.From([]float64{3, 5})
	u := &netValue{acq: &UCB{Predictor: plantest.Predictor(t, plantest.Model(t, r, 3, 1), nil), Beta: 1}, weight: 0.1, travel: travel}
	if v := u.value([]float64{20, 5}); !math.IsInf(v, -1) {
		t.Errorf("value %g, want -Inf", v)
	}
	if v := u.value([]float64{4, 5}); !num.Finite(v) {
		t.Errorf("value %g on this side", v)
	}
}
