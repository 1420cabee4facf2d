package gp

import "math"

// scale returns the deviation by which [Fit] divides n values whose sample
// deviation is sd > 0. Without a guess it is sd itself. With one its square v is
// the likeliest in log v after the sample variance s² = sd², which for n
// independent normal values is v·χ²_ν/ν with ν = n-1, and after the guess g,
// log-normal with deviation τ:
//
//	log v = argmax -ν/2·(log v + s²/v) - (log v - log g)²/2τ²
//
// Where the derivative is zero, w = log v - log g + a with a = ντ²/2 is
// Lambert's W of a·s²/g·exp(a). So values that chance to be alike take at most a
// off log g: with τ = 3 two of them let v fall to a hundredth of g, however alike
// they are, three to a ten-thousandth.
func (c FitConfig) scale(sd float64, n int) float64 {
	if c.GuessedVariance == 0 {
		return sd
	}
	logGuess := math.Log(c.GuessedVariance)
	a := 0.5 * float64(n-1) * c.GuessLogStdDev * c.GuessLogStdDev
	w := lambertExp(math.Log(a) + 2*math.Log(sd) - logGuess + a)
	return math.Exp(0.5 * (logGuess - a + w))
}

// lambertExp returns Lambert's W(e^c), the w ≥ 0 for which w + log w = c.
func lambertExp(c float64) float64 {
	// The start is left of the root, x/(1+x) ≤ log(1+x) ≤ x with x = e^c, and from
	// there Newton's method climbs to it without ever passing it, as w + log w is
	// concave: when it climbs no more it is there.
	w := 1 / (1 + math.Exp(-c))
	for {
		next := w * (1 + c - math.Log(w)) / (1 + w)
		if !(next > w) {
			return w
		}
		w = next
	}
}
