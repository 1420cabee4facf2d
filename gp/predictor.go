package gp

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp/internal/packed"
)

// Predictor answers queries N(x, Σ̂) for one fixed Σ̂ and any x. The parts of
// (W+Σ_i+Σ̂)⁻¹ and of the normaliser that do not depend on x are computed once per
// observation. Predictions are of f̂, without observation noise.
//
// A Predictor follows its GP: the next call includes observations that were added, and
// then allocates. [Predictor.Follow] switches to another GP. Otherwise no method
// allocates, except [Predictor.Top] if it gets more rows than before or finishes the
// variances of more rows. A Predictor must be used by one goroutine at a time. Several
// may read the same GP, but not while Add runs.
type Predictor struct {
	gp        *GP
	query     Belief  // N(0, Σ̂)
	prior     float64 // k̂(Σ̂, Σ̂)/σ_f²
	n         int     // rows of the GP that are included
	version   int     // of the GP at the last sync; -1: compare all rows again
	last      state   // of the GP at the last sync
	cross     crossSet
	k, z      []float64 // n
	phi, dPhi []float64 // q, q×2: features of the covariates at x and their gradients
	square    float64   // |phi|²
	g         []float64 // n×d: -∂k_i/∂x
	batch     []float64 // batchRows×n
	invDiag   []float64 // n: 1/(k̂_ii + λ_i)
	drift     []float64 // n+1, if the GP is exact: see follow
	meanSlack float64   // bound of the rounding error of the mean, in units of σ_f
	screen    screen
}

// NewPredictor returns a Predictor for queries with covariance cov, d×d; nil means
// queries at points. It copies cov. The error wraps [ErrBelief]: it is that of
// [Belief.Validate], or cov is too wide to be useful.
func (g *GP) NewPredictor(cov *mat.SymDense) (*Predictor, error) {
	q := Belief{Mean: make([]float64, g.Dim()), Cov: cov}
	if err := q.Validate(g.Dim()); err != nil {
		return nil, err
	}
	s := make([]float64, packed.Len(g.Dim()))
	packed.Pack(s, cov)
	p := &Predictor{gp: g, query: q.clone(), cross: newCrossSet(g.kernel, s)}
	if err := p.setKernel(); err != nil {
		return nil, err
	}
	p.sync()
	return p, nil
}

// Follow makes p answer for g, with the same Σ̂. Results for the leading observations
// that g has in common with the previous GP are kept if the kernel is the same: g may be
// a copy with more observations, or have been made again from the same ones. The error
// is that of [GP.NewPredictor]; p is then unchanged. It panics if g has another
// dimension.
func (p *Predictor) Follow(g *GP) error {
	if g.Dim() != p.Dim() {
		panic("gp: Follow: another dimension")
	}
	last := p.gp
	p.gp = g
	if h := &last.hyper; h.Kind != g.hyper.Kind || !slices.Equal(h.LengthScales, g.hyper.LengthScales) || !last.trend.equal(g.trend) {
		if err := p.setKernel(); err != nil {
			p.gp = last
			return err
		}
	}
	if g != last {
		p.version = -1
	}
	return nil
}

// setKernel adopts the kernel of the GP and discards everything computed with the
// previous one.
func (p *Predictor) setKernel() error {
	g := p.gp
	if err := g.checkCov(p.query); err != nil {
		return err
	}
	p.cross.setKernel(g.kernel)
	x, cov := p.query.Mean, p.cross.query
	p.prior = g.kernel.Eval(x, x, cov, cov, make([]float64, g.kernel.WorkLen()))
	p.version = -1
	if q := len(g.trend.of); q > 0 || len(p.phi) > 0 { // rows of a search remember the features
		p.phi, p.dPhi, p.screen.memory = make([]float64, q), make([]float64, 2*q), memory{q: q}
	}
	return nil
}

// Dim returns the dimension d of the queries.
func (p *Predictor) Dim() int { return p.gp.Dim() }

// Predict returns the posterior mean and variance of f̂(N(x, Σ̂)) (Eq. ugp-mean,
// ugp-var) in O(n²). x must be finite. It panics unless x has d entries.
func (p *Predictor) Predict(x []float64) (mean, variance float64) {
	p.start(x)
	p.covariances(p.k, x)
	mean = p.mean(p.k)
	p.gp.chol.Forward(p.k)
	return mean, p.variance(floats.Dot(p.k, p.k) - p.square)
}

// PredictGrad returns the same as Predict and writes the gradients of the mean and the
// variance with respect to x into dMean and dVar, in O(n²). It panics unless all three
// have d entries.
func (p *Predictor) PredictGrad(dMean, dVar, x []float64) (mean, variance float64) {
	p.start(x)
	d := p.Dim()
	if len(dMean) != d || len(dVar) != d {
		panic("gp: PredictGrad: gradient has the wrong length")
	}
	p.cross.grad(p.k, p.g, x)
	p.square = p.gp.trend.features(p.phi, p.dPhi, x, p.cross.query)
	p.gp.addTrend(p.k, 0, p.phi)
	p.gp.addTrendGrad(p.g, p.dPhi)
	mean = p.mean(p.k)
	copy(p.z, p.k)
	p.gp.chol.Forward(p.z)
	variance = p.variance(floats.Dot(p.z, p.z) - p.square)
	p.gp.chol.Backward(p.z) // z is now (K̂+Λ)⁻¹k
	clear(dMean)
	clear(dVar)
	for i, b := range p.z {
		a := p.gp.alpha[i]
		for c, g := range p.g[i*d : (i+1)*d] {
			dMean[c] += a * g
			dVar[c] += b * g
		}
	}
	for j, v := range p.phi { // of the prior variance
		dVar[0] += v * p.dPhi[2*j]
		dVar[1] += v * p.dPhi[2*j+1]
	}
	floats.Scale(-p.gp.scale, dMean)
	floats.Scale(2*p.gp.hyper.SignalVariance, dVar)
	return mean, variance
}

// batchRows is the number of queries that are solved together. Four vectors of 1000
// numbers and a row of the factor fit into a core's first-level cache, so that the
// factor is read from memory once for four queries.
const batchRows = 4

// PredictBatch writes the posterior mean and variance at every row of x, m×d, into mean
// and variance, each m long. The numbers are those of Predict. If variance is nil, it is
// not computed, which takes O(mn) instead of O(mn²). It panics on other shapes.
func (p *Predictor) PredictBatch(mean, variance []float64, x *mat.Dense) {
	m, d := x.Dims()
	if d != p.Dim() || len(mean) != m || variance != nil && len(variance) != m {
		panic("gp: PredictBatch: wrong shape")
	}
	p.sync()
	var square [batchRows]float64
	for r := 0; r < m; r += batchRows {
		b := min(batchRows, m-r)
		for c := range b {
			k := p.batch[c*p.n : (c+1)*p.n]
			p.covariances(k, x.RawRowView(r+c))
			square[c] = p.square
			mean[r+c] = p.mean(k)
		}
		if variance == nil {
			continue
		}
		p.gp.chol.ForwardBatch(p.batch[:b*p.n], 0, p.n)
		for c := range b {
			k := p.batch[c*p.n : (c+1)*p.n]
			variance[r+c] = p.variance(floats.Dot(k, k) - square[c])
		}
	}
}

func (p *Predictor) start(x []float64) {
	if len(x) != p.Dim() {
		panic("gp: query has the wrong dimension")
	}
	p.sync()
}

// covariances writes those of x with all rows of the GP into k, and sets phi and square.
func (p *Predictor) covariances(k, x []float64) {
	p.cross.cross(k, 0, x)
	p.square = p.gp.trend.features(p.phi, nil, x, p.cross.query)
	p.gp.addTrend(k, 0, p.phi)
}

// mean returns the posterior mean for the unit covariances k.
func (p *Predictor) mean(k []float64) float64 {
	return p.gp.hyper.Mean + p.gp.scale*floats.Dot(k, p.gp.alpha)
}

// variance returns the posterior variance if the observations explain s of the prior
// variance in units of σ_f², less what the covariates add to it. It is not negative.
func (p *Predictor) variance(s float64) float64 {
	return p.gp.hyper.SignalVariance * max(p.prior-s, 0)
}

// state is the part of a GP that decides which results computed with it remain valid.
type state struct {
	exact        bool
	mean, signal float64   // hyper-parameters
	diag, z      []float64 // of the GP
}

// sync brings p up to date with the GP.
func (p *Predictor) sync() {
	g := p.gp
	if p.version == g.version {
		return
	}
	g.settle()
	n, d := g.chol.N, g.Dim()
	x, cov := g.x[:n*d], g.cov[:n*packed.Len(d)]
	now := state{exact: g.sparse == nil, mean: g.hyper.Mean, signal: g.hyper.SignalVariance, diag: g.diag}
	keep := p.cross.shared(x, cov)
	if p.last.exact != now.exact && len(p.phi) > 0 { // other rows: see addTrend
		keep = 0
	}
	known := p.cross.set(keep, x, cov)
	solved, valued := 0, -1
	if p.last.exact && now.exact { // the rows of the factor depend on nothing else
		for solved < known && p.last.diag[solved] == now.diag[solved] {
			solved++
		}
	}
	if now.exact {
		now.z = g.z[:n]
		if p.last.exact && p.last.mean == now.mean && p.last.signal == now.signal {
			for valued = 0; valued < solved && p.last.z[valued] == now.z[valued]; {
				valued++
			}
		}
	}
	p.screen.forget(known, solved, valued)
	p.follow(max(valued, 0))
	p.n, p.version, p.last = n, g.version, now
	p.invDiag = resize(p.invDiag, n)
	for i, v := range g.diag[:n] {
		p.invDiag[i] = 1 / v
	}
	p.k = resize(p.k, n)
	p.z = resize(p.z, n)
	p.g = resize(p.g, n*d)
	p.batch = resize(p.batch, n*batchRows)
}

// follow sets the drift for the observations from index from. Observation i changes the
// posterior mean at P̂ by
//
//	k̂_i(P̂, P̂_i)·e_i/s_i²,  e_i = y_i - μ̂_i(P̂_i),  s_i² = σ̂_i²(P̂_i) + λ_i
//
// where k̂_i(P̂, P̂_i) is at most σ̂_i(P̂)·σ̂_i(P̂_i), e_i/s_i is an entry of L⁻¹(y - m), and
// s_i is an entry of the factor's diagonal. From n to m observations the mean therefore
// changes by at most drift[m] - drift[n] times the standard deviation with n.
func (p *Predictor) follow(from int) {
	g := p.gp
	if g.sparse != nil {
		p.drift = p.drift[:0]
		return
	}
	p.drift = slices.Grow(p.drift[:min(len(p.drift), from+1)], g.chol.N+1-from)
	if len(p.drift) == 0 {
		p.drift = append(p.drift, 0)
	}
	for i := len(p.drift) - 1; i < g.chol.N; i++ {
		s := g.chol.Row(i)[i]
		noise := (g.hyper.NoiseVariance + g.obs[i].NoiseVariance) / g.hyper.SignalVariance
		p.drift = append(p.drift, p.drift[i]+math.Sqrt(max(s*s-noise, 0)+screenSlack)*math.Abs(g.z[i])/s)
	}
	p.meanSlack = max(screenSlack, g.conditionNumber()*1e-15) * (1 + floats.Norm(g.z[:g.chol.N], 2))
}

// resize returns s with length n and undefined contents. If it reallocates, it reserves
// half as much again, so that many small steps are cheap.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}
