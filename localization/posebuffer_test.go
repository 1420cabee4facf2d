// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

const ms = int64(time.Millisecond)

func poseAt(stampMs int64, x float64) Pose {
	return Pose{Stamp: stampMs * ms, X: x, Cov: diag(1, 1, 0.1)}
}

func TestBufferHold(t *testing.T) {
	b := NewPoseBuffer(500 * time.Millisecond)
	hold := func(stamp int64) (Pose, error) {
		_, err := b.At(stamp)
		return b.hold(stamp, err)
	}
	if _, err := hold(0); !errors.Is(err, ErrPending) {
		t.Errorf("empty buffer: %v", err)
	}
	b.Add(poseAt(100, 1))
	b.Add(poseAt(1000, 10))
	for _, c := range []struct {
		stampMs int64
		x       float64
		err     error
	}{
		{49, 0, errTooEarly}, {50, 1, nil}, {150, 1, nil}, {151, 0, errGap}, {949, 0, errGap}, {950, 10, nil},
		{1050, 10, nil}, {1051, 0, ErrPending},
	} {
		p, err := hold(c.stampMs * ms)
		if !errors.Is(err, c.err) {
			t.Errorf("%d ms: %v, want %v", c.stampMs, err, c.err)
		}
		if c.err == nil {
			// At 50 ms, 2 m/s and 2 rad/s: 0.1 m and 0.1 rad.
			near(t, "x", p.X, c.x, 0)
			near(t, "variance of x", p.Cov[0][0], 1.01, 1e-12)
			near(t, "variance of y", p.Cov[1][1], 1.01, 1e-12)
			near(t, "variance of yaw", p.Cov[2][2], 0.11, 1e-12)
			if p.Stamp != c.stampMs*ms {
				t.Errorf("stamp %d", p.Stamp)
			}
		}
	}
}

// The search agrees with a search from end to end of as many poses as are kept.
func TestBufferAgainstSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewPoseBuffer(30)
		var all []Pose
		stamp := int64(0)
		for i := range rapid.IntRange(1, 4*posesKept).Draw(t, "poses") {
			stamp += int64(i*i%40) + 1
			p := Pose{Stamp: stamp, X: float64(i)}
			b.Add(p)
			all = append(all, p)
		}
		all = all[max(0, len(all)-posesKept):]
		q := all[0].Stamp + rapid.Int64Range(-10, stamp-all[0].Stamp+10).Draw(t, "query")
		want, wantErr := Pose{}, error(nil)
		switch first, last := all[0], all[len(all)-1]; {
		case q < first.Stamp:
			wantErr = errTooEarly
		case q > last.Stamp:
			wantErr = ErrPending
		default:
			for i, p := range all {
				if p.Stamp == q {
					want, wantErr = p, nil
					break
				}
				if i > 0 && all[i-1].Stamp < q && q < p.Stamp {
					gap := p.Stamp - all[i-1].Stamp
					if gap > 30 {
						wantErr = errGap
						break
					}
					want.Stamp = q
					want.X = all[i-1].X + float64(q-all[i-1].Stamp)/float64(gap)
				}
			}
		}
		got, err := b.At(q)
		if !errors.Is(err, wantErr) || (err == nil && (math.Abs(got.X-want.X) > 1e-9 || got.Stamp != want.Stamp)) {
			t.Fatalf("at %d of %v: %+v, %v; want %+v, %v", q, all, got, err, want, wantErr)
		}
	})
}

func TestInterpolateYaw(t *testing.T) {
	// By hand: the shorter arc, across ±π as well.
	for _, c := range []struct{ from, to, a, want float64 }{
		{0, 1, 0.25, 0.25},
		{3, -3, 0.5, math.Pi},
		{-3, 3, 0.25, -3 - (2*math.Pi-6)/4},
		{3.1, -3.1, 0.75, 3.1 + 0.75*(2*math.Pi-6.2) - 2*math.Pi},
	} {
		p0, p1 := Pose{Stamp: 0, Yaw: c.from}, Pose{Stamp: 1000, Yaw: c.to}
		p := interpolate(&p0, &p1, int64(1000*c.a))
		if math.Abs(wrapAngle(p.Yaw-c.want)) > 1e-12 {
			t.Errorf("a fraction %v from %v to %v gives %v, want %v", c.a, c.from, c.to, p.Yaw, c.want)
		}
	}
}

// However the errors of the two poses are correlated, the interpolated covariance is
// in no direction below the true covariance of the interpolated mean.
func TestInterpolateNeverClaimsTooMuch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		// A random joint covariance of both errors.
		l := mat.NewDense(6, 6, nil)
		for i := range 6 {
			for j := range 6 {
				l.Set(i, j, rng.NormFloat64())
			}
		}
		var joint mat.Dense
		joint.Mul(l, l.T())
		p0, p1 := Pose{Stamp: 0}, Pose{Stamp: 1000}
		for i := range 3 {
			for j := range 3 {
				p0.Cov[i][j], p1.Cov[i][j] = joint.At(i, j), joint.At(3+i, 3+j)
			}
		}
		a := float64(rng.IntN(999)+1) / 1000
		p := interpolate(&p0, &p1, int64(math.Round(1000*a)))
		m := mat.NewDense(3, 6, nil)
		for i := range 3 {
			m.Set(i, i, 1-a)
			m.Set(i, 3+i, a)
		}
		var mj, truth mat.Dense
		mj.Mul(m, &joint)
		truth.Mul(&mj, m.T())
		var eig mat.EigenSym
		eig.Factorize(sym(3, func(i, j int) float64 { return p.Cov[i][j] - truth.At(i, j) }), false)
		if v := eig.Values(nil)[0]; v < -1e-9 {
			t.Fatalf("claims too much by %v", -v)
		}
	})
}

// A full buffer allocates nothing.
func TestBufferAllocations(t *testing.T) {
	b, stamp := NewPoseBuffer(time.Second), int64(0)
	add := func() {
		stamp += 20
		b.Add(poseAt(stamp, 1))
	}
	for range 3 * posesKept {
		add()
	}
	if n := testing.AllocsPerRun(3*posesKept, add); n != 0 {
		t.Errorf("%g allocations per pose", n)
	}
}
