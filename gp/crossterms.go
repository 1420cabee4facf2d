// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"math"

	"ugp_explorer/gp/internal/kernel"
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

// crossPoints writes the covariances of one belief, which has the terms, with points into k. The
// points are n×2.
func crossPoints(k []float64, terms []planarTerm, points []float64) {
	points = points[:2*len(k)]
	clear(k)
	for a := range terms {
		t := terms[a]
		for i := range k {
			u, v := points[2*i]-t.x, points[2*i+1]-t.y
			k[i] += kernel.ExpNeg(0.5*(t.pxx*u*u+2*t.pxy*u*v+t.pyy*v*v)) * t.norm
		}
	}
}

// crossPlanar writes the covariances into k, one term per belief.
func crossPlanar(k []float64, terms []planarTerm, x, y float64) {
	k = k[:len(terms)]
	for i := range terms {
		t := &terms[i]
		u, v := x-t.x, y-t.y
		k[i] = kernel.ExpNeg(0.5*(t.pxx*u*u+2*t.pxy*u*v+t.pyy*v*v)) * t.norm
	}
}

// crossPlanarMixture is crossPlanar for a mixture: it adds up j terms per belief.
func crossPlanarMixture(k []float64, terms []planarTerm, j int, x, y float64) {
	for i := range k {
		sum := 0.0
		parts := terms[:j]
		terms = terms[j:]
		for a := range parts {
			t := &parts[a]
			u, v := x-t.x, y-t.y
			sum += kernel.ExpNeg(0.5*(t.pxx*u*u+2*t.pxy*u*v+t.pyy*v*v)) * t.norm
		}
		k[i] = sum
	}
}

// crossGradPlanar is crossPlanar that also writes the negated gradients into g.
func crossGradPlanar(k, g []float64, terms []planarTerm, x, y float64) {
	k, g = k[:len(terms)], g[:2*len(terms)]
	for i := range terms {
		t := &terms[i]
		u, v := x-t.x, y-t.y
		gx, gy := t.pxx*u+t.pxy*v, t.pxy*u+t.pyy*v
		e := kernel.ExpNeg(0.5*(gx*u+gy*v)) * t.norm
		k[i], g[2*i], g[2*i+1] = e, e*gx, e*gy
	}
}

// crossGradPlanarMixture is crossGradPlanar for a mixture: it adds up j terms per belief.
func crossGradPlanarMixture(k, g []float64, terms []planarTerm, j int, x, y float64) {
	g = g[:2*len(k)]
	for i := range k {
		sum, sumX, sumY := 0.0, 0.0, 0.0
		parts := terms[:j]
		terms = terms[j:]
		for a := range parts {
			t := &parts[a]
			u, v := x-t.x, y-t.y
			gx, gy := t.pxx*u+t.pxy*v, t.pxy*u+t.pyy*v
			e := kernel.ExpNeg(0.5*(gx*u+gy*v)) * t.norm
			sum += e
			sumX += e * gx
			sumY += e * gy
		}
		k[i], g[2*i], g[2*i+1] = sum, sumX, sumY
	}
}
