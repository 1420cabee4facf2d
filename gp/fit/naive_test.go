// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// This file holds the equations that the tests compare with, written out with gonum's general matrices.
// The kernels between beliefs are gp's, whose tests compare them with theirs.

// naiveGP is R&W Alg. 2.1 on the full matrix, for residuals y - m.
type naiveGP struct {
	h     gp.Hyper
	obs   []gp.Observation
	k     *mat.SymDense // K̂+Λ
	chol  mat.Cholesky
	alpha *mat.VecDense
	resid *mat.VecDense
}

func newNaiveGP(tb testing.TB, h gp.Hyper, obs []gp.Observation) *naiveGP {
	tb.Helper()
	n := len(obs)
	g := &naiveGP{h: h, obs: obs, k: mat.NewSymDense(n, nil), alpha: mat.NewVecDense(n, nil), resid: mat.NewVecDense(n, nil)}
	kernel := h.Kernel()
	for i, o := range obs {
		for j := range i + 1 {
			k := kernel.Cov(o.Belief, obs[j].Belief)
			for c, s := range h.Weights {
				k += s * s * meanOver(h.Covariates[c], o.Belief) * meanOver(h.Covariates[c], obs[j].Belief)
			}
			g.k.SetSym(i, j, k)
		}
		g.k.SetSym(i, i, g.k.At(i, i)+h.NoiseVariance+o.NoiseVariance)
		g.resid.SetVec(i, o.Value-h.Mean)
	}
	if !g.chol.Factorize(g.k) { // line 2
		tb.Fatal("naive Cholesky failed")
	}
	if err := g.chol.SolveVecTo(g.alpha, g.resid); err != nil { // line 3
		tb.Fatal(err)
	}
	return g
}

// logLikelihood is line 7.
func (g *naiveGP) logLikelihood() float64 {
	return -0.5*mat.Dot(g.resid, g.alpha) - 0.5*g.chol.LogDet() - 0.5*float64(len(g.obs))*math.Log(2*math.Pi)
}
