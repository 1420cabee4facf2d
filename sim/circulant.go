// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
	"math/rand/v2"

	"ugp_explorer/planner/surface"
)

// maxEmbedding bounds the number of points of the torus in which a grid is
// embedded: 2^24 complex numbers are 256 MiB.
const maxEmbedding = 1 << 24

// covarianceTolerance is the largest error, relative to the variance, that
// setting negative eigenvalues to zero may make in the covariance of any two
// nodes (their sum over the number of points bounds it). Rounding in the
// transform alone leaves about 1e-15 times the number of nodes within a range
// of one another; a torus that is truly too small leaves 1e-6 and more.
const covarianceTolerance = 1e-9

// Sampler draws Gaussian random fields with the structured part of a variogram
// at the nodes of a grid, by circulant embedding (Dietrich & Newsam 1997, SIAM
// J. Sci. Comput. 18:1088; Wood & Chan 1994, J. Comput. Graph. Stat. 3:409).
// The covariance between any two nodes is the model's, exactly.
//
// A Sampler owns its workspace and is not safe for concurrent use.
type Sampler struct {
	grid   surface.Grid
	mx, my int       // size of the torus
	root   []float64 // √(eigenvalue/(mx·my)), row order
	work   []complex128
	fft    *fft2
}

// NewSampler returns a sampler of v's structured part on g. The nugget of v is
// ignored: see Simulate.
//
// The grid is put on a torus at least twice its size. While the covariance, wrapped
// round the torus, has negative eigenvalues, the torus is doubled. When that would take
// more than 2^24 points, as for smooth variograms whose range is many times the grid's
// extent, NewSampler returns an error, since the field would have another covariance.
func NewSampler(g surface.Grid, v Variogram) (*Sampler, error) { return newSampler(g, v, maxEmbedding) }

// newSampler is NewSampler with at most limit points on the torus.
func newSampler(g surface.Grid, v Variogram, limit int) (*Sampler, error) {
	mx, my := torusSize(g.NX), torusSize(g.NY)
	worst := math.NaN()
	for ; mx*my <= limit; mx, my = growTorus(mx), growTorus(my) {
		s := &Sampler{grid: g, mx: mx, my: my, fft: newFFT2(mx, my)}
		if worst = s.embed(v); worst <= covarianceTolerance {
			return s, nil
		}
	}
	if math.IsNaN(worst) {
		return nil, fmt.Errorf("sim: a grid of %d × %d nodes needs a torus of %d × %d points: at most %d in all; use a wider spacing", g.NX, g.NY, mx, my, limit)
	}
	return nil, fmt.Errorf("sim: %v variogram of range %v m on a grid of %d × %d nodes, %v × %v m apart: on the largest torus tried (of %d points allowed) covariances would still be wrong by up to %.3g of the variance (allowed %.0g); use a wider spacing or a shorter range",
		v.Model, v.Range, g.NX, g.NY, g.DX, g.DY, limit, worst, covarianceTolerance)
}

// torusSize returns the smallest number of points ≥ 2(n−1) without prime
// factors above 5, for which gonum's transform is fast; 1 for a single node.
func torusSize(n int) int {
	if n == 1 {
		return 1
	}
	for m := 2 * (n - 1); ; m += 2 {
		r := m
		for _, p := range [...]int{2, 3, 5} {
			for r%p == 0 {
				r /= p
			}
		}
		if r == 1 {
			return m
		}
	}
}

// growTorus doubles the torus; a line of single nodes stays one.
func growTorus(m int) int {
	if m == 1 {
		return 1
	}
	return 2 * m
}

// embed computes the square roots of the eigenvalues of the wrapped covariance
// matrix, which are the transform of its first row, and returns the bound on the
// relative error that results from setting the negative ones to zero.
func (s *Sampler) embed(v Variogram) float64 {
	a := make([]complex128, s.mx*s.my)
	for j := 0; j <= s.my/2; j++ {
		dy := float64(j) * s.grid.DY
		for i := 0; i <= s.mx/2; i++ {
			dx := float64(i) * s.grid.DX
			c := complex(v.Structured*v.correlationAt(math.Hypot(dx, dy)), 0)
			a[j*s.mx+i], a[j*s.mx+(s.mx-i)%s.mx] = c, c
		}
	}
	half := s.my/2 + 1
	s.fft.rows(a[:half*s.mx])
	for j := half; j < s.my; j++ { // the rows come back in the other order
		copy(a[j*s.mx:(j+1)*s.mx], a[(s.my-j)*s.mx:])
	}
	s.fft.columns(a)
	s.root = make([]float64, len(a))
	scale := 1 / float64(len(a))
	negative := 0.0
	for k, e := range a {
		if l := real(e) * scale; l >= 0 {
			s.root[k] = math.Sqrt(l)
		} else {
			negative -= l
		}
	}
	s.work = a
	if v.Structured == 0 {
		return 0
	}
	return negative / v.Structured
}

// Sample writes a field of mean zero into dst, in the order of Grid.Index. It
// panics when dst does not have one element per node. It does not allocate.
func (s *Sampler) Sample(dst []float64, rng *rand.Rand) {
	if len(dst) != s.grid.Len() {
		panic("sim: destination does not have one element per node")
	}
	for k, r := range s.root {
		s.work[k] = complex(r*rng.NormFloat64(), r*rng.NormFloat64())
	}
	s.fft.transform(s.work)
	// The real part has the required covariance (Dietrich & Newsam, section 2).
	for j := range s.grid.NY {
		for i := range s.grid.NX {
			dst[s.grid.Index(i, j)] = real(s.work[j*s.mx+i])
		}
	}
}

// Simulate draws a Gaussian random field of the given mean and variogram at the
// nodes of g. The nugget is an independent normal variate per node; it is part of
// Value and not of Smooth. It has its own random source, so that fields that differ
// only in the nugget have the same Smooth.
func Simulate(g surface.Grid, v Variogram, mean float64, name, units string, rng *rand.Rand) (*surface.GridField, error) {
	s, err := NewSampler(g, v)
	if err != nil {
		return nil, err
	}
	micro := split(rng)
	smooth := make([]float64, g.Len())
	s.Sample(smooth, split(rng))
	value := make([]float64, g.Len())
	sd := math.Sqrt(v.Nugget)
	for k := range smooth {
		smooth[k] += mean
		value[k] = smooth[k] + sd*micro.NormFloat64()
	}
	return surface.NewGridField(g, value, smooth, name, units)
}
