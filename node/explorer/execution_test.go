// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/planner/mission"
)

// astray is a robot whose localisation puts it a metre and a half south of where it
// is sent, and is uncertain of that by half a metre in x and y.
func astray(t *testing.T, cfg settings.Config, overrides ...string) *world {
	cfg.Mission.Budget.Samples = 12
	w := newWorld(t, cfg, overrides...)
	w.cov = [3][3]float64{{0.25, 0, 0}, {0, 0.25, 0}, {0, 0, 1e-6}}
	w.estimate = func(p *localization.Pose) { p.Y -= 1.5 }
	return w
}

// learning returns the small mission that learns the execution noise.
func learning() settings.Config {
	cfg := small()
	cfg.Learn.On = true
	return cfg
}

// What is learnt is recorded with each sample, and judges the targets: a decision's
// mean and deviation are those of N(x + bias, Σ̂) in a model of the samples as they
// were located.
func TestExecutionNoiseIsLearnt(t *testing.T) {
	w := astray(t, learning(), "ugp_explorer:execution.stddev:=0.1")
	m := w.mission()
	if len(m.Hyper) != 12 {
		t.Fatalf("%d rows of hyper-parameters, want 12", len(m.Hyper))
	}
	last := m.Hyper[11]
	if last.Noise == nil || last.Bias == nil || m.Noise == nil || *m.Noise != *last.Noise {
		t.Fatalf("noise %v, bias %v, mission's noise %v", last.Noise, last.Bias, m.Noise)
	}
	// Arrival is judged at the probe, so that a little is left to chance.
	if math.Abs(last.Bias[1]+1.5*12/16) > 0.4 || math.Abs(last.Bias[0]) > 0.4 {
		t.Errorf("bias %v, want about (0, -1.1): 1.5 m less what the prior holds back", *last.Bias)
	}
	if sigma := math.Sqrt((last.Noise.XX + last.Noise.YY) / 2); sigma < 0.3 || sigma > 1.2 {
		t.Errorf("learnt %g m, and the guess was 0.1 m", sigma)
	}
	for _, d := range m.Decisions[2:] {
		h := m.Hyper[d.Samples-1]
		cov := mat.NewSymDense(2, []float64{h.Noise.XX, h.Noise.XY, h.Noise.XY, h.Noise.YY})
		at := []float64{d.Target[0] + h.Bias[0], d.Target[1] + h.Bias[1]}
		mean, variance := posteriorFrom(t, m, d.Samples).Posterior(gp.Belief{Mean: at, Cov: cov})
		near(t, "mean", d.Mean, mean, 1e-6)
		near(t, "deviation", d.StdDev, math.Sqrt(variance), 1e-6)
	}
}

// Where the robot stood when it gave a target up says nothing of how well it comes
// to one that it reaches.
func TestTargetsGivenUpTeachNothing(t *testing.T) {
	cfg := learning()
	cfg.Mission.GoalTimeoutBase, cfg.Mission.GoalTimeoutFactor = 2, 1
	w := newWorld(t, cfg)
	w.speed = 0.25 // and it is given the time for 5 m/s, later for a quarter of that: it comes a quarter of the way at most
	w.start()
	w.state(mission.StateReturning)
	w.speed = 5
	m := w.finish()
	if len(m.Observations) == 0 {
		t.Fatal("no samples")
	}
	for _, o := range m.Observations {
		if !o.Approach.GaveUp {
			t.Errorf("sample %d: %+v, want it given up", o.Sequence, o.Approach)
		}
	}
	if last := m.Hyper[len(m.Hyper)-1]; math.Abs(last.Noise.XX-1) > 1e-6 || last.Bias[0] != 0 {
		t.Errorf("learnt %+v and bias %v, want the guess of 1 m", *last.Noise, *last.Bias)
	}
}
