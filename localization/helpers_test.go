// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// sym returns the leading n×n block of rows as a gonum matrix.
func sym(n int, at func(i, j int) float64) *mat.SymDense {
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, at(i, j))
		}
	}
	return s
}

// smallestEigenvalue returns gonum's smallest eigenvalue of the correlation matrix:
// the entries in units of the standard deviations, each at least minStdDev; NaN if there is none.
func smallestEigenvalue(p *[3][3]float64) float64 {
	d := func(i int) float64 { return math.Max(math.Sqrt(math.Abs(p[i][i])), minStdDev) }
	var eig mat.EigenSym
	if !eig.Factorize(sym(3, func(i, j int) float64 { return p[i][j] / d(i) / d(j) }), false) {
		return math.NaN()
	}
	return eig.Values(nil)[0]
}

// randomCov returns a random covariance A·Aᵀ of x, y, yaw.
func randomCov(rng *rand.Rand, posStdDev, yawStdDev float64) [3][3]float64 {
	scale := [3]float64{posStdDev, posStdDev, yawStdDev}
	var a, p [3][3]float64
	for i := range 3 {
		for j := range 3 {
			a[i][j] = scale[i] * rng.NormFloat64()
		}
	}
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				p[i][j] += a[i][k] * a[j][k]
			}
		}
	}
	return p
}

// diag returns a covariance without correlations.
func diag(xx, yy, tt float64) [3][3]float64 {
	return [3][3]float64{{xx, 0, 0}, {0, yy, 0}, {0, 0, tt}}
}

func diag2(xx, yy float64) [2][2]float64 { return [2][2]float64{{xx, 0}, {0, yy}} }

func near(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %v, want %v ± %v", what, got, want, tol)
	}
}
