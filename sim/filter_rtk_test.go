// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"math"
	"testing"

	"ugp_explorer/localization"
	"ugp_explorer/localization/filter"
	"ugp_explorer/sim"
)

// fixMode is what an RTK receiver is for some time: fixed, float, single, or without fixes.
type fixMode struct {
	duration           float64 // s
	missing            bool
	stdDev, correlated float64 // of the white and of the slowly varying error in x and y, m, both stated
	jumpX, jumpY       float64 // offset of all fixes, which is not stated, m
}

// receiver gives fixes whose errors are those of its modes, which it takes one after the other, again and again.
// A receiver without modes is that of package sim.
type receiver struct {
	modes   []fixMode
	sensors []*sim.FixSensor // with modes: without errors, with a white one of 1 m, with a slowly varying one of 1 m
}

func newReceiver(cfg sim.FixConfig, modes []fixMode, seed uint64) *receiver {
	r := &receiver{modes: modes}
	configs := []sim.FixConfig{cfg}
	if len(modes) > 0 {
		cfg.StdDev, cfg.CorrelatedStdDev = 0, 0
		white, slow := cfg, cfg
		white.StdDev, slow.CorrelatedStdDev = 1, 1
		configs = []sim.FixConfig{cfg, white, slow}
	}
	for _, c := range configs {
		r.sensors = append(r.sensors, sim.NewFixSensor(c, sim.Stream(seed, "fix")))
	}
	return r
}

func (r *receiver) tick(now int64, truth sim.PlantState) {
	for _, s := range r.sensors {
		s.Tick(now, truth)
	}
}

func (r *receiver) next(now int64) (sim.Fix, bool) {
	for {
		f, ok := r.sensors[0].Next(now)
		if !ok || len(r.modes) == 0 {
			return f, ok
		}
		w, _ := r.sensors[1].Next(now)
		s, _ := r.sensors[2].Next(now)
		whole := 0.0
		for _, m := range r.modes {
			whole += m.duration
		}
		m, at := fixMode{}, math.Mod(float64(f.Stamp)*1e-9, whole)
		for _, m = range r.modes {
			if at -= m.duration; at < 0 {
				break
			}
		}
		if m.missing {
			continue
		}
		variance := m.stdDev*m.stdDev + m.correlated*m.correlated
		f.X += m.jumpX + m.stdDev*(w.X-f.X) + m.correlated*(s.X-f.X)
		f.Y += m.jumpY + m.stdDev*(w.Y-f.Y) + m.correlated*(s.Y-f.Y)
		f.Cov = [2][2]float64{{variance, 0}, {0, variance}}
		return f, true
	}
}

// An RTK receiver goes from fixed to float, single or nothing and back; the antenna is half a metre
// from base. The largest error is bounded, and 30 s after the receiver is fixed again the position
// is known within 0.5 m. Except after jumps, which no covariance states, the pose is consistent.
func TestRTK(t *testing.T) {
	fixed := fixMode{duration: 120, stdDev: 0.02}
	float := fixMode{duration: 60, stdDev: 0.1, correlated: 0.4}
	single := fixMode{duration: 60, stdDev: 0.7, correlated: 1.5}
	jump := func(m fixMode, x, y float64) fixMode {
		m.jumpX, m.jumpY = x, y
		return m
	}
	for _, c := range []struct {
		name    string
		modes   []fixMode
		largest float64 // error, m
		jumps   bool
	}{
		{"fixed", []fixMode{fixed}, 1.5, false},
		{"float", []fixMode{fixed, float}, 3, false},
		{"single", []fixMode{fixed, single}, 8, false},
		{"outage of a minute", []fixMode{fixed, {duration: 60, missing: true}}, 12, false},
		{"all", []fixMode{fixed, float, single, {duration: 60, missing: true}, single}, 25, false},
		{"float that jumps by 5 m", []fixMode{fixed, jump(float, 3, -4)}, 9, true},
		{"wrong fixed by 5 m", []fixMode{fixed, jump(fixMode{duration: 60, stdDev: 0.02}, 3, -4)}, 9, true},
	} {
		var all score
		var settled, largest, back float64
		slips, forced := uint64(0), uint64(0)
		whole := 0.0
		for _, m := range c.modes {
			whole += m.duration
		}
		for seed := range uint64(4) {
			j := newJourney()
			j.seconds = int(3 * whole)
			j.antenna = localization.Lever{X: 0.4, Y: -0.3}
			j.modes, j.fix.OutageGap, j.fix.CorrelationTime = c.modes, 0, 30
			j.watch = func(now float64, truth sim.PlantState, f *filter.EKF) {
				p, err := f.Pose()
				if err != nil || now < 60 {
					return
				}
				e := math.Hypot(p.X-truth.X, p.Y-truth.Y)
				largest = max(largest, e)
				if at := math.Mod(now, whole); now > whole && at < fixed.duration && e > 0.5 {
					back = max(back, at)
				}
				if at := math.Mod(now, whole); at > 30 && at < fixed.duration {
					settled = max(settled, e)
				}
			}
			o := j.run(t, seed)
			all.merge(&o.all)
			slips += o.counts.Slips
			forced += o.counts.Forced
			if c.jumps && seed == 3 && forced < 4 {
				t.Errorf("%s: only %d of some 20 jumps were noticed", c.name, forced)
			}
		}
		t.Logf("%s: error up to %.2f m, within 0.5 m %.1f s after the receiver is fixed again, %.2f m once fixed; NEES %.2f; without a pose %.0f s; slips %d", c.name, largest, back, settled, all.nees/all.n, all.none, slips)
		if largest > c.largest || settled > 0.5 {
			t.Errorf("%s: error up to %.2f m, %.2f m once fixed; want %v and 0.5 m at most", c.name, largest, settled, c.largest)
		}
		if most := map[bool]float64{false: 2, true: 25}[c.jumps]; back > most {
			t.Errorf("%s: the position was off by more than 0.5 m for %.1f s after the receiver was fixed again, want %v s at most", c.name, back, most)
		}
		if slips > 1 || slips > 0 && !c.jumps {
			t.Errorf("%s: taken for slipping wheels %d times", c.name, slips)
		}
		if nees := all.nees / all.n; !c.jumps && nees > mostNEES+0.5 { // errors of single fixes last half as long as the filter expects
			t.Errorf("%s: mean NEES %.2f", c.name, nees)
		}
	}
}
