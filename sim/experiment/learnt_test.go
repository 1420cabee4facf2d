package experiment

import (
	"math"
	"testing"
)

// A method that learns Σ̂ comes to the true one from a ratio that is far off; its
// model then holds the samples less the bias. One that does not learn keeps it.
func TestLearntExecution(t *testing.T) {
	for _, ratio := range []float64{0.2, 5} {
		plan := DefaultPlan(ProblemNamed("rkhs"))
		plan.Methods, plan.Ratios, plan.Betas = []string{"ugp-ucb", "ugp-ucb" + Learnt}, []float64{ratio}, []string{"1"}
		if err := plan.Validate(); err != nil {
			t.Fatal(err)
		}
		for _, job := range plan.Study().Jobs()[:2] {
			run, err := plan.begin(job)
			if err != nil {
				t.Fatal(err)
			}
			if err := run.run(t.Context(), 40, func(_, _ []float64) {}); err != nil {
				t.Fatal(err)
			}
			execution := run.Learnt().Aim.Cov
			stdDev := math.Sqrt((execution.At(0, 0) + execution.At(1, 1)) / 2)
			if job.Method == "ugp-ucb" {
				if math.Abs(stdDev/(0.1*ratio)-1) > 1e-9 {
					t.Errorf("%v: σ̂ is %g", job, stdDev)
				}
				continue
			}
			// 80 errors: a relative standard error of 0.08, and the localisation's besides.
			if math.Abs(stdDev/0.1-1) > 0.35 {
				t.Errorf("%v: learnt σ̂ %g, it is 0.1", job, stdDev)
			}
			last := run.Learnt().Posterior.Observations()[39].Belief.Mean
			for k, b := range run.bias {
				if want := run.samples[39].Located.Mean[k] - b; b == 0 || last[k] != want {
					t.Errorf("%v: bias %v, sample at %v, want %g", job, run.bias, last, want)
				}
			}
		}
	}
}
