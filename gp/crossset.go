// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"slices"

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
	terms  []float64    // in others: nJ terms, see [kernel.Part.AppendTerm]
	plain  bool         // all of these are aligned
	half   []float64    // workspace, n: half of the squared distances, and their exponentials
	slope  []float64    // workspace, n×d
}

// reset makes s the set of the beliefs x, n×d, and cov, n×d(d+1)/2, in the memory that it has. It keeps query.
func (s *crossSet) reset(k *kernel.Unit, query, x, cov []float64) {
	d, q := k.Dim, packed.Len(k.Dim)
	n := len(x) / d
	s.dim, s.parts, s.query, s.n = d, k.Terms(), query, n
	s.half, s.slope = sized(s.half, n), sized(s.slope, n*d)
	s.planar, s.terms, s.plain = s.planar[:0], s.terms[:0], true
	j, size := len(s.parts), kernel.TermLen(d)
	for i := range s.n {
		xi, si := x[i*d:(i+1)*d], cov[i*q:(i+1)*q]
		alike := i > 0 && slices.Equal(si, cov[(i-1)*q:i*q]) // as between points: the terms differ in the mean alone
		switch {
		case d == 2 && alike:
			s.planar = append(s.planar, s.planar[(i-1)*j:]...)
			for part := range j {
				t := &s.planar[i*j+part]
				t.x, t.y = xi[0], xi[1]
			}
			continue
		case d == 2:
			s.planar = appendPlanarTerms(s.planar, s.parts, xi, si, query)
			continue
		case alike:
			s.terms = append(s.terms, s.terms[(i-1)*j*size:]...)
			for part := range j {
				copy(s.term(i, part), xi)
			}
			continue
		}
		for _, p := range s.parts {
			from := len(s.terms)
			s.terms = p.AppendTerm(s.terms, xi, si, query)
			s.plain = s.plain && kernel.Aligned(s.terms[from:], d)
		}
	}
}

// term returns a term of belief i in dimensions other than two.
func (s *crossSet) term(i, part int) []float64 {
	size := kernel.TermLen(s.dim)
	at := (i*len(s.parts) + part) * size
	return s.terms[at : at+size]
}

// norm returns w/√|M| of a term of belief i.
func (s *crossSet) norm(i, part int) float64 {
	if s.dim == 2 {
		return s.planar[i*len(s.parts)+part].norm
	}
	t := s.term(i, part)
	return t[len(t)-1]
}

// cross writes the covariances with the beliefs into k.
func (s *crossSet) cross(k, x []float64) {
	k = k[:s.n]
	clear(k)
	for part := range s.parts {
		for i := range s.half {
			if s.dim == 2 {
				s.half[i] = s.planar[i*len(s.parts)+part].half(x[0], x[1])
			} else {
				s.half[i] = kernel.Half(s.term(i, part), x, s.plain)
			}
		}
		kernel.ExpNegAll(s.half)
		for i, v := range s.half {
			k[i] += v * s.norm(i, part)
		}
	}
}

// crossAll writes the covariances of the beliefs with b places, b×d, into the rows of k, n×b.
func (s *crossSet) crossAll(k []float64, b int, places []float64) {
	j := len(s.parts)
	for i := range s.n {
		row := k[i*b : (i+1)*b]
		if s.dim == 2 {
			crossPoints(row, s.planar[i*j:(i+1)*j], places)
		} else {
			size := j * kernel.TermLen(s.dim)
			kernel.Sums(row, s.terms[i*size:(i+1)*size], places)
		}
	}
}

// grad writes the covariances with the beliefs into k and their negated gradients with
// respect to x into g, n×d.
func (s *crossSet) grad(k, g, x []float64) {
	d := s.dim
	k, g = k[:s.n], g[:s.n*d]
	clear(k)
	clear(g)
	for part := range s.parts {
		switch {
		case d == 2:
			for i := range s.half {
				t, slope := &s.planar[i*len(s.parts)+part], s.slope[2*i:2*i+2]
				u, v := x[0]-t.x, x[1]-t.y
				slope[0], slope[1] = t.pxx*u+t.pxy*v, t.pxy*u+t.pyy*v
				s.half[i] = 0.5 * (slope[0]*u + slope[1]*v)
			}
		case s.plain && s.n > 0:
			size := kernel.TermLen(d)
			kernel.AlignedSlopes(s.half, s.slope, s.terms[part*size:], len(s.parts)*size, x)
		default:
			for i := range s.half {
				s.half[i] = kernel.Slope(s.slope[i*d:(i+1)*d], s.term(i, part), x)
			}
		}
		kernel.ExpNegAll(s.half)
		for i, v := range s.half {
			e := v * s.norm(i, part)
			k[i] += e
			for c, slope := range s.slope[i*d : (i+1)*d] {
				g[i*d+c] += e * slope
			}
		}
	}
}
