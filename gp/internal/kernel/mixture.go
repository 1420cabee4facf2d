// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package kernel

import "math"

// The kernels, as indices of [Mixtures].
const (
	squaredExponential = iota
	matern52
	matern32
	matern12
	rationalQuadratic
)

// Component is one term of a mixture, w_j exp(-r²/2s_j²).
type Component struct{ Scale, Weight float64 } // s_j, w_j

// Mixtures holds the terms of each kernel.
//
// As functions of r², the kernels are Laplace transforms of densities of 1/s²:
// s² ~ Gamma(ν, ν) gives the Matérn kernel of smoothness ν, and 1/s² ~ Gamma(α, α)
// the rational quadratic. The mixtures here are better than quadratures of those
// integrals. They were found by Remez's exchange algorithm and minimise the largest
// error over r ≥ 0 among all mixtures of J terms that are 1 at r = 0. Proof: the error
// attains its largest size 2J times with alternating signs. The difference from a
// better mixture would therefore have 2J-1 zeros between those places and one at 0,
// but a sum of 2J exponentials in r² has at most 2J-1. All but the exponential kernel have
// the smallest number of terms with an error below 1e-3. An error below 1e-4 would take 5, 6
// and 8 terms, and proportionally more time. The exponential kernel has a tip at r = 0, and
// each further term about halves its error: six terms come to 1.68e-3, seven to about 0.9e-3.
var Mixtures = [...]Mixture{
	squaredExponential: {{1, 1}},
	matern52: { // off by at most 7.22e-4
		{0.43098540657024111, 0.11490413906031985},
		{0.8291355994671282, 0.56605238378179783},
		{1.3541907879958871, 0.31904347715788232},
	},
	matern32: { // off by at most 6.1e-4
		{0.19632928078809386, 0.034432648268247564},
		{0.48010241110641393, 0.23513036292753491},
		{0.90671783360901973, 0.51046829549650405},
		{1.5372534229675676, 0.21996869330771347},
	},
	matern12: { // off by at most 3.28e-3, most of it at r < 0.01 and r < 0.3
		{0.014098897535850407, 0.028422086527341579},
		{0.085665690677054943, 0.096061556922102706},
		{0.2893820234996391, 0.23687390360767224},
		{0.76328259789433595, 0.40194519170316273},
		{1.7266620712783953, 0.23669726123972085},
	},
	rationalQuadratic: { // off by at most 6.66e-4
		{0.62480474113064371, 0.22772629635641122},
		{1.1307396262742802, 0.44696517822981486},
		{2.2236777784349611, 0.24403301981266374},
		{5.1160112613772811, 0.070211538661159172},
		{16.968694807061431, 0.011063966939951005},
	},
}

// Mixture is a sum of squared exponentials whose length-scales are multiples of
// common length-scales. The weights add up to 1.
type Mixture []Component

// SlopeVariance returns Σ_j w_j/s_j², the prior variance of a partial derivative of f
// for σ_f = ℓ = 1.
func (m Mixture) SlopeVariance() float64 {
	v := 0.0
	for _, c := range m {
		v += c.Weight / (c.Scale * c.Scale)
	}
	return v
}

// Shortest returns the shortest scale s_j.
func (m Mixture) Shortest() float64 {
	s := math.Inf(1)
	for _, c := range m {
		s = min(s, c.Scale)
	}
	return s
}
