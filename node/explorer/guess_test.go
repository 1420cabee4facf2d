package explorer_test

import (
	"math"
	"testing"
)

// The first samples may chance to be alike: the field is not taken for flat then,
// because what is said of it in model.signal_stddev counts too. The bound is that
// of fit.Config: two values take at most e^4.5 off the guess's variance, and the
// prior is passed by three deviations at the most.
func TestSamplesThatAreAlike(t *testing.T) {
	cfg := small()
	cfg.Mission.Budget.Samples = 2
	cfg.Model.SignalStdDev = 0.5
	w := newWorld(t, cfg)
	w.field = func(x, _ float64) float64 {
		return 7 + 1e-7*x - 0.05*math.Sin(float64(w.readings)) // without the probe's own wobble
	}
	m := w.mission()
	if len(m.Hyper) != 2 {
		t.Fatalf("%d hyper-parameters, want 2", len(m.Hyper))
	}
	if got, least := m.Hyper[1].SignalVariance, 0.25*math.Exp(-4.5-3); got < least || got > 0.25*math.Exp(3) {
		t.Errorf("signal variance %g after two samples that are alike, want at least %g", got, least)
	}
}
