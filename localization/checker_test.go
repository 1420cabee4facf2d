// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ugp_explorer/internal/num"
	"ugp_explorer/internal/testkit/must"
)

// newChecker returns a checker that puts a standard deviation in the place of zeros; 0 refuses them.
func newChecker(t testing.TB, zeroStdDev float64) *Checker {
	t.Helper()
	c, err := NewChecker(CovarianceConfig{MaxPositionStdDev: 100, ZeroPositionStdDev: zeroStdDev})
	must.OK(t, err)
	return c
}

func TestCovarianceConfig(t *testing.T) {
	for _, c := range []CovarianceConfig{{}, {MaxPositionStdDev: 1e10}, {MaxPositionStdDev: math.NaN()}, {MaxPositionStdDev: 100, ZeroPositionStdDev: 101}, {MaxPositionStdDev: 1, ZeroPositionStdDev: math.NaN()}} {
		if _, err := NewChecker(c); err == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
	if _, err := NewChecker(CovarianceConfig{MaxPositionStdDev: 100, ZeroPositionStdDev: 101}); !strings.Contains(err.Error(), "ZeroPositionStdDev = 101") {
		t.Errorf("%v names neither field nor value", err)
	}
	if _, err := NewChecker(DefaultCovarianceConfig()); err != nil {
		t.Error(err)
	}
}

// Covariances seen on robots (robot_localization #780, #388, #470, #871, kobuki #383,
// #387, Gazebo's zeros) are handled as the table of rules says.
func TestCheckerRules(t *testing.T) {
	for _, c := range []struct {
		name  string
		zeros float64 // standard deviation in their place
		in    [3][3]float64
		kinds []CovarianceFault
		want  [3][3]float64 // when accepted
		entry string        // when refused
	}{
		{name: "plain", in: diag(1, 2, 0.1), want: diag(1, 2, 0.1)},
		{name: "correlated", in: [3][3]float64{{1, 0.5, 0.1}, {0.5, 1, -0.1}, {0.1, -0.1, 0.2}},
			want: [3][3]float64{{1, 0.5, 0.1}, {0.5, 1, -0.1}, {0.1, -0.1, 0.2}}},
		{name: "rank one", in: [3][3]float64{{1, 2, 3}, {2, 4, 6}, {3, 6, 9}}, want: [3][3]float64{{1, 2, 3}, {2, 4, 6}, {3, 6, 9}}},
		{name: "heading exact", in: diag(1, 1, 0), want: diag(1, 1, 0)},
		{name: "one axis exact", in: diag(0, 1, 0.1), want: diag(0, 1, 0.1)},
		{name: "tiny but honest", in: diag(1e-12, 1e-12, 1e-12), want: diag(1e-12, 1e-12, 1e-12)},
		{name: "NaN", in: [3][3]float64{{1, 0, 0}, {0, math.NaN(), 0}, {0, 0, 1}}, kinds: []CovarianceFault{ZeroCovariance}, entry: "position"},
		{name: "all NaN, with a substitute", zeros: 0.5, in: [3][3]float64{{math.NaN(), math.NaN(), math.NaN()}, {math.NaN(), math.NaN(), math.NaN()}, {math.NaN(), math.NaN(), math.NaN()}},
			kinds: []CovarianceFault{Substituted}, want: diag(0.25, 0.25, zeroYawStdDev*zeroYawStdDev)},
		{name: "NaN, with a substitute and a heading", zeros: 0.5, in: [3][3]float64{{math.NaN(), 0, 0.1}, {0, 1, 0}, {0.1, 0, 0.2}},
			kinds: []CovarianceFault{Substituted}, want: diag(0.25, 0.25, 0.2)},
		{name: "NaN beside the diagonal", in: [3][3]float64{{1, 0, math.NaN()}, {0, 1, 0}, {0, 0, 1}}, kinds: []CovarianceFault{NotFinite}, entry: "x yaw"},
		{name: "infinite", in: diag(1, 1, math.Inf(1)), kinds: []CovarianceFault{NotFinite}, entry: "yaw yaw"},
		{name: "1e308", in: diag(1e308, 1, 1), kinds: []CovarianceFault{TooLarge}, entry: "x x"},
		{name: "yaw 1e308", in: diag(1, 1, 1e308), kinds: []CovarianceFault{TooLarge}, entry: "yaw yaw"},
		{name: "grown without bound", in: diag(1, 101*101, 1), kinds: []CovarianceFault{TooLarge}, entry: "y y"},
		{name: "just inside", in: diag(100*100, 1, 1), want: diag(100*100, 1, 1)},
		{name: "negative", in: diag(-0.1, 1, 1), kinds: []CovarianceFault{negativeVariance}, entry: "x x"},
		{name: "unknown marked by −1", in: diag(-1, -1, -1), kinds: []CovarianceFault{negativeVariance}, entry: "x x"},
		{name: "negative yaw", in: diag(1, 1, -1e-3), kinds: []CovarianceFault{negativeVariance}, entry: "yaw yaw"},
		{name: "negative by round-off", in: diag(1, -1e-9, 1), kinds: []CovarianceFault{clipped}, want: diag(1, 0, 1)},
		{name: "asymmetric", in: [3][3]float64{{1, 0.5, 0}, {0.4, 1, 0}, {0, 0, 1}}, kinds: []CovarianceFault{asymmetric}, entry: "x y"},
		{name: "one triangle only", in: [3][3]float64{{1, 0.5, 0}, {0, 1, 0}, {0, 0, 1}}, kinds: []CovarianceFault{asymmetric}, entry: "x y"},
		{name: "asymmetric by round-off", in: [3][3]float64{{1, 0.5002, 0}, {0.4998, 1, 0}, {0, 0, 1}}, kinds: []CovarianceFault{symmetrised},
			want: [3][3]float64{{1, 0.5, 0}, {0.5, 1, 0}, {0, 0, 1}}},
		{name: "correlation above one", in: [3][3]float64{{1, 1.1, 0}, {1.1, 1, 0}, {0, 0, 1}}, kinds: []CovarianceFault{notPSD}, entry: "eigenvalue"},
		{name: "each pair possible, not all three", in: [3][3]float64{{1, 0.9, -0.9}, {0.9, 1, 0.9}, {-0.9, 0.9, 1}}, kinds: []CovarianceFault{notPSD}, entry: "eigenvalue"},
		{name: "related to an axis that is exact", in: [3][3]float64{{0, 0.5, 0}, {0.5, 1, 0}, {0, 0, 1}}, kinds: []CovarianceFault{notPSD}, entry: "eigenvalue"},
		// Correlation 1+1e-7: the eigenvalue −1e-7 goes to 0, which takes
		// half of 1e-7 from the correlation and adds it to the variances.
		{name: "eigenvalue by round-off", in: [3][3]float64{{1, 1 + 1e-7, 0}, {1 + 1e-7, 1, 0}, {0, 0, 1}}, kinds: []CovarianceFault{clipped},
			want: [3][3]float64{{1 + 5e-8, 1 + 5e-8, 0}, {1 + 5e-8, 1 + 5e-8, 0}, {0, 0, 1}}},
		{name: "yaw unknown by 1e6", in: [3][3]float64{{1, 0, 100}, {0, 1, 0}, {100, 0, 1e6}}, kinds: []CovarianceFault{yawCapped},
			want: [3][3]float64{{1, 0, 0.1 * math.Pi}, {0, 1, 0}, {0.1 * math.Pi, 0, math.Pi * math.Pi}}},
		{name: "correlation beyond all bounds", in: [3][3]float64{{0, 0, 9e9}, {0, 1, 0}, {9e9, 0, 1}}, kinds: []CovarianceFault{notPSD}, entry: "correlation x yaw"},
		{name: "zeros", in: diag(0, 0, 0), kinds: []CovarianceFault{ZeroCovariance}, entry: "position"},
		{name: "zeros but for the yaw", in: diag(0, 0, 0.3), kinds: []CovarianceFault{ZeroCovariance}, entry: "position"},
		{name: "zeros substituted", zeros: 0.5, in: diag(0, 0, 0), kinds: []CovarianceFault{Substituted}, want: diag(0.25, 0.25, 0.2*0.2)},
		{name: "zeros but for the yaw substituted", zeros: 0.5, in: diag(0, 0, 0.3), kinds: []CovarianceFault{Substituted}, want: diag(0.25, 0.25, 0.3)},
	} {
		t.Run(c.name, func(t *testing.T) {
			ch := newChecker(t, c.zeros)
			got := c.in
			err := ch.check(&got, 3)
			counts := ch.Counts()
			var total uint64
			for _, k := range c.kinds {
				if counts.ByKind[k] != 1 {
					t.Errorf("%v counted %d times", k, counts.ByKind[k])
				}
			}
			for k := range kinds {
				total += counts.ByKind[k]
			}
			if total != uint64(len(c.kinds)) {
				t.Errorf("counted %v, want %v", counts.ByKind, c.kinds)
			}
			if c.entry != "" {
				var ce *CovarianceError
				if !errors.As(err, &ce) {
					t.Fatalf("error %v, want a *CovarianceError", err)
				}
				if ce.Kind != c.kinds[0] || !strings.HasPrefix(ce.Entry, c.entry) || !strings.Contains(err.Error(), c.entry) || ce.Kind.String() == "" {
					t.Errorf("refused as %v at %q, want %v at %q: %v", ce.Kind, ce.Entry, c.kinds[0], c.entry, err)
				}
				if counts.Refused != 1 || counts.Accepted != 0 {
					t.Errorf("counts %+v", counts)
				}
				for i := range 3 {
					for j := range 3 {
						if got[i][j] != c.in[i][j] && !math.IsNaN(c.in[i][j]) {
							t.Errorf("a refused covariance was changed: %v", got)
						}
					}
				}
				return
			}
			must.OK(t, err)
			if counts.Accepted != 1 || counts.Refused != 0 {
				t.Errorf("counts %+v", counts)
			}
			for i := range 3 {
				for j := range 3 {
					near(t, entryNames[i][j], got[i][j], c.want[i][j], 1e-12)
				}
			}
		})
	}
}

func TestCheckPose(t *testing.T) {
	ch := newChecker(t, 0)
	p := Pose{X: 1, Y: 2, Yaw: 7, Cov: diag(1, 1, 1)}
	must.OK(t, ch.CheckPose(&p))
	near(t, "yaw", p.Yaw, 7-2*math.Pi, 1e-15)
	for _, bad := range []Pose{{X: math.NaN(), Cov: p.Cov}, {Y: math.Inf(-1), Cov: p.Cov}, {Yaw: math.NaN(), Cov: p.Cov}, {X: 1e200, Cov: p.Cov}} {
		if err := ch.CheckPose(&bad); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
	if c := ch.Counts(); c.ByKind[NotFinite] != 3 || c.ByKind[TooLarge] != 1 || c.Refused != 4 || c.Accepted != 1 {
		t.Errorf("counts %+v", c)
	}
}

func TestCheckPosition(t *testing.T) {
	ch := newChecker(t, 0.5)
	good := [2][2]float64{{1, 0.2}, {0.2, 1}}
	if err := ch.CheckPosition(&good); err != nil || good != [2][2]float64{{1, 0.2}, {0.2, 1}} {
		t.Errorf("%v, %v", good, err)
	}
	var zero [2][2]float64
	if err := ch.CheckPosition(&zero); err != nil || zero != diag2(0.25, 0.25) {
		t.Errorf("%v, %v", zero, err)
	}
	bad := [2][2]float64{{1, 2}, {2, 1}}
	if err := ch.CheckPosition(&bad); err == nil {
		t.Error("a correlation of 2 was accepted")
	}
}

// An accepted covariance is finite, symmetric, bounded and positive semi-definite,
// whatever the input.
func TestCheckerOutputIsACovariance(t *testing.T) {
	odd := []float64{0, 1, -1, 1e-9, -1e-9, 1e-5, 1e3, 1e30, 1e308, -1e308, math.NaN(), math.Inf(1), math.MaxFloat64, 5e-324, 0.5, 0.999999, 1.000001}
	ch := newChecker(t, 0.5)
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		p := randomCov(rng, math.Exp(3*rng.NormFloat64()), math.Exp(3*rng.NormFloat64()))
		if rng.IntN(3) == 0 { // rank one
			a := [3]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
			for i := range 3 {
				for j := range 3 {
					p[i][j] = a[i] * a[j]
				}
			}
		}
		for range rng.IntN(4) {
			i, j := rng.IntN(3), rng.IntN(3)
			switch rng.IntN(3) {
			case 0:
				p[i][j] = odd[rng.IntN(len(odd))]
			case 1:
				p[i][j] *= 1 + 1e-4*rng.NormFloat64()
			case 2:
				v := odd[rng.IntN(len(odd))]
				p[i][j], p[j][i] = v, v
			}
		}
		in := p
		if ch.check(&p, 3) != nil {
			return
		}
		accepted++
		for i := range 3 {
			for j := range 3 {
				if !num.Finite(p[i][j]) || p[i][j] != p[j][i] {
					t.Fatalf("%v accepted as %v", in, p)
				}
			}
			if p[i][i] < 0 || p[i][i] > 1e4*(1+1e-5) {
				t.Fatalf("%v accepted as %v", in, p)
			}
		}
		if p[2][2] > math.Pi*math.Pi*(1+1e-5) {
			t.Fatalf("%v accepted with yaw variance %v", in, p[2][2])
		}
		if l := smallestEigenvalue(&p); !(l >= -1e-13) {
			t.Fatalf("%v accepted as %v with eigenvalue %v", in, p, l)
		}
	})
	if accepted == 0 {
		t.Error("nothing was accepted")
	}
}
