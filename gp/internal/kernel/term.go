// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"math"

	"ugp_explorer/gp/internal/packed"
)

// In dimensions other than two, a term is the covariance of one belief with any belief of one
// covariance, for one part of a kernel, as a function of the other's mean y:
//
//	k̂(N(x, Σ), N(y, Σ')) = w/√|M| exp(-½|R(y-x)|²),  RᵀR = (W+Σ+Σ')⁻¹
//
// with the W and M of the part. It has x, the lower triangle R, packed, in the user's units,
// and w/√|M|. R is the inverse of a Cholesky factor, so the exponent is never positive and no
// system has to be solved for another y.

// maxStackDim is the largest dimension for which short-lived small matrices are kept on the stack, and
// maxStackTerm the length of a term then.
const (
	maxStackDim  = 6
	maxStackTerm = maxStackDim + maxStackDim*(maxStackDim+1)/2 + 1
)

// TermLen returns the length of a term in d dimensions.
func TermLen(d int) int { return d + packed.Len(d) + 1 }

// AppendTerm appends the term of N(x, sx) and other beliefs with covariance sy.
func (p Part) AppendTerm(terms, x, sx, sy []float64) []float64 {
	k, d, at := p.Kernel, p.Kernel.Dim, len(terms)
	terms = append(terms, x...)
	for i, v := range k.Inv2 {
		terms = append(terms, (sx[i]+sy[i])*v)
	}
	r, norm := terms[at+d:], p.Weight // r is M
	for i := range d {
		r[packed.At(i, i)]++
	}
	if k.diagonal(r) {
		for i := range d {
			r[packed.At(i, i)] = 1 / math.Sqrt(r[packed.At(i, i)])
		}
	} else {
		if !packed.Cholesky(r, d) {
			norm = math.NaN()
		}
		packed.Invert(r, d)
	}
	for i := range d {
		norm *= r[packed.At(i, i)]
		for j := range i + 1 {
			r[packed.At(i, j)] *= k.Inv[j]
		}
	}
	return append(terms, norm)
}

// diagonal reports whether the packed matrix m is a diagonal of positive numbers, as it is for points.
func (k *Unit) diagonal(m []float64) bool {
	for i := range k.Dim {
		row := m[packed.At(i, 0) : packed.At(i, i)+1]
		for _, v := range row[:i] {
			if v != 0 {
				return false
			}
		}
		if !(row[i] > 0) {
			return false
		}
	}
	return true
}

// Sums writes the sum of the terms for each mean y, len(sums)×d, into sums.
func Sums(sums, terms, y []float64) {
	var work [packed.Block]float64
	d := len(y) / max(len(sums), 1)
	size := TermLen(d)
	clear(sums)
	for len(sums) > 0 {
		half := work[:min(len(work), len(sums))]
		for left := terms; len(left) > 0; left = left[size:] {
			term := left[:size]
			if Aligned(term, d) {
				alignedHalves(half, term, y, d)
			} else {
				for i := range half {
					half[i] = Half(term, y[i*d:(i+1)*d], false)
				}
			}
			ExpNegAll(half)
			for i, v := range half {
				sums[i] += v * term[size-1]
			}
		}
		sums, y = sums[len(half):], y[d*len(half):]
	}
}

// alignedHalves writes [Half] of an aligned term for each mean of y, len(half)×d or more, into half, to the bit.
func alignedHalves(half, term, y []float64, d int) {
	clear(half)
	for k, x := range term[:d] {
		r := term[d+packed.At(k, k)]
		for i := range half {
			v := r * (y[i*d+k] - x)
			half[i] += v * v
		}
	}
	for i := range half {
		half[i] *= 0.5
	}
}

// Aligned reports whether R of a term in d dimensions is a diagonal, as it is for points.
func Aligned(term []float64, d int) bool {
	r := term[d:]
	for i := range d {
		for _, v := range r[:i] {
			if v != 0 {
				return false
			}
		}
		r = r[i+1:]
	}
	return true
}

// Half returns ½|R(y-x)|² of a term for the mean y. If the term is aligned, it needs d products.
func Half(term, y []float64, aligned bool) float64 {
	x, r, h := term, term[len(y):], 0.0
	if aligned {
		for i, v := range y {
			v = r[packed.At(i, i)] * (v - x[i])
			h += v * v
		}
		return 0.5 * h
	}
	for i := range y {
		v := 0.0
		for j, s := range r[:i+1] {
			v += s * (y[j] - x[j])
		}
		h += v * v
		r = r[i+1:]
	}
	return 0.5 * h
}

// Slope returns [Half] of a term and writes the negated gradient of the logarithm of its value,
// (W+Σ+Σ')⁻¹(y-x), into g.
func Slope(g, term, y []float64) float64 {
	x, r, h := term, term[len(y):], 0.0
	clear(g)
	for i := range y {
		v := 0.0
		for j, s := range r[:i+1] {
			v += s * (y[j] - x[j])
		}
		for j, s := range r[:i+1] {
			g[j] += v * s
		}
		h += v * v
		r = r[i+1:]
	}
	return 0.5 * h
}

// AlignedSlopes writes [Slope] of aligned terms, stride apart, into half, and their gradients, len(half)×d, into g, to the bit.
func AlignedSlopes(half, g, terms []float64, stride int, y []float64) {
	d := len(y)
	clear(half)
	for k, v := range y {
		at, slope := d+packed.At(k, k), g[k:]
		for i := range half {
			term := terms[i*stride:]
			r := term[at]
			u := r * (v - term[k])
			slope[i*d] = u * r
			half[i] += u * u
		}
	}
	for i := range half {
		half[i] *= 0.5
	}
}

// exponentGeneral is exponent for any dimension. Without correlations, as between points, it is a product over the dimensions.
func (k *Unit) exponentGeneral(x, y, sx, sy []float64) (h, root float64) {
	aligned, at := true, 0
	for i := range x {
		for range i {
			aligned = aligned && sx[at] == 0 && sy[at] == 0
			at++
		}
		at++
	}
	if aligned {
		det := 1.0
		for i, v := range x {
			ii := packed.At(i, i)
			m := 1 + (sx[ii]+sy[ii])*k.Inv2[ii]
			if !(m > 0) {
				return math.NaN(), 1 // no covariances
			}
			v = (v - y[i]) * k.Inv[i]
			h += v * v / m
			det *= m
		}
		return 0.5 * h, math.Sqrt(det)
	}
	var stack [maxStackTerm]float64
	term := k.alone().AppendTerm(stack[:0], x, sx, sy)
	return Half(term, y, false), 1 / term[len(term)-1]
}
