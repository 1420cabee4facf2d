// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"ugp_explorer/internal/num"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
)

func running(x stateVector, p stateMatrix) estimate {
	return estimate{x: x, p: p, mode: Running}
}

// learntReceiver returns a receiver whose errors are known as parts of the stated variances.
func learntReceiver(slow, white float64) (r receiver) {
	for k := range fixKinds {
		r.kinds[k] = knownErrors{fixes: mostFixes, white: white, slow: slow / max(1-white, white/math.Sqrt(mostFixes))}
	}
	r.kind = fixedKind
	return r
}

// Position and yaw updates agree with the textbook form computed by gonum, K = P·Hᵀ·S⁻¹ and
// (I − K·H)·P·(I − K·H)ᵀ + K·R·Kᵀ, with H from finite differences. The rows of K for the scale of the
// turn are zero unless the robot has turned far, and that for the delay unless its velocity has changed.
func TestUpdateAgainstTextbook(t *testing.T) {
	cfg := DefaultConfig()
	cfg.gate = [2]float64{math.Inf(1), math.Inf(1)}
	rng := rand.New(rand.NewPCG(1, 2))
	for k := range 40 {
		cfg.Antenna = localization.Lever{X: rng.NormFloat64(), Y: rng.NormFloat64()}
		before := running(randomState(rng), randomStateCov(rng, 0.3))
		far := k%4 > 1
		if far {
			before.turn(30)
		}
		before.proof = proof(k % 5 % 4)
		learns := far && before.proof >= told
		speed := complex(rng.NormFloat64(), rng.NormFloat64())
		before.delayed = delayed{by: before.x[stateDelay], v: speed, place: complex(cfg.Antenna.X, cfg.Antenna.Y) - speed*complex(before.x[stateDelay], 0)}
		if steady := k%8 < 4; steady {
			_, before.steady = before.delayed.measured(&before.x)
		}
		// The slow error of the fixes is as it is: no time has passed since the last.
		before.fixes.known, before.fixes.way, before.receiver = true, -1, learntReceiver(1, 0.5)
		e := before
		var z, r []float64
		var h func(y, v []float64)
		var in Innovation
		if k%2 == 0 {
			c := randomStateCov(rng, 0.25)
			fix := Fix{X: e.x[0] + 0.5*rng.NormFloat64(), Y: e.x[1] + 0.5*rng.NormFloat64(), Cov: [2][2]float64{{c[0][0], c[0][1]}, {c[1][0], c[1][1]}}}
			z, r = []float64{fix.X, fix.Y}, []float64{c[0][0] / 2, c[0][1] / 2, c[1][0] / 2, c[1][1] / 2}
			h = func(y, v []float64) {
				sin, cos := math.Sincos(v[2])
				a := cfg.Antenna
				a.X -= v[stateDelay] * real(speed)
				a.Y -= v[stateDelay] * imag(speed)
				y[0] = v[0] + cos*a.X - sin*a.Y + v[stateErrX]
				y[1] = v[1] + sin*a.X + cos*a.Y + v[stateErrY]
			}
			in = e.fusePosition(&fix, &cfg)
		} else {
			z, r = []float64{e.x[2] + 0.2*rng.NormFloat64()}, []float64{0.04}
			h = func(y, v []float64) { y[0] = v[2] }
			yaw := Fix{X: z[0], Cov: diag2(r[0], 0)}
			in = e.fuseYaw(&yaw, &cfg)
		}
		n := len(z)
		hm := mat.NewDense(n, stateDim, nil)
		fd.Jacobian(hm, h, before.x[:], &fd.JacobianSettings{Formula: fd.Central, Step: 1e-5})
		want := make([]float64, n)
		h(want, before.x[:])
		nu := mat.NewVecDense(n, nil)
		for i := range n {
			nu.SetVec(i, z[i]-want[i])
		}
		var pht, s, sInv, gain, kh, joseph, krk, dx, weighted mat.Dense
		pht.Mul(stateSym(&before.p), hm.T())
		s.Mul(hm, &pht)
		s.Add(&s, mat.NewDense(n, n, r))
		must.OK(t, sInv.Inverse(&s))
		gain.Mul(&pht, &sInv)
		if !learns {
			for i := range n {
				gain.Set(stateTurn, i, 0)
			}
		}
		if k%2 != 0 || k%8 < 4 || before.proof != proven {
			for i := range n {
				gain.Set(stateDelay, i, 0)
			}
		}
		kh.Mul(&gain, hm)
		for i := range stateDim {
			for j := range stateDim {
				kh.Set(i, j, -kh.At(i, j))
			}
			kh.Set(i, i, kh.At(i, i)+1)
		}
		joseph.Product(&kh, stateSym(&before.p), kh.T())
		krk.Product(&gain, mat.NewDense(n, n, r), gain.T())
		joseph.Add(&joseph, &krk)
		dx.Mul(&gain, nu)
		weighted.Product(nu.T(), &sInv, nu)
		near(t, "NIS", in.NIS, weighted.At(0, 0), 1e-6)
		if in.DoF != n || in.Status != fixAccepted {
			t.Errorf("innovation %+v", in)
		}
		for i := range stateDim {
			off := e.x[i] - before.x[i] - dx.At(i, 0)
			if i == stateYaw {
				off = wrapAngle(off)
			}
			near(t, "x", off, 0, 1e-7)
			for j := range stateDim {
				near(t, "P", e.p[i][j], joseph.At(i, j), 1e-6)
			}
		}
	}
}

// turn adds to the covariance what a turn of the wheels by angle does.
func (e *estimate) turn(angle float64) {
	for j := range stateDim {
		e.p[stateYaw][j] += angle * e.p[stateTurn][j]
	}
	for j := range stateDim {
		e.p[j][stateYaw] += angle * e.p[j][stateTurn]
	}
}

func TestYawUpdateTakesTheShorterArc(t *testing.T) {
	cfg := DefaultConfig()
	cfg.gate = [2]float64{math.Inf(1), math.Inf(1)}
	e := running(stateVector{stateYaw: 3.1}, stateMatrix{stateYaw: {stateYaw: 0.01}})
	in := e.fuseYaw(&Fix{X: -3.1, Cov: diag2(0.01, 0)}, &cfg)
	// Half way on the arc of 2π − 6.2 between them.
	near(t, "yaw", e.x[stateYaw], math.Pi, 1e-12)
	near(t, "residual", in.Residual[0], 2*math.Pi-6.2, 1e-12)
}

// The gates are gonum's quantiles of χ². Fixes inside are accepted, fixes outside are weighed, and after
// MaxRejections of them the next is forced in.
func TestGateAndLockout(t *testing.T) {
	cfg := DefaultConfig()
	cfg.GateProbability = 0.99
	cfg = New(cfg).cfg
	limit := distuv.ChiSquared{K: 2}.Quantile(0.99)
	near(t, "gate of a position", cfg.gate[1], -2*math.Log(0.01), 1e-6) // χ² with two degrees is exponential
	near(t, "gate of a yaw", cfg.gate[0], distuv.ChiSquared{K: 1}.Quantile(0.99), 1e-12)

	start := running(stateVector{stateSpeed: 1, stateTurn: 1}, stateMatrix{{0.5}, {0, 0.5}, {0, 0, 0.01}})
	at := func(d float64) Fix { return Fix{X: d, Cov: diag2(0.5, 0.5)} } // S = I: distance d
	e := start
	in := at(math.Sqrt(limit) - 1e-6)
	if e.take(positionEvent, &in, &cfg); e.fixes.innovation.Status != fixAccepted || !(e.x[0] > 0) {
		t.Errorf("just inside: %v", e.fixes.innovation)
	}
	e = start
	far := at(1000)
	for i := range MaxRejections { // weighed: the receiver's error explains nearly all of it
		far.Stamp, e.stamp = int64(i)*1000*ms, int64(i)*1000*ms
		e.take(positionEvent, &far, &cfg)
		if e.fixes.innovation.Status != FixRejected || math.Abs(e.x[0]) > 20 {
			t.Fatalf("fix %d far off: %v, x = %v", i, e.fixes.innovation, e.x[0])
		}
		if p := e.pose(); p.Cov[0][0] < 900*900 {
			t.Fatalf("fix %d far off: the pose does not cover it: %v", i, p)
		}
	}
	far.Stamp, e.stamp = MaxRejections*1000*ms, MaxRejections*1000*ms
	e.take(positionEvent, &far, &cfg)
	if e.fixes.innovation.Status != fixForced {
		t.Fatalf("after MaxRejections: %v", e.fixes.innovation)
	}
	if math.Abs(e.x[0]-1000) > 5*math.Sqrt(e.p[0][0]) || e.p[2][2] < 0.25 {
		t.Errorf("forced in to x = %v ± %v, yaw ± %v", e.x[0], math.Sqrt(e.p[0][0]), math.Sqrt(e.p[2][2]))
	}
	near1 := at(e.x[0] + 0.1)
	near1.Stamp, e.stamp = far.Stamp+1000*ms, far.Stamp+1000*ms
	near1.Y = e.x[1]
	if e.take(positionEvent, &near1, &cfg); e.fixes.innovation.Status != fixAccepted {
		t.Errorf("the next: %v", e.fixes.innovation)
	}
	if c := e.counts; c.Rejected != MaxRejections || c.Forced != 1 || c.Accepted != 2 {
		t.Errorf("counts %+v", c)
	}

	e = start
	yaw := Fix{X: 2, Cov: diag2(0.01, 0)}
	for range MaxRejections + 1 {
		e.take(yawEvent, &yaw, &cfg)
	}
	if e.yaws.innovation.Status != fixForced || math.Abs(e.x[2]-2) > 5*math.Sqrt(e.p[2][2]) {
		t.Errorf("yaw: %v, %v ± %v", e.yaws.innovation, e.x[2], math.Sqrt(e.p[2][2]))
	}
}

func TestSingularInnovationIsRefused(t *testing.T) {
	cfg := DefaultConfig()
	cfg.gate = [2]float64{math.Inf(1), math.Inf(1)}
	for _, c := range []struct {
		name string
		cov  [2][2]float64
	}{{"one direction certain", [2][2]float64{{1, 1}, {1, 1}}}} {
		e := running(stateVector{}, stateMatrix{})
		before := e
		fix := Fix{X: 1, Y: 1, Cov: c.cov}
		e.take(positionEvent, &fix, &cfg)
		if e.fixes.innovation.Status != FixSingular || e.pose() != before.pose() || e.counts.Singular != 1 {
			t.Errorf("%s: %+v", c.name, e.fixes.innovation)
		}
	}
}

// The covariance stays symmetric and positive semi-definite under random input.
func TestFilterStaysPositiveSemiDefinite(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 7))
		cfg := DefaultConfig()
		cfg.Antenna = localization.Lever{X: rng.NormFloat64(), Y: rng.NormFloat64()}
		f := New(cfg)
		stamp := int64(0)
		for range 400 {
			stamp += rng.Int64N(100 * ms)
			if seed%2 == 1 {
				_ = f.PredictGyro(stamp-rng.Int64N(50*ms), 2*rng.NormFloat64(), 1e-4)
			}
			_ = f.PredictTwist(stamp, Twist{4 * rng.NormFloat64(), 0.2 * rng.NormFloat64(), 2 * rng.NormFloat64()})
			switch rng.IntN(8) {
			case 0, 1:
				c := randomStateCov(rng, math.Exp(3*rng.NormFloat64()))
				cov := [2][2]float64{{c[0][0], c[0][1]}, {c[0][1], c[1][1]}}
				_, _ = f.FusePosition(Fix{Stamp: stamp - rng.Int64N(1500*ms) + 200*ms, X: 20 * rng.NormFloat64(), Y: 20 * rng.NormFloat64(), Cov: cov})
			case 2:
				f.FuseYaw(stamp-rng.Int64N(500*ms), 9*rng.NormFloat64(), math.Exp(4*rng.NormFloat64()-3))
			case 3:
				if rng.IntN(10) == 0 {
					_ = f.Initialise(localization.Pose{Stamp: stamp - rng.Int64N(300*ms), X: rng.NormFloat64(), Cov: diag(1, 1e-9, 0)})
				}
			}
			if f.hist.len() == 0 {
				continue
			}
			p := &f.hist.newest().after.p
			for i := range stateDim {
				for j := range stateDim {
					if !num.Finite(p[i][j]) || p[i][j] != p[j][i] {
						t.Fatalf("seed %d: covariance %v", seed, p)
					}
				}
			}
			if l := smallestEigenvalue(t, p); l < -1e-9 {
				t.Fatalf("seed %d: eigenvalue %v of %v", seed, l, p)
			}
		}
		if c := f.Counts(); c.Accepted == 0 {
			t.Errorf("seed %d: nothing accepted: %+v", seed, c)
		}
	}
}
