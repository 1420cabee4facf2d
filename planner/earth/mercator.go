// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package earth

import (
	"math"

	"github.com/wroge/wgs84"
)

// transverse is the transverse Mercator projection of UTM with the given central meridian,
// by Krüger's series in the third flattening n, up to n⁴, which is exact to a micrometre in
// a zone (C. Karney: Transverse Mercator with an accuracy of a few nanometers, J. Geodesy 85,
// 2011). The projection of package wgs84 is off by decimetres at the edge of a zone.
type transverse struct {
	meridian float64 // degrees
	falseN   float64 // northing of the equator, m
}

const (
	flattening = 1 / wgs84.Fi
	third      = flattening / (2 - flattening) // n
	scale      = 0.9996                        // on the central meridian, k₀
	falseE     = 500e3                         // easting of the central meridian, m

	// meridian's quarter arc over π/2, A of Eq. 14, times k₀
	rectifying = scale * wgs84.A / (1 + third) * (1 + third*third/4 + third*third*third*third/64)
)

var (
	eccentricity = math.Sqrt(flattening * (2 - flattening))

	// Eq. 35 and 36: α from the conformal to the rectifying sphere, β back.
	alpha = [4]float64{
		poly(1./2, -2./3, 5./16, 41./180) * third,
		poly(13./48, -3./5, 557./1440) * third * third,
		poly(61./240, -103./140) * third * third * third,
		poly(49561./161280) * third * third * third * third,
	}
	beta = [4]float64{
		poly(1./2, -2./3, 37./96, -1./360) * third,
		poly(1./48, 1./15, -437./1440) * third * third,
		poly(17./480, -37./840) * third * third * third,
		poly(4397./161280) * third * third * third * third,
	}
)

// poly returns the sum of c[i]·nⁱ.
func poly(c ...float64) (sum float64) {
	for i := len(c) - 1; i >= 0; i-- {
		sum = sum*third + c[i]
	}
	return sum
}

// project returns easting and northing, m, of a longitude and latitude, degrees.
func (m transverse) project(lon, lat float64) (east, north float64) {
	sin, cos := math.Sincos((lon - m.meridian) * math.Pi / 180)
	tau := conformal(math.Tan(lat * math.Pi / 180))
	xi, eta := math.Atan2(tau, cos), math.Asinh(sin/math.Hypot(tau, cos)) // Eq. 10
	dXi, dEta := series(&alpha, xi, eta)
	return falseE + rectifying*(eta+dEta), m.falseN + rectifying*(xi+dXi) // Eq. 11 to 13
}

// geographic is the inverse of project.
func (m transverse) geographic(east, north float64) (lon, lat float64) {
	xi, eta := (north-m.falseN)/rectifying, (east-falseE)/rectifying
	dXi, dEta := series(&beta, xi, eta)
	xi, eta = xi-dXi, eta-dEta
	sin, cos := math.Sincos(xi)
	want := sin / math.Hypot(math.Sinh(eta), cos) // Eq. 18
	// Newton's method on the tangent of the latitude, Eq. 19 to 21: three steps suffice.
	const e2 = flattening * (2 - flattening)
	tau := want
	for range 3 {
		got := conformal(tau)
		tau += (want - got) / math.Hypot(1, got) * (1 + (1-e2)*tau*tau) / ((1 - e2) * math.Hypot(1, tau))
	}
	return m.meridian + math.Atan2(math.Sinh(eta), cos)*180/math.Pi, math.Atan(tau) * 180 / math.Pi
}

// conformal returns the tangent of the conformal latitude for that of the latitude, Eq. 7
// to 9.
func conformal(tau float64) float64 {
	sigma := math.Sinh(eccentricity * math.Atanh(eccentricity*tau/math.Hypot(1, tau)))
	return tau*math.Hypot(1, sigma) - sigma*math.Hypot(1, tau)
}

// series returns the sums of c[j]·sin 2jξ·cosh 2jη and of c[j]·cos 2jξ·sinh 2jη.
func series(c *[4]float64, xi, eta float64) (dXi, dEta float64) {
	for j, coefficient := range c {
		k := 2 * float64(j+1)
		sin, cos := math.Sincos(k * xi)
		dXi += coefficient * sin * math.Cosh(k*eta)
		dEta += coefficient * cos * math.Sinh(k*eta)
	}
	return dXi, dEta
}
