package fit

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/internal/kernel"
)

// This file holds the equations that the tests compare with, written out with gonum's
// general matrices. It shares only the terms of the mixtures with the package.

func denseCov(b gp.Belief) *mat.Dense {
	d := len(b.Mean)
	s := mat.NewDense(d, d, nil)
	if b.Cov != nil {
		s.Copy(b.Cov)
	}
	return s
}

// naiveCov is the mixture of naiveSquaredExponential. The mixture's numbers are
// tested against the kernels themselves elsewhere.
func naiveCov(h gp.Hyper, p, q gp.Belief) float64 {
	sum := 0.0
	for _, c := range kernel.Mixtures[h.Kind] {
		term := gp.Hyper{SignalVariance: h.SignalVariance * c.Weight, LengthScales: slices.Clone(h.LengthScales)}
		floats.Scale(c.Scale, term.LengthScales)
		sum += naiveSquaredExponential(term, p, q)
	}
	return sum
}

// naiveSquaredExponential is Eq. k_use with explicit inverse and determinant.
func naiveSquaredExponential(h gp.Hyper, p, q gp.Belief) float64 {
	d := len(h.LengthScales)
	var sum, a, m, inv mat.Dense
	sum.Add(denseCov(p), denseCov(q))
	w := mat.NewDense(d, d, nil)
	wInv := mat.NewDense(d, d, nil)
	eye := mat.NewDense(d, d, nil)
	for i, l := range h.LengthScales {
		w.Set(i, i, l*l)
		wInv.Set(i, i, 1/(l*l))
		eye.Set(i, i, 1)
	}
	a.Add(w, &sum)
	m.Mul(wInv, &sum)
	m.Add(eye, &m)
	if err := inv.Inverse(&a); err != nil {
		panic(err)
	}
	delta := mat.NewVecDense(d, nil)
	delta.SubVec(mat.NewVecDense(d, p.Mean), mat.NewVecDense(d, q.Mean))
	return h.SignalVariance * math.Exp(-0.5*mat.Inner(delta, &inv, delta)) / math.Sqrt(mat.Det(&m))
}

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
	for i, o := range obs {
		for j := range i + 1 {
			g.k.SetSym(i, j, naiveCov(h, o.Belief, obs[j].Belief))
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
