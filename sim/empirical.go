package sim

import (
	"fmt"
	"math"
)

// Lag is one class of distances of an empirical variogram.
type Lag struct {
	Distance     float64 // mean distance of the pairs, m
	Semivariance float64 // half their mean squared difference
	Pairs        int
}

// EmpiricalVariogram returns the omnidirectional variogram of the data by
// Matheron's estimator
//
//	γ̂(h) = 1/(2·N(h)) · Σ (z(xᵢ) − z(xⱼ))²
//
// over the N(h) pairs in each class ((k−½)·width, (k+½)·width], k = 1, 2, …, as
// up to the last class whose centre is at most reach. Classes without a pair are left
// out. width and reach are in metres.
func EmpiricalVariogram(p *PointData, width, reach float64) ([]Lag, error) {
	if !(width > 0) || math.IsInf(width, 0) {
		return nil, fmt.Errorf("sim: lag width is %v m: must be finite and positive", width)
	}
	if !(reach >= width) || reach/width > 1e6 {
		return nil, fmt.Errorf("sim: largest lag is %v m: must be between one and a million widths of %v m", reach, width)
	}
	lags := make([]Lag, int(reach/width+1e-9)+1)
	for i, a := range p.XY {
		for j, b := range p.XY[:i] {
			h := math.Hypot(a[0]-b[0], a[1]-b[1])
			k := math.Ceil(h/width - 0.5)
			if k >= float64(len(lags)) {
				continue
			}
			l := &lags[int(max(k, 0))]
			l.Distance += h
			l.Semivariance += square(p.Values[i] - p.Values[j])
			l.Pairs++
		}
	}
	out := lags[:0]
	for _, l := range lags[1:] {
		if n := float64(l.Pairs); n > 0 {
			out = append(out, Lag{Distance: l.Distance / n, Semivariance: l.Semivariance / (2 * n), Pairs: l.Pairs})
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("sim: no two of %d points are between %v and %v m apart", len(p.XY), width/2, reach)
	}
	return out, nil
}
