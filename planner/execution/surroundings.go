package execution

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner/internal/valid"
)

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
	if !valid.Finite(reach) || reach <= 0 {
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
