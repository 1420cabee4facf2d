// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"

	"github.com/paulmach/orb"
)

// Pose is a position in metres and a heading in radians, in the map's frame.
type Pose struct{ X, Y, Yaw float64 }

// Point returns the position that is (forward, left) metres from p in p's frame.
func (p Pose) Point(forward, left float64) orb.Point {
	s, c := math.Sincos(p.Yaw)
	return orb.Point{p.X + c*forward - s*left, p.Y + s*forward + c*left}
}

// moved returns the pose after dt seconds of the constant body velocity (vx, vy,
// w): exact, an arc of a circle (the exponential map of the plane's rigid
// motions). The heading is wrapped to (−π, π].
func (p Pose) moved(vx, vy, w, dt float64) Pose {
	a := w * dt
	// f = sin(a)/a and g = (1 − cos a)/a, by their series where the quotients
	// lose digits; the terms left out are below 1e-17 there.
	f, g := 1-a*a/6, a/2
	if math.Abs(a) > 1e-4 {
		s, c := math.Sincos(a)
		f, g = s/a, (1-c)/a
	}
	q := p.Point(dt*(f*vx-g*vy), dt*(g*vx+f*vy))
	return Pose{X: q[0], Y: q[1], Yaw: wrap(p.Yaw + a)}
}

// wrap returns the angle in (−π, π] that has the same direction as a.
func wrap(a float64) float64 {
	a = math.Remainder(a, 2*math.Pi)
	if a <= -math.Pi {
		a += 2 * math.Pi
	}
	return a
}
