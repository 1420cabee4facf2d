package sim

import "math"

// maternCorrelation returns 2^(1−ν)/Γ(ν)·u^ν·K_ν(u) for u ≥ 0. The half-integer
// cases have closed forms (Abramowitz & Stegun 10.2.17).
func maternCorrelation(u, nu float64) float64 {
	switch nu {
	case 0.5:
		return math.Exp(-u)
	case 1.5:
		return (1 + u) * math.Exp(-u)
	case 2.5:
		return (1 + u + u*u/3) * math.Exp(-u)
	}
	return maternGeneral(u, nu)
}

// maternGeneral evaluates the Matérn correlation for any ν from
//
//	K_ν(u) = ∫₀^∞ exp(−u·cosh t)·cosh(νt) dt   (DLMF 10.32.9)
//
// by the trapezoidal rule. The integrand is even and entire and falls off
// double-exponentially, so the rule's error falls exponentially with 1/step.
// All terms are logarithms until the sum, since K_ν alone overflows for small u,
// where the product with u^ν is near 1.
func maternGeneral(u, nu float64) float64 {
	if u < 1e-12 {
		return 1 // 1 − ρ is below 1e-11 for all but the tiniest ν
	}
	if u > 700+20*nu {
		return 0 // exp(−u) underflows
	}
	lg, _ := math.Lgamma(nu)
	scale := (1-nu)*math.Ln2 - lg + nu*math.Log(u)
	// The logarithm of the integrand, −u·cosh t + log cosh νt + scale, rises to
	// one maximum near sinh t = ν/u and falls from there on.
	logf := func(t float64) float64 {
		a := nu * t
		return scale - u*math.Cosh(t) + a + math.Log1p(math.Exp(-2*a)) - math.Ln2
	}
	peak := math.Asinh(nu / u)
	top := max(logf(0), logf(peak))
	const step = 1.0 / 32
	sum := 0.5 * math.Exp(logf(0))
	for t := step; ; t += step {
		l := logf(t)
		sum += math.Exp(l)
		if t > peak && l < top-40 { // e^-40 of the largest term
			break
		}
	}
	return min(sum*step, 1)
}
