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
// Up to some hundred observations the posterior is exact, and its cost a square of
// their number. One that [NewSparse] makes goes over to inducing points beyond,
// z_1 … z_m, which are places: k̂(P, δ_z) is the closed form with Σ' = 0. What they
// leave unexplained of f̂ at an observation's belief, r = k̂(P,P) - k̂(P,Z)K⁻¹k̂(Z,P),
// is added to that observation's own noise variance (FITC, Snelson and Ghahramani
// 2006). Of the approximations with inducing points this one was taken because the
// self term k̂(P,P) and the noise differ from one belief to the next here, and where
// the points don't suffice it errs on the side of knowing too little; the collapsed
// variational bound (Titsias 2009), which ignores r in the prediction, is surer than
// it may be there. That it favours too little noise when hyper-parameters are
// learnt on it (Bauer, van der Wilk and Rasmussen 2016) does not come in: [Fit] uses
// the exact likelihood of at most [FitConfig].MaxObservations. A point is placed
// whenever r exceeds 1e-3 of the noise variance. On 1500 readings along a path the
// mean is then within 0.1 of the exact posterior's deviations, on average 0.02,
// and the standard deviation within 2 %.
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
