package gp

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Lookahead tells how the posterior mean at a set of places would move with one
// more observation: an observation at P̂_x = N(x, Σ̂) of noise variance λ moves the
// mean at P̂_j = N(x_j, Σ̂) by
//
//	k̂_n(P̂_j, P̂_x) / √(k̂_n(P̂_x, P̂_x) + λ) · Z,  Z ~ N(0, 1)
//
// with k̂_n the posterior covariance (Eq. posterior_kp; Frazier, Powell and Dayanik,
// INFORMS J. Comput. 2009, Eq. 6). It is of the observations that its GP had when
// the places were set, and must not be used when that has got more. It belongs to
// one goroutine.
type Lookahead struct {
	predictor *Predictor
	places    crossSet
	w         []float64 // m×n: rows (K̂+Λ)⁻¹k̂(P̂_j)
	mean      []float64 // at the places
	k, g      []float64 // m, m×d: covariances with the places, and -∂log of them
	share     []float64 // n
}

// NewLookahead returns a Lookahead for queries and places with covariance cov. The
// error is that of [GP.NewPredictor].
func (g *GP) NewLookahead(cov *mat.SymDense) (*Lookahead, error) {
	p, err := g.NewPredictor(cov)
	if err != nil {
		return nil, err
	}
	return &Lookahead{predictor: p, places: crossSet{dim: g.Dim(), parts: p.parts, query: p.cov}}, nil
}

// SetPlaces sets the places, m×d, one a row, in O(mn²). It panics on another shape.
func (l *Lookahead) SetPlaces(x *mat.Dense) {
	m, d := x.Dims()
	p := l.predictor
	if d != p.Dim() {
		panic("gp: SetPlaces: wrong shape")
	}
	p.sync()
	n := p.n
	l.places.reset()
	l.w, l.mean = resize(l.w, m*n), resize(l.mean, m)
	l.k, l.g, l.share = resize(l.k, m), resize(l.g, m*d), resize(l.share, n)
	for j := range m {
		row := x.RawRowView(j)
		l.places.add(row, p.cov)
		w := l.w[j*n : (j+1)*n]
		p.cross(w, row)
		l.mean[j] = p.mean(w)
		p.gp.chol.forward(w)
		p.gp.chol.backward(w)
	}
}

// Means returns the posterior means at the places. They are the Lookahead's own.
func (l *Lookahead) Means() []float64 { return l.mean }

// Dim returns the dimension d of places and queries.
func (l *Lookahead) Dim() int { return l.predictor.Dim() }

// Covariances writes the posterior covariances of f̂(N(x, Σ̂)) with those of the
// places into dst and returns its posterior mean and variance, in O(n² + mn). It panics
// unless x has d entries and dst one a place.
func (l *Lookahead) Covariances(dst, x []float64) (mean, variance float64) {
	p := l.predictor
	p.start(x)
	l.check(dst)
	p.cross(p.k, x)
	l.places.cross(dst, x)
	for j := range dst {
		dst[j] = p.gp.hyper.SignalVariance * (dst[j] - floats.Dot(p.k, l.w[j*p.n:(j+1)*p.n]))
	}
	mean = p.mean(p.k)
	p.gp.chol.forward(p.k)
	return mean, p.variance(floats.Dot(p.k, p.k))
}

// Gradients writes the gradients with respect to x of Σ_j weight_j k̂_n(P̂_j, P̂_x)
// and of the posterior variance at x into dSum and dVar. Places of weight 0 cost
// nothing. It panics on wrong lengths.
func (l *Lookahead) Gradients(dSum, dVar, weight, x []float64) {
	p := l.predictor
	d := p.Dim()
	l.check(weight)
	if len(dSum) != d || len(x) != d {
		panic("gp: Lookahead.Gradients: wrong length")
	}
	p.PredictGrad(dSum, dVar, x) // leaves p.k and p.g
	l.places.crossGrad(l.k, l.g, x)
	clear(dSum)
	clear(l.share)
	for j, w := range weight {
		if w == 0 {
			continue
		}
		floats.AddScaled(l.share, w, l.w[j*p.n:(j+1)*p.n])
		floats.AddScaled(dSum, -w*l.k[j], l.g[j*d:(j+1)*d]) // ∂k_j/∂x = -k_j·g_j
	}
	for i, k := range p.k {
		floats.AddScaled(dSum, k*l.share[i], p.g[i*d:(i+1)*d])
	}
	floats.Scale(p.gp.hyper.SignalVariance, dSum)
}

func (l *Lookahead) check(dst []float64) {
	if len(dst) != len(l.mean) {
		panic("gp: Lookahead: not one number a place")
	}
}

// crossSet computes the unit covariances of f̂(N(x, Σ̂)) with those of a set of
// beliefs.
type crossSet struct {
	dim   int
	parts []part
	query []float64 // Σ̂, packed

	n            int
	plane        []planarTerm // in two dimensions
	x            []float64    // in others: means
	terms        []float64    // and factor of M and w/√|M|, packed, per belief and part
	partK, partG []float64    // of a mixture
	work         []float64
}

func (s *crossSet) reset() { s.n, s.plane, s.x, s.terms = 0, s.plane[:0], s.x[:0], s.terms[:0] }

func (s *crossSet) add(x, cov []float64) {
	s.n++
	q := packedLen(s.dim)
	s.work = resize(s.work, s.dim+q)
	if s.dim != 2 {
		s.x = append(s.x, x...)
	}
	for _, part := range s.parts {
		if s.dim == 2 {
			s.plane = append(s.plane, newPlanarTerm(part, x, cov, s.query))
			continue
		}
		m := s.work[s.dim : s.dim+q]
		rootDet := part.kernel.factor(m, cov, s.query)
		s.terms = append(s.terms, m...)
		s.terms = append(s.terms, part.weight/rootDet)
	}
	if j := len(s.parts); j > 1 {
		s.partK, s.partG = resize(s.partK, s.n*j), resize(s.partG, s.n*j*s.dim)
	}
}

func (s *crossSet) cross(k, x []float64) { s.eval(k, nil, x) }

// crossGrad writes -∂log k/∂x into g, n×d.
func (s *crossSet) crossGrad(k, g, x []float64) { s.eval(k, g, x) }

func (s *crossSet) eval(k, g, x []float64) {
	each, eachG := k, g
	if len(s.parts) > 1 {
		each = s.partK
		if g != nil {
			eachG = s.partG
		}
	}
	switch {
	case s.dim != 2:
		s.general(each, eachG, x)
	case g == nil:
		crossPlanar(each, s.plane, x[0], x[1])
	default:
		crossGradPlanar(each, eachG, s.plane, x[0], x[1])
	}
	if len(s.parts) > 1 {
		if g == nil {
			gather(k, each, len(s.parts))
		} else {
			gatherGrad(k, g, each, eachG, len(s.parts))
		}
	}
}

// general writes every part's covariances into k, and unless g is nil the vectors
// (W_j+Σ_i+Σ̂)⁻¹(x - x̂_i) into g.
func (s *crossSet) general(k, g, x []float64) {
	d, q := s.dim, packedLen(s.dim)
	t := s.work[:d]
	at := 0
	for i := range s.n {
		xi := s.x[i*d : (i+1)*d]
		for _, part := range s.parts {
			inv := part.kernel.inv
			term := s.terms[at*(q+1) : (at+1)*(q+1)]
			for a := range t {
				t[a] = (x[a] - xi[a]) * inv[a]
			}
			forwardSmall(term, t, d)
			k[at] = expNeg(0.5*floats.Dot(t, t)) * term[q]
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
