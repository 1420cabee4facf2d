package explorer_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/localization"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/report"
)

// astray is a robot whose localisation puts it a metre and a half south of where it
// is sent, and is uncertain of that by half a metre in x and y.
func astray(t *testing.T, cfg explorer.Config, overrides ...string) *world {
	cfg.Mission.Budget.Samples = 12
	w := newWorld(t, cfg, overrides...)
	w.cov = [3][3]float64{{0.25, 0, 0}, {0, 0.25, 0}, {0, 0, 1e-6}}
	w.estimate = func(p *localization.Pose) { p.Y -= 1.5 }
	return w
}

// What is learnt is recorded with each sample, and judges the targets: a decision's
// mean and deviation are those of N(x + bias, Σ̂) in a model of the samples as they
// were located.
func TestExecutionNoiseIsLearnt(t *testing.T) {
	for _, guess := range []string{"0.1", "4"} {
		w := astray(t, small(), "ugp_explorer:execution.learn:=true", "ugp_explorer:execution.stddev:="+guess)
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
			t.Errorf("guess %s m: bias %v, want about (0, -1.1): 1.5 m less what the prior holds back", guess, *last.Bias)
		}
		if sigma := math.Sqrt((last.Noise.XX + last.Noise.YY) / 2); sigma < 0.3 || sigma > 1.2 {
			t.Errorf("guess %s m: learnt %g m", guess, sigma)
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
}

// A model of points judges targets as points, and without learning nothing changes.
func TestExecutionNoiseOfOthers(t *testing.T) {
	for method, learn := range map[string]string{"gp-ucb": "true", "ugp-ucb": "false"} {
		m := astray(t, small(), "ugp_explorer:execution.learn:="+learn, "ugp_explorer:method:="+method).mission()
		last := m.Hyper[len(m.Hyper)-1]
		if last.Bias != nil || method == "gp-ucb" && last.Noise != nil || method == "ugp-ucb" && *last.Noise != (report.Covariance{XX: 1, YY: 1}) {
			t.Errorf("%s, learn %s: noise %v, bias %v", method, learn, last.Noise, last.Bias)
		}
	}
}

// Samples placed by their targets are placed anew as the noise is learnt.
func TestSamplesAtTargetsFollowTheNoise(t *testing.T) {
	m := astray(t, small(), "ugp_explorer:execution.learn:=true", "ugp_explorer:method:=ugp-ucb-target").mission()
	n := len(m.Observations) - 1
	h := m.Hyper[n-1]
	cov := mat.NewSymDense(2, []float64{h.Noise.XX, h.Noise.XY, h.Noise.XY, h.Noise.YY})
	model, err := gp.New(gp.Hyper{SignalVariance: h.SignalVariance, LengthScales: h.LengthScales, NoiseVariance: h.NoiseVariance, Mean: h.Mean})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range m.Observations[:n] {
		place := gp.Belief{Mean: []float64{o.Target[0] + h.Bias[0], o.Target[1] + h.Bias[1]}, Cov: cov}
		if err := model.Add(gp.Observation{Belief: place, Value: o.ModelValue, NoiseVariance: o.ModelVariance}); err != nil {
			t.Fatal(err)
		}
	}
	d := m.Decisions[n]
	mean, variance := model.Posterior(gp.Belief{Mean: []float64{d.Target[0] + h.Bias[0], d.Target[1] + h.Bias[1]}, Cov: cov})
	near(t, "mean", d.Mean, mean, 1e-6)
	near(t, "deviation", d.StdDev, math.Sqrt(variance), 1e-6)
}

// Where the robot stood when it gave a target up says nothing of how well it comes
// to one that it reaches.
func TestTargetsGivenUpTeachNothing(t *testing.T) {
	cfg := small()
	cfg.Mission.GoalTimeoutBase, cfg.Mission.GoalTimeoutFactor = 2, 1
	w := newWorld(t, cfg, "ugp_explorer:execution.learn:=true")
	w.stuck = true
	m := w.mission()
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

// The way to a target is recorded, and what is learnt stands in the diagnostics.
func TestApproachAndDiagnostics(t *testing.T) {
	w := astray(t, small(), "ugp_explorer:execution.learn:=true")
	m := w.mission()
	for i, o := range m.Observations {
		if o.Approach.Length <= 0 || o.Approach.GaveUp {
			t.Errorf("sample %d: %+v", i+1, o.Approach)
		}
	}
	w.run(2 * time.Second)
	text := ""
	for _, s := range w.diagnostics.Status {
		for _, v := range s.Values {
			text += v.Key + "=" + v.Value + "\n"
		}
	}
	if !strings.Contains(text, "execution noise learnt, m=") || !strings.Contains(text, "execution bias learnt, m, m=") {
		t.Errorf("diagnostics say %s", text)
	}
}

func TestLearningIsValidated(t *testing.T) {
	for want, change := range map[string]func(*explorer.Config){
		"execution.stddev is 0":  func(c *explorer.Config) { c.Execution = 0 },
		"execution.prior_factor": func(c *explorer.Config) { c.Learn.Factor = 1 },
		"execution.prior_weight": func(c *explorer.Config) { c.Learn.Weight = 0 },
		"execution.located":      func(c *explorer.Config) { c.Learn.Located = "guessed" },
	} {
		c := small()
		c.Learn.On = true
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %s", err, want)
		}
	}
}
