package planner

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// Placing returns P̂_x, where a sample with target x is probably taken, when that
// hangs on x by more than its mean: localisation is better here than there, or the
// robot ends up elsewhere when it comes from another side. It need not keep x, and
// the result is only lent until the next call.
type Placing func(x []float64) gp.Belief

// PlacedUCB is the upper confidence bound of Alg. 1, line 2,
//
//	h(x) = μ̂(P̂_x) + β·σ̂(P̂_x)
//
// with a P̂_x of any kind. Every value takes O(n²), and its gradient is by central
// differences: a [UCB] is for a Σ̂ that is the same everywhere.
type PlacedUCB struct {
	Model *gp.GP
	Beta  float64 // β ≥ 0, outside the root
	Place Placing

	x    []float64
	rows everyRow
}

var _ Acquisition = (*PlacedUCB)(nil)

// Dim returns the dimension of the model.
func (u *PlacedUCB) Dim() int { return u.Model.Dim() }

// Validate wants a model, a placing and a finite β ≥ 0.
func (u *PlacedUCB) Validate() error {
	if u.Model == nil || u.Place == nil {
		return fmt.Errorf("%w: model and placing must be given", ErrSearch)
	}
	if !finite(u.Beta) || u.Beta < 0 {
		return fmt.Errorf("%w: Beta is %g, want a finite number ≥ 0", ErrSearch, u.Beta)
	}
	return nil
}

// eval returns h(x) and the posterior mean and variance of a sample with target x.
func (u *PlacedUCB) eval(x []float64) (value, mean, variance float64) {
	mean, variance = u.Model.Posterior(u.Place(x))
	return mean + u.Beta*math.Sqrt(variance), mean, variance
}

// Value returns h(x).
func (u *PlacedUCB) Value(x []float64) float64 {
	v, _, _ := u.eval(x)
	return v
}

// placedStep is the half step of the differences, length-scales: rounding and the
// third derivative then both leave six digits.
const placedStep = 1e-4

// ValueGrad returns h(x) and writes its gradient into dst.
func (u *PlacedUCB) ValueGrad(dst, x []float64) float64 {
	u.x = append(u.x[:0], x...)
	scales := u.Model.Hyper().LengthScales
	for i := range dst {
		step := placedStep * scales[i]
		u.x[i] = x[i] + step
		dst[i] = u.Value(u.x)
		u.x[i] = x[i] - step
		dst[i] = (dst[i] - u.Value(u.x)) / (2 * step)
		u.x[i] = x[i]
	}
	return u.Value(x)
}

// Values writes h at every row of x into dst.
func (u *PlacedUCB) Values(dst []float64, x *mat.Dense) { u.rows.values(dst, x, u.eval) }

// Top computes the value at every row.
func (u *PlacedUCB) Top(dst []gp.Candidate, x *mat.Dense, penalty []float64) []gp.Candidate {
	return u.rows.top(dst, x, penalty, u.eval)
}

// Surroundings is how well places were known where samples were taken, from which
// it is told how well they will be known elsewhere.
type Surroundings struct {
	arrivals []Arrival
	mean     *mat.SymDense // of their Σ_L; zero without any
	reach2   float64       // square of the distance over which localisation is taken to stay alike, m²
}

// NewSurroundings returns what arrivals tell of the localisation around them, taken
// to stay alike over a distance of reach. It keeps the arrivals.
func NewSurroundings(dim int, arrivals []Arrival, reach float64) (*Surroundings, error) {
	if !finite(reach) || reach <= 0 {
		return nil, fmt.Errorf("%w: the reach of localisation is %g m, want a finite number > 0", ErrExecution, reach)
	}
	s := &Surroundings{arrivals: arrivals, mean: mat.NewSymDense(dim, nil), reach2: reach * reach}
	for _, a := range arrivals {
		if c := a.Located.Cov; c != nil {
			addScaled(s.mean, 1/float64(len(arrivals)), c)
		}
	}
	return s, nil
}

// surroundingsWeight is what the mean over all samples counts beside samples nearby,
// in samples that are right there.
const surroundingsWeight = 0.1

// Cov writes the expected Σ_L of a sample with target x into dst: the mean of those
// of the samples, weighted by exp(-r²/2reach²) with r the distance of their targets.
func (s *Surroundings) Cov(dst *mat.SymDense, x []float64) {
	dst.ScaleSym(surroundingsWeight, s.mean)
	total := surroundingsWeight
	for _, a := range s.arrivals {
		r2 := 0.0
		for k, v := range a.Target {
			r2 += (v - x[k]) * (v - x[k])
		}
		w := math.Exp(-r2 / (2 * s.reach2))
		total += w
		if a.Located.Cov != nil {
			addScaled(dst, w, a.Located.Cov)
		}
	}
	dst.ScaleSym(1/total, dst)
}

// Mean returns the mean Σ_L of the samples, zero without any. It is s's own.
func (s *Surroundings) Mean() *mat.SymDense { return s.mean }

// addScaled adds w times c to dst.
func addScaled(dst *mat.SymDense, w float64, c *mat.SymDense) {
	n := dst.SymmetricDim()
	for i := range n {
		for k := i; k < n; k++ {
			dst.SetSym(i, k, dst.At(i, k)+w*c.At(i, k))
		}
	}
}

// Controlled returns the arrivals without what is not known of their places: what is
// learnt from them is how well the robot brings its estimate to the target.
func Controlled(arrivals []Arrival) []Arrival {
	list := make([]Arrival, len(arrivals))
	for i, a := range arrivals {
		a.Located = gp.Point(a.Located.Mean...)
		list[i] = a
	}
	return list
}
