package gp

import (
	"gonum.org/v1/gonum/floats"

	"ugp_explorer/gp/internal/kernel"
	"ugp_explorer/gp/internal/packed"
)

// crossSet computes the covariances, for σ_f = 1, of f̂(N(x, Σ̂)) with f̂ at a set of
// beliefs, for one fixed Σ̂ and any x. The parts of (W+Σ_i+Σ̂)⁻¹ and of the normaliser
// that do not depend on x are computed once per belief.
type crossSet struct {
	dim   int
	parts []kernel.Part // J terms of the kernel; one unless it is a mixture
	query []float64     // Σ̂, packed

	n      int
	x      []float64    // means of the beliefs, n×d; they belong to the caller
	planar bool         // d is 2
	plane  []planarTerm // if planar: nJ terms
	terms  []float64    // otherwise: nJ terms written by appendAlignedTerm or, if full, appendGeneralTerm
	full   bool         // some covariance is not diagonal
	t, m   []float64    // workspace, d and d(d+1)/2
}

// newCrossSet returns the set of the beliefs x, n×d, and cov, n×d(d+1)/2, which it keeps without
// copying.
func newCrossSet(k *kernel.Unit, query, x, cov []float64) crossSet {
	d, q := k.Dim, packed.Len(k.Dim)
	s := crossSet{
		dim: d, parts: partsOf(k), query: query, n: len(x) / d, x: x, planar: d == 2,
		full: !packed.Diagonal(query, d), t: make([]float64, d), m: make([]float64, q),
	}
	for i := 0; i < s.n && !s.full; i++ {
		s.full = !packed.Diagonal(cov[i*q:(i+1)*q], d)
	}
	for i := range s.n {
		xi, si := x[i*d:(i+1)*d], cov[i*q:(i+1)*q]
		if s.planar {
			s.plane = appendPlanarTerms(s.plane, s.parts, xi, si, query)
			continue
		}
		for _, p := range s.parts {
			if s.full {
				s.terms = appendGeneralTerm(s.terms, s.m, p, si, query)
			} else {
				s.terms = appendAlignedTerm(s.terms, p, xi, si, query)
			}
		}
	}
	return s
}

// width returns the length of one term in terms.
func (s *crossSet) width() int {
	if s.full {
		return packed.Len(s.dim) + 1
	}
	return 2*s.dim + 1
}

// cross writes the covariances with the beliefs into k.
func (s *crossSet) cross(k, x []float64) {
	j := len(s.parts)
	k = k[:s.n]
	switch {
	case s.planar && j == 1:
		crossPlanar(k, s.plane, x[0], x[1])
	case s.planar:
		crossPlanarMixture(k, s.plane, j, x[0], x[1])
	case s.full:
		s.general(k, nil, x)
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
	case s.planar && j == 1:
		crossGradPlanar(k, g, s.plane, x[0], x[1])
	case s.planar:
		crossGradPlanarMixture(k, g, s.plane, j, x[0], x[1])
	case s.full:
		s.general(k, g, x)
	default:
		crossGradAligned(k, g, s.terms, j, x)
	}
}

// appendGeneralTerm appends the packed Cholesky factor of M, the M of the part, and
// w/√|M|. m is workspace.
func appendGeneralTerm(terms, m []float64, p kernel.Part, cov, query []float64) []float64 {
	rootDet := p.Kernel.Factor(m, cov, query)
	return append(append(terms, m...), p.Weight/rootDet)
}

// general is cross in any dimension if g is nil, and grad otherwise.
func (s *crossSet) general(k, g, x []float64) {
	d, width := s.dim, s.width()
	t, terms := s.t, s.terms
	clear(k)
	clear(g)
	for i := range k {
		xi := s.x[i*d : (i+1)*d]
		for _, p := range s.parts {
			term, inv := terms[:width], p.Kernel.Inv
			terms = terms[width:]
			for a := range t {
				t[a] = (x[a] - xi[a]) * inv[a]
			}
			packed.Forward(term, t, d)
			v := kernel.ExpNeg(0.5*floats.Dot(t, t)) * term[width-1]
			k[i] += v
			if g != nil {
				packed.Backward(term, t, d)
				for a, u := range t {
					g[i*d+a] += v * u * inv[a]
				}
			}
		}
	}
}
