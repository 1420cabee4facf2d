// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/planner"
	"ugp_explorer/planner/surface"
	"ugp_explorer/sim"
)

// The explorer hears the simulated second sensor at each stop and along the way: values of its field where the robot was.
func TestMissionWithSecondSensor(t *testing.T) {
	cfg := DefaultConfig(3)
	s := begin(t, &cfg, Options{Parameters: parameters(t, "fieldsim: {ros__parameters: {secondary.correlation: 0.7}}\nugp_explorer: {ros__parameters: {budget.samples: 8}}")})
	must.OK(t, s.Run(t.Context()))
	m := s.Explorer().Record()
	second := m.Secondary
	if second == nil || second.Quantity != fieldsim.SecondaryQuantity || second.Units != fieldsim.SecondaryUnits {
		t.Fatalf("the record has the second quantity %+v", second)
	}
	stops, way := 0, 0.0
	for _, h := range second.Heard {
		if h.Path == 0 {
			stops++
		}
		way += h.Path
		b := h.Belief
		e, err := surface.NewExpectation([2][2]float64{{b.XX, b.XY}, {b.XY, b.YY}}, 5)
		must.OK(t, err)
		// The readings of a piece of path are not spread quite as its belief, by which its mean is off by up to a part of
		// the standard deviation of 10 mS/m.
		if want := e.At(s.world.Secondary(), b.X, b.Y); math.Abs(h.Value-want) > 3+5*math.Sqrt(h.Variance) {
			t.Errorf("%+v, and the field there has %g", h, want)
		}
	}
	if stops < len(m.Observations) || way < 0.8*m.Distance || way > m.Distance {
		t.Errorf("%d samples and %.0f m driven; it was heard at %d stops and on %.0f m", len(m.Observations), m.Distance, stops, way)
	}
	if second.CorrelationStdDev == 0 {
		t.Error("the correlation with the field was not learnt")
	}
}

// A user's file of a robot with a second sensor can be tried, whatever that sensor is.
func TestUsersSecondSensor(t *testing.T) {
	for file, want := range map[string]struct {
		quantity, units string
		correlation     float64
	}{
		"ugp_explorer: {ros__parameters: {secondary.type: Float64, secondary.stddev: 3.0, secondary.probe.x: -2.0}}":                                                                   {"conductivity", "mS/m", DefaultCorrelation},
		"ugp_explorer: {ros__parameters: {secondary.type: FieldReading, secondary.quantity: gamma, secondary.units: cps}}\nfieldsim: {ros__parameters: {secondary.correlation: -0.3}}": {"gamma", "cps", -0.3},
	} {
		cfg := DefaultConfig(1)
		s := begin(t, &cfg, Options{Parameters: parameters(t, file)})
		e := cfg.Explorer.Secondary
		if e.Type != "FieldReading" || e.Probe != 0 || e.Quantity != want.quantity || e.Units != want.units || cfg.Fieldsim.Secondary != want.correlation || s.world.Secondary() == nil {
			t.Errorf("%s\nthe explorer has %+v, and the robot a sensor with the correlation %g", file, e, cfg.Fieldsim.Secondary)
		}
		written, err := cfg.WriteFiles(t.TempDir(), 1) // for nodes as processes
		must.OK(t, err)
		text, err := os.ReadFile(written)
		must.OK(t, err)
		for _, line := range []string{"secondary.type: FieldReading", fmt.Sprintf("secondary.correlation: %g", want.correlation), "secondary.units: " + want.units} {
			if !strings.Contains(strings.ReplaceAll(string(text), `"`, ""), line+"\n") {
				t.Errorf("%s\nthe parameters of the processes lack %s", file, line)
			}
		}
	}
	cfg := DefaultConfig(1)
	if s := begin(t, &cfg, Options{}); s.world.Secondary() != nil || cfg.Explorer.Secondary.Type != "" {
		t.Error("a robot has a second sensor that nobody gave it")
	}
}

// The robot that drives a lattice without the nodes hears the second sensor every 60 m of its way and at its end.
func TestListen(t *testing.T) {
	cfg := DefaultConfig(1)
	cfg.Fieldsim.Secondary = 0.5
	s := begin(t, &cfg, Options{})
	region := s.explorer.Region()
	opt, err := cfg.Explorer.NewOptimizer(region)
	must.OK(t, err)
	from, to := orb.Point{100, 100}, orb.Point{350, 100}
	rng := sim.Stream(1, "test")
	must.OK(t, s.listen(opt, from, to, rng))
	opt.Add(planner.Sample{Target: to[:], Variance: 1e-3, Value: 1, Located: driveBelief(to, rng)})
	job := opt.Job(nil)
	if job.Run(); job.Err != nil {
		t.Fatal(job.Err)
	}
	heard := job.Secondary.Observations()
	if len(heard) != 5 { // 50, 100, 150, 200 and 250 m on
		t.Fatalf("%d values heard on 250 m", len(heard))
	}
	for i, h := range heard {
		x, y := h.Belief.Mean[0], h.Belief.Mean[1]
		if want := 150 + 50*float64(i); math.Abs(x-want) > 5*driveBlur || math.Abs(y-100) > 5*driveBlur {
			t.Errorf("value %d is heard at (%g, %g), want (%g, 100)", i, x, y, want)
		}
		if want := s.world.Secondary()(x, y); math.Abs(h.Value-want) > 5*math.Sqrt(h.NoiseVariance)+1 {
			t.Errorf("value %d is %g, and the field there %g", i, h.Value, want)
		}
	}
}
