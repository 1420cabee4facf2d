// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import "math"

// ModelKind names the shape of the structured part of a variogram.
type ModelKind int

// The models, with ρ(h) the autocorrelation of the structured part and r the
// Range of the Variogram (Webster & Oliver, Geostatistics for Environmental
// Scientists, 2nd ed., section 5.2).
const (
	// Spherical: ρ = 1 − 3h/(2r) + (h/r)³/2 for h < r, and 0 beyond: r is
	// the distance at which the variogram reaches its sill.
	Spherical ModelKind = iota
	// Exponential: ρ = exp(−h/r). The sill is approached, never reached; 95 %
	// of it at 3r.
	Exponential
	// Gaussian: ρ = exp(−h²/r²). 95 % of the sill at √3·r. Note that the
	// squared-exponential kernel of machine learning has exp(−h²/(2ℓ²)), so
	// ℓ = r/√2.
	Gaussian
	// Matern32: ρ = (1 + h/r)·exp(−h/r), the Matérn model of smoothness ν = 3/2. The
	// kernel of machine learning scales h by √(2ν)/ℓ, so ℓ = √(2ν)·r.
	Matern32
	// Matern52: ρ = (1 + h/r + (h/r)²/3)·exp(−h/r), that of smoothness ν = 5/2.
	Matern52
)

// String returns the model's name in lower case.
func (m ModelKind) String() string {
	return [...]string{Spherical: "spherical", Exponential: "exponential", Gaussian: "gaussian", Matern32: "matern32", Matern52: "matern52"}[m]
}

// Variogram is an isotropic, bounded variogram model
//
//	γ(0) = 0,  γ(h) = c₀ + c·(1 − ρ(h)) for h > 0,
//
// with c₀ the nugget, c the structured variance and c₀ + c the sill.
type Variogram struct {
	Model      ModelKind
	Nugget     float64 // c₀, units of the variable squared; ≥ 0
	Structured float64 // c, units of the variable squared; ≥ 0
	Range      float64 // distance parameter r, m; its meaning depends on Model
}

// broomsBarnMean is the mean of log10 K (K in mg/l) in the topsoil of Broom's
// Barn farm.
const broomsBarnMean = 1.3985

// BroomsBarnVariogram returns the spherical variogram fitted to log10 K in the
// topsoil of Broom's Barn farm, from 434 samples at 40 m spacing and lags up
// to 560 m.
func BroomsBarnVariogram() Variogram {
	return Variogram{Model: Spherical, Nugget: 0.00459, Structured: 0.01512, Range: 426}
}

// sill returns c₀ + c, the variance of the process.
func (v Variogram) sill() float64 { return v.Nugget + v.Structured }

// semivariance returns γ(h), half the expected squared difference between two
// values a distance h apart.
func (v Variogram) semivariance(h float64) float64 {
	if h == 0 {
		return 0
	}
	return v.Nugget + v.Structured*(1-v.correlationAt(h))
}

// Covariance returns γ(∞) − γ(h): the sill at h = 0, c·ρ(h) elsewhere.
func (v Variogram) Covariance(h float64) float64 {
	if h == 0 {
		return v.sill()
	}
	return v.Structured * v.correlationAt(h)
}

// correlationAt returns ρ(h), the autocorrelation of the structured part, which
// is continuous at h = 0. The sign of h does not matter.
func (v Variogram) correlationAt(h float64) float64 {
	u := math.Abs(h) / v.Range
	switch v.Model {
	case Spherical:
		if u >= 1 {
			return 0
		}
		return 1 - u*(1.5-0.5*u*u)
	case Exponential:
		return math.Exp(-u)
	case Gaussian:
		return math.Exp(-u * u)
	case Matern32:
		return (1 + u) * math.Exp(-u)
	}
	return (1 + u + u*u/3) * math.Exp(-u)
}
