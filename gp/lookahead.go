package gp

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Lookahead predicts how one more observation would change the posterior mean at a set
// of places. An observation at P̂_x = N(x, Σ̂) with noise variance λ changes the mean at
// P̂_j = N(x_j, Σ̂) by
//
//	k̂_n(P̂_j, P̂_x) / √(k̂_n(P̂_x, P̂_x) + λ) · Z,  Z ~ N(0, 1)
//
// where k̂_n is the posterior covariance (Eq. posterior_kp; Frazier, Powell and Dayanik,
// INFORMS J. Comput. 2009, Eq. 6). It is valid for the observations that the GP had when
// the places were set; set them again after the GP gets more. A Lookahead must be used
// by one goroutine at a time.
type Lookahead struct {
	predictor *Predictor
	places    crossSet
	x, cov    []float64 // the places as beliefs: m×d, m×d(d+1)/2
	phi       []float64 // m×q: features of the covariates
	w         []float64 // m×n: rows (K̂+Λ)⁻¹k̂(P̂_j)
	mean      []float64 // at the places
	k, g      []float64 // m, m×d: covariances with the places and their negated gradients
	share     []float64 // n: weighted sum of the rows of w
}

// NewLookahead returns a Lookahead for queries and places with covariance cov. The
// error is that of [GP.NewPredictor].
func (g *GP) NewLookahead(cov *mat.SymDense) (*Lookahead, error) {
	p, err := g.NewPredictor(cov)
	if err != nil {
		return nil, err
	}
	return &Lookahead{predictor: p, places: newCrossSet(g.kernel, p.cross.query)}, nil
}

// SetPlaces sets the places, one per row of the m×d matrix x, in O(mn²). It panics if x
// does not have d columns.
func (l *Lookahead) SetPlaces(x *mat.Dense) {
	m, d := x.Dims()
	p := l.predictor
	if d != p.Dim() {
		panic("gp: SetPlaces: wrong shape")
	}
	p.sync()
	n := p.n
	l.x, l.cov, l.phi = l.x[:0], l.cov[:0], l.phi[:0]
	l.w, l.mean = resize(l.w, m*n), resize(l.mean, m)
	l.k, l.g, l.share = resize(l.k, m), resize(l.g, m*d), resize(l.share, n)
	for j := range m {
		row := x.RawRowView(j)
		l.x, l.cov = append(l.x, row...), append(l.cov, p.cross.query...)
		w := l.w[j*n : (j+1)*n]
		p.covariances(w, row)
		l.phi = append(l.phi, p.phi...)
		l.mean[j] = p.mean(w)
		p.gp.chol.Forward(w)
		p.gp.chol.Backward(w)
	}
	l.places.set(0, l.x, l.cov)
}

// Means returns the posterior means at the places. They share memory with the Lookahead:
// the caller must not change them.
func (l *Lookahead) Means() []float64 { return l.mean }

// Covariances writes the posterior covariances of f̂(N(x, Σ̂)) with f̂ at the places into
// dst, and returns the posterior mean and variance of f̂(N(x, Σ̂)). It takes O(n² + mn).
// It panics unless x has d entries and dst one per place.
func (l *Lookahead) Covariances(dst, x []float64) (mean, variance float64) {
	p := l.predictor
	p.start(x)
	l.check(dst)
	p.covariances(p.k, x)
	l.places.cross(dst, 0, x)
	addProducts(dst, l.phi, p.phi)
	for j := range dst {
		dst[j] = p.gp.hyper.SignalVariance * (dst[j] - floats.Dot(p.k, l.w[j*p.n:(j+1)*p.n]))
	}
	mean = p.mean(p.k)
	p.gp.chol.Forward(p.k)
	return mean, p.variance(floats.Dot(p.k, p.k) - p.square)
}

// Gradients writes the gradient with respect to x of Σ_j weight_j k̂_n(P̂_j, P̂_x) into
// dSum and that of the posterior variance at x into dVar. Places of weight 0 cost
// nothing. It panics on wrong lengths.
func (l *Lookahead) Gradients(dSum, dVar, weight, x []float64) {
	p := l.predictor
	d := p.Dim()
	l.check(weight)
	if len(dSum) != d || len(x) != d {
		panic("gp: Lookahead.Gradients: wrong length")
	}
	p.PredictGrad(dSum, dVar, x) // sets p.g and p.dPhi
	l.places.grad(l.k, l.g, x)
	if len(p.phi) > 0 {
		addGradients(l.g, l.phi, p.dPhi)
	}
	clear(dSum)
	clear(l.share)
	for j, w := range weight {
		if w == 0 {
			continue
		}
		floats.AddScaled(l.share, w, l.w[j*p.n:(j+1)*p.n])
		floats.AddScaled(dSum, -w, l.g[j*d:(j+1)*d])
	}
	for i, w := range l.share {
		floats.AddScaled(dSum, w, p.g[i*d:(i+1)*d])
	}
	floats.Scale(p.gp.hyper.SignalVariance, dSum)
}

func (l *Lookahead) check(dst []float64) {
	if len(dst) != len(l.mean) {
		panic("gp: Lookahead: want one number per place")
	}
}
