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

func newBuffer(t testing.TB, change func(*BufferConfig)) *PoseBuffer {
	t.Helper()
	cfg := DefaultBufferConfig()
	if change != nil {
		change(&cfg)
	}
	b, err := NewPoseBuffer(cfg)
	return must(t, b, err)
}

func poseAt(stampMs int64, x float64) Pose {
	return Pose{Stamp: stampMs * ms, X: x, Cov: diag(1, 1, 0.1)}
}

func TestBufferAt(t *testing.T) {
	b := newBuffer(t, nil)
	if _, err := b.At(0); !errors.Is(err, ErrPending) {
		t.Errorf("empty buffer: %v, want ErrPending", err)
	}
	for _, p := range []Pose{poseAt(100, 1), poseAt(200, 2), poseAt(1000, 10)} {
		if r := b.Add(p); r != PoseStored {
			t.Fatalf("%+v: %v", p, r)
		}
	}
	for _, c := range []struct {
		stampMs int64
		x       float64
		err     error
	}{
		{99, 0, ErrTooEarly}, {100, 1, nil}, {125, 1.25, nil}, {200, 2, nil},
		{201, 0, ErrGap}, {999, 0, ErrGap}, {1000, 10, nil}, {1001, 0, ErrPending},
	} {
		p, err := b.At(c.stampMs * ms)
		if !errors.Is(err, c.err) {
			t.Errorf("%d ms: %v, want %v", c.stampMs, err, c.err)
			continue
		}
		if err == nil && (math.Abs(p.X-c.x) > 1e-12 || p.Stamp != c.stampMs*ms) {
			t.Errorf("%d ms: %+v, want x = %v", c.stampMs, p, c.x)
		}
	}
}

func TestBufferHold(t *testing.T) {
	b := newBuffer(t, func(c *BufferConfig) {
		c.HoldTolerance = 50 * time.Millisecond
		c.MaxSpeed, c.MaxTurnRate = 2, 3
	})
	if _, err := b.Hold(0); !errors.Is(err, ErrPending) {
		t.Errorf("empty buffer: %v", err)
	}
	b.Add(poseAt(100, 1))
	b.Add(poseAt(1000, 10))
	for _, c := range []struct {
		stampMs int64
		x       float64
		err     error
	}{
		{49, 0, ErrTooEarly}, {50, 1, nil}, {150, 1, nil}, {151, 0, ErrGap}, {949, 0, ErrGap}, {950, 10, nil},
		{1050, 10, nil}, {1051, 0, ErrPending},
	} {
		p, err := b.Hold(c.stampMs * ms)
		if !errors.Is(err, c.err) {
			t.Errorf("%d ms: %v, want %v", c.stampMs, err, c.err)
		}
		if c.err == nil {
			// At 50 ms, 2 m/s and 3 rad/s: 0.1 m and 0.15 rad.
			near(t, "x", p.X, c.x, 0)
			near(t, "variance of x", p.Cov[0][0], 1.01, 1e-12)
			near(t, "variance of y", p.Cov[1][1], 1.01, 1e-12)
			near(t, "variance of yaw", p.Cov[2][2], 0.1225, 1e-12)
			if p.Stamp != c.stampMs*ms {
				t.Errorf("stamp %d", p.Stamp)
			}
		}
	}
}

func TestBufferOrder(t *testing.T) {
	b := newBuffer(t, nil)
	for _, c := range []struct {
		name string
		in   Pose
		want AddResult
		n    int
	}{
		{"first", poseAt(5000, 1), PoseStored, 1},
		{"newer", poseAt(5100, 2), PoseStored, 2},
		{"same stamp", poseAt(5100, 3), PoseReplaced, 2},
		{"older", poseAt(5050, 4), PoseDropped, 2},
		{"a second older", poseAt(4100, 4), PoseDropped, 2},
		{"not finite", Pose{Stamp: 6000 * ms, X: math.NaN()}, PoseDropped, 2},
		{"time set back", poseAt(4099, 5), PoseReset, 1},
		{"and on", poseAt(4199, 6), PoseStored, 2},
	} {
		if r := b.Add(c.in); r != c.want || b.Len() != c.n {
			t.Errorf("%s: %v with %d poses, want %v with %d", c.name, r, b.Len(), c.want, c.n)
		}
	}
	if p, ok := b.Newest(); !ok || p.X != 6 {
		t.Errorf("newest is %+v", p)
	}
	want := BufferCounts{Stored: 4, Replaced: 1, OutOfOrder: 2, NotFinite: 1, Resets: 1}
	if got := b.Counts(); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
	if b.Clear(); b.Len() != 0 {
		t.Error("not cleared")
	}
	if _, ok := b.Newest(); ok {
		t.Error("an empty buffer has a newest pose")
	}
}

// The ring buffer agrees with a plain slice searched from end to end.
func TestBufferAgainstSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		capacity := rapid.IntRange(2, 9).Draw(t, "capacity")
		b, err := NewPoseBuffer(BufferConfig{Capacity: capacity, MaxGap: 30, ResetJump: 100})
		if err != nil {
			t.Fatal(err)
		}
		var all []Pose
		stamp := int64(0)
		for i, d := range rapid.SliceOfN(rapid.Int64Range(1, 40), 1, 30).Draw(t, "steps") {
			stamp += d
			p := Pose{Stamp: stamp, X: float64(i)}
			b.Add(p)
			all = append(all, p)
			all = all[max(0, len(all)-capacity):]
		}
		q := rapid.Int64Range(-10, stamp+10).Draw(t, "query")
		want, wantErr := Pose{}, error(nil)
		switch first, last := all[0], all[len(all)-1]; {
		case q < first.Stamp:
			wantErr = ErrTooEarly
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
						wantErr = ErrGap
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
		p := Interpolate(&p0, &p1, int64(1000*c.a))
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
		p := Interpolate(&p0, &p1, int64(math.Round(1000*a)))
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

func TestBufferDoesNotAllocate(t *testing.T) {
	b := newBuffer(t, func(c *BufferConfig) { c.Capacity = 64 })
	stamp := int64(0)
	if n := testing.AllocsPerRun(200, func() {
		stamp += 20 * ms
		b.Add(Pose{Stamp: stamp})
		_, _ = b.At(stamp - 5*ms)
		_, _ = b.At(stamp + 5*ms)
		_, _ = b.Hold(stamp + 5*ms)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkPoseBufferAt(b *testing.B) {
	buf := newBuffer(b, nil)
	for i := range int64(2000) {
		buf.Add(Pose{Stamp: i * 20 * ms})
	}
	b.ReportAllocs()
	var i int64
	for b.Loop() {
		i++
		if _, err := buf.At((1001+i%990)*20*ms + 7*ms); err != nil {
			b.Fatal(err)
		}
	}
}
