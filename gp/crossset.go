package gp

import (
	"slices"

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
	x, cov []float64    // the beliefs, n×d and n×d(d+1)/2; they belong to the caller
	planar bool         // d is 2
	plane  []planarTerm // if planar: nJ terms
	terms  []float64    // otherwise: nJ terms written by appendAlignedTerm or, if full, appendGeneralTerm
	full   bool         // some covariance is not diagonal
	t, m   []float64    // workspace, d and d(d+1)/2
}

func newCrossSet(k *kernel.Unit, query []float64) crossSet {
	s := crossSet{dim: k.Dim, planar: k.Dim == 2, query: query, t: make([]float64, k.Dim), m: make([]float64, packed.Len(k.Dim))}
	s.setKernel(k)
	return s
}

// setKernel empties the set and sets the kernel.
func (s *crossSet) setKernel(k *kernel.Unit) {
	s.parts = partsOf(k)
	s.set(0, nil, nil)
}

// set replaces the beliefs. The first keep of them must be equal to the first before. It
// returns the number of beliefs whose covariances are bitwise the same as before: keep,
// or 0. It keeps x and cov without copying.
func (s *crossSet) set(keep int, x, cov []float64) int {
	d, q, j := s.dim, packed.Len(s.dim), len(s.parts)
	s.x, s.cov, s.n = x, cov, len(x)/d
	if s.planar {
		s.plane = s.plane[:keep*j]
	} else {
		full := !packed.Diagonal(s.query, d)
		for i := 0; i < s.n && !full; i++ {
			full = !packed.Diagonal(cov[i*q:(i+1)*q], d)
		}
		if full != s.full {
			s.full, keep = full, 0
		}
		s.terms = s.terms[:keep*j*s.width()]
	}
	for i := keep; i < s.n; i++ {
		xi, si := x[i*d:(i+1)*d], cov[i*q:(i+1)*q]
		if s.planar {
			s.plane = appendPlanarTerms(s.plane, s.parts, xi, si, s.query)
			continue
		}
		for _, p := range s.parts {
			if s.full {
				s.terms = appendGeneralTerm(s.terms, s.m, p, si, s.query)
			} else {
				s.terms = appendAlignedTerm(s.terms, p, xi, si, s.query)
			}
		}
	}
	return keep
}

// shared returns the number of leading beliefs that the set and x, cov have in common.
func (s *crossSet) shared(x, cov []float64) int {
	d, q := s.dim, packed.Len(s.dim)
	for i := range min(s.n, len(x)/d) {
		if !slices.Equal(s.x[i*d:(i+1)*d], x[i*d:(i+1)*d]) || !slices.Equal(s.cov[i*q:(i+1)*q], cov[i*q:(i+1)*q]) {
			return i
		}
	}
	return min(s.n, len(x)/d)
}

// width returns the length of one term in terms.
func (s *crossSet) width() int {
	if s.full {
		return packed.Len(s.dim) + 1
	}
	return 2*s.dim + 1
}

// cross writes the covariances with the beliefs from index from into k.
func (s *crossSet) cross(k []float64, from int, x []float64) {
	j := len(s.parts)
	k = k[:s.n-from]
	switch {
	case s.planar && j == 1:
		crossPlanar(k, s.plane[from:], x[0], x[1])
	case s.planar:
		crossPlanarMixture(k, s.plane[from*j:], j, x[0], x[1])
	case s.full:
		s.general(k, nil, from, x)
	default:
		crossAligned(k, s.terms[from*j*s.width():], j, x)
	}
}

// grad writes the covariances with all beliefs into k and their negated gradients with
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
		s.general(k, g, 0, x)
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
func (s *crossSet) general(k, g []float64, from int, x []float64) {
	d, width := s.dim, s.width()
	t, terms := s.t, s.terms[from*len(s.parts)*width:]
	clear(k)
	clear(g)
	for i := range k {
		xi := s.x[(from+i)*d : (from+i+1)*d]
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
