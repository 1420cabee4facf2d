// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"ugp_explorer/gp/internal/kernel"
	"ugp_explorer/gp/internal/packed"
)

// Secondary is a second quantity c, which was measured at other places than f, usually far more of them. A GP with
// a Secondary models f as
//
//	f = m + σ_f(ρ(c - m_c)/σ_c + √(1-ρ²)u)
//
// where c has the posterior from which the Secondary was made, m_c and σ_c² are that GP's mean and signal
// variance, u is an independent process with the kernel of f, and ρ is Hyper.Correlation. Given c's
// observations, f̂ has the prior mean m + σ_fρĉ(P) and the covariance σ_f²(ρ²S(P, P') + (1-ρ²)k̂(P, P')/σ_f²),
// where ĉ and S are the mean and covariance of c's posterior, standardised: the
// proportional model of cokriging with known c (Kennedy and O'Hagan, Biometrika 87, 2000, for one site of each).
//
// A Secondary never changes and is safe for concurrent use.
type Secondary struct {
	of     *GP
	kernel *kernel.Unit
	z      []float64 // Lᵀα of c's rows, in σ_c
}

// SecondaryConfig returns the settings of the posterior of a second quantity. They bound the time of predictions of f,
// which grows with the square of the number of rows.
func SecondaryConfig() SparseConfig {
	return SparseConfig{ExactLimit: 150, MaxInducing: 200, Tolerance: 1e-2}
}

// NewSecondary returns the second quantity with the posterior c. It copies c.
func NewSecondary(c *GP) *Secondary {
	s := &Secondary{of: c.Clone(), kernel: c.kernel}
	s.of.settle()
	rows := s.of.chol
	s.z = make([]float64, rows.N)
	for i, a := range s.of.alpha {
		floats.AddScaled(s.z[:i+1], a, rows.Row(i))
	}
	return s
}

// Over returns the posterior mean and covariance of c over beliefs, in its standard deviation σ_c about
// m_c. The covariance is packed by rows, n(n+1)/2. It panics if a belief has the wrong dimension.
func (s *Secondary) Over(beliefs []Belief) (mean, cov []float64) {
	n, m, d := len(beliefs), s.of.chol.N, s.of.Dim()
	root := make([]float64, n*m) // L⁻¹k of each belief
	places, covs := make([]float64, 0, n*d), make([]float64, n*packed.Len(d))
	mean, cov = make([]float64, n), make([]float64, packed.Len(n))
	for i, b := range beliefs {
		checkDim(b, d)
		k, _ := s.of.crossCovariance(b)
		s.of.chol.Forward(k)
		copy(root[i*m:], k)
		mean[i] = floats.Dot(k, s.z)
		places = append(places, b.Mean...)
		own := covs[i*packed.Len(d) : (i+1)*packed.Len(d)]
		packed.Pack(own, b.Cov)
		row := cov[packed.At(i, 0):packed.At(i+1, 0)]
		s.kernel.EvalAll(row, b.Mean, places, own, covs)
		for j := range row {
			row[j] -= floats.Dot(k, root[j*m:(j+1)*m])
		}
	}
	return mean, cov
}

// translated returns s with all places shifted by by.
func (s *Secondary) translated(by []float64) *Secondary {
	return &Secondary{of: s.of.Translated(by), kernel: s.kernel, z: s.z}
}

// negated returns the second quantity -c.
func (s *Secondary) negated() *Secondary {
	return &Secondary{of: s.of.Negated(), kernel: s.kernel, z: negated(s.z)}
}

// heard has the rows of the second quantity that a GP has before those of its observations: c's
// covariances with f̂, and c's factor as the first rows of L. None if ρ is 0.
type heard struct {
	n      int
	x, cov []float64    // means, n×d, and packed covariances
	kernel *kernel.Unit // of c with f
}

// hear gives g the second quantity of its hyper-parameters.
func (g *GP) hear() {
	s, rho := g.hyper.Secondary, g.hyper.Correlation
	if s == nil || rho == 0 {
		return
	}
	c := s.of
	g.kernel = g.kernel.Add(1-rho*rho, rho*rho, s.kernel)
	g.heard = heard{n: c.chol.N, x: c.x, cov: c.cov, kernel: s.kernel.Scaled(rho)}
	g.chol = packed.Triangle{N: c.chol.N, A: slices.Clip(c.chol.A)}
	g.z = slices.Clip(s.z)
	g.level.one = make([]float64, c.chol.N)
	g.solveAlpha()
}

// validateSecondary is the part of Validate about the second quantity.
func (h Hyper) validateSecondary() error {
	if !(math.Abs(h.Correlation) <= 1) {
		return fmt.Errorf("%w: Correlation is %g, want a number from -1 to 1", ErrHyper, h.Correlation)
	}
	if h.Secondary == nil && h.Correlation != 0 {
		return fmt.Errorf("%w: Correlation is %g without a Secondary, want 0", ErrHyper, h.Correlation)
	}
	if h.Secondary != nil && h.Secondary.of.Dim() != len(h.LengthScales) {
		return fmt.Errorf("%w: Secondary has %d dimensions, want %d as LengthScales has", ErrHyper, h.Secondary.of.Dim(), len(h.LengthScales))
	}
	if h.Secondary != nil && (len(h.Secondary.of.trend.of) > 0 || h.Secondary.of.hyper.MeanStdDev > 0) {
		return fmt.Errorf("%w: Secondary has %d covariates and an uncertain mean of %g, want none and 0",
			ErrHyper, len(h.Secondary.of.trend.of), h.Secondary.of.hyper.MeanStdDev)
	}
	return nil
}
