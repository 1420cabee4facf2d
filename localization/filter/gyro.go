// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"fmt"
	"math"

	"ugp_explorer/internal/num"
	"ugp_explorer/localization"
)

// GyroNoise describes the errors of a gyroscope whose axis points up. The yaw rate that it
// measures is the true rate over a scale, plus a bias, plus white noise. The filter estimates the
// scale, which begins at 1, and the bias, which begins at 0.
type GyroNoise struct {
	Density    float64 // rad/√s, angle random walk that is added to the variance stated with each rate
	PerRadian  float64 // rad/√rad, random error after one radian turned
	BiasStdDev float64 // rad/s, of the bias at the start
	BiasWalk   float64 // rad/s/√s, random walk of the bias
	// ScaleStdDev is the standard deviation of the scale, the true turn over the measured one, around 1. Data sheets of MEMS gyroscopes
	// state up to 3 %, and an IMU that is tilted measures less.
	ScaleStdDev float64
}

// forget forgets what was learnt about the gyroscope.
func (g *GyroNoise) forget(x *stateVector, p *stateMatrix) {
	x[stateBias], x[stateScale] = 0, 1
	p.forget(stateBias, g.BiasStdDev*g.BiasStdDev)
	p.forget(stateScale, g.ScaleStdDev*g.ScaleStdDev)
}

// gyroRate is a measured yaw rate (rad/s, rad²/s²) at a stamp (ns).
type gyroRate struct {
	stamp          int64
	rate, variance float64
}

func (r *gyroRate) when() int64 { return r.stamp }

type gyroRates struct{ series[gyroRate] }

// add puts r at its stamp and returns the stamps between which the interpolated rate has changed. It returns false if there is already a
// rate with that stamp.
func (g *gyroRates) add(r gyroRate) (from, to int64, ok bool) {
	g.reserve(1)
	i := g.after(r.stamp)
	if i > 0 && g.at(i-1).stamp == r.stamp {
		return 0, 0, false
	}
	from, to = r.stamp, r.stamp+maxGyroGap
	if i > 0 && r.stamp-g.at(i-1).stamp <= maxGyroGap {
		from = g.at(i - 1).stamp
	}
	if i < g.len() {
		to = min(to, g.at(i).stamp)
	}
	g.insert(i, &r)
	return from, to, true
}

// integral returns the angle turned between two stamps and its variance from the white noise of the rates. Rates at most maxGyroGap apart
// are interpolated linearly; a rate without such a successor lasts for maxGyroGap. It returns false if the rates do not cover the interval.
func (g *gyroRates) integral(from, to int64) (angle, variance float64, ok bool) {
	i := g.after(from) - 1
	if i < 0 {
		return 0, 0, false
	}
	for ; from < to; i++ {
		a := g.at(i)
		if i+1 == g.len() || g.at(i+1).stamp-a.stamp > maxGyroGap {
			if to-a.stamp > maxGyroGap {
				return 0, 0, false
			}
			dt := float64(to-from) * 1e-9
			return angle + a.rate*dt, variance + a.variance*dt*float64(to-a.stamp)*1e-9, true
		}
		b := g.at(i + 1)
		space := b.stamp - a.stamp
		end := min(to, b.stamp)
		dt := float64(end-from) * 1e-9
		middle := (float64(from-a.stamp) + float64(end-a.stamp)) / 2 / float64(space)
		angle += dt * (a.rate + middle*(b.rate-a.rate))
		// The noise of rates δ apart is white with the density variance·δ.
		variance += dt * float64(space) * 1e-9 * (a.variance + middle*(b.variance-a.variance))
		from = end
	}
	return angle, variance, true
}

// PredictGyro takes a yaw rate in base at a stamp (ns, rad/s counter-clockwise) with the variance of its white noise (rad²/s²), 0 when the
// sender does not state one. Over an odometry interval that rates cover, the heading follows the gyroscope, and the turn of the wheels is
// used to learn their slip and the gyroscope's bias. A rate may come before or after the odometry of its stamp, in any order, up to
// MaxDelay late; the result is the same. The errors are errStale for a rate that is later than that or has a known stamp, and
// errImplausible for one that is not finite or exceeds MaxTurnRate.
func (f *EKF) PredictGyro(stamp int64, rate, variance float64) error {
	if !(rate >= -f.cfg.MaxTurnRate && rate <= f.cfg.MaxTurnRate) || !num.Finite(variance) || variance < 0 {
		f.counts.GyroRefused++
		return fmt.Errorf("%w: yaw rate %v rad/s with variance %v rad²/s², limit %v rad/s", errImplausible, rate, variance, f.cfg.MaxTurnRate)
	}
	now, started := f.Stamp()
	if started && stamp <= now-int64(MaxDelay) {
		f.counts.GyroRefused++
		return fmt.Errorf("%w: yaw rate of stamp %d ns, %v or more before the odometry at %d ns", errStale, stamp, MaxDelay, now)
	}
	from, to, ok := f.gyro.add(gyroRate{stamp, rate, variance})
	if !ok {
		f.counts.GyroRefused++
		return fmt.Errorf("%w: a second yaw rate of stamp %d ns", errStale, stamp)
	}
	f.counts.Gyro++
	if !started || from >= now {
		return nil
	}
	f.repeat(f.measure(from, to))
	return nil
}

const (
	// Below this motion, the wheels stand.
	standingSpeed    = 1e-3 // m/s
	standingTurnRate = 1e-3 // rad/s
	// settleTime is how long the wheels must have stood before the robot is assumed not to turn. Between two encoder ticks, wheels seem to
	// stand; slowDensity covers the turn meanwhile.
	settleTime  = 0.5   // s
	slowDensity = 0.005 // rad/√s
	// turnGate is the number of standard deviations beyond which the wheels' turn and the
	// gyroscope's contradict each other.
	turnGate = 5
	// biasDoubt is how long the gyroscope may turn while the wheels stand before its bias is doubted.
	biasDoubt = 3 // s
)

// compareTurns learns the slip and the gyroscope's bias after a step whose turn both the gyroscope and the wheels have measured:
//
//	k·(spin − b·dt) = k_ω·turn + k_d·dx + n
//
// n is the sum of the random errors of the wheels' turn and of the gyroscope's. The latter is in the heading, too: chance holds its
// covariance with x, y and yaw. While a robot follows a line, the turn that the wheels measure is mostly n, from which the filter would learn
// that k_ω is 0: nothing is learnt then. In a turn, the derivative by k_ω is the turn by the gyroscope (an instrumental variable, Ljung 1999,
// §7.6). Wheels that stand keep the heading. If both contradict each other, the wheels spin or the robot is carried: nothing is learnt,
// and the heading follows the gyroscope. A contradiction of biasDoubt seconds while the wheels stand means a bias larger than configured.
func (e *estimate) compareTurns(m *motion, n *MotionNoise, chance [3]float64) {
	var h, c stateVector // c is the covariance of the state with ν
	turn, spun := e.x.rolled(m), e.x.spun(m)
	if spun*spun > chance[2]+e.p[stateBias][stateBias]*m.dt*m.dt {
		h[stateTurn] = spun / max(e.x[stateTurn], localization.LeastTurn)
	} else if e.stood == 0 {
		e.spunFor, e.spun, e.turnSigmas = 0, 0, 0
		return
	}
	wheels := m.grown(n.YawPerMetre, n.YawPerRadian)
	h[stateDrift] = m.dx
	h[stateBias], h[stateScale] = e.x[stateScale]*m.dt, -turn/e.x[stateScale]
	if e.stood < settleTime {
		wheels += slowDensity * slowDensity * m.dt
	}
	nu := spun - turn
	for k, v := range h {
		if v != 0 {
			for i := range c {
				c[i] += e.p[k][i] * v
			}
		}
	}
	s := wheels + chance[2]
	for i, v := range h {
		s += v * c[i]
	}
	if !(s > 0) {
		return
	}
	e.turnSigmas = nu / math.Sqrt(s)
	if nu*nu > turnGate*turnGate*s {
		if e.stood < settleTime {
			e.spunFor, e.spun = 0, 0
			return
		}
		e.spunFor += m.dt
		e.spun += nu
		if e.spunFor >= biasDoubt {
			rate := e.spun / e.spunFor
			e.p[stateBias][stateBias] += rate * rate
			e.p[stateYaw][stateYaw] += e.spun * e.spun
			e.spunFor, e.spun = 0, 0
		}
		return
	}
	e.spunFor, e.spun = 0, 0
	for i, v := range chance {
		c[i] -= v
	}
	// Only fixes teach the scale: wheels that slip would teach a wrong one.
	scale, variance := e.x[stateScale], e.p[stateScale][stateScale]
	for i := range stateDim {
		e.x[i] += c[i] / s * nu
		for j := range i + 1 {
			e.p[i][j] -= c[i] * c[j] / s
			e.p[j][i] = e.p[i][j]
		}
	}
	e.x[stateScale], e.p[stateScale][stateScale] = scale, variance
	e.x[stateYaw] = wrapAngle(e.x[stateYaw])
}

// ForgetGyro discards all yaw rates, because they are wrong. The steps of the last MaxDelay are recomputed with the wheels. always says that
// they were wrong from the beginning: then what was learnt from them is discarded, too, and if the robot has driven, its heading is in doubt.
func (f *EKF) ForgetGyro(always bool) {
	f.gyro.clear()
	f.turns = localization.Turns{}
	f.windows.clear()
	f.rivals = rivals{}
	if f.hist.len() == 0 {
		return
	}
	e := &f.hist.at(0).after
	e.spunFor, e.spun, e.turnSigmas = 0, 0, 0
	if always {
		e.forgetSlip(&f.cfg.Motion)
		f.cfg.Gyro.forget(&e.x, &e.p)
		if e.mode == Running && e.way.length > 0 {
			e.proof = unproven
			e.doubtYaw()
		}
	}
	f.measure(math.MinInt64, math.MaxInt64)
	f.repeat(1)
}
