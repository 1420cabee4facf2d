// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package gptest has what the tests of gp and of the packages below it share. It imports none of them, so that their own tests may import
// it.
package gptest

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Rand returns a source of random numbers.
func Rand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// Vec returns d numbers between -scale and scale.
func Vec(rng *rand.Rand, d int, scale float64) []float64 {
	x := make([]float64, d)
	for i := range x {
		x[i] = scale * (2*rng.Float64() - 1)
	}
	return x
}

// Cov returns a d×d covariance with standard deviations up to spread·√d: full or singular, or nil.
func Cov(rng *rand.Rand, d int, spread float64) *mat.SymDense {
	rank := rng.IntN(d + 2)
	if rank == 0 {
		return nil
	}
	a := mat.NewDense(d, min(rank, d), nil)
	a.Apply(func(_, _ int, _ float64) float64 { return spread * (2*rng.Float64() - 1) }, a)
	var s mat.SymDense
	s.SymOuterK(1, a)
	return &s
}

// Expected is the mean of exp(-½ |W^-½(x̃-ỹ)|²) over x̃ ~ N(x, covX) and ỹ ~ N(y, covY), by its equation (Eq. k_use)
// with an explicit inverse and a determinant. A nil covariance is zero.
func Expected(lengthScales, x, y []float64, covX, covY *mat.SymDense) float64 {
	d := len(lengthScales)
	a, m := mat.NewDense(d, d, nil), mat.NewDense(d, d, nil) // W+Σ+Σ', I+W⁻¹(Σ+Σ')
	for _, cov := range []*mat.SymDense{covX, covY} {
		if cov != nil {
			a.Add(a, cov)
		}
	}
	delta := mat.NewVecDense(d, nil)
	for i, l := range lengthScales {
		for j := range d {
			m.Set(i, j, a.At(i, j)/(l*l))
		}
		m.Set(i, i, m.At(i, i)+1)
		delta.SetVec(i, x[i]-y[i])
	}
	for i, l := range lengthScales {
		a.Set(i, i, a.At(i, i)+l*l)
	}
	var inv mat.Dense
	if err := inv.Inverse(a); err != nil {
		panic(err)
	}
	return math.Exp(-0.5*mat.Inner(delta, &inv, delta)) / math.Sqrt(mat.Det(m))
}

// Rotation returns a random orthogonal d×d matrix.
func Rotation(rng *rand.Rand, d int) *mat.Dense {
	a := mat.NewDense(d, d, nil)
	a.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, a)
	var qr mat.QR
	qr.Factorize(a)
	var q mat.Dense
	qr.QTo(&q)
	return &q
}

// Root returns a matrix whose product with its transpose is cov, singular or not.
func Root(cov *mat.SymDense) *mat.Dense {
	var eigen mat.EigenSym
	if !eigen.Factorize(cov, true) {
		panic("gptest: no eigenvalues")
	}
	var l mat.Dense
	eigen.VectorsTo(&l)
	l.Apply(func(_, j int, v float64) float64 { return v * math.Sqrt(max(eigen.Values(nil)[j], 0)) }, &l)
	return &l
}

// Mapped returns the mean and covariance of Ax̃ for x̃ ~ N(x, cov). A singular covariance stays one to rounding in
// every entry.
func Mapped(a mat.Matrix, x []float64, cov *mat.SymDense) ([]float64, *mat.SymDense) {
	d, _ := a.Dims()
	y := mat.NewVecDense(d, nil)
	y.MulVec(a, mat.NewVecDense(len(x), x))
	if cov == nil {
		return y.RawVector().Data, nil
	}
	var root mat.Dense
	root.Mul(a, Root(cov))
	var s mat.SymDense
	s.SymOuterK(1, &root)
	return y.RawVector().Data, &s
}

// Sym2 is the matrix [a b; b c].
func Sym2(a, b, c float64) *mat.SymDense { return mat.NewSymDense(2, []float64{a, b, b, c}) }

// Near fails unless got is within tol·max(1, |want|) of want.
func Near(tb testing.TB, what string, got, want, tol float64) {
	tb.Helper()
	if !(math.Abs(got-want) <= tol*max(1, math.Abs(want))) {
		tb.Errorf("%s: got %.17g, want %.17g (difference %.3g, tolerance %.3g)", what, got, want, got-want, tol)
	}
}

// Refused fails unless err is of a kind and says all words; nil: there should be no error.
func Refused(t *testing.T, err, kind error, words []string) {
	t.Helper()
	if words == nil {
		if err != nil {
			t.Errorf("got %v, want no error", err)
		}
		return
	}
	if !errors.Is(err, kind) {
		t.Fatalf("got %v, want one that is %q", err, kind)
	}
	for _, s := range words {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%q doesn't say %q", err, s)
		}
	}
}

// Wave is the covariate √2 sin(ax + by + phase), whose mean over a Gaussian has a closed form.
type Wave struct{ A, B, Phase float64 }

// Mean returns the mean over a Gaussian with the covariance xx, xy, yy, and its gradient.
func (w Wave) Mean(x, y float64, cov [3]float64) (c, dx, dy float64) {
	size := math.Sqrt2 * math.Exp(-0.5*(w.A*w.A*cov[0]+2*w.A*w.B*cov[1]+w.B*w.B*cov[2]))
	sin, cos := math.Sincos(w.A*x + w.B*y + w.Phase)
	return size * sin, size * cos * w.A, size * cos * w.B
}

// InField reports whether (x, y) lies in the field of the benchmarks, an L of 600 m × 900 m.
func InField(x, y float64) bool { return x < 300 || y < 400 }

// RandomInField sets x to a place of that field.
func RandomInField(rng *rand.Rand, x []float64) {
	for {
		x[0], x[1] = 600*rng.Float64(), 900*rng.Float64()
		if InField(x[0], x[1]) {
			return
		}
	}
}

// Sample is a value at an uncertain place.
type Sample struct {
	Mean  []float64
	Cov   *mat.SymDense
	Value float64
}

// Samples returns n samples, scattered over the field, of a smooth function with noise, each with a correlated covariance
// of 1 m to 6 m.
func Samples(n int, rng *rand.Rand) []Sample {
	list := make([]Sample, n)
	for i := range list {
		x := make([]float64, 2)
		RandomInField(rng, x)
		a, b, r := 1+5*rng.Float64(), 1+5*rng.Float64(), 1.6*rng.Float64()-0.8
		list[i] = Sample{x, Sym2(a*a, r*a*b, b*b), smooth(x[0], x[1]) + 0.07*rng.NormFloat64()}
	}
	return list
}

// PathSamples returns n samples 3 m apart along a wandering path, with the covariances that Samples has.
func PathSamples(n int, rng *rand.Rand) []Sample {
	list := Samples(n, rng)
	x, y, heading := 100.0, 100.0, 0.3
	for i := range list {
		for {
			heading += 0.1 * rng.NormFloat64()
			toX, toY := x+3*math.Cos(heading), y+3*math.Sin(heading)
			if toX > 0 && toX < 600 && toY > 0 && toY < 900 && InField(toX, toY) {
				x, y = toX, toY
				break
			}
			heading++
		}
		list[i].Mean = []float64{x, y}
		list[i].Value = smooth(x, y) + 0.07*rng.NormFloat64()
	}
	return list
}

func smooth(x, y float64) float64 { return 1.4 + 0.1*math.Sin(x/130) + 0.1*math.Cos(y/170+x/400) }
