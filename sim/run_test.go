package sim_test

import (
	"fmt"
	"testing"

	"ugp_explorer/planner/surface"
	"ugp_explorer/sim"
)

// world is a robot with all its sensors on a field.
type world struct {
	field surface.Field
	plant *sim.Plant
	odom  *sim.Odometer
	fixes *sim.FixSensor
	probe *sim.Probe
}

// newWorld builds a world of the given seed, every component with a stream of
// its own.
func newWorld(seed uint64, fix sim.FixConfig) (w world, err error) {
	farm := sim.DefaultSyntheticConfig()
	farm.Spacing = 20
	if w.field, err = sim.NewSynthetic(farm, seed); err != nil {
		return w, err
	}
	w.plant = sim.NewPlant(sim.DefaultPlantConfig(), sim.Pose{X: 300, Y: 600}, sim.Stream(seed, "plant"))
	w.odom = sim.NewOdometer(sim.DefaultOdometerConfig(), sim.Stream(seed, "odometer"))
	w.fixes = sim.NewFixSensor(fix, sim.Stream(seed, "fix"))
	w.probe, err = sim.NewProbe(sim.DefaultProbeConfig(), w.field, sim.Stream(seed, "probe"))
	return w, err
}

// run drives for 20 s, stops for 10 s, and calls see with every message.
func (w world) run(see func(message any)) error {
	const step = 20_000_000 // ns
	for now := int64(0); now < 30e9; now += step {
		if now < 20e9 {
			if err := w.plant.Command(1, 0.1); err != nil {
				return err
			}
		}
		truth := w.plant.Step(step * 1e-9)
		if m, ok := w.odom.Tick(now, truth); ok {
			see(m)
		}
		w.fixes.Tick(now, truth)
		for m, ok := w.fixes.Next(now); ok; m, ok = w.fixes.Next(now) {
			see(m)
		}
		w.probe.Tick(now, truth)
		for m, ok := w.probe.Next(now); ok; m, ok = w.probe.Next(now) {
			see(m)
		}
	}
	return nil
}

func record(t *testing.T, seed uint64, fix sim.FixConfig) (all, withoutFixes []string) {
	t.Helper()
	w, err := newWorld(seed, fix)
	if err != nil {
		t.Fatal(err)
	}
	err = w.run(func(m any) {
		line := fmt.Sprintf("%T %v", m, m)
		all = append(all, line)
		if _, ok := m.(sim.Fix); !ok {
			withoutFixes = append(withoutFixes, line)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, withoutFixes
}

// A run is a function of seed and configuration, and what is changed in one
// component stays in it.
func TestRunsRepeat(t *testing.T) {
	a, rest := record(t, 1, sim.DefaultFixConfig())
	b, _ := record(t, 1, sim.DefaultFixConfig())
	if fmt.Sprint(a) != fmt.Sprint(b) {
		t.Error("the same seed gave two runs")
	}
	c, _ := record(t, 2, sim.DefaultFixConfig())
	if fmt.Sprint(a) == fmt.Sprint(c) {
		t.Error("two seeds gave the same run")
	}
	other := sim.DefaultFixConfig()
	other.Period, other.StdDev, other.CorrelatedStdDev, other.OutageGap, other.OutageLength = 0.2, 3, 1, 3, 1
	d, restOfOther := record(t, 1, other)
	if fmt.Sprint(a) == fmt.Sprint(d) {
		t.Error("another receiver gave the same fixes")
	}
	if fmt.Sprint(rest) != fmt.Sprint(restOfOther) {
		t.Error("another receiver changed odometry or readings")
	}
	if len(rest) < 500 {
		t.Errorf("only %d messages", len(rest))
	}
}
