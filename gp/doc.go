// Package gp is Gaussian-process regression whose inputs are Gaussian beliefs
// instead of points: an observation made somewhere around x̂ with covariance Σ
// enters as N(x̂, Σ), and a query asks for the expected value of the function
// under N(x, Σ̂).
//
// The prior is f̂ ~ GP(m, k̂) over probability measures P,
//
//	k̂(P, P') = ∫∫ k(x, x') dP(x) dP'(x')                        (Eq. ugp-k)
//
// with k the squared-exponential kernel, for which k̂ has a closed form between
// Gaussians (Eq. k_use), or a mixture of such in place of a rougher one: see [Kind].
// The equations named in this package are those of
// Oliveira, Ott and Ramos, "Bayesian optimisation under uncertain inputs",
// AISTATS 2019. "R&W" is Rasmussen and Williams, "Gaussian Processes for
// Machine Learning", 2006.
//
// Values and hyper-parameters are always in the user's units. Inside, values
// are centred and divided by the signal's deviation, so that no result depends
// on the unit of measurement. Variances are variances (m²-like), never
// deviations; a length-scale is a length.
//
// A wrong shape is the caller's bug and panics; bad data is an error. A GP may
// be read by several goroutines as long as none adds to it; a [Predictor]
// belongs to one goroutine.
package gp
