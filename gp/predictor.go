package gp

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Predictor answers queries N(x, Σ̂) for one fixed Σ̂ and any x. What of
// (W+Σ_i+Σ̂)⁻¹ and of the kernel's normaliser doesn't depend on x is computed once
// an observation. Predictions are of f̂, without observation noise.
//
// A Predictor follows its GP: observations added later are taken in at the next
// call, which then allocates. Otherwise no method allocates, save [Predictor.TopUCB]
// when it is given more rows than before. A Predictor is for one goroutine; several
// may read one GP, but none of them while Add runs.
type Predictor struct {
	gp            *GP
	cov           []float64    // Σ̂, packed
	prior         float64      // k̂(Σ̂, Σ̂)/σ_f²
	parts         []part       // J terms of the kernel, one unless it is a mixture
	n             int          // rows of the GP cached
	version, base int          // of the GP then
	plane         []planarTerm // in the plane
	aligned       []float64    // in other dimensions while all covariances are diagonal: see appendAlignedTerm
	terms         []float64    // in other dimensions otherwise: factor of M and w/√|M|, packed, per observation and part
	k, z          []float64    // n
	g             []float64    // n×d: -∂log k_i/∂x, which is (W+Σ_i+Σ̂)⁻¹(x - x̂_i) or the parts' mean
	partK         []float64    // nJ: w_j k_ij; only of a mixture
	partG         []float64    // nJ×d: its -∂log/∂x
	work          []float64
	batch         []float64 // batchRows×n
	invDiag       []float64 // n: 1/(k̂_ii + λ_i)
	screen        screen
}

// NewPredictor returns a Predictor for queries with covariance cov, d×d; nil
// means queries at points. It copies cov. The error wraps [ErrBelief] and is as
// [Belief.Validate] has it, or says that cov is too wide to be of use.
func (g *GP) NewPredictor(cov *mat.SymDense) (*Predictor, error) {
	q := Belief{Mean: make([]float64, g.Dim()), Cov: cov}
	if err := q.Validate(g.Dim()); err != nil {
		return nil, err
	}
	if err := g.checkCov(q); err != nil {
		return nil, err
	}
	p := &Predictor{gp: g, cov: make([]float64, packedLen(g.Dim())), work: make([]float64, g.kernel.workLen())}
	packCov(p.cov, cov)
	p.parts = g.kernel.parts
	if p.parts == nil {
		p.parts = []part{{component{scale: 1, weight: 1}, g.kernel}}
	}
	p.prior = g.kernel.eval(q.Mean, q.Mean, p.cov, p.cov, p.work)
	p.sync()
	return p, nil
}

// Dim returns the dimension d of the queries.
func (p *Predictor) Dim() int { return p.gp.Dim() }

// Predict returns the posterior mean and variance of f̂(N(x, Σ̂)) (Eq. ugp-mean,
// ugp-var) in O(n²). x must be finite; it panics unless x has d entries.
func (p *Predictor) Predict(x []float64) (mean, variance float64) {
	p.start(x)
	p.cross(p.k, x)
	mean = p.mean(p.k)
	p.gp.chol.forward(p.k)
	return mean, p.variance(floats.Dot(p.k, p.k))
}

// PredictGrad returns what Predict does and writes the gradients of the mean and
// the variance with respect to x into dMean and dVar, in O(n²). It panics unless
// all three have d entries.
func (p *Predictor) PredictGrad(dMean, dVar, x []float64) (mean, variance float64) {
	p.start(x)
	d := p.Dim()
	if len(dMean) != d || len(dVar) != d {
		panic("gp: PredictGrad: gradient has the wrong length")
	}
	p.crossGrad(x)
	mean = p.mean(p.k)
	copy(p.z, p.k)
	p.gp.chol.forward(p.z)
	variance = p.variance(floats.Dot(p.z, p.z))
	p.gp.chol.backward(p.z) // z is now (K̂+Λ)⁻¹k
	clear(dMean)
	clear(dVar)
	for i, k := range p.k { // ∂k_i/∂x = -k_i·g_i
		a, b := -k*p.gp.alpha[i], k*p.z[i]
		for c, g := range p.g[i*d : (i+1)*d] {
			dMean[c] += a * g
			dVar[c] += b * g
		}
	}
	floats.Scale(p.gp.scale, dMean)
	floats.Scale(2*p.gp.hyper.SignalVariance, dVar)
	return mean, variance
}

// batchRows is how many queries of a batch are solved together: four vectors of
// 1000 numbers and a row of the factor stay in a core's first-level cache, so
// that the factor is fetched once for four queries.
const batchRows = 4

// PredictBatch writes the posterior mean and variance at every row of x, m×d,
// into mean and variance, each m long; the numbers are those of Predict. A nil
// variance is left out, which makes it O(mn) instead of O(mn²). It panics on
// other shapes.
func (p *Predictor) PredictBatch(mean, variance []float64, x *mat.Dense) {
	m, d := x.Dims()
	if d != p.Dim() || len(mean) != m || variance != nil && len(variance) != m {
		panic("gp: PredictBatch: wrong shape")
	}
	p.sync()
	for r := 0; r < m; r += batchRows {
		b := min(batchRows, m-r)
		for c := range b {
			k := p.batch[c*p.n : (c+1)*p.n]
			p.cross(k, x.RawRowView(r+c))
			mean[r+c] = p.mean(k)
		}
		if variance == nil {
			continue
		}
		p.gp.chol.forwardBatch(p.batch[:b*p.n], 0, p.n)
		for c := range b {
			k := p.batch[c*p.n : (c+1)*p.n]
			variance[r+c] = p.variance(floats.Dot(k, k))
		}
	}
}

func (p *Predictor) start(x []float64) {
	if len(x) != p.Dim() {
		panic("gp: query has the wrong dimension")
	}
	p.sync()
}

// mean returns the posterior mean for the unit covariances k.
func (p *Predictor) mean(k []float64) float64 {
	return p.gp.hyper.Mean + p.gp.scale*floats.Dot(k, p.gp.alpha)
}

// variance returns the posterior variance when the observations explain the unit
// variance s; rounding can't make it negative.
func (p *Predictor) variance(s float64) float64 {
	return p.gp.hyper.SignalVariance * max(p.prior-s, 0)
}

// sync takes in the observations that were added since the last call.
func (p *Predictor) sync() {
	g := p.gp
	if p.version == g.version {
		return
	}
	g.settle()
	n, d := g.chol.n, g.Dim()
	if p.base != g.base {
		p.n, p.plane, p.aligned, p.terms = 0, p.plane[:0], p.aligned[:0], p.terms[:0]
	}
	p.version, p.base = g.version, g.base
	q := packedLen(d)
	from := p.n
	if d != 2 && p.terms == nil && !p.allDiagonal(from) {
		from, p.aligned = 0, nil
		p.terms = make([]float64, 0, n*len(p.parts)*(q+1))
	}
	for i := from; i < n; i++ {
		x, cov := g.x[i*d:(i+1)*d], g.cov[i*q:(i+1)*q]
		for _, part := range p.parts {
			if d == 2 {
				p.plane = append(p.plane, newPlanarTerm(part, x, cov, p.cov))
				continue
			}
			if p.terms == nil {
				p.aligned = appendAlignedTerm(p.aligned, part, x, cov, p.cov)
				continue
			}
			m := p.work[2*d : 2*d+q]
			rootDet := part.kernel.factor(m, cov, p.cov)
			p.terms = append(p.terms, m...)
			p.terms = append(p.terms, part.weight/rootDet)
		}
	}
	p.n = n
	p.invDiag = resize(p.invDiag, n)
	for i, v := range g.diag[:n] {
		p.invDiag[i] = 1 / v
	}
	p.k = resize(p.k, n)
	p.z = resize(p.z, n)
	p.g = resize(p.g, n*d)
	p.batch = resize(p.batch, n*batchRows)
	if j := len(p.parts); j > 1 {
		p.partK = resize(p.partK, n*j)
		p.partG = resize(p.partG, n*j*d)
	}
}

// allDiagonal reports whether Σ̂ and the covariances of the GP's rows from index
// from on are diagonal.
func (p *Predictor) allDiagonal(from int) bool {
	d, q := p.Dim(), packedLen(p.Dim())
	for i := from; i < p.gp.chol.n; i++ {
		if !diagonal(p.gp.cov[i*q:(i+1)*q], d) {
			return false
		}
	}
	return diagonal(p.cov, d)
}

// cross writes the unit covariances of f̂(N(x, Σ̂)) with the observations' into k.
func (p *Predictor) cross(k, x []float64) {
	each := k
	if len(p.parts) > 1 {
		each = p.partK
	}
	switch {
	case p.plane != nil && len(p.parts) > 1:
		crossPlanarMixture(k, p.plane, len(p.parts), x[0], x[1])
		return
	case p.plane != nil:
		crossPlanar(each, p.plane, x[0], x[1])
	case p.aligned != nil:
		crossAligned(each, p.aligned, x)
	default:
		p.crossGeneral(each, nil, x)
	}
	if len(p.parts) > 1 {
		gather(k, each, len(p.parts))
	}
}

// crossGrad sets p.k as cross does, and p.g.
func (p *Predictor) crossGrad(x []float64) {
	k, g := p.k, p.g
	if len(p.parts) > 1 {
		k, g = p.partK, p.partG
	}
	switch {
	case p.plane != nil:
		crossGradPlanar(k, g, p.plane, x[0], x[1])
	case p.aligned != nil:
		crossGradAligned(k, g, p.aligned, x)
	default:
		p.crossGeneral(k, g, x)
	}
	if len(p.parts) > 1 {
		gatherGrad(p.k, p.g, k, g, len(p.parts))
	}
}

// crossGeneral writes every part's covariances into k, nJ of them, and unless g is
// nil the vectors (W_j+Σ_i+Σ̂)⁻¹(x - x̂_i) into g, nJ×d, in any dimension.
func (p *Predictor) crossGeneral(k, g, x []float64) {
	d := p.Dim()
	q := packedLen(d)
	t := p.work[:d]
	at := 0
	for i := range p.n {
		xi := p.gp.x[i*d : (i+1)*d]
		for _, part := range p.parts {
			inv := part.kernel.inv
			term := p.terms[at*(q+1) : (at+1)*(q+1)]
			for a := range t {
				t[a] = (x[a] - xi[a]) * inv[a]
			}
			forwardSmall(term, t, d)
			h := 0.0
			for _, v := range t {
				h += v * v
			}
			k[at] = expNeg(0.5*h) * term[q]
			if g != nil {
				backwardSmall(term, t, d)
				for a, v := range t {
					g[at*d+a] = v * inv[a]
				}
			}
			at++
		}
	}
}

// resize returns s with length n, its contents undefined, growing by half so that
// many small steps cost little.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}
