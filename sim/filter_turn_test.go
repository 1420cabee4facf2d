// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"math"
	"testing"
)

// leastNEES and mostNEES are the limits for the mean NEES of a pose, three degrees of freedom, over eight
// drives of 20 minutes. Errors last for some 20 s, so the mean has a standard deviation of
// √(6/480) = 0.11. A filter may be careful, since its default noise is above the simulator's, and fixes may have
// a slow error, which these have not.
const leastNEES, mostNEES = 0.6, 3.35

// A robot truly turns by 0.5 to 1.05 of what its wheels tell, as skid-steered ones do, and has no
// gyroscope. The filter learns the ratio and keeps it between turns: once it has driven for 5
// minutes, the heading after a turn on the spot is as good as claimed, and the pose is consistent
// from the start on. With a turn scale that is forgotten within 100 m, the error at departure was 61°
// (root mean square) in the first case, and the mean NEES 35.
func TestTurnScaleIsLearntAndKept(t *testing.T) {
	for _, c := range []struct{ fraction, most float64 }{{0.5, 12.5}, {0.7, 10}, {1.05, 8}} {
		var all, d score
		slips := uint64(0)
		for seed := range uint64(8) {
			j := newJourney()
			j.skid(c.fraction)
			j.settled = 300
			o := j.run(t, seed+1)
			all.merge(&o.all)
			d.merge(&o.departed)
			slips += o.counts.Slips
		}
		rms, claimed := math.Sqrt(d.yaw/d.n)*180/math.Pi, math.Sqrt(d.yawVar/d.n)*180/math.Pi
		t.Logf("%.3f: NEES %.2f, departing %.1f°, claimed %.1f°", c.fraction, all.nees/all.n, rms, claimed)
		if slips > 0 {
			t.Errorf("true turn %v of the wheels': taken for slipping wheels %d times", c.fraction, slips)
		}
		if nees := all.nees / all.n; nees > mostNEES || nees < leastNEES {
			t.Errorf("true turn %v of the wheels': mean NEES %.2f", c.fraction, nees)
		}
		if rms > c.most || rms > 1.2*claimed {
			t.Errorf("true turn %v of the wheels': the heading at departure is off by %.1f° (rms), claimed %.1f°, want %v° at most", c.fraction, rms, claimed, c.most)
		}
	}
}
