package gp

import (
	"ugp_explorer/gp/internal/kernel"
	"ugp_explorer/gp/internal/packed"
)

// crossSet computes the covariances, for σ_f = 1, of f̂(N(x, Σ̂)) with f̂ at a set of
// beliefs, for one fixed Σ̂ and any x. The parts of (W+Σ_i+Σ̂)⁻¹ and of the normaliser
// that do not depend on x are computed once per belief.
type crossSet struct {
	dim    int
	parts  []kernel.Part // J terms of the kernel; one unless it is a mixture
	query  []float64     // Σ̂, packed
	n      int
	planar []planarTerm // in two dimensions: nJ terms
	terms  []float64    // in others: nJ terms of appendAlignedTerm
}

// newCrossSet returns the set of the beliefs x, n×d, and cov, n×d(d+1)/2.
func newCrossSet(k *kernel.Unit, query, x, cov []float64) crossSet {
	d, q := k.Dim, packed.Len(k.Dim)
	s := crossSet{dim: d, parts: partsOf(k), query: query, n: len(x) / d}
	for i := range s.n {
		xi, si := x[i*d:(i+1)*d], cov[i*q:(i+1)*q]
		if d == 2 {
			s.planar = appendPlanarTerms(s.planar, s.parts, xi, si, query)
			continue
		}
		for _, p := range s.parts {
			s.terms = appendAlignedTerm(s.terms, p, xi, si, query)
		}
	}
	return s
}

// cross writes the covariances with the beliefs into k.
func (s *crossSet) cross(k, x []float64) {
	j := len(s.parts)
	k = k[:s.n]
	switch {
	case s.dim == 2 && j == 1:
		crossPlanar(k, s.planar, x[0], x[1])
	case s.dim == 2:
		crossPlanarMixture(k, s.planar, j, x[0], x[1])
	default:
		crossAligned(k, s.terms, j, x)
	}
}

// grad writes the covariances with the beliefs into k and their negated gradients with
// respect to x into g, n×d.
func (s *crossSet) grad(k, g, x []float64) {
	k, g = k[:s.n], g[:s.n*s.dim]
	j := len(s.parts)
	switch {
	case s.dim == 2 && j == 1:
		crossGradPlanar(k, g, s.planar, x[0], x[1])
	case s.dim == 2:
		crossGradPlanarMixture(k, g, s.planar, j, x[0], x[1])
	default:
		crossGradAligned(k, g, s.terms, j, x)
	}
}
