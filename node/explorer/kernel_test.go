package explorer_test

import (
	"math"
	"testing"
)

// The kernel that is asked for is the one of every model of the mission, and the
// record says which; with matern and auto that may change with every sample.
func TestKernel(t *testing.T) {
	for _, name := range []string{"matern12", "matern", "auto"} {
		cfg := small()
		cfg.Mission.Budget.Samples = 12
		cfg.Model.Kernel = name
		w := newWorld(t, cfg)
		w.field = func(x, y float64) float64 { return 50 * math.Exp(-math.Hypot(x-50, y-50)/15) } // with a tip
		m := w.mission()
		if len(m.Hyper) != 12 {
			t.Fatalf("%s: %d models, want 12: %s", name, len(m.Hyper), m.Outcome)
		}
		if got := m.Settings["ugp_explorer"]["model.kernel"]; got != name {
			t.Errorf("the record's setting is %v, want %s", got, name)
		}
		others := 0
		for i, h := range m.Hyper {
			if h.Kernel != "se" {
				others++
			}
			if matern := h.Kernel == "matern52" || h.Kernel == "matern32"; h.Kernel != name && name != "auto" && !(name == "matern" && matern) {
				t.Errorf("model %d is of %q, want %s", i, h.Kernel, name)
			}
			// What is recorded is the model: its likelihood comes out again.
			near(t, name+": log likelihood", posteriorFrom(t, m, i+1).LogMarginalLikelihood(), h.LogLikelihood, 1e-9)
		}
		if name == "auto" && others == 0 {
			t.Error("auto is always se")
		}
	}
}
