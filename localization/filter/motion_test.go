// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
)

func randomState(rng *rand.Rand) stateVector {
	return stateVector{
		10 * rng.NormFloat64(), 10 * rng.NormFloat64(), rng.Float64() - 0.5,
		1 + 0.2*rng.NormFloat64(), 0.8 + 0.2*rng.NormFloat64(), 0.1 * rng.NormFloat64(), 0.1 * rng.NormFloat64(),
	}
}

func randomStateCov(rng *rand.Rand, scale float64) stateMatrix {
	var a, p stateMatrix
	for i := range stateDim {
		for j := range stateDim {
			a[i][j] = scale * rng.NormFloat64()
		}
	}
	for i := range stateDim {
		for j := range stateDim {
			for k := range stateDim {
				p[i][j] += a[i][k] * a[j][k]
			}
		}
	}
	return p
}

func stateSym(p *stateMatrix) *mat.SymDense {
	s := mat.NewSymDense(stateDim, nil)
	for i := range stateDim {
		for j := range i + 1 {
			s.SetSym(i, j, p[i][j])
		}
	}
	return s
}

// Without noise one step agrees with F·P·Fᵀ computed by gonum, with F from finite
// differences, also for turns on the spot and for straight motion.
func TestPredictCovariance(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	n := MotionNoise{SlipLength: Slip{1e300, 1e300, 1e300, 1e300}}
	for k := range 60 {
		e := estimate{x: randomState(rng), p: randomStateCov(rng, 0.3)}
		m := motion{dx: rng.NormFloat64(), dy: rng.NormFloat64(), turn: rng.NormFloat64()}
		switch k % 4 {
		case 1:
			m.turn = 0
		case 2:
			m.dx, m.dy = 0, 0
		case 3:
			m.dx, m.dy, m.turn = 0.02*m.dx, 0, 0.02*m.turn
		}
		f := mat.NewDense(stateDim, stateDim, nil)
		fd.Jacobian(f, func(y, v []float64) {
			s := stateVector(v)
			s.advance(&m)
			copy(y, s[:])
		}, e.x[:], &fd.JacobianSettings{Formula: fd.Central, Step: 1e-5})
		var fp, want mat.Dense
		fp.Mul(f, stateSym(&e.p))
		want.Mul(&fp, f.T())
		e.predict(&m, &n, &GyroNoise{})
		for i := range stateDim {
			for j := range stateDim {
				near(t, "P", e.p[i][j], want.At(i, j), 1e-7)
			}
		}
	}
}

// A path cut into many steps ends in the same belief as one step: the noise depends
// on the distance and not on the number of steps.
func TestPredictDoesNotDependOnTheSteps(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Motion.SlipStdDev.Turn = 0.02 // first order in both
	var whole, cut estimate
	whole.start(&cfg, 0)
	m := motion{dx: 1, dy: 0.1, turn: 0.4}
	cut = whole
	whole.predict(&m, &cfg.Motion, &cfg.Gyro)
	part := m.share(1.0 / 64)
	for range 64 {
		cut.predict(&part, &cfg.Motion, &cfg.Gyro)
	}
	for i := range stateDim {
		near(t, "mean", cut.x[i], whole.x[i], 1e-12)
		for j := range stateDim {
			tol := 0.03 * math.Sqrt(whole.p[i][i]*whole.p[j][j])
			near(t, "covariance", cut.p[i][j], whole.p[i][j], tol)
		}
	}
}

// The covariance of a drive agrees with a sample of drives: slip is drawn once,
// random errors at each of many small steps.
func TestPredictMonteCarlo(t *testing.T) {
	n := MotionNoise{
		AlongPerMetre: 0.05, AlongPerRadian: 0.02, AcrossPerMetre: 0.03, AcrossPerRadian: 0.04, YawPerMetre: 0.02, YawPerRadian: 0.03,
		SlipStdDev: Slip{0.03, 0.05, 0.01, 0.02}, SlipLength: Slip{20, 5, 5, 5}, Turn: 1,
	}
	cfg := DefaultConfig()
	cfg.Motion = n
	const steps = 60
	m := motion{dx: 0.1, turn: 0.02}
	var e estimate
	e.start(&cfg, 0)
	for range steps {
		e.predict(&m, &n, &GyroNoise{})
	}
	rng := rand.New(rand.NewPCG(5, 5))
	var sample []float64
	const runs = 20_000
	for range runs {
		var x, y, yaw float64
		slip := [4]float64{}
		sd := [4]float64{0.03, 0.05, 0.01, 0.02}
		for i := range slip {
			slip[i] = sd[i] * rng.NormFloat64()
		}
		phi := [4]float64{}
		for i, length := range [4]float64{20, 5, 5, 5} {
			phi[i] = math.Exp(-(m.dx + m.turn) / length)
		}
		grown := func(a, b float64) float64 { return math.Sqrt(a*a*m.dx+b*b*m.turn) * rng.NormFloat64() }
		for range steps {
			along := (1+slip[0])*m.dx + grown(0.05, 0.02)
			across := (1+slip[0])*slip[3]*m.dx + grown(0.03, 0.04)
			turn := (1+slip[1])*m.turn + slip[2]*m.dx + grown(0.02, 0.03)
			sin, cos := math.Sincos(yaw + turn/2)
			x, y, yaw = x+cos*along-sin*across, y+sin*along+cos*across, yaw+turn
			for i := range slip {
				slip[i] = phi[i]*slip[i] + math.Sqrt(1-phi[i]*phi[i])*sd[i]*rng.NormFloat64()
			}
		}
		sample = append(sample, x, y, yaw)
	}
	p := e.pose()
	means, cov := moments(sample)
	for i, mean := range [3]float64{p.X, p.Y, p.Yaw} {
		// Second-order terms of a yaw standard deviation of 0.12 rad: 0.7 % of 6 m.
		near(t, "mean", means[i], mean, 0.06)
		for j := range 3 {
			scale := math.Sqrt(p.Cov[i][i] * p.Cov[j][j])
			near(t, "covariance over standard deviations", cov.At(i, j)/scale, p.Cov[i][j]/scale, 0.05)
		}
	}
}
