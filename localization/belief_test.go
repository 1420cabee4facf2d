// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distmv"
	"pgregory.net/rapid"
)

// The exact moments agree with those of a sample of the definition p + R(ψ)·l.
func TestAtMonteCarlo(t *testing.T) {
	lever := Lever{X: 0.8, Y: -0.3}
	for _, c := range []struct {
		name      string
		yawStdDev float64
	}{{"sure", 0.02}, {"vague", 0.5}, {"very vague", 1.2}, {"unknown", math.Pi}} {
		t.Run(c.name, func(t *testing.T) {
			s := c.yawStdDev
			p := Pose{X: 10, Y: -4, Yaw: 2.1, Cov: [3][3]float64{
				{0.20, 0.05, 0.30 * s}, {0.05, 0.10, -0.10 * s}, {0.30 * s, -0.10 * s, s * s},
			}}
			normal, ok := distmv.NewNormal([]float64{p.X, p.Y, p.Yaw}, sym(3, func(i, j int) float64 { return p.Cov[i][j] }), rand.NewPCG(1, 2))
			if !ok {
				t.Fatal("covariance is not positive definite")
			}
			const n = 400_000
			sample := mat.NewDense(n, 2, nil)
			for i := range n {
				v := normal.Rand(nil)
				sin, cos := math.Sincos(v[2])
				sample.SetRow(i, []float64{v[0] + cos*lever.X - sin*lever.Y, v[1] + sin*lever.X + cos*lever.Y})
			}
			var cov mat.SymDense
			stat.CovarianceMatrix(&cov, sample, nil)
			b := p.At(lever)
			// Five standard errors of a mean, and of a covariance of a Gaussian.
			tolMean := 5 * math.Sqrt(1.5/n)
			tolCov := 5 * math.Sqrt(2.0/n)
			near(t, "X", b.X, stat.Mean(mat.Col(nil, 0, sample), nil), tolMean)
			near(t, "Y", b.Y, stat.Mean(mat.Col(nil, 1, sample), nil), tolMean)
			near(t, "XX", b.XX, cov.At(0, 0), tolCov)
			near(t, "XY", b.XY, cov.At(0, 1), tolCov)
			near(t, "YY", b.YY, cov.At(1, 1), tolCov)
		})
	}
}

// A point of radius r on a ring of unknown angle has variance r²/2 in x and y.
func TestAtUnknownHeading(t *testing.T) {
	p := Pose{X: 1, Y: 2, Yaw: 0.4, Cov: diag(0, 0, 1e4)}
	b := p.At(Lever{X: 3, Y: 4})
	near(t, "X", b.X, 1, 1e-12)
	near(t, "Y", b.Y, 2, 1e-12)
	near(t, "XX", b.XX, 12.5, 1e-12)
	near(t, "XY", b.XY, 0, 1e-12)
	near(t, "YY", b.YY, 12.5, 1e-12)
}

// The ellipse agrees with gonum's eigenvalues and eigenvectors.
func TestEllipse(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		c := randomCov(rng, 2, 1)
		major, minor, yaw := Covariance{XX: c[0][0], XY: c[0][1], YY: c[1][1]}.Axes()
		var eig mat.EigenSym
		if !eig.Factorize(sym(2, func(i, j int) float64 { return c[i][j] }), true) {
			t.Fatal("eigenvalues not found")
		}
		v := eig.Values(nil)
		near(t, "minor", minor, math.Sqrt(math.Max(v[0], 0)), 1e-6)
		near(t, "major", major, math.Sqrt(v[1]), 1e-9)
		var vec mat.Dense
		eig.VectorsTo(&vec)
		sin, cos := math.Sincos(yaw)
		near(t, "|cos| to the eigenvector", math.Abs(cos*vec.At(0, 1)+sin*vec.At(1, 1)), 1, 1e-9)
	}
}

// The inverse of (4 1; 1 2) is (2 −1; −1 4)/7, so that (1, 2) is at
// (2 − 4 + 16)/7 = 2, and twice as far out at 8.
func TestSquaredDistance(t *testing.T) {
	b := Belief{X: 10, Y: 20, XX: 4, XY: 1, YY: 2}
	for _, c := range []struct {
		at     [2]float64
		want   float64
		inside bool
	}{{[2]float64{10, 20}, 0, true}, {[2]float64{11, 22}, 2, true}, {[2]float64{12, 24}, 8, false}} {
		if got := b.SquaredDistance(c.at); math.Abs(got-c.want) > 1e-15 || b.Inside(c.at) != c.inside {
			t.Errorf("%v: got %g, inside %v, want %g, %v", c.at, got, b.Inside(c.at), c.want, c.inside)
		}
	}
	singular := Belief{XX: 1, XY: 1, YY: 1}
	if got := singular.SquaredDistance([2]float64{11, 22}); !math.IsNaN(got) || singular.Inside([2]float64{}) {
		t.Errorf("a singular belief gives %g, want NaN", got)
	}
}

// (−π, π] by definition.
func TestWrapAngle(t *testing.T) {
	if got := wrapAngle(-math.Pi); got != math.Pi {
		t.Errorf("wrapAngle(−π) = %v, want π", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(-1e3, 1e3).Draw(t, "a")
		w := wrapAngle(a)
		if !(w > -math.Pi && w <= math.Pi) {
			t.Fatalf("wrapAngle(%v) = %v outside (−π, π]", a, w)
		}
		if math.Abs(math.Sin(a)-math.Sin(w)) > 1e-12 || math.Abs(math.Cos(a)-math.Cos(w)) > 1e-12 {
			t.Fatalf("wrapAngle(%v) = %v is another direction", a, w)
		}
	})
}

// geometry_msgs/PoseWithCovariance is row-major 6×6 in the order x, y, z, rotation
// about x, y, z, so yaw is row and column 5.
func TestPlanarCovariance(t *testing.T) {
	var c [36]float64
	for i := range c {
		c[i] = float64(i)
	}
	want := [3][3]float64{{0, 1, 5}, {6, 7, 11}, {30, 31, 35}}
	if got := PlanarCovariance(&c); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	expanded := [36]float64{14: -1}
	ExpandCovariance(&expanded, &want)
	if got := PlanarCovariance(&expanded); got != want || expanded[14] != -1 || expanded[2] != 0 {
		t.Errorf("expanded %v", expanded)
	}
}
