package execution

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/internal/valid"
)

// ErrExecution is wrapped by the errors about the execution noise.
var ErrExecution = errors.New("planner: invalid execution noise")

// Config is the prior of the execution noise, and what the noise may depend on.
type Config struct {
	StdDev   float64 // σ_0 > 0, m, prior median of the standard deviation in each coordinate
	Factor   float64 // > 1, one prior standard deviation of log σ is log Factor
	Weight   float64 // ν > 0, number of samples that the prior of a round noise without bias counts for
	Locating Locating

	// Directional means that bias and covariance are along and across the direction of
	// approach, not along the axes. It needs two dimensions.
	Directional bool

	// Growing means that the covariance is proportional to 1 + γℓ, with ℓ the length of
	// the path. γ ≥ 0 is learnt too.
	Growing bool
}

// DefaultConfig returns a weak prior, which the first few samples outweigh.
func DefaultConfig(stdDev float64) Config {
	return Config{StdDev: stdDev, Factor: 3, Weight: 4}
}

// Validate returns an error that wraps [ErrExecution] and names the first field outside its
// range.
func (c Config) Validate() error {
	switch {
	case !valid.Finite(c.StdDev) || c.StdDev <= 0:
		return fmt.Errorf("%w: StdDev is %g m, want a finite number > 0", ErrExecution, c.StdDev)
	case !valid.Finite(c.Factor) || c.Factor <= 1:
		return fmt.Errorf("%w: Factor is %g, want a finite number > 1", ErrExecution, c.Factor)
	case !valid.Finite(c.Weight) || c.Weight <= 0:
		return fmt.Errorf("%w: Weight is %g samples, want a finite number > 0", ErrExecution, c.Weight)
	case c.Locating != LocatingFiltered && c.Locating != LocatingMeasured:
		return fmt.Errorf("%w: Locating is %d, want LocatingFiltered or LocatingMeasured", ErrExecution, c.Locating)
	}
	return nil
}

const (
	maxRounds = 500  // largest number of iterations; tens are typical
	tolerance = 1e-6 // relative change at which the iteration ends
)

// growths holds the candidates for γ times the mean length of the paths. Being wrong by a
// factor of two costs a hundredth of a nat per sample.
var growths = []float64{0, 0.25, 0.5, 1, 2, 4, 8, 16}

// Learn returns the most probable execution noise in dim dimensions after the arrivals, or
// the prior's if there are none. With d = x̂ - x, in the frame of the approach if
// Directional, and h = 1 + γℓ,
//
//	b | Σ ~ N(0, Σ/ν),  Σ | s ~ IW(ν, νsI),  log s ~ N(log σ_0², (2 log Factor)²)
//	LocatingMeasured: d ~ N(b, hΣ + Σ_L);  LocatingFiltered: d + l ~ N(b, hΣ), l ~ N(0, Σ_L)
//
// so few samples outweigh a wrong σ_0, while Σ stays round until there are more. The
// iteration is expectation maximisation over the true x̃ - x. log Σ is at the mode of its
// density, with b integrated out. For LocatingFiltered d tells nothing about l.
//
// The error wraps [ErrExecution].
func Learn(cfg Config, dim int, arrivals []Arrival) (Noise, error) {
	if err := cfg.Validate(); err != nil {
		return Noise{}, err
	}
	if dim < 1 || cfg.Directional && dim != 2 {
		return Noise{}, fmt.Errorf("%w: %s, want at least 1, and exactly 2 for a directional noise", ErrExecution, valid.Count(dim, "dimension"))
	}
	l := learner{cfg: cfg, dim: dim}
	for i, a := range arrivals {
		if err := l.take(a); err != nil {
			return Noise{}, fmt.Errorf("%w: arrival %d of %d: %w", ErrExecution, i+1, len(arrivals), err)
		}
	}
	mean := 0.0
	for _, length := range l.lengths {
		mean += length / float64(len(l.lengths))
	}
	best, likeliest := Noise{}, math.Inf(-1)
	for _, g := range growths {
		e := Noise{Directional: cfg.Directional, Length: mean}
		if g > 0 {
			if !cfg.Growing || mean == 0 {
				break
			}
			e.Growth = g / mean
		}
		density := l.learn(&e)
		if g > 0 {
			density -= math.Log(float64(len(arrivals))) / 2 // Bayesian information criterion for one more parameter (Schwarz 1978)
		}
		if density > likeliest {
			best, likeliest = e, density
		}
	}
	if best.Cov == nil {
		return Noise{}, fmt.Errorf("%w: the covariance is not positive definite after %d arrivals", ErrExecution, len(arrivals))
	}
	return best, nil
}

// learner holds the arrivals in the frame in which the noise is learnt.
type learner struct {
	cfg     Config
	dim     int
	off     []*mat.VecDense // x̂ - x
	located []*mat.SymDense // Σ_L
	lengths []float64
}

// take checks an arrival and adds it.
func (l *learner) take(a Arrival) error {
	for _, b := range []gp.Belief{{Mean: a.Target}, a.Located} {
		if err := b.Validate(l.dim); err != nil {
			return err
		}
	}
	if !valid.Finite(a.Length) || a.Length < 0 {
		return fmt.Errorf("its length is %g m, want a finite number ≥ 0", a.Length)
	}
	off, cov := make([]float64, l.dim), a.Located.Cov
	for i := range off {
		off[i] = a.Located.Mean[i] - a.Target[i]
	}
	if cov == nil {
		cov = mat.NewSymDense(l.dim, nil)
	}
	if l.cfg.Directional {
		if len(a.Direction) != 2 || !(math.Abs(math.Hypot(a.Direction[0], a.Direction[1])-1) < 1e-6) {
			return fmt.Errorf("its direction is %v, want a unit vector", a.Direction)
		}
		back := []float64{a.Direction[0], -a.Direction[1]}
		off, cov = turned(back, off), turnedCov(back, cov)
	}
	l.off = append(l.off, mat.NewVecDense(l.dim, off))
	l.located = append(l.located, cov)
	l.lengths = append(l.lengths, a.Length)
	return nil
}

// learn sets the bias and the covariance of e for its growth. It returns the logarithm of
// their density up to a constant, or 0 if there is no growth to choose.
func (l *learner) learn(e *Noise) float64 {
	d, n, nu := float64(l.dim), float64(len(l.off)), l.cfg.Weight
	prior, spread := 2*math.Log(l.cfg.StdDev), 2*math.Log(l.cfg.Factor)
	logScale := prior // log s
	cov, b := isotropicCov(l.dim, math.Exp(prior)), mat.NewVecDense(l.dim, nil)
	var chol mat.Cholesky
	var sum *mat.VecDense
	var weight float64
	var expected *mat.SymDense
	for round := range maxRounds {
		if round == 0 || l.cfg.Locating == LocatingMeasured { // otherwise it does not depend on cov and b
			sum, weight, expected = l.expect(cov, b, e.Growth)
		}
		b.ScaleVec(1/(nu+weight), sum)
		// Σ m mᵀ/h + C/h - (ν + Σ1/h) b bᵀ is the scatter about b, b's prior included.
		var moments mat.SymDense
		moments.SymRankOne(expected, -(nu + weight), b)
		next := isotropicCov(l.dim, nu*math.Exp(logScale))
		next.AddSym(next, &moments)
		next.ScaleSym(1/(nu+n), next)
		change := 0.0
		for i := range l.dim {
			change = max(change, math.Abs(next.At(i, i)/cov.At(i, i)-1))
		}
		cov = next
		if !chol.Factorize(cov) {
			return math.Inf(-1)
		}
		var inverse mat.SymDense
		if err := chol.InverseTo(&inverse); err != nil {
			return math.Inf(-1)
		}
		last := logScale
		logScale = l.scale(logScale, mat.Trace(&inverse), prior, spread)
		if change < tolerance && math.Abs(logScale-last) < tolerance {
			break
		}
	}
	e.Bias, e.Cov = append([]float64(nil), b.RawVector().Data...), cov
	if !l.cfg.Growing {
		return 0 // there is nothing to compare with
	}
	var inverse mat.SymDense
	if err := chol.InverseTo(&inverse); err != nil {
		return math.Inf(-1)
	}
	trace := mat.Trace(&inverse)
	density := nu/2*(d*logScale-chol.LogDet()-math.Exp(logScale)*trace) - (logScale-prior)*(logScale-prior)/(2*spread*spread)
	return density + l.likelihood(cov, &inverse, b, e.Growth)
}

// scale returns the log s with the largest density, which is concave in it, by
// Newton's method: ν/2 (d log s - s tr Σ⁻¹) - (log s - log σ_0²)²/2spread².
func (l *learner) scale(from, trace, prior, spread float64) float64 {
	nu, d := l.cfg.Weight, float64(l.dim)
	for range 50 {
		share := nu / 2 * math.Exp(from) * trace
		step := (nu/2*d - share - (from-prior)/(spread*spread)) / (share + 1/(spread*spread))
		from += min(max(step, -2), 2)
		if math.Abs(step) < tolerance {
			break
		}
	}
	return from
}

// expect returns Σ m/h, Σ 1/h and Σ (C + m mᵀ)/h, where N(m, C) is the posterior of x̃ - x at
// each arrival under the given noise.
func (l *learner) expect(cov *mat.SymDense, bias *mat.VecDense, growth float64) (sum *mat.VecDense, weight float64, moments *mat.SymDense) {
	sum, moments = mat.NewVecDense(l.dim, nil), mat.NewSymDense(l.dim, nil)
	for i, off := range l.off {
		h := 1 + growth*l.lengths[i]
		m, c := off, l.located[i]
		if l.cfg.Locating == LocatingMeasured {
			m, c = l.given(i, cov, bias, h)
		}
		weight += 1 / h
		sum.AddScaledVec(sum, 1/h, m)
		var share mat.SymDense
		share.ScaleSym(1/h, c)
		moments.AddSym(moments, &share)
		moments.SymRankOne(moments, 1/h, m)
	}
	return sum, weight, moments
}

// given returns the posterior of x̃ - x at arrival i for LocatingMeasured:
// with S = hΣ + Σ_L, m = b + hΣS⁻¹(d - b) and C = hΣ - hΣS⁻¹hΣ.
func (l *learner) given(i int, cov *mat.SymDense, bias *mat.VecDense, h float64) (*mat.VecDense, *mat.SymDense) {
	var prior, sum mat.SymDense
	prior.ScaleSym(h, cov)
	sum.AddSym(&prior, l.located[i])
	var chol mat.Cholesky
	if !chol.Factorize(&sum) { // learn detects that Σ is not positive definite
		return l.off[i], &prior
	}
	var gain, less mat.Dense // S⁻¹hΣ
	var m mat.VecDense
	if err := chol.SolveTo(&gain, &prior); err != nil {
		return l.off[i], &prior
	}
	m.SubVec(l.off[i], bias)
	m.MulVec(gain.T(), &m)
	m.AddVec(&m, bias)
	less.Mul(&prior, &gain)
	c := mat.NewSymDense(l.dim, nil)
	for r := range l.dim {
		for k := r; k < l.dim; k++ {
			c.SetSym(r, k, prior.At(r, k)-(less.At(r, k)+less.At(k, r))/2)
		}
	}
	return &m, c
}

// likelihood returns the log likelihood of the arrivals up to a constant, with the bias integrated
// out. For LocatingFiltered it is the expectation of that of x̃ - x. Given Σ all is Gaussian in b, so
// with b̂ its mode, S_i = h_iΣ + Σ_L or h_iΣ, and Λ = νΣ⁻¹ + Σ S_i⁻¹ its precision,
//
//	log ∫ Π N(d_i; b, S_i) N(b; 0, Σ/ν) db = Σ log N(d_i; b̂, S_i) - ν/2 b̂ᵀΣ⁻¹b̂ - ½ log|ΛΣ| + const
//
// Without Σ_L |ΛΣ| is (ν + Σ 1/h)^d: with h = 1 the factor (κ_0/κ_n)^(d/2) of the marginal likelihood
// under a normal-inverse-Wishart prior (Murphy 2007, Conjugate Bayesian analysis of the Gaussian
// distribution, section 9). It depends on γ, as a large h leaves b open. The integral over log Σ at
// its mode does not: it depends on ν + n alone.
func (l *learner) likelihood(cov, inverse *mat.SymDense, bias *mat.VecDense, growth float64) float64 {
	nu := l.cfg.Weight
	total := -nu / 2 * mat.Inner(bias, inverse, bias)
	var precision mat.SymDense // Λ
	precision.ScaleSym(nu, inverse)
	for i, off := range l.off {
		h := 1 + growth*l.lengths[i]
		var residual mat.VecDense
		residual.SubVec(off, bias)
		var s, p mat.SymDense
		s.ScaleSym(h, cov)
		p.ScaleSym(1/h, inverse)
		if l.cfg.Locating == LocatingMeasured {
			s.AddSym(&s, l.located[i])
		}
		var chol mat.Cholesky
		if !chol.Factorize(&s) {
			return math.Inf(-1)
		}
		if l.cfg.Locating == LocatingMeasured {
			if err := chol.InverseTo(&p); err != nil {
				return math.Inf(-1)
			}
		} else {
			var product mat.Dense
			product.Mul(&p, l.located[i])
			total -= mat.Trace(&product) / 2
		}
		total -= (chol.LogDet() + mat.Inner(&residual, &p, &residual)) / 2
		precision.AddSym(&precision, &p)
	}
	var of, about mat.Cholesky
	if !of.Factorize(cov) || !about.Factorize(&precision) {
		return math.Inf(-1)
	}
	return total - (of.LogDet()+about.LogDet())/2
}

func isotropicCov(d int, variance float64) *mat.SymDense {
	s := mat.NewSymDense(d, nil)
	for i := range d {
		s.SetSym(i, i, variance)
	}
	return s
}
