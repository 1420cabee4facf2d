// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import "math"

// motion is a constant body twist times its duration, from odometry: the path along
// base x and y (m) and the turn (rad). For an unknown motion it holds the variances
// added to the pose. If the gyroscope is heard, spin is the turn that it measured, with its bias; with gyro, that is used.
type motion struct {
	dx, dy, turn         float64
	spreadPos, spreadYaw float64 // m², rad²
	dt                   float64 // s
	spin, spinVar        float64 // rad, rad²
	heard, gyro          bool
}

// share returns the fraction f of a motion measured by the wheels. A constant twist divides exactly, and variances divide in proportion to
// the distance.
func (m motion) share(f float64) motion {
	return motion{dx: f * m.dx, dy: f * m.dy, turn: f * m.turn, spreadPos: f * m.spreadPos, spreadYaw: f * m.spreadYaw, dt: f * m.dt}
}

// grown returns the variance of a random error that grows with distance and turn.
func (m *motion) grown(perMetre, perRadian float64) float64 {
	return perMetre*perMetre*math.Hypot(m.dx, m.dy) + perRadian*perRadian*math.Abs(m.turn)
}

// twist returns the motion's twist.
func (m *motion) twist() Twist { return Twist{m.dx / m.dt, m.dy / m.dt, m.turn / m.dt} }

// advance moves the mean x by m, corrected for slip, and returns the entries of the Jacobian F = ∂f/∂x that
// differ from the identity's, the columns from stateYaw on of the rows x, y and yaw, and
// the cosine and sine of the heading in the middle of the step.
//
// With true turn a = k_ω·turn + k_d·dx, heading in the middle h = yaw + a/2 and
// w = R(h)·(dx, dy + k_c·dx), a constant twist leads to (Thrun et al. 2005,
// §5.3.3, in the form that holds for a → 0)
//
//	(x, y) += k_v·sinc(a/2)·w        yaw += a
//
// With a gyroscope of bias b and scale k the true turn is a = k·(spin − b·dt).
func (x *stateVector) advance(m *motion) (j [3][stateDim]float64, cos, sin float64) {
	kv := x[stateSpeed]
	// The derivatives of a.
	byTurn, byDrift, byBias, byScale := m.turn, m.dx, 0.0, 0.0
	half := x.turned(m) / 2
	if m.gyro {
		byTurn, byDrift, byBias, byScale = 0, 0, -x[stateScale]*m.dt, m.spin-x[stateBias]*m.dt
	}
	s, ds := sinc(half)
	sin, cos = math.Sincos(x[stateYaw] + half)
	left := m.dy + x[stateCrab]*m.dx
	wx, wy := cos*m.dx-sin*left, sin*m.dx+cos*left
	x[stateX] += kv * s * wx
	x[stateY] += kv * s * wy
	x[stateYaw] = wrapAngle(x[stateYaw] + 2*half)

	// Derivative by the half turn: s′·w + s·w turned by +90°.
	hx, hy := kv*(ds*wx-s*wy), kv*(ds*wy+s*wx)
	j[0] = [stateDim]float64{stateYaw: -kv * s * wy, stateSpeed: s * wx, stateCrab: -kv * s * sin * m.dx}
	j[1] = [stateDim]float64{stateYaw: kv * s * wx, stateSpeed: s * wy, stateCrab: kv * s * cos * m.dx}
	j[2] = [stateDim]float64{stateTurn: byTurn, stateDrift: byDrift, stateBias: byBias, stateScale: byScale}
	for k := range stateDim {
		j[0][k] += hx * j[2][k] / 2
		j[1][k] += hy * j[2][k] / 2
	}
	return j, cos, sin
}

// predict moves mean and covariance, P ← F·P·Fᵀ + Q, compares the turn of the wheels with the
// gyroscope's, and then relaxes the slip towards its own mean and variance.
func (e *estimate) predict(m *motion, n *MotionNoise, g *GyroNoise) {
	f, cos, sin := e.x.advance(m)
	p := &e.p
	// Rows x and y need the old row yaw, so row yaw comes last. The columns of the other rows mirror these rows, as P is symmetric.
	for r := range f {
		row := &p[r]
		for k := stateYaw; k < stateDim; k++ {
			if c := f[r][k]; c != 0 {
				for j := range row {
					row[j] += c * p[k][j]
				}
			}
		}
	}
	for i := range f {
		row := &p[i]
		for r := range f {
			for k := stateYaw; k < stateDim; k++ {
				row[r] += f[r][k] * row[k]
			}
		}
	}
	for i := len(f); i < stateDim; i++ {
		for r := range f {
			p[i][r] = p[r][i]
		}
	}
	chance := e.addChance(m, n, g, f[0][stateYaw], f[1][stateYaw], cos, sin)
	p[stateBias][stateBias] += g.BiasWalk * g.BiasWalk * m.dt
	p[stateDelay][stateDelay] += delayWalk * delayWalk * m.dt
	e.stood += m.dt
	if math.Hypot(m.dx, m.dy) > standingSpeed*m.dt || math.Abs(m.turn) > standingTurnRate*m.dt {
		e.stood = 0
	}
	p.symmetrise(len(f))
	if m.gyro && m.spreadYaw == 0 {
		e.compareTurns(m, n, chance)
	}
	e.changeSlip(m, n)
}

// addChance adds Q, the covariance of the random errors along, across and in
// heading. (vx, vy) is the displacement of the step turned by +90°. When the
// heading's variance grows steadily by q over the step, the end of the step has the
// covariance v·q/2 with the heading and the covariance v·vᵀ·q/3 in position. addChance returns
// those of the heading with x, y and itself.
func (e *estimate) addChance(m *motion, n *MotionNoise, g *GyroNoise, vx, vy, cos, sin float64) (chance [3]float64) {
	along := m.grown(n.AlongPerMetre, n.AlongPerRadian)
	across := m.grown(n.AcrossPerMetre, n.AcrossPerRadian)
	yaw, spread := m.grown(n.YawPerMetre, n.YawPerRadian), m.spreadYaw
	if m.gyro {
		yaw, spread = m.spinVar+g.PerRadian*g.PerRadian*math.Abs(e.x.spun(m)), 0
	}
	p := &e.p
	ahead, left, v := [2]float64{cos, sin}, [2]float64{-sin, cos}, [2]float64{vx, vy}
	for i := range v {
		for j := range v {
			p[i][j] += ahead[i]*ahead[j]*along + left[i]*left[j]*across + v[i]*v[j]*yaw/3
		}
		p[i][i] += m.spreadPos
		chance[i] = v[i] * yaw / 2
		p[i][stateYaw] += chance[i]
		p[stateYaw][i] += chance[i]
	}
	p[stateYaw][stateYaw] += yaw + spread
	chance[stateYaw] = yaw
	return chance
}

// changeSlip advances the stationary first-order Gauss–Markov process (Bar-Shalom et al. 2001, §8.2.2) by the distance: k ← k̄ + φ·(k −
// k̄), variance φ²·p + (1−φ²)·σ².
func (e *estimate) changeSlip(m *motion, n *MotionNoise) {
	distance := math.Hypot(m.dx, m.dy) + math.Abs(m.turn)
	if distance == 0 {
		return
	}
	var length, phi, fresh float64
	for _, s := range n.slip() {
		if s.length != length { // most are the same
			length, phi, fresh = s.length, math.Exp(-distance/s.length), -math.Expm1(-2*distance/s.length)
		}
		i := s.state
		e.x[i] = s.mean + phi*(e.x[i]-s.mean)
		e.p.scale(i, phi)
		e.p[i][i] += fresh * s.stdDev * s.stdDev
	}
}

// turned returns the true turn of a step, rad: by the gyroscope, or else by the wheels.
func (x *stateVector) turned(m *motion) float64 {
	if m.gyro {
		return x.spun(m)
	}
	return x.rolled(m)
}

// rolled returns the true turn of a step by the wheels, rad.
func (x *stateVector) rolled(m *motion) float64 { return x[stateTurn]*m.turn + x[stateDrift]*m.dx }

// spun returns the true turn of a step by the gyroscope, rad.
func (x *stateVector) spun(m *motion) float64 { return x[stateScale] * (m.spin - x[stateBias]*m.dt) }

// wrapAngle returns the angle in [−π, π] that has the same direction as a (rad).
func wrapAngle(a float64) float64 { return math.Remainder(a, 2*math.Pi) }

// sinc returns sin(a)/a and its derivative. Near zero it uses the series.
func sinc(a float64) (s, ds float64) {
	if math.Abs(a) < 1e-3 {
		// The next terms are below 1e-15 for |a| < 1e-3.
		a2 := a * a
		return 1 - a2/6*(1-a2/20), -a / 3 * (1 - a2/10)
	}
	sin, cos := math.Sincos(a)
	s = sin / a
	return s, (cos - s) / a
}
