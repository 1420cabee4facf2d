package localization

import "math"

// motion is a constant body twist times its duration, from odometry: the path along
// base x and y (m) and the turn (rad). For an unknown motion it holds the variances
// added to the pose.
type motion struct {
	dx, dy, turn         float64
	spreadPos, spreadYaw float64 // m², rad²
}

// share returns the fraction f of a motion. A constant twist divides exactly, and
// variances divide in proportion to the distance.
func (m motion) share(f float64) motion {
	return motion{f * m.dx, f * m.dy, f * m.turn, f * m.spreadPos, f * m.spreadYaw}
}

// motionBetween returns the constant twist that leads from one odometry pose to
// another: the inverse of advance without slip.
func motionBetween(x0, y0, yaw0, x1, y1, yaw1 float64) motion {
	turn := wrapAngle(yaw1 - yaw0)
	s, _ := sinc(turn / 2)
	sin, cos := math.Sincos(yaw0 + turn/2)
	ex, ey := (x1-x0)/s, (y1-y0)/s
	return motion{dx: cos*ex + sin*ey, dy: -sin*ex + cos*ey, turn: turn}
}

// jacobian holds the entries of F = ∂f/∂x that differ from the identity's: the
// columns from stateYaw on, of the rows x, y and yaw.
type jacobian [3][stateDim]float64

// advance moves the mean x by m, corrected for slip, and returns the Jacobian and
// the cosine and sine of the heading in the middle of the step.
//
// With true turn a = k_ω·turn + k_d·dx, heading in the middle h = yaw + a/2 and
// w = R(h)·(dx, dy + k_c·dx), a constant twist leads to (Thrun et al. 2005,
// §5.3.3, in the form that holds for a → 0)
//
//	(x, y) += k_v·sinc(a/2)·w        yaw += a
func (x *stateVector) advance(m *motion) (j jacobian, cos, sin float64) {
	kv := x[stateSpeed]
	half := (x[stateTurn]*m.turn + x[stateDrift]*m.dx) / 2
	s, ds := sinc(half)
	sin, cos = math.Sincos(x[stateYaw] + half)
	left := m.dy + x[stateCrab]*m.dx
	wx, wy := cos*m.dx-sin*left, sin*m.dx+cos*left
	x[stateX] += kv * s * wx
	x[stateY] += kv * s * wy
	x[stateYaw] = wrapAngle(x[stateYaw] + 2*half)

	// Derivative by the half turn: s′·w + s·w turned by +90°.
	hx, hy := kv*(ds*wx-s*wy), kv*(ds*wy+s*wx)
	j[0] = [stateDim]float64{stateYaw: -kv * s * wy, stateSpeed: s * wx, stateTurn: hx * m.turn / 2, stateDrift: hx * m.dx / 2, stateCrab: -kv * s * sin * m.dx}
	j[1] = [stateDim]float64{stateYaw: kv * s * wx, stateSpeed: s * wy, stateTurn: hy * m.turn / 2, stateDrift: hy * m.dx / 2, stateCrab: kv * s * cos * m.dx}
	j[2] = [stateDim]float64{stateTurn: m.turn, stateDrift: m.dx}
	return j, cos, sin
}

// predict moves mean and covariance, P ← F·P·Fᵀ + Q, and then relaxes the slip
// towards its own mean and variance.
func (e *estimate) predict(m *motion, n *MotionNoise) {
	f, cos, sin := e.x.advance(m)
	p := &e.p
	// Rows, then columns. Rows x and y need the old row yaw, so row yaw comes last.
	for r := range f {
		row := p[r]
		for k := stateYaw; k < stateDim; k++ {
			if c := f[r][k]; c != 0 {
				for j := range stateDim {
					row[j] += c * p[k][j]
				}
			}
		}
		p[r] = row
	}
	for i := range stateDim {
		row := &p[i]
		for r := range f {
			sum := row[r]
			for k := stateYaw; k < stateDim; k++ {
				sum += f[r][k] * row[k]
			}
			row[r] = sum
		}
	}
	e.addChance(m, n, f[0][stateYaw], f[1][stateYaw], cos, sin)
	e.changeSlip(m, n)
	p.symmetrise()
}

// addChance adds Q, the covariance of the random errors along, across and in
// heading. (vx, vy) is the displacement of the step turned by +90°. When the
// heading's variance grows steadily by q over the step, the end of the step has the
// covariance v·q/2 with the heading and the covariance v·vᵀ·q/3 in position.
func (e *estimate) addChance(m *motion, n *MotionNoise, vx, vy, cos, sin float64) {
	dist, turn := math.Hypot(m.dx, m.dy), math.Abs(m.turn)
	grown := func(perMetre, perRadian float64) float64 {
		return perMetre*perMetre*dist + perRadian*perRadian*turn
	}
	along := grown(n.AlongPerMetre, n.AlongPerRadian)
	across := grown(n.AcrossPerMetre, n.AcrossPerRadian)
	yaw := grown(n.YawPerMetre, n.YawPerRadian)
	p := &e.p
	p[stateX][stateX] += cos*cos*along + sin*sin*across + vx*vx*yaw/3 + m.spreadPos
	p[stateY][stateY] += sin*sin*along + cos*cos*across + vy*vy*yaw/3 + m.spreadPos
	p[stateYaw][stateYaw] += yaw + m.spreadYaw
	for _, c := range [3]struct {
		i, j int
		v    float64
	}{
		{stateX, stateY, cos*sin*(along-across) + vx*vy*yaw/3},
		{stateX, stateYaw, vx * yaw / 2},
		{stateY, stateYaw, vy * yaw / 2},
	} {
		p[c.i][c.j] += c.v
		p[c.j][c.i] += c.v
	}
}

// changeSlip advances the stationary first-order Gauss–Markov process (Bar-Shalom
// et al. 2001, §8.2.2) by the distance: k ← k̄ + φ·(k − k̄), variance
// φ²·p + (1−φ²)·σ².
func (e *estimate) changeSlip(m *motion, n *MotionNoise) {
	distance := math.Hypot(m.dx, m.dy) + math.Abs(m.turn)
	if distance == 0 {
		return
	}
	phi := math.Exp(-distance / n.SlipLength)
	fresh := -math.Expm1(-2 * distance / n.SlipLength)
	perfect := Slip{Speed: 1, Turn: 1}.parts()
	for k, sd := range n.SlipStdDev.parts() {
		i := firstSlip + k
		e.x[i] = perfect[k] + phi*(e.x[i]-perfect[k])
		for j := range stateDim {
			e.p[i][j] *= phi
			e.p[j][i] *= phi
		}
		e.p[i][i] += fresh * sd * sd
	}
}
