package rivals

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/plantest"
)

// The joint posterior has the means and variances of the model, and conditioned on a sample
// those of the model with that sample.
func TestJoint(t *testing.T) {
	r := star(t)
	model := plantest.Model(t, r, 15, 3)
	x := r.Points(12, plantest.Rand(9))
	for _, n := range []int{15, 0} {
		if n == 0 {
			var err error
			if model, err = gp.New(plantest.Hyper); err != nil {
				t.Fatal(err)
			}
		}
		j, err := NewJoint(model, plantest.Execution, x)
		if err != nil {
			t.Fatal(err)
		}
		check := func(what string, model *gp.GP) {
			for i := range j.Mean {
				mean, variance := model.Posterior(gp.Belief{Mean: x.RawRowView(i), Cov: plantest.Execution})
				if math.Abs(mean-j.Mean[i]) > 1e-9 || math.Abs(variance-j.Cov.At(i, i)) > 1e-9 {
					t.Errorf("%s, place %d: %g, %g, want %g, %g", what, i, j.Mean[i], j.Cov.At(i, i), mean, variance)
				}
			}
		}
		check("before", model)
		after := model.Clone()
		if err := after.Add(gp.Observation{Belief: gp.Belief{Mean: x.RawRowView(4), Cov: plantest.Execution}, Value: j.Mean[4], NoiseVariance: 0.02}); err != nil {
			t.Fatal(err)
		}
		j.believe(4, plantest.Hyper.NoiseVariance+0.02)
		check("after", after)
	}
}

// Thompson draws have the posterior's moments.
func TestDraws(t *testing.T) {
	r := star(t)
	x := r.Points(10, plantest.Rand(9))
	x.SetRow(9, x.RawRowView(8)) // a place twice makes the covariance singular
	j, err := NewJoint(plantest.Model(t, r, 15, 3), plantest.Execution, x)
	if err != nil {
		t.Fatal(err)
	}
	const n = 20000
	draws, err := j.Draws(n, plantest.Rand(1))
	if err != nil {
		t.Fatal(err)
	}
	centred := mat.NewDense(n, 10, nil)
	for k := range 10 {
		mean := 0.0
		for i := range n {
			mean += draws.At(i, k) / n
			centred.Set(i, k, draws.At(i, k)-j.Mean[k])
		}
		if se := math.Sqrt(j.Cov.At(k, k) / n); math.Abs(mean-j.Mean[k]) > 5*se {
			t.Errorf("place %d: mean %g, want %g ± %g", k, mean, j.Mean[k], se)
		}
	}
	var cov mat.Dense
	cov.Mul(centred.T(), centred)
	cov.Scale(1.0/n, &cov)
	for a := range 10 {
		for b := range 10 {
			want := j.Cov.At(a, b)
			se := math.Sqrt((j.Cov.At(a, a)*j.Cov.At(b, b) + want*want) / n)
			if math.Abs(cov.At(a, b)-want) > 5*se {
				t.Errorf("covariance of %d and %d: %g, want %g ± %g", a, b, cov.At(a, b), want, se)
			}
		}
	}
	for i := range 100 {
		if d := draws.At(i, 8) - draws.At(i, 9); math.Abs(d) > 1e-3 {
			t.Errorf("one place has two values, %g apart", d)
		}
	}
}
