// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"ugp_explorer/gp/internal/kernel"
	"ugp_explorer/gp/internal/packed"
	"ugp_explorer/internal/num"
)

// ErrObservation is wrapped by every error about an observation with an unusable value
// or noise variance.
var ErrObservation = errors.New("gp: invalid observation")

// Observation is a value observed at a belief: that of f̂(Belief), the mean over it, or with OnePlace
// that of f(x̃) at one place x̃ ~ Belief. NoiseVariance is the variance of its noise, ≥ 0, in the
// squared unit of Value; the GP adds Hyper.NoiseVariance to it.
//
// A value of one place differs from f̂ by a variance of [Hyper.Spread], so that its own variance
// is k(x, x) and not k̂(P, P) (Cressie and Kornak, Statistical Science 18, 2003). The GP takes the
// difference for noise that is independent of that of other observations.
type Observation struct {
	Belief               Belief
	Value, NoiseVariance float64
	OnePlace             bool
}

// maxOffset is the largest coordinate of a belief's mean, in length-scales. Beyond it a float64
// does not resolve a length-scale well.
const maxOffset = 1e12

// GP is the posterior of a Gaussian process given observations. It keeps the Cholesky
// factor of K̂+Λ (R&W Alg. 2.1), where Λ is the diagonal matrix of noise variances, and
// extends it with each observation in O(n²) time. It may be read concurrently, but not
// while Add runs. A GP made by [NewSparse] is sparse beyond a number of observations.
type GP struct {
	hyper  Hyper
	scale  float64 // σ_f: values are (y - m)/σ_f inside, covariances are divided by σ_f²
	kernel *kernel.Unit
	trend  trend
	level  level // unused if sparse: the mean is part of the trend
	obs    []Observation
	heard  heard
	limit  *SparseConfig // nil: exact for any n
	sparse *sparse       // nil: exact so far

	// Rows that predictions use: one for each observation or, in a sparse posterior, for
	// each inducing point. Those of heard are before them in chol, z and alpha.
	x     []float64 // means, n×d
	cov   []float64 // packed covariances, n×d(d+1)/2
	chol  packed.Triangle
	alpha []float64 // (K̂+Λ)⁻¹(y - m), m with the mean of level

	// Used only by the exact posterior.
	phi    []float64 // features of the covariates, n×q
	z      []float64 // L⁻¹(y - m)
	gain   float64
	logDet float64 // ½ log|K̂+Λ|
	cond   conditioner

	vec []float64 // workspace of Add
}

// New returns a GP without observations. Its dimension is the number of length-scales.
// It copies h. The error wraps [ErrHyper].
func New(h Hyper) (*GP, error) {
	if err := h.Validate(); err != nil {
		return nil, err
	}
	h = h.clone()
	k := kernel.NewUnit(h.Kind.mixture(), h.LengthScales)
	g := &GP{hyper: h, scale: math.Sqrt(h.SignalVariance), kernel: k, trend: newTrend(h)}
	g.level.information = h.SignalVariance / (h.MeanStdDev * h.MeanStdDev)
	g.hear()
	return g, nil
}

// Len returns the number of observations n.
func (g *GP) Len() int { return len(g.obs) }

// Dim returns the dimension d of the inputs.
func (g *GP) Dim() int { return g.kernel.Dim }

// Hyper returns a copy of the hyper-parameters.
func (g *GP) Hyper() Hyper { return g.hyper.clone() }

// Observations returns the observations in the order in which they were added. They
// share memory with the GP: the caller must not change them.
func (g *GP) Observations() []Observation { return slices.Clip(g.obs) }

// Add extends the posterior by o, which it copies. It takes O(n²); for a sparse g see
// [NewSparse]. The error wraps [ErrBelief] or [ErrObservation] or is an
// [*IllConditionedError]; g is then unchanged.
func (g *GP) Add(o Observation) error {
	if g.beyond(1) {
		return g.addSparse([]Observation{o})
	}
	if err := g.extend(o); err != nil {
		return err
	}
	g.solveAlpha()
	return nil
}

// AddAll adds all of obs, or none if one is refused; the error is that of the first
// refused observation. It takes about half the time of adding them one by one and gives
// the same numbers or, if g is sparse afterwards, numbers that agree within its accuracy.
func (g *GP) AddAll(obs []Observation) error {
	switch {
	case len(obs) == 0:
		return nil
	case g.beyond(len(obs)):
		return g.addSparse(obs)
	}
	n, gain, logDet, cond, level := g.Len(), g.gain, g.logDet, g.cond.clone(), g.level
	g.chol.A = slices.Grow(g.chol.A, packed.Len(g.chol.N+len(obs))-len(g.chol.A))
	g.obs, g.x, g.cov = slices.Grow(g.obs, len(obs)), slices.Grow(g.x, len(obs)*g.Dim()), slices.Grow(g.cov, len(obs)*packed.Len(g.Dim()))
	for i, o := range obs {
		if err := g.extend(o); err != nil {
			g.truncate(n)
			g.gain, g.logDet, g.cond, g.level = gain, logDet, cond, level
			return fmt.Errorf("gp: observation %d of %d: %w", i, len(obs), err)
		}
	}
	g.solveAlpha()
	return nil
}

// extend is Add without the weights alpha.
func (g *GP) extend(o Observation) error {
	n, d, q := g.Len(), g.Dim(), g.trend.len()
	p := packed.Len(d)
	if err := g.check(o); err != nil {
		return err
	}
	// The candidate's row is written behind the n valid rows.
	g.x = append(g.x[:n*d], o.Belief.Mean...)
	g.cov = append(g.cov[:n*p], make([]float64, p)...)
	x, cov := g.x[n*d:], g.cov[n*p:]
	packed.Pack(cov, o.Belief.Cov)
	noise := g.hyper.Noise(&o) / g.hyper.SignalVariance
	g.phi = append(g.phi[:n*q], make([]float64, q)...)
	phi := g.phi[n*q:]
	prior := g.kernel.Eval(x, x, cov, cov) + g.trend.features(phi, nil, x, cov)

	g.vec = append(g.vec[:0], g.z...) // sets the length only
	k := g.vec
	g.cross(k, x, cov)
	g.addTrend(k, phi)
	own := k[g.heard.n:]
	next := g.cond.prepare(own, prior+noise) // the second quantity only makes the largest eigenvalue smaller
	g.chol.Forward(k)
	pivot := prior + noise - floats.Dot(k, k)
	condition := g.cond.estimate(&next, own, pivot)
	if !(condition <= maxCondition) {
		g.x, g.cov, g.phi = g.x[:n*d], g.cov[:n*p], g.phi[:n*q] // or a clone would share the refused row, and both write theirs into it
		nearest, corr := mostCorrelated(g.hyper.Kernel(), g.obs, o.Belief)
		return &IllConditionedError{
			Index:         n,
			Pivot:         pivot * g.hyper.SignalVariance,
			Variance:      prior * g.hyper.SignalVariance,
			NoiseVariance: noise * g.hyper.SignalVariance,
			Condition:     condition,
			Nearest:       nearest,
			Correlation:   corr,
		}
	}
	root := math.Sqrt(pivot)
	z := ((o.Value-g.hyper.Mean)/g.scale - floats.Dot(k, g.z)) / root

	g.obs = append(g.obs[:n], o.clone())
	g.chol.Grow(k, root)
	g.z = append(g.z[:g.heard.n+n], z)
	g.logDet += math.Log(root)
	g.gain += 0.5 * math.Log(pivot/noise) // |I+Λ^-½K̂Λ^-½| = Π pivot_i/λ_i
	if !g.level.known() {                 // |K̂+Λ+s²11ᵀ| = s²τ|K̂+Λ|
		before := g.level.information
		g.level.add(k, root)
		grown := 0.5 * math.Log(g.level.information/before)
		g.gain += grown
		g.logDet += grown
	}
	g.cond.commit(&next)
	return nil
}

// clone returns a deep copy of o.
func (o Observation) clone() Observation {
	o.Belief = o.Belief.clone()
	return o
}

// check returns an error unless o can be used with the hyper-parameters of g.
func (g *GP) check(o Observation) error {
	if err := g.hyper.Kernel().check(o.Belief); err != nil {
		return err
	}
	for i, v := range o.Belief.Mean {
		if math.Abs(v) > maxOffset*g.hyper.LengthScales[i] {
			return fmt.Errorf("%w: mean[%d] is %g, more than %g length-scales of %g from the origin, where it cannot be resolved: move the origin",
				ErrBelief, i, v, maxOffset, g.hyper.LengthScales[i])
		}
	}
	if err := o.validateValue(); err != nil {
		return err
	}
	if v := (o.Value - g.hyper.Mean) / g.scale; !num.Finite(v * v) {
		return fmt.Errorf("%w: Value %g at %v is too far from the mean %g for a signal variance of %g",
			ErrObservation, o.Value, o.Belief.Mean, g.hyper.Mean, g.hyper.SignalVariance)
	}
	if v := (o.NoiseVariance + g.hyper.NoiseVariance) / g.hyper.SignalVariance; !num.Finite(v) {
		return fmt.Errorf("%w: NoiseVariance %g at %v is too large for a signal variance of %g",
			ErrObservation, o.NoiseVariance, o.Belief.Mean, g.hyper.SignalVariance)
	}
	return nil
}

// Validate returns an error unless o can be an observation in dim dimensions: a belief
// that [Belief.Validate] accepts, a finite value and a finite noise variance ≥ 0. The
// error wraps [ErrBelief] or [ErrObservation].
func (o Observation) Validate(dim int) error {
	if err := o.Belief.Validate(dim); err != nil {
		return err
	}
	return o.validateValue()
}

// validateValue returns an error unless the value is finite and the noise variance is
// finite and not negative.
func (o Observation) validateValue() error {
	if !num.Finite(o.Value) {
		return fmt.Errorf("%w: Value is %g at %v, want a finite number", ErrObservation, o.Value, o.Belief.Mean)
	}
	if !num.Finite(o.NoiseVariance) || o.NoiseVariance < 0 {
		return fmt.Errorf("%w: NoiseVariance is %g at %v, want a finite number ≥ 0", ErrObservation, o.NoiseVariance, o.Belief.Mean)
	}
	return nil
}

// mostCorrelated returns the observation whose belief has the largest prior correlation with b by the kernel alone, and that
// correlation. The index is -1 if there are none.
func mostCorrelated(k Kernel, obs []Observation, b Belief) (nearest int, corr float64) {
	nearest = -1
	prior := k.Cov(b, b)
	for i, o := range obs {
		if c := k.Cov(b, o.Belief) / math.Sqrt(prior*k.Cov(o.Belief, o.Belief)); nearest < 0 || c > corr {
			nearest, corr = i, c
		}
	}
	return nearest, corr
}

// solveAlpha sets alpha to (K̂+Λ)⁻¹(y - m), with the posterior mean for m (R&W Alg. 2.1, line 3).
func (g *GP) solveAlpha() {
	g.alpha = append(g.alpha[:0], g.z...)
	g.level.solve(g.alpha)
	g.chol.Backward(g.alpha)
}

// truncate keeps the first n observations.
func (g *GP) truncate(n int) {
	clear(g.obs[n:])
	g.obs, g.z = g.obs[:n], g.z[:g.heard.n+n]
	g.x, g.cov = g.x[:n*g.Dim()], g.cov[:n*packed.Len(g.Dim())]
	g.phi = g.phi[:n*g.trend.len()]
	g.chol.Truncate(g.heard.n + n)
}

// Posterior returns the posterior mean and variance of f̂(b), the expected value of the
// function under b, without observation noise (Eq. ugp-mean, ugp-var). A variance that
// is negative because of rounding is returned as 0. Both are NaN if b is not a Gaussian, or too
// wide to be useful: the beliefs that [GP.Add] refuses. It panics if b has the wrong dimension.
// It allocates O(n): for many queries use a [Predictor]. It is safe for concurrent use.
func (g *GP) Posterior(b Belief) (mean, variance float64) {
	checkDim(b, g.Dim())
	if g.hyper.Kernel().check(b) != nil {
		return math.NaN(), math.NaN()
	}
	k, prior := g.crossCovariance(b)
	mean = floats.Dot(k, g.alpha) + g.level.mean
	g.chol.Forward(k)
	_, more := g.level.share(1, k)
	return g.hyper.Mean + g.scale*mean, g.hyper.SignalVariance * max(prior-floats.Dot(k, k)+more, 0)
}

// crossCovariance returns the prior covariances of f̂(b) with f̂ at the observations, and
// its prior variance, all divided by σ_f².
func (g *GP) crossCovariance(b Belief) (k []float64, prior float64) {
	g.settle()
	n, d, q := g.chol.N, g.Dim(), g.trend.len()
	p := packed.Len(d)
	buf := make([]float64, n+p+q)
	k, cov, phi := buf[:n:n], buf[n:n+p:n+p], buf[n+p:]
	packed.Pack(cov, b.Cov)
	g.cross(k, b.Mean, cov)
	prior = g.kernel.Eval(b.Mean, b.Mean, cov, cov) + g.trend.features(phi, nil, b.Mean, cov)
	g.addTrend(k, phi)
	return k, prior
}

// cross writes the covariances of f̂(N(x, cov)) with all rows, without the part of the covariates, into k.
func (g *GP) cross(k, x, cov []float64) {
	if g.heard.n > 0 {
		g.heard.kernel.EvalAll(k[:g.heard.n], x, g.heard.x, cov, g.heard.cov)
	}
	g.kernel.EvalAll(k[g.heard.n:], x, g.x, cov, g.cov)
}

// InformationGain returns the mutual information, in nats, between the
// observations and f̂,
//
//	½ log|I + Λ^-½ K̂ Λ^-½|                                     (Eq. uibo-ig)
//
// where Λ is the diagonal matrix of the total noise variances. It is updated with each
// observation. It is +Inf if an observation has no noise at all. If g is sparse, it is
// that of the approximate model.
func (g *GP) InformationGain() float64 {
	if g.sparse != nil {
		return g.solvedSparse().logDet + 0.5*g.sparse.logRatio
	}
	return g.gain
}

// LogMarginalLikelihood returns log p(y) given the hyper-parameters and the second quantity, including the mean
// (R&W Eq. 2.30), in the user's units; 0 without observations. If g is sparse, it is
// that of the approximate model.
func (g *GP) LogMarginalLikelihood() float64 {
	n := float64(g.Len())
	own := g.z[g.heard.n:]
	square, logDet := floats.Dot(own, own), g.logDet
	if !g.level.known() {
		square -= g.level.mean * g.level.mean * g.level.information
	}
	if g.sparse != nil {
		solved := g.solvedSparse()
		square, logDet = solved.square, solved.logDet+0.5*g.sparse.logNoise
	}
	return -0.5*square - logDet - 0.5*n*math.Log(2*math.Pi) - n*math.Log(g.scale)
}
