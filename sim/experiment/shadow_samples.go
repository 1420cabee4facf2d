package experiment

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/planner/execution"
)

// sampleMap predicts how well the place of a sample will be known, Σ_L, from how well
// it was known where samples were taken.
type sampleMap struct {
	arrivals []execution.Arrival
	mean     *mat.SymDense // of the arrivals' Σ_L; zero if there are none
	reach2   float64       // square of the distance over which localisation stays similar, m²
}

// newSampleMap returns the map from the arrivals in dim dimensions. reach is the
// distance over which localisation stays similar, m. The map keeps the arrivals. The error
// wraps [execution.ErrExecution].
func newSampleMap(dim int, arrivals []execution.Arrival, reach float64) (*sampleMap, error) {
	if !(reach > 0) || math.IsInf(reach, 1) {
		return nil, fmt.Errorf("%w: the reach of localisation is %g m, want a finite number > 0", execution.ErrExecution, reach)
	}
	m := &sampleMap{arrivals: arrivals, mean: mat.NewSymDense(dim, nil), reach2: reach * reach}
	for _, a := range arrivals {
		if c := a.Located.Cov; c != nil {
			addScaled(m.mean, 1/float64(len(arrivals)), c)
		}
	}
	return m, nil
}

// meanWeight is the weight of the mean over all samples; a sample at the place itself has
// weight 1.
const meanWeight = 0.1

// Cov writes the expected Σ_L of a sample with target x into dst: the mean over the samples,
// weighted by exp(-r²/2reach²) with r the distance from their targets to x.
func (m *sampleMap) Cov(dst *mat.SymDense, x []float64) {
	dst.ScaleSym(meanWeight, m.mean)
	total := meanWeight
	for _, a := range m.arrivals {
		r2 := 0.0
		for k, v := range a.Target {
			r2 += (v - x[k]) * (v - x[k])
		}
		w := math.Exp(-r2 / (2 * m.reach2))
		total += w
		if a.Located.Cov != nil {
			addScaled(dst, w, a.Located.Cov)
		}
	}
	dst.ScaleSym(1/total, dst)
}

// addScaled adds w times c to dst.
func addScaled(dst *mat.SymDense, w float64, c *mat.SymDense) {
	n := dst.SymmetricDim()
	for i := range n {
		for k := i; k < n; k++ {
			dst.SetSym(i, k, dst.At(i, k)+w*c.At(i, k))
		}
	}
}
