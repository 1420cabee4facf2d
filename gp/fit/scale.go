// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import "math"

// guessLogStdDev is the standard deviation of the logarithm of the guessed variance: the guess
// is correct within a factor of e⁶ with probability 0.95, which is a factor of 20 in the
// standard deviation.
const guessLogStdDev float64 = 3

// scale returns the number by which [Hyper] divides n values whose sample standard
// deviation is sd > 0, with a guess g of the variance. Its
// square v maximises in log v the product of two densities: that of the sample variance
// s² = sd², which for n independent normal values is v·χ²_ν/ν with ν = n-1, and that of
// the guess, log-normal with standard deviation τ:
//
//	log v = argmax -ν/2·(log v + s²/v) - (log v - log g)²/2τ²
//
// Where the derivative is zero, w = log v - log g + a with a = ντ²/2 is Lambert's W of
// a·s²/g·exp(a). Values that are similar by chance therefore lower log v by at most a
// from log g. With τ = 3, v is at least a hundredth of g for two values, however
// similar, and a ten-thousandth for three.
func (c Config) scale(sd float64, n int) float64 {
	logGuess := math.Log(c.GuessedVariance)
	a := 0.5 * float64(n-1) * guessLogStdDev * guessLogStdDev
	w := lambertExp(math.Log(a) + 2*math.Log(sd) - logGuess + a)
	return math.Exp(0.5 * (logGuess - a + w))
}

// lambertExp returns Lambert's W(e^c), the w ≥ 0 for which w + log w = c.
func lambertExp(c float64) float64 {
	// The start is left of the root because x/(1+x) ≤ log(1+x) ≤ x with x = e^c. As
	// w + log w is concave, Newton's method rises to the root without passing it. It has
	// arrived when it no longer rises.
	w := 1 / (1 + math.Exp(-c))
	for {
		next := w * (1 + c - math.Log(w)) / (1 + w)
		if !(next > w) {
			return w
		}
		w = next
	}
}
