// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package paper

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
)

// over returns the improvement over an incumbent under a covariance; nil: the plain one.
func over(t *testing.T, p *gp.Predictor, incumbent float64, cov *mat.SymDense) *improvement {
	t.Helper()
	u, err := NewUnscented(2, cov)
	must.OK(t, err)
	return &improvement{predictor: p, incumbent: incumbent, places: u}
}

// valueAt returns an acquisition at a place of the plane.
func valueAt(a acquire.Acquisition, x []float64) float64 {
	var v [1]float64
	a.Values(v[:], mat.NewDense(1, 2, x))
	return v[0]
}

func TestExcess(t *testing.T) {
	for _, tt := range []struct{ gain, s, want float64 }{
		{0, 1, 1 / math.Sqrt(2*math.Pi)}, // φ(0)
		{2, 0, 2}, {-2, 0, 0}, {0, 0, 0},
		{1e6, 1, 1e6}, {-60, 1, 0}, // so unlikely that its density is no float
	} {
		if got, _, _ := excess(tt.gain, tt.s); math.Abs(got-tt.want) > 1e-12*max(1, tt.want) {
			t.Errorf("gain %g, deviation %g: %g, want %g", tt.gain, tt.s, got, tt.want)
		}
	}
	// Far below the incumbent the two terms nearly cancel: φ(z)/z² is the leading
	// term of the tail's expansion, the next one is 3/z² smaller.
	z := -30.0
	if got, _, _ := excess(z, 1); math.Abs(got/(math.Exp(-z*z/2)/math.Sqrt(2*math.Pi)/(z*z))-1) > 4/(z*z) {
		t.Errorf("at %g deviations EI is %g", z, got)
	}
}

// acquisitions returns one of each kind on a model of points and its like.
func acquisitions(t *testing.T, space field.Space) map[string]acquire.Acquisition {
	beliefs := plantest.Model(t, space, 25, 1)
	points := plantest.Predictor(t, beliefs, nil)
	lookahead, err := beliefs.NewLookahead(plantest.Execution, space.Points(40, plantest.Rand(9)))
	must.OK(t, err)
	ucb := func(model *gp.GP) acquire.Acquisition {
		return &acquire.UCB{Predictor: plantest.Predictor(t, model, plantest.Execution), Beta: 1.3}
	}
	return map[string]acquire.Acquisition{
		"ucb":       ucb(beliefs),
		"average":   &acquire.Average{Of: []acquire.Acquisition{ucb(beliefs), ucb(plantest.Model(t, space, 10, 2))}, Weight: []float64{0.3, 0.7}},
		"ei":        over(t, plantest.Predictor(t, beliefs, plantest.Execution), 1, nil),
		"uei":       over(t, points, 1, mat.NewSymDense(2, []float64{30, 9, 9, 12})),
		"hopeless":  over(t, points, 1e6, nil),
		"level":     &acquire.UCB{Predictor: plantest.Predictor(t, beliefs, plantest.Execution), Beta: 1.3, Merit: planner.ObjectiveThreshold.Merit(0.8)},
		"lowest":    &acquire.UCB{Predictor: plantest.Predictor(t, beliefs, plantest.Execution), Beta: 1.3, Merit: planner.ObjectiveMinimum.Merit(0)},
		"variance":  &acquire.Variance{Lookahead: lookahead, Noise: 0.03},
		"deviation": &acquire.UCB{Predictor: plantest.Predictor(t, beliefs, plantest.Execution), Beta: 1, Merit: planner.ObjectiveMap.Merit(0)},
	}
}

func TestAcquisitionGradients(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	points := r.Points(40, plantest.Rand(3))
	for name, a := range acquisitions(t, r) {
		g := make([]float64, 2)
		for i := range 40 {
			x := points.RawRowView(i)
			value := a.Value(x)
			a.Grad(g)
			want := valueAt(a, x)
			if math.Abs(value-want) > 1e-12 {
				t.Errorf("%s at %v: %g alone, %g as a row", name, x, value, want)
			}
			diff := fd.Gradient(nil, func(x []float64) float64 { return valueAt(a, x) }, x, &fd.Settings{Formula: fd.Central, Step: 1e-4})
			for k := range g {
				if math.Abs(g[k]-diff[k]) > 1e-7 {
					t.Errorf("%s: ∂/∂x%d at %v is %.9g, by differences %.9g", name, k, x, g[k], diff[k])
				}
			}
		}
	}
}
