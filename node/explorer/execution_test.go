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
	"ugp_explorer/node/record"
	"ugp_explorer/planner/execution"
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

// learning returns the small mission that learns the execution noise.
func learning() explorer.Config {
	cfg := small()
	cfg.Learn.On = true
	return cfg
}

// What is learnt is recorded with each sample, and judges the targets: a decision's
// mean and deviation are those of N(x + bias, Σ̂) in a model of the samples as they
// were located.
func TestExecutionNoiseIsLearnt(t *testing.T) {
	for _, guess := range []string{"0.1", "4"} {
		w := astray(t, learning(), "ugp_explorer:execution.stddev:="+guess)
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
	for method, learn := range map[string]bool{"gp-ucb": true, "ugp-ucb": false} {
		cfg := small()
		cfg.Learn.On = learn
		m := astray(t, cfg, "ugp_explorer:method:="+method).mission()
		last := m.Hyper[len(m.Hyper)-1]
		if last.Bias != nil || method == "gp-ucb" && last.Noise != nil || method == "ugp-ucb" && *last.Noise != (record.Covariance{XX: 1, YY: 1}) {
			t.Errorf("%s, learn %t: noise %v, bias %v", method, learn, last.Noise, last.Bias)
		}
	}
}

// Samples placed by their targets are placed anew as the noise is learnt.
func TestSamplesAtTargetsFollowTheNoise(t *testing.T) {
	m := astray(t, learning(), "ugp_explorer:method:=ugp-ucb-target").mission()
	n := len(m.Observations) - 1
	h := m.Hyper[n-1]
	cov := mat.NewSymDense(2, []float64{h.Noise.XX, h.Noise.XY, h.Noise.XY, h.Noise.YY})
	kind, err := gp.ParseKind(h.Kernel)
	if err != nil {
		t.Fatal(err)
	}
	model, err := gp.New(gp.Hyper{Kind: kind, SignalVariance: h.SignalVariance, LengthScales: h.LengthScales, NoiseVariance: h.NoiseVariance, Mean: h.Mean})
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
	cfg := learning()
	cfg.Mission.GoalTimeoutBase, cfg.Mission.GoalTimeoutFactor = 2, 1
	w := newWorld(t, cfg)
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
	w := astray(t, learning())
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
	if !strings.Contains(text, "execution noise learnt (standard deviation), m=") || !strings.Contains(text, "execution bias learnt, m, m=") {
		t.Errorf("diagnostics say %s", text)
	}
}

func TestLearningIsValidated(t *testing.T) {
	for want, change := range map[string]func(*explorer.Config){
		"execution.stddev is 0": func(c *explorer.Config) { c.Execution = 0 },
	} {
		c := small()
		c.Learn.On = true
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %s", err, want)
		}
	}
}

// arrivals returns what the first k samples of a record teach of the control error alone.
func arrivals(m *record.Mission, k int) []execution.Arrival {
	var list []execution.Arrival
	for _, o := range m.Observations[:k] {
		list = append(list, execution.Arrival{Target: o.Target[:], Located: gp.Point(o.Belief.X, o.Belief.Y)})
	}
	return list
}

// A target is judged by how well the robot knew its place along its path, where that matters:
// by the control error and the variance expected there.
func TestTargetsAreJudgedByTheirSurroundings(t *testing.T) {
	for _, learn := range []bool{true, false} {
		cfg := small()
		cfg.Learn.On, cfg.Field.Sigmas, cfg.Covariance.MaxPositionStdDev = learn, 0, 50
		w := astray(t, cfg, "ugp_explorer:execution.local:=true")
		w.estimate = func(p *localization.Pose) {
			if p.X > 50 { // the lee of a wood
				p.Cov[0][0], p.Cov[1][1] = 144, 144
			}
		}
		m := w.mission()
		lee, open := 0, 0
		for _, d := range m.Decisions[6:] {
			h := m.Hyper[d.Samples-1]
			control := mat.NewSymDense(2, []float64{1, 0, 0, 1})
			at := d.Target[:]
			if learn {
				noise, err := execution.Learn(execution.DefaultConfig(1), 2, arrivals(m, d.Samples))
				if err != nil {
					t.Fatal(err)
				}
				control = noise.Cov
				at = []float64{d.Target[0] + h.Bias[0], d.Target[1] + h.Bias[1]}
			}
			posterior := posteriorFrom(t, m, d.Samples)
			judged := func(variance float64) (mean, stdDev float64) {
				cov := mat.NewSymDense(2, []float64{control.At(0, 0) + variance, control.At(0, 1), 0, control.At(1, 1) + variance})
				mean, v := posterior.Posterior(gp.Belief{Mean: at, Cov: cov})
				return mean, math.Sqrt(v)
			}
			lo, hi := 0.0, 200.0 // the deviation falls as the variance grows
			for range 60 {
				if _, s := judged((lo + hi) / 2); s > d.StdDev {
					lo = (lo + hi) / 2
				} else {
					hi = (lo + hi) / 2
				}
			}
			mean, stdDev := judged(lo)
			near(t, "mean", d.Mean, mean, 1e-4)
			near(t, "deviation", d.StdDev, stdDev, 1e-4)
			if lo > 144.5 || lo < 0.24 {
				t.Errorf("learn %t: target %v is judged with a variance of %g m², want 0.25 to 144; length-scales %v", learn, d.Target, lo, h.LengthScales)
			}
			if lo > 72 {
				lee++
			} else if lo < 36 {
				open++
			}
		}
		if lee+open == 0 {
			t.Errorf("learn %t: no target is clearly judged as in the lee or in the open", learn)
		}
	}
}
