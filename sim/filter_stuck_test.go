// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"math"
	"slices"
	"testing"

	"ugp_explorer/localization/filter"
	"ugp_explorer/sim"
)

// holding is when an obstacle holds a robot whose wheels turn, s; +Inf: not yet.
type holding struct{ from, until float64 }

// hold lets an obstacle hold the robot for some seconds, once it drives after 150 s.
func (j *journey) hold(seconds float64) *holding {
	h := &holding{math.Inf(1), math.Inf(1)}
	j.disturb = func(now float64, p *sim.Plant) {
		switch {
		case math.IsInf(h.from, 1) && now > 150 && p.State().Forward > 0.9*j.speed:
			h.from = now
		case math.IsInf(h.until, 1) && now > h.from+seconds:
			h.until = now
		}
		p.Hold(now >= h.from && now < h.until)
	}
	return h
}

// A robot is held by an obstacle for a minute while its wheels turn. The filter notices it, from
// then on the pose stays with the fixes, and when the robot is free again the odometry is soon
// trusted again. Fixes of 1 m may all be wrong in the same way for a minute, so at 0.3 m/s it takes 20 s to
// be sure.
func TestStuckRobotIsNoticed(t *testing.T) {
	const seeds = 10
	for _, c := range []struct {
		speed, stdDev  float64 // m/s; of the fixes, m
		median, latest float64 // until it is noticed, s
		worst, after   float64 // largest error altogether, and from 3 s after it was noticed on, m
		recovery       float64 // s; it may turn on the spot at first
	}{
		{0.3, 0.5, 12, 15, 3, 2, 30},
		{0.3, 1, 22, 30, 6, 2, 50},
		{0.5, 1, 14, 16, 6.5, 3, 40},
		{1, 1, 8.5, 11, 9, 3, 30},
		{1, 0.5, 6, 7, 6, 2, 30},
		{1, 0.02, 3, 4, 4, 2, 10},
	} {
		var times []float64
		worst, after, recovery := 0.0, 0.0, 0.0
		for seed := range uint64(seeds) {
			j := newJourney()
			j.seconds, j.speed = 300, c.speed
			j.fix.StdDev, j.fix.OutageGap = c.stdDev, 0
			noticed, gripped := math.Inf(1), math.Inf(1)
			hold := j.hold(60)
			j.watch = func(now float64, truth sim.PlantState, f *filter.EKF) {
				s, slips := f.Doubt()
				switch {
				case slips && now < hold.from:
					t.Fatalf("seed %d: slipping at %.1f s: %+v", seed, now, s)
				case slips && math.IsInf(noticed, 1):
					noticed = now
					if since := float64(s.Since) * 1e-9; since < hold.from-20 || since > hold.from+10 || s.Wheels < 1 || s.Fixes > s.Wheels {
						t.Errorf("seed %d: held at %.1f s; %+v", seed, hold.from, s)
					}
				case !slips && now > noticed && now < hold.until:
					t.Fatalf("seed %d: at %.1f s the odometry is trusted while the robot is held", seed, now)
				case !slips && now > hold.until:
					gripped = min(gripped, now)
				}
				if now < hold.from {
					return
				}
				p, err := f.Pose()
				if err != nil {
					t.Fatalf("seed %d, %v m/s: %v at %.1f s, held at %.1f, noticed at %.1f, free at %.1f s, %+v", seed, c.speed, err, now, hold.from, noticed, hold.until, f.Counts())
				}
				e := math.Hypot(p.X-truth.X, p.Y-truth.Y)
				worst = max(worst, e)
				if now > noticed+3 && now < hold.until {
					after = max(after, e)
				}
			}
			o := j.run(t, seed)
			times = append(times, noticed-hold.from)
			recovery = max(recovery, gripped-hold.until)
			if o.counts.Slips != 1 {
				t.Errorf("seed %d: %d slips", seed, o.counts.Slips)
			}
		}
		slices.Sort(times)
		t.Logf("%v m/s, %v m: noticed after %.1f s (median), %.1f s at the latest; error up to %.1f m, later %.1f m; trusted again %.1f s after", c.speed, c.stdDev, times[seeds/2], times[seeds-1], worst, after, recovery)
		if times[seeds/2] > c.median || times[seeds-1] > c.latest || worst > c.worst || after > c.after || recovery > c.recovery {
			t.Errorf("want %+v", c)
		}
	}
}

// The same with the lasting errors of real receivers, for 90 s, and with slow robots: it is noticed, odometry is trusted again, and the position
// stays with the fixes. Neither the short window of fixes, nor a receiver's error that grows with the path of the wheels, hides it.
func TestStuckRobotWithRealReceivers(t *testing.T) {
	for _, c := range []struct {
		receiver      string
		period, speed float64 // of the fixes, s; m/s
		off           float64 // m, the largest error of the position once the robot is free
	}{
		{"dgps", 1, 0.3, 3},
		{"consumer", 1, 0.5, 20},
		{"phone", 0.2, 0.5, 8},
		{"phone", 1, 1, 8},
	} {
		for seed := range uint64(4) {
			j := newJourney()
			j.seconds, j.speed = 450, c.speed
			j.fix.Receiver, _ = sim.ReceiverOf(c.receiver)
			j.fix.Period, j.fix.OutageGap = c.period, 0
			noticed, gripped := math.Inf(1), math.Inf(1)
			hold := j.hold(90)
			worst := 0.0
			j.watch = func(now float64, truth sim.PlantState, f *filter.EKF) {
				_, doubts := f.Doubt()
				switch {
				case doubts && now > hold.from:
					noticed = min(noticed, now)
				case now > hold.until && now > noticed:
					gripped = min(gripped, now)
				}
				if p, err := f.Pose(); err == nil && now > hold.until {
					worst = max(worst, math.Hypot(p.X-truth.X, p.Y-truth.Y))
				}
			}
			j.run(t, seed)
			if noticed > hold.until || gripped > hold.until+90 || worst > c.off {
				t.Errorf("%+v, seed %d: noticed after %.0f s, trusted again %.0f s after the robot was free, error then up to %.1f m", c, seed, noticed-hold.from, gripped-hold.until, worst)
			}
		}
	}
}
