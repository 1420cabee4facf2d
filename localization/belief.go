package localization

import "math"

// Belief is a planar Gaussian over a place in the map frame: mean (m) and covariance (m²).
type Belief struct {
	X, Y       float64
	XX, XY, YY float64
}

// Ellipse returns the half axes (m, major first) of the contour at k standard
// deviations and the direction of the major axis (rad, counter-clockwise from
// the map's x).
func (b Belief) Ellipse(k float64) (major, minor, yaw float64) {
	half, diff := (b.XX+b.YY)/2, (b.XX-b.YY)/2
	r := math.Hypot(diff, b.XY)
	major = k * math.Sqrt(math.Max(half+r, 0))
	minor = k * math.Sqrt(math.Max(half-r, 0))
	return major, minor, math.Atan2(b.XY, diff) / 2
}

// Lever is a point fixed to the robot, in base (m), such as the tip of the probe or the antenna.
type Lever struct{ X, Y float64 }

// Pose is the transform map from base at one moment, with the covariance of x, y, yaw (m², m·rad,
// rad²). Stamp is in nanoseconds.
type Pose struct {
	Stamp     int64
	X, Y, Yaw float64
	Cov       [3][3]float64
}

// HeadingKnown reports whether p's yaw means anything: its variance is below π². A pose without a
// heading tells where the robot is, but not how to drive.
func (p Pose) HeadingKnown() bool { return p.Cov[2][2] < unknownYaw }

// At returns the belief about the position of the lever's end: mean and
// covariance of p + R(ψ)·l for Gaussian (x, y, ψ), exact at any heading
// variance. With s the heading's variance, u = R(ψ̄)·l, v = u turned by +90°
// and c = Cov[(x, y), ψ]:
//
//	mean = (x̄, ȳ) + e^(−s/2)·u
//	cov  = P_xy + e^(−s/2)·(c·vᵀ + v·cᵀ) + ½(1−e^(−s))²·u·uᵀ + ½(1−e^(−2s))·v·vᵀ
//
// because E[cos δ] = e^(−s/2), Var[cos δ] = ½(1−e^(−s))², Var[sin δ] =
// ½(1−e^(−2s)) and Cov[cos δ, sin δ] = 0 for δ ~ N(0, s), and by Stein's
// lemma Cov[(x, y), g(δ)] = c·E[g′(δ)]. For small s it is the first-order
// J·P·Jᵀ; for an unknown heading it is the ring of radius |l| about the pose.
// The result is positive semi-definite when p.Cov is.
func (p Pose) At(l Lever) Belief {
	sin, cos := math.Sincos(p.Yaw)
	ux, uy := cos*l.X-sin*l.Y, sin*l.X+cos*l.Y
	vx, vy := -uy, ux
	s := p.Cov[2][2]
	e := math.Exp(-s / 2)
	m1 := -math.Expm1(-s)
	uu := m1 * m1 / 2
	vv := -math.Expm1(-2*s) / 2
	cx, cy := e*p.Cov[0][2], e*p.Cov[1][2]
	return Belief{
		X:  p.X + e*ux,
		Y:  p.Y + e*uy,
		XX: p.Cov[0][0] + 2*cx*vx + uu*ux*ux + vv*vx*vx,
		XY: p.Cov[0][1] + cx*vy + cy*vx + uu*ux*uy + vv*vx*vy,
		YY: p.Cov[1][1] + 2*cy*vy + uu*uy*uy + vv*vy*vy,
	}
}
