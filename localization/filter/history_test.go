// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
)

// late is one message to a filter, with the moment of its arrival.
type late struct {
	arrival, stamp int64
	send           func(f *EKF) error
}

// Fixes and headings that come up to a second late or before the odometry of their time, and yaw rates up to 0.4 s, give the same estimate
// as messages that come at their stamps: from the first fix on, through refusals by the gate, forced fixes and gaps in which the motion is
// unknown and the heading is lost.
func TestLateMessagesAreAsIfInOrder(t *testing.T) {
	var forced, delayed, gaps uint64
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		cfg := perfectWheels()
		cfg.Antenna = localization.Lever{X: 0.3, Y: 0.1}
		cfg.HeadingGiven, cfg.InitialYaw = true, 0.5
		cfg.ignoreWays = true // it takes fixes as they come
		byPose, gap := rng.IntN(2) == 0, rng.Int64N(600)
		var order []late
		add := func(stamp, most int64, send func(f *EKF) error) {
			m := late{stamp, stamp, send}
			if most > 0 && rng.IntN(3) > 0 {
				m.arrival += rng.Int64N(most)
			}
			order = append(order, m)
		}
		at := localization.Pose{Yaw: 0.5}
		for i := range int64(600) {
			stamp := i * 50 * ms
			twist := Twist{X: 1 + 0.5*math.Sin(float64(i)/9), Yaw: math.Sin(float64(i) / 30)}
			if i > 0 {
				sin, cos := math.Sincos(at.Yaw + twist.Yaw*0.025)
				at.X, at.Y, at.Yaw = at.X+0.05*twist.X*cos, at.Y+0.05*twist.X*sin, at.Yaw+0.05*twist.Yaw
			}
			here := at
			if i < gap || i > gap+30 {
				add(stamp, 0, func(f *EKF) error {
					if byPose {
						return f.PredictPose(stamp, here.X, here.Y, here.Yaw)
					}
					return f.PredictTwist(stamp, twist)
				})
			}
			if i%2 == 0 && i%200 < 150 {
				add(stamp-rng.Int64N(5*ms), 400*ms, func(f *EKF) error { return f.PredictGyro(stamp, twist.Yaw+0.01, 1e-4) })
			}
			if i > 570 || rng.IntN(8) > 0 { // so that all have arrived at the end
				continue
			}
			fix := Fix{Stamp: stamp + 1 + rng.Int64N(50*ms), X: at.X + 0.3*rng.NormFloat64(), Y: at.Y + 0.3*rng.NormFloat64(), Cov: diag2(0.09, 0.09)}
			if rng.IntN(5) == 0 || i > 330 && i < 560 { // these follow each other, so that one is forced in
				fix.X += 20
			}
			if i > 200 && rng.IntN(4) == 0 {
				add(fix.Stamp, 900*ms, func(f *EKF) error { f.FuseYaw(fix.Stamp, here.Yaw+0.1*(fix.X-here.X), 0.01); return nil })
				continue
			}
			add(fix.Stamp, 900*ms, func(f *EKF) error { _, err := f.FusePosition(fix); return err })
		}
		run := func(key func(late) int64) *EKF {
			in := slices.Clone(order)
			slices.SortStableFunc(in, func(a, b late) int { return cmp.Compare(key(a), key(b)) })
			f := New(cfg)
			for _, m := range in {
				if err := m.send(f); err != nil {
					rt.Fatalf("arrival %d, stamp %d: %v", m.arrival/ms, m.stamp/ms, err)
				}
			}
			return f
		}
		inOrder, shifted := run(func(m late) int64 { return m.stamp }), run(func(m late) int64 { return m.arrival })
		n := shifted.Counts()
		forced, delayed, gaps = forced+n.Forced, delayed+n.FixesDelayed, gaps+n.OdometryGaps
		a, b := &inOrder.hist.newest().after, &shifted.hist.newest().after
		if a.mode != b.mode || a.counts != b.counts {
			rt.Fatalf("in order %v %+v, late %v %+v", a.mode, a.counts, b.mode, b.counts)
		}
		for i := range stateDim {
			if math.Abs(a.x[i]-b.x[i]) > 1e-9 {
				rt.Fatalf("in order %v, late %v", a.x, b.x)
			}
			for j := range stateDim {
				if math.Abs(a.p[i][j]-b.p[i][j]) > 1e-9 {
					rt.Fatalf("in order %v, late %v", a.p, b.p)
				}
			}
		}
	})
	if forced == 0 || delayed == 0 || gaps == 0 {
		t.Errorf("%d fixes were forced in, %d were late, the motion was unknown %d times", forced, delayed, gaps)
	}
}

func TestFixTooOldAndPending(t *testing.T) {
	cfg := perfectWheels()
	d := newDriver(t, cfg, localization.Pose{Stamp: 10_000 * ms})
	fix := func(stampMs int64) FixStatus {
		t.Helper()
		in, err := d.f.FusePosition(Fix{Stamp: stampMs * ms, Cov: diag2(1, 1)})
		must.OK(t, err)
		return in.Status
	}
	if s := fix(9_999); s != FixTooOld {
		t.Errorf("before the first odometry: %v", s)
	}
	d.drive(8)
	if s := fix(12_990); s != FixTooOld {
		t.Errorf("5.01 s late: %v", s)
	}
	if s := fix(13_010); s != fixWaiting {
		t.Errorf("4.99 s late: %v", s)
	}
	stamps := []int64{18_300, 18_100}
	for k := range int64(maxPending - 1) {
		stamps = append(stamps, 19_000+k)
	}
	for _, s := range stamps {
		if s := fix(s); s != fixPending {
			t.Errorf("newer than the odometry: %v", s)
		}
	}
	if c := d.f.Counts(); c.FixesOverflow != 1 || c.FixesTooOld != 2 || c.Waiting != 1 {
		t.Errorf("counts %+v", c)
	}
	d.drive(0.32) // past 18.3 s; the fix of 18.1 s was the oldest and was pushed out
	if c := d.f.Counts(); c.Waiting != 2 || d.f.pending.len() != maxPending-1 {
		t.Errorf("counts %+v, %d pending", c, d.f.pending.len())
	}
}

// A history shorter than MaxDelay drops its oldest events. Fixes that old are
// refused, and nothing else changes.
func TestHistoryBound(t *testing.T) {
	d := &driver{t: t, f: New(perfectWheels()), twist: Twist{X: 1, Yaw: 0.1}}
	d.f.hist.series = newSeries(16, (*event).when)
	must.OK(t, d.f.Initialise(localization.Pose{Cov: diag(1, 1, 0.01)}))
	d.drive(5)
	p, err := d.f.Pose()
	must.OK(t, err)
	near(t, "x", p.X, d.truth.X, 1e-9)
	if n := d.f.hist.len(); n > 16 || n < 12 {
		t.Errorf("%d events kept of 16", n)
	}
	for late, want := range map[int64]FixStatus{100: fixAccepted, 900: FixTooOld} {
		in, err := d.f.FusePosition(Fix{Stamp: d.stamp - late*ms, X: p.X, Y: p.Y, Cov: diag2(1, 1)})
		if err != nil || in.Status != want {
			t.Errorf("%d ms late: %v, %v", late, in.Status, err)
		}
	}
}

func TestInvalidFixes(t *testing.T) {
	d := newDriver(t, perfectWheels(), localization.Pose{})
	for _, bad := range []Fix{{X: math.NaN(), Cov: diag2(1, 1)}, {Y: math.Inf(1), Cov: diag2(1, 1)}} {
		if _, err := d.f.FusePosition(bad); !errors.Is(err, errInvalid) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if n := d.f.Counts().FixesInvalid; n != 2 {
		t.Errorf("%d counted, want 2", n)
	}
}
