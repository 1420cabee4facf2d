package sim_test

import (
	"math"
	"testing"

	"ugp_explorer/localization"
	"ugp_explorer/sim"
)

// A robot is told a heading that is off by 2 or 3 rad. The directions of the wheels' way and of the
// fixes' tell it long before ten fixes have been refused, after which the position used to be up to
// 22 m off. A right heading is left alone.
func TestWrongInitialHeading(t *testing.T) {
	for _, c := range []struct{ stdDev, told, worst float64 }{{0.5, 0, 3}, {1, 0, 4}, {0.5, 2, 7}, {0.5, 3, 8}, {1, 3, 12}} {
		worst, turned := 0.0, uint64(0)
		for seed := range uint64(10) {
			j := newJourney()
			j.seconds, j.told, j.fix.StdDev, j.fix.OutageGap = 180, c.told, c.stdDev, 0
			j.skid(0.9)
			j.watch = func(_ float64, truth sim.PlantState, f *localization.EKF) {
				if p, err := f.Pose(); err == nil {
					worst = max(worst, math.Hypot(p.X-truth.X, p.Y-truth.Y))
				}
			}
			o := j.run(t, seed)
			turned += o.counts.Turned
		}
		t.Logf("fixes of %v m, heading %v rad off: position error up to %.1f m, heading corrected %d times", c.stdDev, c.told, worst, turned)
		if worst > c.worst || (turned >= 10) != (c.told > 0) || c.told == 0 && turned > 0 {
			t.Errorf("fixes of %v m, heading %v rad off: position error up to %.1f m, heading corrected %d times in 10 drives", c.stdDev, c.told, worst, turned)
		}
	}
}
