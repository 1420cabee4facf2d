// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

const ms = int64(time.Millisecond)

// diag and diag2 return covariances without correlations.
func diag(xx, yy, tt float64) [3][3]float64 { return [3][3]float64{{xx}, {0, yy}, {0, 0, tt}} }
func diag2(xx, yy float64) [2][2]float64    { return [2][2]float64{{xx}, {0, yy}} }

func near(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %v, want %v ± %v", what, got, want, tol)
	}
}

// perfectWheels returns the default configuration for a robot that turns as its wheels tell.
func perfectWheels() Config {
	cfg := DefaultConfig()
	cfg.Motion.Turn = 1
	return cfg
}

// normalised returns eᵀ·P⁻¹·e for errors e of x, y and perhaps yaw, by gonum.
func normalised(t testing.TB, e []float64, cov *[3][3]float64) float64 {
	t.Helper()
	s := mat.NewSymDense(len(e), nil)
	for i := range e {
		for j := range i + 1 {
			s.SetSym(i, j, cov[i][j])
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(s) {
		t.Fatalf("covariance %v", cov)
	}
	d := stat.Mahalanobis(mat.NewVecDense(len(e), e), mat.NewVecDense(len(e), nil), &chol)
	return d * d
}

// moments returns mean and covariance of a sample of x, y, yaw, one after the other.
func moments(sample []float64) (mean [3]float64, cov mat.SymDense) {
	m := mat.NewDense(len(sample)/3, 3, sample)
	stat.CovarianceMatrix(&cov, m, nil)
	for i := range mean {
		mean[i] = stat.Mean(mat.Col(nil, i, m), nil)
	}
	return mean, cov
}

// smallestEigenvalue returns that of the correlation matrix: the entries in units of the standard
// deviations, each at least 1e-6.
func smallestEigenvalue(t testing.TB, p *stateMatrix) float64 {
	t.Helper()
	s := stateSym(p)
	for i := range stateDim {
		for j := range i + 1 {
			s.SetSym(i, j, s.At(i, j)/max(math.Sqrt(p[i][i]), 1e-6)/max(math.Sqrt(p[j][j]), 1e-6))
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(s, false) {
		t.Fatal("eigenvalues not found")
	}
	return eig.Values(nil)[0]
}
