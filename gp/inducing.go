package gp

import (
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/floats"

	"ugp_explorer/gp/internal/kernel"
	"ugp_explorer/gp/internal/packed"
)

// inducing is what is known of f at m inducing points z, which stands in for the
// observations in a sparse posterior. With L the Cholesky factor of the points'
// prior covariance K, u = f(z) = Lv, and
//
//	φ_i = L⁻¹k̂(P_i, δ_z),  r_i = k̂(P_i, P_i) - |φ_i|²,  λ'_i = λ_i + r_i
//
// observation i is taken as y_i = φ_iᵀv + noise of variance λ'_i: what the points
// leave unexplained of f̂(P_i) counts as its own noise. That is the fully independent
// training conditional (Snelson and Ghahramani 2006; Quiñonero-Candela and
// Rasmussen 2005), with beliefs for inputs: k̂(P, δ_z) is Eq. k_use with Σ' = 0.
// v ~ N(0, I) a priori, so all that is kept are sums,
//
//	C = Σ φ_iφ_iᵀ/λ'_i,  b = Σ φ_i(y_i - m)/λ'_i
//
// and a posteriori v has the precision B = I + C and the mean B⁻¹b. B is as
// well-conditioned as K̂+Λ is: its eigenvalues are those of Λ'^-½(Q+Λ')Λ'^-½, Q being
// ΦΦᵀ. A new point appends a row to L and an entry to later φ; to earlier
// observations, which had been explained well without it, it says nothing new and
// their entry is taken as 0 (Csató and Opper 2002). So an observation costs O(m²)
// whatever their number.
//
// All in units of σ_f² and centred.
type inducing struct {
	kernel    *kernel.Unit
	max       int
	tolerance float64 // of SparseConfig, or what max has raised it to

	x    []float64       // z, m×d
	chol packed.Triangle // L
	info []float64       // C, packed
	b    []float64
	sums

	phi, row, best, point, bestPoint []float64 // workspace
	zero, spread, work               []float64
}

// sums are what of the observations is a single number.
type sums struct {
	trace    float64 // tr C
	square   float64 // Σ (y_i - m)²/λ'_i
	logNoise float64 // Σ log λ'_i
	logRatio float64 // Σ log λ'_i/λ_i
}

const (
	// minPivot is the least variance, given the other points, with which a point is
	// placed. K's condition number is then some m/minPivot at most, and half of a
	// float64's digits are left.
	minPivot = 1e-8
	// leastNoise stands in for noise variances below it in the tolerance: to hold on
	// to a share of less would take points nearer to each other than minPivot allows.
	leastNoise = 1e-6
	// worthwhile is the least share that a point must explain of what is left of an
	// observation's variance: a belief over many length-scales has next to nothing
	// to do with any point, and to place one would be a waste.
	worthwhile = 0.1
	// coarser is the factor by which the tolerance rises when there are too many
	// points.
	coarser = 2
)

func newInducing(k *kernel.Unit, cfg SparseConfig, tolerance float64) *inducing {
	d := k.Dim
	buf := make([]float64, 2*d)
	return &inducing{
		kernel: k, max: cfg.MaxInducing, tolerance: tolerance,
		point: buf[:d], bestPoint: buf[d:],
		zero: make([]float64, packed.Len(d)), spread: make([]float64, packed.Len(d)),
		work: make([]float64, k.WorkLen()),
	}
}

// len returns m.
func (s *inducing) len() int { return s.chol.N }

// clone returns a copy that shares nothing that changes.
func (s *inducing) clone() *inducing {
	c := newInducing(s.kernel, SparseConfig{MaxInducing: s.max}, s.tolerance)
	c.x, c.info, c.b = slices.Clone(s.x), slices.Clone(s.info), slices.Clone(s.b)
	c.chol = packed.Triangle{N: s.chol.N, A: slices.Clone(s.chol.A)}
	c.sums = s.sums
	return c
}

// features writes φ of N(x, cov) into dst and returns it and what the points leave
// of its prior variance. dst is nil or has been written by features before.
func (s *inducing) features(dst, x, cov []float64) (phi []float64, left float64) {
	d := s.kernel.Dim
	phi = resize(dst, s.len())
	for i := range phi {
		phi[i] = s.kernel.Eval(x, s.x[i*d:(i+1)*d], cov, s.zero, s.work)
	}
	s.chol.Forward(phi)
	return phi, s.kernel.Eval(x, x, cov, cov, s.work) - floats.Dot(phi, phi)
}

// cover places points until no more than the tolerated share of the noise is left
// unexplained of N(x, cov), or no point would help. It sets phi and returns
// what is left, and false when most points are not enough.
func (s *inducing) cover(x, cov []float64, noise float64, most int) (left float64, ok bool) {
	s.phi, left = s.features(s.phi, x, cov)
	for left > s.tolerance*max(noise, leastNoise) {
		entry, root := s.propose(x, cov, left)
		if entry*entry < worthwhile*left {
			break
		}
		if s.len() >= most {
			return left, false
		}
		s.place(root)
		s.phi = append(s.phi, entry)
		left -= entry * entry
	}
	return max(left, 0), true
}

// propose finds the point that explains most of what is left of a belief: the
// mean or, if that is not worthwhile, also the 2d points x̂ ± √d·s, s the columns of a
// root of Σ, which have its mean and covariance (Arasaratnam and Haykin, IEEE Trans.
// Automat. Contr. 2009). It leaves the point and its row of L in bestPoint and
// best, and returns the belief's new feature and the row's diagonal; zeros when
// no point has variance left.
func (s *inducing) propose(x, cov []float64, left float64) (entry, root float64) {
	d := s.kernel.Dim
	try := func() {
		row, pivot := s.features(s.row, s.point, s.zero)
		s.row = row
		if pivot < minPivot {
			return
		}
		r := math.Sqrt(pivot)
		e := (s.kernel.Eval(x, s.point, cov, s.zero, s.work) - floats.Dot(row, s.phi)) / r
		if math.Abs(e) > math.Abs(entry) {
			entry, root = e, r
			s.best, s.row = s.row, s.best
			copy(s.bestPoint, s.point)
		}
	}
	copy(s.point, x)
	try()
	copy(s.spread, cov)
	if entry*entry >= worthwhile*left || !packed.Cholesky(s.spread, d) { // a point or the like has no spread
		return entry, root
	}
	reach := math.Sqrt(float64(d))
	for c := range d {
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

// truncate drops the points from m on, of which no observation has told yet.
func (s *inducing) truncate(m int) {
	s.x, s.b, s.info = s.x[:m*s.kernel.Dim], s.b[:m], s.info[:packed.Len(m)]
	s.chol.Truncate(m)
}

// take adds an observation whose features are in phi and whose centred value is y,
// unless that would bring B's condition number, which is 1 + tr C at most, over
// maxCondition. It returns what that would be.
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
	square    float64         // of the values: (y-m)ᵀ(Q+Λ')⁻¹(y-m)
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
		// B ≥ I, and so is every pivot: only rounding could bring it below 1.
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
// as if the inducing points were themselves observed, with noise of covariance
// GGᵀ - K. GGᵀ = L(I - B⁻¹)⁻¹Lᵀ, so with I - B⁻¹ = TᵀT, T lower triangular, G is
// LT⁻¹. It is O(m³), five times m³/6 multiplications beside those of solve.
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
			// As good as nothing is known in this direction: less than rounding is lost.
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

// minInformed is the share of a direction's prior variance below which what was
// learnt of it is rounding.
const minInformed = 1e-14

// spreadOrder returns 0 … n-1 such that the first few are always spread over the
// whole: the van der Corput sequence.
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
