package gp

import "math"

// What a crossSet keeps of one belief and one part of the kernel when all
// covariances are diagonal, as those of points are: the mean, the diagonal of
// the precision (W+Σ_i+Σ̂)⁻¹ in the user's units, and w/√|M|, with W and M those of
// the part. These are 2d+1 numbers, and there is nothing to solve.

// appendAlignedTerm appends one such term to terms.
func appendAlignedTerm(terms []float64, p part, x, cov, query []float64) []float64 {
	terms = append(terms, x...)
	det := 1.0
	for i := range x {
		m := p.kernel.diagonal(i, cov, query)
		det *= m
		terms = append(terms, p.kernel.inv2[packed(i, i)]/m)
	}
	return append(terms, p.weight/math.Sqrt(det))
}

// crossAligned writes the covariances, of j parts each, into k.
func crossAligned(k, terms []float64, j int, x []float64) {
	d := len(x)
	for i := range k {
		sum := 0.0
		for range j {
			t := terms[:2*d+1]
			terms = terms[2*d+1:]
			xi, precision := t[:d], t[d:2*d]
			h := 0.0
			for a, v := range x {
				u := v - xi[a]
				h += precision[a] * u * u
			}
			sum += expNeg(0.5*h) * t[2*d]
		}
		k[i] = sum
	}
}

// crossGradAligned also writes their gradients, with the opposite sign, into g.
func crossGradAligned(k, g, terms []float64, j int, x []float64) {
	d := len(x)
	clear(g)
	for i := range k {
		sum := 0.0
		gi := g[:d]
		g = g[d:]
		for range j {
			t := terms[:2*d+1]
			terms = terms[2*d+1:]
			xi, precision := t[:d], t[d:2*d]
			h := 0.0
			for a, v := range x {
				u := v - xi[a]
				h += precision[a] * u * u
			}
			h = expNeg(0.5*h) * t[2*d]
			sum += h
			for a, v := range x {
				gi[a] += h * precision[a] * (v - xi[a])
			}
		}
		k[i] = sum
	}
}
