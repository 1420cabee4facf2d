// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

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
	dim    int
	parts  []kernel.Part // J terms of the kernel; one unless it is a mixture
	query  []float64     // Σ̂, packed
	n      int
	planar []planarTerm // in two dimensions: nJ terms
	terms  []float64    // in others: nJ terms, see [kernel.Part.AppendTerm]
	slope  []float64    // and workspace, d
}

// newCrossSet returns the set of the beliefs x, n×d, and cov, n×d(d+1)/2.
func newCrossSet(k *kernel.Unit, query, x, cov []float64) crossSet {
	d, q := k.Dim, packed.Len(k.Dim)
	s := crossSet{dim: d, parts: k.Terms(), query: query, n: len(x) / d}
	if d != 2 {
		s.slope = make([]float64, d)
	}
	for i := range s.n {
		xi, si := x[i*d:(i+1)*d], cov[i*q:(i+1)*q]
		if d == 2 {
			s.planar = appendPlanarTerms(s.planar, s.parts, xi, si, query)
			continue
		}
		for _, p := range s.parts {
			s.terms = p.AppendTerm(s.terms, xi, si, query)
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
		size := j * kernel.TermLen(s.dim)
		for i := range k {
			k[i] = kernel.Sum(s.terms[i*size:(i+1)*size], x)
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
			continue
		}
		size := j * kernel.TermLen(s.dim)
		for c := range row {
			row[c] = kernel.Sum(s.terms[i*size:(i+1)*size], places[c*s.dim:(c+1)*s.dim])
		}
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
		s.general(k, g, x)
	}
}

// general is grad in dimensions other than two.
func (s *crossSet) general(k, g, x []float64) {
	terms, size := s.terms, kernel.TermLen(s.dim)
	clear(g)
	for i := range k {
		k[i] = 0
		for range s.parts {
			v := kernel.Slope(s.slope, terms[:size], x)
			terms = terms[size:]
			k[i] += v
			floats.AddScaled(g[i*s.dim:(i+1)*s.dim], v, s.slope)
		}
	}
}
