package execution

import "ugp_explorer/gp"

// Locating is the relation between the belief about the place of a sample, P^L = N(x̂, Σ_L),
// and the true place x̃. The sign of the correction for Σ_L depends on it.
type Locating int

const (
	// LocatingFiltered is for a P^L that is the posterior of a Bayesian filter. Then
	// x̃ = x̂ + l with l ~ N(0, Σ_L), and l is uncorrelated with x̂ - x: both x̂ and x
	// are known, and E[l] is 0 given all that is known. So Σ_L is added:
	//
	//	Cov(x̃ - x) = Cov(x̂ - x) + E[Σ_L]
	//
	// This is the case of a robot that steers by its estimate: it brings x̂ to x as
	// well as its control allows, and the error of the estimate adds to that.
	LocatingFiltered Locating = iota

	// LocatingMeasured is for an x̂ that was measured independently, by a surveyor or a
	// receiver that the robot does not steer by. Then x̂ = x̃ + l, and l is uncorrelated
	// with x̃ - x. So Σ_L is subtracted:
	//
	//	Cov(x̃ - x) = Cov(x̂ - x) - E[Σ_L]
	LocatingMeasured
)

// Arrival is a sample from which execution noise is learnt.
type Arrival struct {
	Target    []float64 // x, m
	Located   gp.Belief // P^L, the belief about the place where it was taken
	Direction []float64 // unit vector in which the target was approached; used if the noise is directional
	Length    float64   // m, length of the path to the target; used if the noise grows with it
}

// Controlled returns the arrivals with certain places. The noise learnt from them is the
// control error alone: how well the robot brings its estimate to the target.
func Controlled(arrivals []Arrival) []Arrival {
	list := make([]Arrival, len(arrivals))
	for i, a := range arrivals {
		a.Located = gp.Point(a.Located.Mean...)
		list[i] = a
	}
	return list
}
