// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"math"

	"ugp_explorer/gp/internal/kernel"
	"ugp_explorer/gp/internal/packed"
)

// planarTerm is the term of one belief and one part of the kernel in two dimensions: the
// mean, the entries of the precision (W+Σ_i+Σ̂)⁻¹ in the user's units, and w/√|M|, with
// the W and M of the part.
type planarTerm struct {
	x, y          float64
	pxx, pxy, pyy float64
	norm          float64
}

func newPlanarTerm(p kernel.Part, x, cov, query []float64) planarTerm {
	k := p.Kernel
	a := 1 + (cov[0]+query[0])*k.Inv2[0]
	b := (cov[1] + query[1]) * k.Inv2[1]
	c := 1 + (cov[2]+query[2])*k.Inv2[2]
	det := a*c - b*b
	return planarTerm{
		x: x[0], y: x[1],
		pxx:  c / det * k.Inv2[0],
		pxy:  -b / det * k.Inv2[1],
		pyy:  a / det * k.Inv2[2],
		norm: p.Weight / math.Sqrt(det),
	}
}

// appendPlanarTerms appends the terms of a belief, one for each part of the kernel.
func appendPlanarTerms(terms []planarTerm, parts []kernel.Part, x, cov, query []float64) []planarTerm {
	for _, p := range parts {
		terms = append(terms, newPlanarTerm(p, x, cov, query))
	}
	return terms
}

// half returns half of the squared distance of a place from the mean, in standard deviations of the term.
func (t *planarTerm) half(x, y float64) float64 {
	u, v := x-t.x, y-t.y
	return 0.5 * (t.pxx*u*u + 2*t.pxy*u*v + t.pyy*v*v)
}

// crossPoints writes the covariances of one belief, which has the terms, with points into k. The
// points are n×2.
func crossPoints(k []float64, terms []planarTerm, points []float64) {
	var work [packed.Block]float64
	clear(k)
	for len(k) > 0 {
		h := work[:min(len(work), len(k))]
		for a := range terms {
			t := terms[a]
			for i := range h {
				h[i] = t.half(points[2*i], points[2*i+1])
			}
			kernel.ExpNegAll(h)
			for i, v := range h {
				k[i] += v * t.norm
			}
		}
		k, points = k[len(h):], points[2*len(h):]
	}
}
