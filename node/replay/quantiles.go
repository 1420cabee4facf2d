package replay

import "math"

// quantiles estimates quantiles of positive numbers in bounded memory: a histogram with
// logarithmic bins, each one percent wide.
type quantiles struct {
	n     int64
	zeros int64
	bins  map[int]bin
	least float64
	most  float64
}

type bin struct {
	n   int64
	sum float64
}

const binWidth = 0.01 // width of a bin in the logarithm

func (q *quantiles) add(v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		return
	}
	if q.n == 0 {
		q.least, q.most, q.bins = v, v, map[int]bin{}
	}
	q.n++
	q.least, q.most = min(q.least, v), max(q.most, v)
	if v == 0 {
		q.zeros++
		return
	}
	k := key(v)
	b := q.bins[k]
	q.bins[k] = bin{b.n + 1, b.sum + v}
}

func key(v float64) int { return int(math.Floor(math.Log(v) / binWidth)) }

// at returns the quantile for a share from 0 to 1, accurate to a percent; NaN without
// numbers.
func (q *quantiles) at(share float64) float64 {
	switch {
	case q.n == 0:
		return math.NaN()
	case share == 0:
		return q.least
	case share == 1:
		return q.most
	}
	rank := int64(math.Ceil(share * float64(q.n)))
	sum := q.zeros
	if sum >= rank {
		return 0
	}
	for k := key(max(q.least, math.SmallestNonzeroFloat64)); ; k++ {
		b := q.bins[k]
		if sum += b.n; sum >= rank {
			return b.sum / float64(b.n)
		}
	}
}
