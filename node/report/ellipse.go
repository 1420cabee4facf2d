package report

import (
	"math"

	"ugp_explorer/node/record"
)

// ellipseSigmas is the size of the drawn ellipses in standard deviations, as in
// Belief.Inside.
const ellipseSigmas = 2

// axes are the principal axes of a planar covariance.
type axes struct {
	Major, Minor float64 // standard deviations along the axes, m
	Angle        float64 // angle of the major axis from x, counter-clockwise, in (−π/2, π/2]
}

// principal returns the axes of a covariance: the roots of its eigenvalues
//
//	λ = (xx + yy)/2 ± √(((xx − yy)/2)² + xy²)
//
// and the angle ½·atan2(2xy, xx − yy). Rounding can make the smaller eigenvalue of a
// singular covariance negative; it counts as zero then.
func principal(c record.Covariance) axes {
	mid, radius := (c.XX+c.YY)/2, math.Hypot((c.XX-c.YY)/2, c.XY)
	return axes{
		Major: math.Sqrt(math.Max(0, mid+radius)),
		Minor: math.Sqrt(math.Max(0, mid-radius)),
		Angle: math.Atan2(2*c.XY, c.XX-c.YY) / 2,
	}
}

// ellipse returns a belief's ellipse of the given number of standard deviations as a
// closed polygon.
func ellipse(b record.Belief, sigmas float64) []record.Place {
	const corners = 72 // chord and arc differ by 0.1 % of the radius
	a := principal(b.Covariance())
	sin, cos := math.Sincos(a.Angle)
	ring := make([]record.Place, corners+1)
	for i := range ring {
		s, c := math.Sincos(2 * math.Pi * float64(i%corners) / corners)
		u, v := sigmas*a.Major*c, sigmas*a.Minor*s
		ring[i] = record.Place{b.X + u*cos - v*sin, b.Y + u*sin + v*cos}
	}
	return ring
}
