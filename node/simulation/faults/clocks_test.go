package faults

import (
	"testing"
)

// clocked runs a mission of five samples and half an hour with a fault, or with none, and returns its watcher.
func clocked(t *testing.T, seed int64, faults ...Fault) *watcher {
	t.Helper()
	trial := drawHonest(seed)
	trial.laptop, trial.nav2, trial.guard = false, false, true
	trial.setFixRate(5)
	trial.config.Fieldsim.Fix.StdDev = centimetres
	e := &trial.config.Explorer
	e.AutoStart, e.Home = true, nil
	e.Mission.Budget.Samples, e.Mission.Budget.Distance, e.Mission.Budget.Duration = 5, 0, 1800
	trial.Faults = faults
	world, err := newWorld(trial, trial.Faults, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer world.close()
	v := world.watcher
	if err := world.Run(t.Context(), func() bool { return v.ended() || v.seconds() > 900 }); err != nil {
		t.Fatal(err)
	}
	return v
}

// A mission is the same when the robot's clock is set in its course, by seconds or by years, forward or back, once or
// again and again: it takes as long, counts as long, and takes as many samples.
func TestMissionsWhileTheClockIsSet(t *testing.T) {
	for _, seed := range []int64{1, 2, 3} {
		want := clocked(t, seed)
		for _, size := range []float64{-86400, -7200, -3, 0.5, 3, 600, 170 * 86400} {
			var faults []Fault
			for i, at := range []float64{1, 30, 31} {
				faults = append(faults, Fault{Number: i + 1, Kind: "clock-step", On: "robot", At: at, Size: size})
			}
			got := clocked(t, seed, faults...)
			if got.violation != nil {
				t.Errorf("seed %d, the clock is set by %g s: %v", seed, size, got.violation)
			}
			a, b := &want.mission, &got.mission
			if len(got.samples.acknowledged) != len(want.samples.acknowledged) || a.elapsed != b.elapsed || want.seconds() != got.seconds() || a.text != b.text {
				t.Errorf("seed %d, the clock is set by %g s: %d samples in %g s, told as %g s: %s; want %d in %g s, told as %g s: %s", seed, size,
					len(got.samples.acknowledged), got.seconds(), b.elapsed, b.text, len(want.samples.acknowledged), want.seconds(), a.elapsed, a.text)
			}
		}
	}
}
