// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package kernel evaluates covariances between Gaussian beliefs for σ_f = 1: a [Unit] between any
// two, and [Pairs] between all of a set, with the derivatives with respect to the length-scale. It
// is the arithmetic shared by gp and gp/fit.
package kernel

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp/internal/packed"
)

// Unit is the kernel between beliefs with σ_f = 1 (Eq. k_use), written in lengths
// relative to the length-scales: with u = W^-½(x̂ - x̂') and M = I + W^-½(Σ+Σ')W^-½,
//
//	k̂ = exp(-½ uᵀM⁻¹u) / √|M|
//
// or a mixture of such terms. Means have d entries and covariances are packed, both
// in the user's units. Covariances must be positive semi-definite; singular ones are no
// exception, as M is definite. The plane has code of its own, and all other dimensions have
// [Part.AppendTerm]. Nothing is allocated up to six dimensions, those of a pose in space. A Unit
// may be read concurrently.
type Unit struct {
	Dim   int
	Inv   []float64 // 1/ℓ
	Inv2  []float64 // 1/(ℓ_i ℓ_j), packed
	Parts []Part    // terms of a mixture; nil for the squared exponential
}

// NewUnit returns the kernel with the terms of mix and the given length-scales, d of
// them. It copies the length-scales.
func NewUnit(mix Mixture, lengthScales []float64) *Unit {
	d := len(lengthScales)
	k := &Unit{Dim: d, Inv: make([]float64, d), Inv2: make([]float64, packed.Len(d))}
	k.setScaled(lengthScales, 1)
	if len(mix) > 1 {
		for _, c := range mix {
			part := NewUnit(Mixtures[squaredExponential], lengthScales)
			part.setScaled(lengthScales, c.Scale)
			k.Parts = append(k.Parts, Part{c, part})
		}
	}
	return k
}

// setScaled sets the length-scales to scale times lengthScales.
func (k *Unit) setScaled(lengthScales []float64, scale float64) {
	for i, l := range lengthScales {
		k.Inv[i] = 1 / (l * scale)
		for j := range i + 1 {
			k.Inv2[packed.At(i, j)] = k.Inv[i] * k.Inv[j]
		}
	}
}

// Eval returns k̂(N(x, sx), N(y, sy)).
func (k *Unit) Eval(x, y, sx, sy []float64) float64 {
	if k.Parts != nil {
		sum := 0.0
		for _, p := range k.Parts {
			sum += p.Weight * p.Kernel.Eval(x, y, sx, sy)
		}
		return sum
	}
	h, root := k.exponent(x, y, sx, sy)
	return ExpNeg(h) / root
}

// exponent returns the h and √|M| of the squared exponential exp(-h)/√|M|.
func (k *Unit) exponent(x, y, sx, sy []float64) (h, root float64) {
	if k.Dim != 2 {
		return k.exponentGeneral(x, y, sx, sy)
	}
	a := 1 + (sx[0]+sy[0])*k.Inv2[0]
	b := (sx[1] + sy[1]) * k.Inv2[1]
	c := 1 + (sx[2]+sy[2])*k.Inv2[2]
	det := a*c - b*b
	u, v := (x[0]-y[0])*k.Inv[0], (x[1]-y[1])*k.Inv[1]
	return 0.5 * (c*u*u - 2*b*u*v + a*v*v) / det, math.Sqrt(det)
}

// EvalAll writes Eval of N(x, sx) and each of the beliefs with means y, len(dst)×d, and packed covariances sy into dst.
func (k *Unit) EvalAll(dst, x, y, sx, sy []float64) {
	y, sy = y[:len(dst)*len(x)], sy[:len(dst)*len(sx)]
	if k.Dim != 2 && len(dst) > 0 && !slices.ContainsFunc(sy, func(v float64) bool { return v != 0 }) { // one term is for all points
		var stack [2 * maxStackTerm]float64
		terms := stack[:0]
		for _, p := range k.Terms() {
			terms = p.AppendTerm(terms, x, sx, sy)
		}
		Sums(dst, terms, y)
		return
	}
	clear(dst)
	if k.Parts == nil {
		k.addAll(dst, 1, x, y, sx, sy)
	}
	for _, p := range k.Parts {
		p.Kernel.addAll(dst, p.Weight, x, y, sx, sy)
	}
}

// addAll adds the covariances of a squared exponential, times weight, to dst.
func (k *Unit) addAll(dst []float64, weight float64, x, y, sx, sy []float64) {
	var half, root [packed.Block]float64
	d, q := len(x), len(sx)
	for len(dst) > 0 {
		b := min(len(half), len(dst))
		for i := range b {
			half[i], root[i] = k.exponent(x, y[i*d:(i+1)*d], sx, sy[i*q:(i+1)*q])
		}
		ExpNegAll(half[:b])
		for i, e := range half[:b] {
			dst[i] += weight * (e / root[i])
		}
		dst, y, sy = dst[b:], y[b*d:], sy[b*q:]
	}
}

// Add returns the kernel a·k + b·other of variance a + b. Both kernels have the same dimension.
func (k *Unit) Add(a, b float64, other *Unit) *Unit {
	sum := k.Scaled(a)
	sum.Parts = append(sum.Parts, other.Scaled(b).Parts...)
	return sum
}

// Scaled returns the kernel a·k of variance a.
func (k *Unit) Scaled(a float64) *Unit {
	scaled := &Unit{Dim: k.Dim}
	for _, p := range k.Terms() {
		p.Weight *= a
		scaled.Parts = append(scaled.Parts, p)
	}
	return scaled
}

// alone returns the squared exponential k as the only term of itself.
func (k *Unit) alone() Part { return Part{Component{Scale: 1, Weight: 1}, k} }

// Terms returns the terms of k: itself alone unless it is a mixture.
func (k *Unit) Terms() []Part {
	if k.Parts != nil {
		return k.Parts
	}
	return []Part{k.alone()}
}

// Part is one term of a mixture. Kernel is the squared exponential whose length-scales
// are Scale times those of the mixture.
type Part struct {
	Component
	Kernel *Unit
}

// Cov returns k̂(N(x, sx), N(y, sy)) for one pair of beliefs. A nil covariance is
// zero. It allocates only above maxStackDim dimensions.
func Cov(mix Mixture, lengthScales, x, y []float64, sx, sy *mat.SymDense) float64 {
	d := len(lengthScales)
	var inv [maxStackDim]float64
	var inv2, sp, sq [maxStackDim * (maxStackDim + 1) / 2]float64
	var u Unit
	var a, b []float64
	if n := packed.Len(d); d <= maxStackDim {
		u = Unit{Dim: d, Inv: inv[:d], Inv2: inv2[:n]}
		a, b = sp[:n], sq[:n]
	} else {
		u = *NewUnit(Mixtures[squaredExponential], lengthScales)
		a, b = make([]float64, n), make([]float64, n)
	}
	packed.Pack(a, sx)
	packed.Pack(b, sy)
	sum := 0.0
	for _, c := range mix {
		u.setScaled(lengthScales, c.Scale)
		sum += c.Weight * u.Eval(x, y, a, b)
	}
	return sum
}
