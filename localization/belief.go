// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import "math"

// Covariance is the covariance of a place, m².
type Covariance struct {
	XX float64 `json:"xx_m2"`
	XY float64 `json:"xy_m2"`
	YY float64 `json:"yy_m2"`
}

// Axes returns the standard deviations along the principal axes, m: the roots of the eigenvalues
//
//	λ = (xx + yy)/2 ± √(((xx − yy)/2)² + xy²)
//
// and the angle of the major axis, counter-clockwise from x, in (−π/2, π/2]. Rounding can make the
// smaller eigenvalue of a singular covariance negative; it counts as zero then.
func (c Covariance) Axes() (major, minor, angle float64) {
	mid, radius := (c.XX+c.YY)/2, math.Hypot((c.XX-c.YY)/2, c.XY)
	return math.Sqrt(max(0, mid+radius)), math.Sqrt(max(0, mid-radius)), math.Atan2(2*c.XY, c.XX-c.YY) / 2
}

// Belief is a Gaussian belief about a place in the map frame: mean in m, covariance in m².
type Belief struct {
	X  float64 `json:"x_m"`
	Y  float64 `json:"y_m"`
	XX float64 `json:"xx_m2"`
	XY float64 `json:"xy_m2"`
	YY float64 `json:"yy_m2"`
}

// Covariance returns the covariance of the belief.
func (b Belief) Covariance() Covariance { return Covariance{XX: b.XX, XY: b.XY, YY: b.YY} }

// Inside reports whether a place lies in the belief's 2σ ellipse. This ellipse
// contains 86.5 % of a planar Gaussian: 1 − exp(−2²/2).
func (b Belief) Inside(p [2]float64) bool { return b.SquaredDistance(p) <= 2*2 }

// SquaredDistance returns the squared Mahalanobis distance between a place, m, and the
// belief, NaN if the covariance is not positive definite.
func (b Belief) SquaredDistance(p [2]float64) float64 {
	det := b.XX*b.YY - b.XY*b.XY
	if !(det > 0) {
		return math.NaN()
	}
	dx, dy := p[0]-b.X, p[1]-b.Y
	return (b.YY*dx*dx - 2*b.XY*dx*dy + b.XX*dy*dy) / det
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
// heading states where the robot is, but not which way it faces.
func (p Pose) HeadingKnown() bool { return p.Cov[2][2] < unknownYaw }

// PositionCovariance returns the covariance of the position alone.
func (p Pose) PositionCovariance() Covariance {
	return Covariance{p.Cov[0][0], p.Cov[0][1], p.Cov[1][1]}
}

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

// wrapAngle returns the angle in (−π, π] that has the same direction as a (rad).
func wrapAngle(a float64) float64 {
	if a = math.Remainder(a, 2*math.Pi); a <= -math.Pi {
		return math.Pi
	}
	return a
}
