package rivals

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/plantest"
	"ugp_explorer/sim/experiment/paper"
)

// prospectOf returns the prospect of a model at places, with a number of draws.
func prospectOf(t *testing.T, model *gp.GP, x *mat.Dense, noise float64, draws int) *prospect {
	t.Helper()
	j, err := NewJoint(model, plantest.Execution, x)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newProspect(j, noise, draws, plantest.Rand(8))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A path with one target is worth the knowledge gradient of a sample there, which has a closed
// form.
func TestPathOfOneTarget(t *testing.T) {
	r := star(t)
	model, x := plantest.Model(t, r, 8, 3), r.Points(25, plantest.Rand(9))
	const noise = 0.05
	p := prospectOf(t, model, x, noise, 20000)
	l, err := model.NewLookahead(plantest.Execution)
	if err != nil {
		t.Fatal(err)
	}
	l.SetPlaces(x)
	kg := paper.KG{Lookahead: l, Noise: noise}
	worth := 0.0
	for i := range 25 {
		got, want := p.after([]int{i})-floats.Max(p.Mean), kg.Value(x.RawRowView(i))
		if math.Abs(got-want) > 0.01 { // the standard error is about 0.5/√20000 = 0.004 where much can be learnt
			t.Errorf("place %d: %g, want %g", i, got, want)
		}
		worth = max(worth, want)
	}
	if worth < 0.05 {
		t.Errorf("no sample is worth more than %g: nothing is tested", worth)
	}
}

// The order of the targets does not change what a path is worth, a further target is worth
// something on average, and the readings change the means as samples of the model do.
func TestPathOfSeveralTargets(t *testing.T) {
	r := star(t)
	model, x := plantest.Model(t, r, 8, 3), r.Points(25, plantest.Rand(9))
	const noise = 0.05
	p := prospectOf(t, model, x, noise, 3000)
	if a, b := p.after([]int{3, 7, 11}), p.after([]int{11, 3, 7}); math.Abs(a-b) > 1e-9 {
		t.Errorf("%g in one order, %g in another", a, b)
	}
	if a, b := p.after([]int{3, 7}), p.after([]int{3, 7, 11, 19}); b < a-0.01 {
		t.Errorf("%g after two targets, %g after two more", a, b)
	}
	one := &prospect{Joint: p.Joint, noise: noise, off: mat.NewDense(1, 25, nil)}
	after := model.Clone()
	for k, i := range []int{3, 7, 11} {
		off := 0.3 - 0.4*float64(k)
		one.off.Set(0, i, off)
		err := after.Add(gp.Observation{Belief: gp.Belief{Mean: x.RawRowView(i), Cov: plantest.Execution}, Value: p.Mean[i] + off, NoiseVariance: noise - plantest.Hyper.NoiseVariance})
		if err != nil {
			t.Fatal(err)
		}
	}
	want := math.Inf(-1)
	for i := range 25 {
		mean, _ := after.Posterior(gp.Belief{Mean: x.RawRowView(i), Cov: plantest.Execution})
		want = max(want, mean)
	}
	if got := one.after([]int{3, 7, 11}); math.Abs(got-want) > 1e-9 {
		t.Errorf("the largest mean after three readings is %g, want %g", got, want)
	}
}
