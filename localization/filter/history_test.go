package filter

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ugp_explorer/localization"
)

// input is one message to a filter, with the moment of its arrival.
type input struct {
	arrival, stamp int64
	twist          Twist
	fix            *Fix
	yaw            bool
}

func feed(t testing.TB, cfg Config, in []input) *EKF {
	t.Helper()
	f := New(cfg)
	for _, m := range in {
		var err error
		switch {
		case m.fix == nil:
			err = f.PredictTwist(m.stamp, m.twist)
		case m.yaw:
			f.FuseYaw(m.stamp, m.fix.X, m.fix.Cov[0][0])
		default:
			_, err = f.FusePosition(*m.fix)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// Fixes that come up to a second late, before the odometry of their time, or in the
// wrong order give the same estimate as messages that come at their stamps. This
// holds from the very first fix on, through refusals by the gate and forced fixes.
func TestLateFixesAreAsIfInOrder(t *testing.T) {
	forced := uint64(0)
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		cfg := perfectWheels()
		cfg.Antenna = localization.Lever{X: 0.3, Y: 0.1}
		cfg.HeadingGiven, cfg.InitialYaw = true, 0.5
		cfg.ignoreWays = true // it takes fixes as they come
		cfg.FixCorrelationTime = time.Duration(rng.IntN(2)) * time.Second
		var order []input
		x, y, yaw := 0.0, 0.0, 0.5
		for i := range int64(400) {
			stamp := i * 50 * ms
			order = append(order, input{stamp, stamp, Twist{X: 1, Yaw: 0.2}, nil, false})
			for rng.IntN(4) == 0 {
				at := stamp - 50*ms + 1 + rng.Int64N(50*ms)
				if at < 0 {
					break
				}
				fix := &Fix{Stamp: at, X: x + 0.3*rng.NormFloat64(), Y: y + 0.3*rng.NormFloat64(), Cov: diag2(0.09, 0.09)}
				if rng.IntN(5) == 0 || i > 200 && i < 300 { // these follow each other, so that one is forced in
					fix.X += 20
				}
				in := input{at, at, Twist{}, fix, false}
				if i > 200 && rng.IntN(3) == 0 {
					fix.X, fix.Cov[0][0], in.yaw = yaw+0.1*rng.NormFloat64(), 0.01, true
				}
				order = append(order, in)
			}
			x, y, yaw = x+0.05*math.Cos(yaw), y+0.05*math.Sin(yaw), yaw+0.01
		}
		// The last second has no fixes, so that all have arrived.
		for i := range int64(25) {
			stamp := (400 + i) * 50 * ms
			order = append(order, input{stamp, stamp, Twist{X: 1}, nil, false})
		}
		sortBy := func(in []input, key func(input) int64) []input {
			out := append([]input(nil), in...)
			for i := range out { // insertion sort: stable, and nearly sorted
				for j := i; j > 0 && key(out[j]) < key(out[j-1]); j-- {
					out[j], out[j-1] = out[j-1], out[j]
				}
			}
			return out
		}
		for i := range order {
			if order[i].fix != nil && rng.IntN(3) > 0 {
				order[i].arrival += rng.Int64N(900 * ms)
			}
		}
		a := feed(t, cfg, sortBy(order, func(m input) int64 { return m.stamp }))
		b := feed(t, cfg, sortBy(order, func(m input) int64 { return m.arrival }))
		if b.Counts().FixesDelayed == 0 {
			rt.Fatal("nothing was late")
		}
		if a.Mode() != Running || a.Counts().FixCounts != b.Counts().FixCounts {
			rt.Fatalf("%v: in order %+v, late %+v", a.Mode(), a.Counts(), b.Counts())
		}
		sameEstimate(rt, a, b)
		forced += a.Counts().Forced
	})
	if forced == 0 {
		t.Error("no fix was forced in")
	}
}

// sameEstimate asserts that a filter that was told in order and one that was told late know the same.
func sameEstimate(rt *rapid.T, inOrder, late *EKF) {
	a, b := &inOrder.hist.newest().after, &late.hist.newest().after
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
}

// Odometry that comes up to 4 s late, alone or in any order, gives the same estimate as odometry that
// comes at its stamp: through gaps in which the motion is unknown for a while and the heading is lost.
func TestLateOdometryIsAsIfInOrder(t *testing.T) {
	for _, source := range []string{"twist", "pose"} {
		t.Run(source, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
				cfg := perfectWheels()
				cfg.HeadingGiven, cfg.InitialYaw = true, 0.5
				cfg.ignoreWays = true // it takes fixes as they come
				type message struct {
					arrival, stamp int64
					at             localization.Pose
					twist          Twist
					fix            *Fix
					gyro           bool
				}
				var order []message
				at := localization.Pose{Yaw: 0.5}
				late, shuffled := 100+rng.Int64N(200), rng.IntN(2) == 0
				for i := range int64(600) {
					stamp := i * 50 * ms
					tw := Twist{X: 1 + 0.5*math.Sin(float64(i)/9), Yaw: math.Sin(float64(i) / 30)}
					if i > 0 {
						sin, cos := math.Sincos(at.Yaw + tw.Yaw*0.025)
						at.X, at.Y, at.Yaw = at.X+0.05*tw.X*cos, at.Y+0.05*tw.X*sin, at.Yaw+0.05*tw.Yaw
					}
					m := message{arrival: stamp, stamp: stamp, at: at, twist: tw}
					switch {
					case i > late && i < late+100 && shuffled:
						m.arrival += rng.Int64N(4000 * ms)
					case i > late && i < late+100:
						m.arrival += 4000 * ms
					}
					order = append(order, m)
					if i%2 == 0 && i%200 < 150 {
						order = append(order, message{arrival: stamp, stamp: stamp, twist: tw, gyro: true})
					}
					if i%10 == 5 {
						order = append(order, message{arrival: stamp, stamp: stamp, fix: &Fix{Stamp: stamp, X: at.X + 0.3*rng.NormFloat64(), Y: at.Y + 0.3*rng.NormFloat64(), Cov: diag2(0.09, 0.09)}})
					}
				}
				run := func(key func(message) int64) *EKF {
					in := slices.Clone(order)
					slices.SortStableFunc(in, func(a, b message) int { return cmp.Compare(key(a), key(b)) })
					f := New(cfg)
					for _, m := range in {
						var err error
						switch {
						case m.fix != nil:
							_, err = f.FusePosition(*m.fix)
						case m.gyro:
							err = f.PredictGyro(m.stamp, m.twist.Yaw+0.01, 1e-4)
						case source == "pose":
							err = f.PredictPose(m.stamp, m.at.X, m.at.Y, m.at.Yaw)
						default:
							err = f.PredictTwist(m.stamp, m.twist)
						}
						if err != nil {
							rt.Fatalf("arrival %d, stamp %d: %v", m.arrival/ms, m.stamp/ms, err)
						}
					}
					return f
				}
				a, b := run(func(m message) int64 { return m.stamp }), run(func(m message) int64 { return m.arrival })
				if b.Counts().OdometryDelayed < 50 || a.Counts().OdometryDelayed > 0 {
					rt.Fatalf("in order %+v, late %+v", a.Counts(), b.Counts())
				}
				ea, eb := &a.hist.newest().after, &b.hist.newest().after
				if a.Mode() != Running || b.Mode() != Running || ea.counts != eb.counts {
					rt.Fatalf("in order %v %+v, late %v %+v", a.Mode(), ea.counts, b.Mode(), eb.counts)
				}
				sameEstimate(rt, a, b)
			})
		})
	}
}

func TestFixTooOldAndPending(t *testing.T) {
	cfg := perfectWheels()
	d := newDriver(t, cfg, localization.Pose{Stamp: 10_000 * ms})
	fix := func(stampMs int64) FixStatus {
		t.Helper()
		in, err := d.f.FusePosition(Fix{Stamp: stampMs * ms, Cov: diag2(1, 1)})
		if err != nil {
			t.Fatal(err)
		}
		return in.Status
	}
	if s := fix(9_999); s != FixTooOld {
		t.Errorf("before the first odometry: %v", s)
	}
	d.drive(8)
	if s := fix(12_990); s != FixTooOld {
		t.Errorf("5.01 s late: %v", s)
	}
	if s := fix(13_010); s != FixWaiting {
		t.Errorf("4.99 s late: %v", s)
	}
	stamps := []int64{18_300, 18_100}
	for k := range int64(maxPending - 1) {
		stamps = append(stamps, 19_000+k)
	}
	for _, s := range stamps {
		if s := fix(s); s != FixPending {
			t.Errorf("newer than the odometry: %v", s)
		}
	}
	if c := d.f.Counts(); c.FixesOverflow != 1 || c.FixesTooOld != 2 || c.Waiting != 1 {
		t.Errorf("counts %+v", c)
	}
	d.drive(0.32) // past 18.3 s; the fix of 18.1 s was the oldest and was pushed out
	if c := d.f.Counts(); c.Waiting != 2 || len(d.f.pending) != maxPending-1 {
		t.Errorf("counts %+v, %d pending", c, len(d.f.pending))
	}
}

// A history shorter than MaxDelay drops its oldest events. Fixes that old are
// refused, and nothing else changes.
func TestHistoryBound(t *testing.T) {
	d := &driver{t: t, f: New(perfectWheels()), twist: Twist{X: 1, Yaw: 0.1}}
	d.f.hist = newHistory(16)
	if err := d.f.Initialise(localization.Pose{Cov: diag(1, 1, 0.01)}); err != nil {
		t.Fatal(err)
	}
	d.drive(5)
	p, err := d.f.Pose()
	if err != nil {
		t.Fatal(err)
	}
	near(t, "x", p.X, d.truth.X, 1e-9)
	if n := d.f.hist.len(); n > 16 || n < 12 {
		t.Errorf("%d events kept of 16", n)
	}
	for late, want := range map[int64]FixStatus{100: FixAccepted, 900: FixTooOld} {
		in, err := d.f.FusePosition(Fix{Stamp: d.stamp - late*ms, X: p.X, Y: p.Y, Cov: diag2(1, 1)})
		if err != nil || in.Status != want {
			t.Errorf("%d ms late: %v, %v", late, in.Status, err)
		}
	}
}

func TestInvalidFixes(t *testing.T) {
	d := newDriver(t, perfectWheels(), localization.Pose{})
	for _, bad := range []Fix{{X: math.NaN(), Cov: diag2(1, 1)}, {Y: math.Inf(1), Cov: diag2(1, 1)}} {
		if _, err := d.f.FusePosition(bad); !errors.Is(err, ErrInvalid) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if n := d.f.Counts().FixesInvalid; n != 2 {
		t.Errorf("%d counted, want 2", n)
	}
}
