package localization

import "math"

// motion is a constant body twist times its duration, as odometry has it:
// path along base x and y (m) and turn (rad), and for an unknown motion the
// variances by which the pose spreads.
type motion struct {
	dx, dy, turn         float64
	spreadPos, spreadYaw float64 // m², rad²
}

// share returns the part f of a motion. The path of a constant twist divides
// without a rest, and variances divide as the distance does.
func (m motion) share(f float64) motion {
	return motion{f * m.dx, f * m.dy, f * m.turn, f * m.spreadPos, f * m.spreadYaw}
}

// motionBetween returns the constant twist that leads from one odometry pose to
// another: the inverse of advance at scales of one.
func motionBetween(x0, y0, yaw0, x1, y1, yaw1 float64) motion {
	turn := WrapAngle(yaw1 - yaw0)
	s, _ := sinc(turn / 2)
	sin, cos := math.Sincos(yaw0 + turn/2)
	ex, ey := (x1-x0)/s, (y1-y0)/s
	return motion{dx: cos*ex + sin*ey, dy: -sin*ex + cos*ey, turn: turn}
}

// advance moves the mean x by m and returns the Jacobian's entries that differ
// from the identity's: columns yaw, speed scale and turn scale of the rows x
// and y, and the turn scale's of the row yaw, which is m.turn.
//
// With true turn a = k_ω·turn, heading in the middle h = yaw + a/2 and
// w = R(h)·(dx, dy), a constant twist leads to (Thrun et al. 2005, §5.3.3, in
// the form that holds for a → 0)
//
//	(x, y) += k_v·sinc(a/2)·w        yaw += a
func (x *stateVector) advance(m *motion) (jx, jy [3]float64, mid [2]float64) {
	kv, kw := x[stateSpeedScale], x[stateTurnScale]
	half := kw * m.turn / 2
	s, ds := sinc(half)
	sin, cos := math.Sincos(x[stateYaw] + half)
	wx, wy := cos*m.dx-sin*m.dy, sin*m.dx+cos*m.dy
	x[stateX] += kv * s * wx
	x[stateY] += kv * s * wy
	x[stateYaw] = WrapAngle(x[stateYaw] + 2*half)
	jx = [3]float64{-kv * s * wy, s * wx, kv * (ds*wx - s*wy) * m.turn / 2}
	jy = [3]float64{kv * s * wx, s * wy, kv * (ds*wy + s*wx) * m.turn / 2}
	return jx, jy, [2]float64{cos, sin}
}

// predict moves mean and covariance: P ← F·P·Fᵀ + Q.
func (e *estimate) predict(m *motion, n *MotionNoise) {
	jx, jy, mid := e.x.advance(m)
	p := &e.p
	// F differs from the identity in seven entries; rows first, then columns.
	for j := range stateDim {
		yaw, kv, kw := p[stateYaw][j], p[stateSpeedScale][j], p[stateTurnScale][j]
		p[stateX][j] += jx[0]*yaw + jx[1]*kv + jx[2]*kw
		p[stateY][j] += jy[0]*yaw + jy[1]*kv + jy[2]*kw
		p[stateYaw][j] += m.turn * kw
	}
	for i := range stateDim {
		yaw, kv, kw := p[i][stateYaw], p[i][stateSpeedScale], p[i][stateTurnScale]
		p[i][stateX] += jx[0]*yaw + jx[1]*kv + jx[2]*kw
		p[i][stateY] += jy[0]*yaw + jy[1]*kv + jy[2]*kw
		p[i][stateYaw] += m.turn * kw
	}
	dist, turn := math.Hypot(m.dx, m.dy), math.Abs(m.turn)
	grown := func(perMetre, perRadian float64) float64 {
		return perMetre*perMetre*dist + perRadian*perRadian*turn
	}
	along := grown(n.AlongPerMetre, n.AlongPerRadian)
	across := grown(n.AcrossPerMetre, n.AcrossPerRadian)
	yaw := grown(n.YawPerMetre, n.YawPerRadian)
	cos, sin := mid[0], mid[1]
	// A heading that walks by q over the step moves its end by v·q/2 on the
	// average and spreads it by v·vᵀ·q/3, v the path turned by +90°.
	vx, vy := jx[0], jy[0]
	p[stateX][stateX] += cos*cos*along + sin*sin*across + vx*vx*yaw/3 + m.spreadPos
	p[stateX][stateY] += cos*sin*(along-across) + vx*vy*yaw/3
	p[stateY][stateY] += sin*sin*along + cos*cos*across + vy*vy*yaw/3 + m.spreadPos
	p[stateX][stateYaw] += vx * yaw / 2
	p[stateY][stateYaw] += vy * yaw / 2
	p[stateYaw][stateYaw] += yaw + m.spreadYaw
	p[stateSpeedScale][stateSpeedScale] += grown(n.SpeedScalePerMetre, 0)
	p[stateTurnScale][stateTurnScale] += grown(0, n.TurnScalePerRadian)
	p[stateY][stateX] = p[stateX][stateY]
	p[stateYaw][stateX] = p[stateX][stateYaw]
	p[stateYaw][stateY] = p[stateY][stateYaw]
	p.symmetrise()
}
