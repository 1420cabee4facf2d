package sim_test

import (
	"math"
	"testing"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/localization/filter"
	"ugp_explorer/sim"
)

// An RTK receiver goes from fixed to float, single or nothing and back; the antenna is half a metre
// from base. The largest error is bounded, and 30 s after the receiver is fixed again the position
// is known within 0.5 m. Except after jumps, which no covariance states, the pose is consistent.
func TestRTK(t *testing.T) {
	fixed := sim.FixMode{Duration: 120, StdDev: 0.02}
	float := sim.FixMode{Duration: 60, StdDev: 0.1, CorrelatedStdDev: 0.4}
	single := sim.FixMode{Duration: 60, StdDev: 0.7, CorrelatedStdDev: 1.5}
	jump := func(m sim.FixMode, x, y float64) sim.FixMode {
		m.JumpX, m.JumpY = x, y
		return m
	}
	for _, c := range []struct {
		name    string
		modes   []sim.FixMode
		largest float64 // error, m
		jumps   bool
	}{
		{"fixed", []sim.FixMode{fixed}, 1.5, false},
		{"float", []sim.FixMode{fixed, float}, 3, false},
		{"single", []sim.FixMode{fixed, single}, 8, false},
		{"outage of a minute", []sim.FixMode{fixed, {Duration: 60, Missing: true}}, 12, false},
		{"all", []sim.FixMode{fixed, float, single, {Duration: 60, Missing: true}, single}, 20, false},
		{"float that jumps by 5 m", []sim.FixMode{fixed, jump(float, 3, -4)}, 9, true},
		{"wrong fixed by 5 m", []sim.FixMode{fixed, jump(sim.FixMode{Duration: 60, StdDev: 0.02}, 3, -4)}, 9, true},
	} {
		var all score
		var settled, largest, back float64
		slips, forced := uint64(0), uint64(0)
		whole := 0.0
		for _, m := range c.modes {
			whole += m.Duration
		}
		for seed := range uint64(8) {
			j := newJourney()
			j.seconds = int(3 * whole)
			j.antenna = localization.Lever{X: 0.4, Y: -0.3}
			j.fix.Modes, j.fix.OutageGap, j.fix.CorrelationTime = c.modes, 0, 30
			j.filter.FixCorrelationTime = 30 * time.Second
			j.watch = func(now float64, truth sim.PlantState, f *filter.EKF) {
				p, err := f.Pose()
				if err != nil || now < 60 {
					return
				}
				e := math.Hypot(p.X-truth.X, p.Y-truth.Y)
				largest = max(largest, e)
				if at := math.Mod(now, whole); now > whole && at < fixed.Duration && e > 0.5 {
					back = max(back, at)
				}
				if at := math.Mod(now, whole); at > 30 && at < fixed.Duration {
					settled = max(settled, e)
				}
			}
			o := j.run(t, seed)
			all.merge(&o.all)
			slips += o.counts.Slips
			forced += o.counts.Forced
			if c.jumps && seed == 7 && forced < 8 {
				t.Errorf("%s: only %d of some 40 jumps were noticed", c.name, forced)
			}
		}
		t.Logf("%s: error up to %.2f m, within 0.5 m %.1f s after the receiver is fixed again, %.2f m once fixed; NEES %.2f; without a pose %.0f s; slips %d", c.name, largest, back, settled, all.nees/all.n, all.none, slips)
		if largest > c.largest || settled > 0.5 {
			t.Errorf("%s: error up to %.2f m, %.2f m once fixed; want %v and 0.5 m at most", c.name, largest, settled, c.largest)
		}
		if most := map[bool]float64{false: 2, true: 25}[c.jumps]; back > most {
			t.Errorf("%s: the position was off by more than 0.5 m for %.1f s after the receiver was fixed again, want %v s at most", c.name, back, most)
		}
		if slips > 0 {
			t.Errorf("%s: taken for slipping wheels %d times", c.name, slips)
		}
		if nees := all.nees / all.n; !c.jumps && nees > mostNEES {
			t.Errorf("%s: mean NEES %.2f", c.name, nees)
		}
	}
}
