// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package gp is Gaussian-process regression whose inputs are Gaussian beliefs instead
// of points. An observation at the estimated place x̂ with covariance Σ enters as
// N(x̂, Σ). A query asks for the expected value of the function under N(x, Σ̂). Inputs may have
// any number of dimensions, and covariances may be correlated, singular or zero. Package
// gp/fit learns the hyper-parameters.
//
// The prior is f̂ ~ GP(m, k̂) over probability measures P,
//
//	k̂(P, P') = ∫∫ k(x, x') dP(x) dP'(x')                        (Eq. ugp-k)
//
// where k is the squared-exponential kernel, for which k̂ between Gaussians has a closed
// form (Eq. k_use), or a mixture of squared exponentials that approximates another
// kernel: see [Kind]. The equations named in this package are those of Oliveira, Ott
// and Ramos, "Bayesian optimisation under uncertain inputs", AISTATS 2019. "R&W" is
// Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006.
//
// A posterior made by [New] is exact. Time and memory grow with the square of the number of observations, which suits some hundred of them.
// A posterior made by [NewSparse] is exact up to a limit and then uses inducing points z_1 … z_m. They are places, so k̂(P, δ_z) is the
// closed form with Σ' = 0. The variance of f̂ at an observation's belief that these points do not explain, r = k̂(P,P) - k̂(P,Z)K⁻¹k̂(Z,P),
// is added to the noise variance of that observation (FITC, Snelson and Ghahramani 2006). There are two reasons for this approximation: it
// allows a self term k̂(P,P) and a noise that differ between beliefs, and where there are too few points it overestimates the uncertainty.
// The collapsed variational bound (Titsias 2009), which ignores r in the prediction, underestimates it there. FITC favours too little noise
// when hyper-parameters are learnt with it (Bauer, van der Wilk and Rasmussen 2016); package gp/fit is not affected because it uses the
// exact likelihood of a bounded number of observations. A point is placed whenever r exceeds 1e-3 of the noise variance. For 1500 readings
// along a path, the mean then differs from the exact one by at most 0.1 exact standard deviations, 0.02 on average, and the standard
// deviation by at most 2 %.
//
// Data that cover the field before the first sample, such as a satellite image, can be a [Covariate]. The prior mean is then linear in the
// covariates c_j, with weights b_j ~ N(0, s_j²). Since f̂(P) gains b_j ∫ c_j dP, k̂(P, P') gains
//
//	Σ_j s_j² c̄_j(P) c̄_j(P'),  c̄_j(P) = ∫ c_j dP
//
// and everything above remains the same. With s_j → ∞ this is universal kriging. The mean m may be uncertain, too, with the standard
// deviation [Hyper].MeanStdDev: it is then the weight of the constant 1, and a large deviation without covariates gives ordinary kriging.
// An exact posterior treats the mean separately from K̂+Λ, which is therefore as well-conditioned as with a known mean. A sparse posterior
// treats all weights separately from the inducing points, so that this part is exact.
//
// Values and hyper-parameters are always in the user's units. Internally, values are
// centred and divided by the standard deviation of the signal, so that no result
// depends on the unit of measurement. A variance is in squared units, a length-scale
// is a length.
//
// A wrong shape is the caller's bug and panics; bad data is an error. Several goroutines
// may read a GP while none adds to it; a [Predictor] must be used by one goroutine at a
// time.
package gp
