package gp

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp/internal/packed"
)

// diagonalBelief is a belief with independent coordinates; every third is a point.
func diagonalBelief(i int, mean []float64) Belief {
	b := Belief{Mean: mean}
	if i%3 != 0 {
		b.Cov = mat.NewSymDense(len(mean), nil)
		for a := range mean {
			b.Cov.SetSym(a, a, 0.1*float64(1+(i+a)%5))
		}
	}
	return b
}

// TestAligned: with independent coordinates the short way gives the numbers of the
// equations, for the kernel and its gradient and for predictions; and a predictor takes the
// long way when there is a belief that is not of that kind.
func TestAligned(t *testing.T) {
	rng := newRand(62)
	for _, d := range []int{1, 3} {
		for _, kind := range Kinds() {
			h := randomHyper(rng, d)
			h.Kind = kind
			obs := randomObservations(rng, 21, d)
			for i := range 20 {
				obs[i].Belief = diagonalBelief(i, obs[i].Belief.Mean)
			}
			obs[20].Belief.Cov = queryCov(d)
			query := diagonalBelief(1, randomVec(rng, d, 3))
			g := mustGP(t, h, obs[:20])
			compare := func(n int) *Predictor {
				p := mustPredictor(t, g, query.Cov)
				want := newNaiveGP(t, h, obs[:n])
				wantM, wantV := want.posterior(query)
				m, v := predict(p, query.Mean)
				near(t, "mean", m, wantM, 1e-10)
				near(t, "variance", v, wantV, 1e-10)
				gotM, gotV := make([]float64, d), make([]float64, d)
				p.PredictGrad(gotM, gotV, query.Mean)
				general := mustPredictor(t, g, query.Cov)
				general.cross.full, general.cross.terms = true, nil
				for i := range n {
					for _, part := range general.cross.parts {
						cov := g.cov[i*packed.Len(d) : (i+1)*packed.Len(d)]
						general.cross.terms = appendGeneralTerm(general.cross.terms, general.cross.m, part, cov, general.cross.query)
					}
				}
				wantDM, wantDV := make([]float64, d), make([]float64, d)
				general.PredictGrad(wantDM, wantDV, query.Mean)
				for a := range d {
					near(t, "gradient of the mean", gotM[a], wantDM[a], 1e-11)
					near(t, "gradient of the variance", gotV[a], wantDV[a], 1e-11)
				}
				return p
			}
			if compare(20).cross.full {
				t.Fatalf("%d dimensions, %v: the short way is not taken", d, kind)
			}
			if err := g.Add(obs[20]); err != nil {
				t.Fatal(err)
			}
			if p := compare(21); d > 1 && !p.cross.full {
				t.Errorf("%d dimensions, %v: the short way is taken with a full covariance", d, kind)
			}
		}
	}
}
