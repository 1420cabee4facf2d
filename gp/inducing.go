// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/floats"

	"ugp_explorer/gp/internal/kernel"
	"ugp_explorer/gp/internal/packed"
)

// inducing holds the information about f at m inducing points z, which replaces the
// observations in a sparse posterior. Let L be the Cholesky factor of the points' prior
// covariance K, u = f(z) = Lv, and
//
//	φ_i = L⁻¹k̂(P_i, δ_z),  r_i = k̂(P_i, P_i) - |φ_i|²,  λ'_i = λ_i + r_i
//
// Observation i is modelled as y_i = φ_iᵀv + noise of variance λ'_i: the variance of f̂(P_i) that the points do not explain is treated as
// noise. This is the fully independent training conditional (Snelson and Ghahramani 2006; Quiñonero-Candela and Rasmussen 2005) with
// beliefs as inputs: k̂(P, δ_z) is Eq. k_use with Σ' = 0. A priori v ~ N(0, I), so only sums have to be kept,
//
//	C = Σ φ_iφ_iᵀ/λ'_i,  b = Σ φ_i(y_i - m)/λ'_i
//
// and a posteriori v has the precision B = I + C and the mean B⁻¹b. B is as
// well-conditioned as K̂+Λ: its eigenvalues are those of Λ'^-½(Q+Λ')Λ'^-½ with Q = ΦΦᵀ. A
// new point appends a row to L and an entry to all later φ. Earlier observations were
// explained well without the point, so their entry is taken as 0 (Csató and Opper 2002).
// An observation therefore takes O(m²) regardless of the number of observations.
//
// The weights of the covariates, divided by their prior standard deviations, are part of v:
// the first of its entries. They are independent of f without the covariates, whose values at
// the points u then are, so that L begins with the identity, and φ_i with the features of
// the covariates. The part of the covariates is therefore exact.
//
// All quantities are centred and in units of σ_f².
type inducing struct {
	kernel    *kernel.Unit
	parts     []kernel.Part // of the kernel
	max       int
	weights   int     // number of covariates, which are rows without a place
	tolerance float64 // that of SparseConfig, or larger if max required it

	x    []float64       // z, m×d
	chol packed.Triangle // L
	info []float64       // C, packed
	b    []float64
	sums

	phi, row, best, point, bestPoint []float64 // workspace
	zero, spread                     []float64
	planar                           []planarTerm // in two dimensions
	terms                            []float64    // in others
}

// sums are the sums over the observations that are single numbers.
type sums struct {
	trace    float64 // tr C
	square   float64 // Σ (y_i - m)²/λ'_i
	logNoise float64 // Σ log λ'_i
	logRatio float64 // Σ log λ'_i/λ_i
}

const (
	// minPivot is the smallest variance of a new point given the other points. The
	// condition number of K is then at most about m/minPivot, and half of a float64's
	// digits remain correct.
	minPivot = 1e-8
	// leastNoise replaces smaller noise variances in the tolerance: a fraction of a
	// smaller variance would need points closer together than minPivot allows.
	leastNoise = 1e-6
	// worthwhile is the smallest fraction of an observation's unexplained variance that a
	// new point must explain. A belief over many length-scales is hardly correlated with
	// any point, so that a point for it would be wasted.
	worthwhile = 0.1
	// coarser is the factor by which the tolerance is raised if there are too many
	// points.
	coarser = 2
)

func newInducing(k *kernel.Unit, cfg SparseConfig, tolerance float64, weights int) *inducing {
	d := k.Dim
	buf := make([]float64, 2*d)
	s := &inducing{
		kernel: k, parts: k.Terms(), max: cfg.MaxInducing, tolerance: tolerance, weights: weights,
		point: buf[:d], bestPoint: buf[d:],
		zero: make([]float64, packed.Len(d)), spread: make([]float64, packed.Len(d)),
	}
	for range weights {
		s.best = make([]float64, s.len())
		s.place(1)
	}
	return s
}

// len returns m, including the weights.
func (s *inducing) len() int { return s.chol.N }

// clone returns a copy that shares only what does not change.
func (s *inducing) clone() *inducing {
	c := newInducing(s.kernel, SparseConfig{MaxInducing: s.max}, s.tolerance, s.weights)
	c.x, c.info, c.b = slices.Clone(s.x), slices.Clone(s.info), slices.Clone(s.b)
	c.chol = packed.Triangle{N: s.chol.N, A: slices.Clone(s.chol.A)}
	c.sums = s.sums
	return c
}

// features writes φ of N(x, cov) into dst and returns it and the prior variance that the
// points leave unexplained, both without the covariates. dst must be nil or an earlier result of features.
func (s *inducing) features(dst, x, cov []float64) (phi []float64, left float64) {
	d := s.kernel.Dim
	phi = resize(dst, s.len())
	if d == 2 {
		s.planar = appendPlanarTerms(s.planar[:0], s.parts, x, cov, s.zero)
		crossPoints(phi, s.planar, s.x)
	} else {
		s.terms = s.terms[:0]
		for _, p := range s.parts {
			s.terms = p.AppendTerm(s.terms, x, cov, s.zero)
		}
		kernel.Sums(phi, s.terms, s.x)
	}
	clear(phi[:s.weights])
	s.chol.Forward(phi)
	return phi, s.kernel.Eval(x, x, cov, cov) - floats.Dot(phi, phi)
}

// cover places points until the unexplained variance at N(x, cov) is within the
// tolerance, or no point would help. It sets phi and returns the unexplained variance,
// and false if most points are not enough. trend are the features of the covariates.
func (s *inducing) cover(x, cov, trend []float64, noise float64, most int) (left float64, ok bool) {
	s.phi, left = s.features(s.phi, x, cov)
	copy(s.phi, trend)
	for left > s.tolerance*max(noise, leastNoise) {
		entry, root := s.propose(x, cov, left)
		if entry*entry < worthwhile*left {
			break
		}
		if s.len()-s.weights >= most {
			return left, false
		}
		s.place(root)
		s.phi = append(s.phi, entry)
		left -= entry * entry
	}
	return max(left, 0), true
}

// propose finds the point that explains most of the unexplained variance of a belief. It
// tries the mean and, if that is not worthwhile, also the 2r points x̂ ± √r·s, where s are
// the columns of a square root of Σ and r is its rank. These points have the mean and
// covariance of the belief (Arasaratnam and Haykin, IEEE Trans. Automat. Contr. 2009). It
// writes the point and its row of L to bestPoint and best, and returns the new feature of the
// belief and the diagonal of the row; zeros if no point has enough variance.
func (s *inducing) propose(x, cov []float64, left float64) (entry, root float64) {
	d := s.kernel.Dim
	try := func() {
		row, pivot := s.features(s.row, s.point, s.zero)
		s.row = row
		if pivot < minPivot {
			return
		}
		r := math.Sqrt(pivot)
		e := (s.kernel.Eval(x, s.point, cov, s.zero) - floats.Dot(row, s.phi)) / r
		if math.Abs(e) > math.Abs(entry) {
			entry, root = e, r
			s.best, s.row = s.row, s.best
			copy(s.bestPoint, s.point)
		}
	}
	copy(s.point, x)
	try()
	if entry*entry >= worthwhile*left {
		return entry, root
	}
	copy(s.spread, cov)
	packed.Cholesky(s.spread, d)
	rank := 0.0
	for c := range d {
		if s.spread[packed.At(c, c)] > 0 {
			rank++
		}
	}
	reach := math.Sqrt(rank)
	for c := range d {
		if s.spread[packed.At(c, c)] == 0 {
			continue
		}
		for _, sign := range [...]float64{reach, -reach} {
			for i := range d {
				s.point[i] = x[i]
				if i >= c {
					s.point[i] += sign * s.spread[packed.At(i, c)]
				}
			}
			try()
		}
	}
	return entry, root
}

// place makes the proposed point one of the inducing points.
func (s *inducing) place(root float64) {
	m := s.len()
	s.x = append(s.x, s.bestPoint...)
	s.chol.Grow(s.best, root)
	for range m + 1 {
		s.info = append(s.info, 0)
	}
	s.b = append(s.b, 0)
}

// truncate keeps the first m points. No observation may have been added since the others
// were placed.
func (s *inducing) truncate(m int) {
	s.x, s.b, s.info = s.x[:m*s.kernel.Dim], s.b[:m], s.info[:packed.Len(m)]
	s.chol.Truncate(m)
}

// take adds an observation with features phi and centred value y, unless the bound 1 + tr C
// of the condition number of B would exceed maxCondition. It returns the new bound.
func (s *inducing) take(y, noise, left float64) (condition float64) {
	total := noise + left
	explained := floats.Dot(s.phi, s.phi)
	if condition = 1 + s.trace + explained/total; !(condition <= maxCondition) {
		return condition
	}
	for i, v := range s.phi {
		o := packed.At(i, 0)
		floats.AddScaled(s.info[o:o+i+1], v/total, s.phi[:i+1])
	}
	floats.AddScaled(s.b, y/total, s.phi)
	s.trace += explained / total
	s.square += y * y / total
	s.logNoise += math.Log(total)
	if noise > 0 {
		s.logRatio += math.Log1p(left / noise)
	} else {
		s.logRatio = math.Inf(1)
	}
	return condition
}

// solution is the posterior of v.
type solution struct {
	precision packed.Triangle // Cholesky factor of B
	mean      []float64       // B⁻¹b
	logDet    float64         // ½ log|B|
	square    float64         // (y-m)ᵀ(Q+Λ')⁻¹(y-m)
}

// solve returns the posterior of v in O(m³).
func (s *inducing) solve() solution {
	m := s.len()
	r := solution{precision: packed.Triangle{N: m, A: slices.Clone(s.info)}, mean: slices.Clone(s.b)}
	for i := range m {
		row := r.precision.Row(i)
		row[i]++
		for j := range i {
			other := r.precision.Row(j)
			row[j] = (row[j] - floats.Dot(row[:j], other[:j])) / other[j]
		}
		// B ≥ I, so every pivot is at least 1 except for rounding.
		row[i] = math.Sqrt(max(row[i]-floats.Dot(row[:i], row[:i]), 1))
		r.logDet += math.Log(row[i])
	}
	r.precision.Forward(r.mean)
	r.square = max(s.square-floats.Dot(r.mean, r.mean), 0)
	r.precision.Backward(r.mean)
	return r
}

// factor returns the lower triangular G for which the posterior variance is
//
//	k̂(P, P) - |φ|² + φᵀB⁻¹φ = k̂(P, P) - |G⁻¹k|²,  k = k̂(P, δ_z)
//
// as if the inducing points themselves were observed with noise of covariance GGᵀ - K.
// Since GGᵀ = L(I - B⁻¹)⁻¹Lᵀ, G = LT⁻¹ where I - B⁻¹ = TᵀT and T is lower triangular. It
// takes 5m³/6 multiplications in addition to those of solve.
func (s *inducing) factor(precision *packed.Triangle) packed.Triangle {
	m := s.len()
	inverse := packed.Triangle{N: m, A: make([]float64, packed.Len(m))} // of precision: B⁻¹ = WᵀW
	root := packed.Triangle{N: m, A: make([]float64, packed.Len(m))}    // I - B⁻¹, and then T
	for i := range m {
		w, l := inverse.Row(i), precision.Row(i)
		w[i] = 1
		for j := range i {
			floats.AddScaled(w[:j+1], -l[j], inverse.Row(j))
		}
		floats.Scale(1/l[i], w)
		for j, v := range w {
			floats.AddScaled(root.Row(j), -v, w[:j+1])
		}
		root.Row(i)[i]++
	}
	for k := m - 1; k >= 0; k-- {
		t := root.Row(k)
		if !(t[k] > minInformed) {
			// Almost nothing is known in this direction. The error is smaller than rounding.
			clear(t)
			t[k] = math.Sqrt(minInformed)
			continue
		}
		t[k] = math.Sqrt(t[k])
		floats.Scale(1/t[k], t[:k])
		for j, v := range t[:k] {
			floats.AddScaled(root.Row(j), -v, t[:j+1])
		}
	}
	g := packed.Triangle{N: m, A: slices.Clone(s.chol.A)}
	for i := range m {
		row := g.Row(i)
		lead := packed.Triangle{N: i + 1, A: root.A}
		lead.Backward(row)
	}
	return g
}

// minInformed is the fraction of a direction's prior variance below which the explained
// variance is only rounding.
const minInformed = 1e-14

// spreadOrder returns 0 … n-1 in the order of the van der Corput sequence: any number of
// leading entries is spread over the whole range.
func spreadOrder(n int) []int {
	order := make([]int, 0, n)
	width := bits.Len(uint(max(n-1, 0)))
	for i := range 1 << width {
		if r := int(bits.Reverse64(uint64(i)) >> (64 - width)); r < n {
			order = append(order, r)
		}
	}
	return order
}

// resize returns s with length n and undefined contents. If it reallocates, it reserves
// half as much again, so that many small steps are cheap.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}
