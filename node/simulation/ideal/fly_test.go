// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ideal_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/simulation/ideal"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
	"ugp_explorer/sim"
)

// block is a field of 300 × 200 m with a keep-out right through most of it.
var block = field.Field{
	Boundary: orb.Polygon{{{0, 0}, {300, 0}, {300, 200}, {0, 200}, {0, 0}}},
	KeepOuts: []orb.Polygon{{{{140, -10}, {160, -10}, {160, 150}, {140, 150}, {140, -10}}}},
}

func robot(outline field.Field, budget mission.Budget) ideal.Robot {
	cfg := settings.DefaultConfig()
	cfg.Outline, cfg.Mission.Budget = outline, budget
	return ideal.Robot{Config: cfg, Start: orb.Point{10, 10}, Speed: 1, SampleTime: 5}
}

// hill is highest, 3, at (240, 60) m.
func hill(x, y float64) float64 {
	return 3 * math.Exp(-(math.Pow(x-240, 2)+math.Pow(y-60, 2))/(2*60*60))
}

func world(seed uint64) ideal.World {
	return ideal.World{Field: hill, Nugget: 0.05, Noise: 0.02, Random: sim.Stream(seed, "world")}
}

// A robot finds the hill behind the keep-out, within its budget and around the keep-out.
func TestFly(t *testing.T) {
	f, err := ideal.Fly(t.Context(), world(1), []ideal.Robot{robot(block, mission.Budget{Distance: 1500})})
	must.OK(t, err)
	m := f[0].Record
	if at := m.Recommendation.Target; math.Hypot(at[0]-240, at[1]-60) > 20 {
		t.Errorf("the place recommended is %v, the hill is at (240, 60)", at)
	}
	if m.Distance > 1500 || m.Distance < 1000 {
		t.Errorf("%g m driven of 1500", m.Distance)
	}
	// At 1 m/s, with samples of 5 s and about a second to settle for each.
	if n := float64(len(m.Observations)); m.SimulatedTime < m.Distance+5*n || m.SimulatedTime > m.Distance+8*n+60 {
		t.Errorf("%g s for %g m and %g samples", m.SimulatedTime, m.Distance, n)
	}
	// The paths to the targets are those that count, and lead around the keep-out: its free end
	// is 150 m away from both starts below it.
	planned, from, across := 0.0, record.Place{10, 10}, false
	for _, o := range m.Observations {
		planned += o.Approach.Length
		if (from[0] < 140) != (o.Belief.X < 140) {
			across = true
			if least := math.Hypot(140-from[0], 152-from[1]); o.Approach.Length < least && from[1] < 150 {
				t.Errorf("%g m from %v to %v across the keep-out", o.Approach.Length, from, o.Target)
			}
		}
		from = record.Place{o.Belief.X, o.Belief.Y}
	}
	if home := m.Distance - planned; home < 0 || home > 500 || !across {
		t.Errorf("%g m driven, %g m of them to targets, across the keep-out: %v", m.Distance, planned, across)
	}
}

// A robot with a receiver samples as far from where it believes to be as that errs, and says so. Where the value is x, its
// errors are those of the samples.
func TestReceiver(t *testing.T) {
	recording := filepath.Join(t.TempDir(), "recording.csv")
	must.OK(t, os.WriteFile(recording, []byte("t_s,east_err_m,north_err_m\n0,2,0\n1,2,0\n"), 0o666))
	for name, want := range map[string]struct{ least, most, stdDev float64 }{
		"rtk": {0, 0.2, 0.05}, "consumer": {0.3, 4, 1.1}, "consumer_trees": {1.5, 10, 3.4}, recording: {1.999, 2.001, math.Sqrt2},
	} {
		r := robot(block, mission.Budget{Samples: 30})
		var err error
		if name == recording {
			r.Fix.Trace, err = sim.ReadTrace(name, 1)
		} else {
			r.Fix.Receiver, err = sim.ReceiverOf(name)
		}
		must.OK(t, err)
		r.Random = sim.Stream(1, "receiver")
		f, err := ideal.Fly(t.Context(), ideal.World{Field: func(x, _ float64) float64 { return x }, Noise: 0.001, Random: sim.Stream(1, "world")}, []ideal.Robot{r})
		must.OK(t, err)
		squared, n := 0.0, 0.0
		for _, o := range f[0].Record.Observations {
			squared += (o.Value - o.Belief.X) * (o.Value - o.Belief.X)
			n++
			if sd := math.Sqrt(o.Belief.XX); math.Abs(sd-want.stdDev) > 0.1*want.stdDev {
				t.Errorf("%s: a belief states %g m", name, sd)
			}
		}
		if rms := math.Sqrt(squared / n); n != 30 || rms < want.least || rms > want.most {
			t.Errorf("%s: %g samples, %g m off", name, n, rms)
		}
	}
}

// Readings are in the user's unit, and the model has the field's own.
func TestTransform(t *testing.T) {
	r, w := robot(block, mission.Budget{Samples: 6}), world(1)
	r.Config.Reading.Transform, w.Transform, w.Nugget = string(record.TransformLog10), record.TransformLog10, 0
	f, err := ideal.Fly(t.Context(), w, []ideal.Robot{r})
	must.OK(t, err)
	for _, o := range f[0].Record.Observations {
		if v := hill(o.Belief.X, o.Belief.Y); math.Abs(o.ModelValue-v) > 0.06 || math.Abs(o.Value-math.Pow(10, v)) > 0.15*o.Value {
			t.Errorf("%g, in the model %g, where the field is %g", o.Value, o.ModelValue, v)
		}
		// Of three readings; more where they differ by more than they state.
		if want := 0.02 * 0.02 / 3; o.ModelVariance < 0.8*want || o.ModelVariance > 5*want {
			t.Errorf("variance %g in the model, want about %g", o.ModelVariance, want)
		}
	}
}

func TestFlyEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	if _, err := ideal.Fly(ctx, world(1), []ideal.Robot{robot(block, mission.Budget{Samples: 6})}); !errors.Is(err, cause) {
		t.Errorf("error %v, want the cause of the end", err)
	}
	r := robot(block, mission.Budget{Samples: 6})
	r.Config.Radius = 100
	if _, err := ideal.Fly(t.Context(), world(1), []ideal.Robot{r}); err == nil {
		t.Error("a robot that is larger than the field flies")
	}
	if _, _, err := ideal.Open(r); err == nil {
		t.Error("a robot that is larger than the field is opened")
	}
	if _, cfg, err := ideal.Open(robot(block, mission.Budget{Distance: 1500})); err != nil || cfg.Mission.Speed != 1 || cfg.Mission.Budget.Samples == 0 {
		t.Errorf("%+v, %v: want the values that follow the field", cfg.Mission, err)
	}
}
