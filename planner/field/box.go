// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// errBox is wrapped by the errors of [NewBox].
var errBox = errors.New("planner: invalid box")

// Box is a closed axis-parallel box of any dimension.
type Box struct {
	lo, hi []float64
}

var _ Space = (*Box)(nil)

// NewBox returns the box of all x with lo[i] ≤ x[i] ≤ hi[i]. The bounds must be
// finite, and lo[i] < hi[i] everywhere.
func NewBox(lo, hi []float64) (*Box, error) {
	if len(lo) == 0 || len(lo) != len(hi) {
		return nil, fmt.Errorf("%w: %d lower and %d upper bounds, want the same number of both, at least one", errBox, len(lo), len(hi))
	}
	for i := range lo {
		if !(lo[i] < hi[i]) || math.IsInf(hi[i]-lo[i], 0) {
			return nil, fmt.Errorf("%w: dimension %d goes from %g to %g, want finite bounds, the lower below the upper", errBox, i, lo[i], hi[i])
		}
	}
	return &Box{lo: slices.Clone(lo), hi: slices.Clone(hi)}, nil
}

// Dim returns the number of dimensions.
func (b *Box) Dim() int { return len(b.lo) }

// Contains reports whether x lies in the box or on one of its sides.
func (b *Box) Contains(x []float64) bool {
	if len(x) != len(b.lo) {
		panic(panicDim)
	}
	for i, v := range x {
		if !(v >= b.lo[i] && v <= b.hi[i]) {
			return false
		}
	}
	return true
}

// Project clamps x to the box. A coordinate that is NaN becomes the middle of its side.
func (b *Box) Project(dst, x []float64) {
	if len(x) != len(b.lo) || len(dst) != len(x) {
		panic(panicDim)
	}
	for i, v := range x {
		if math.IsNaN(v) {
			v = b.lo[i]/2 + b.hi[i]/2
		}
		dst[i] = min(max(v, b.lo[i]), b.hi[i])
	}
}

// Bounds returns copies of the two corners.
func (b *Box) Bounds() (lo, hi []float64) {
	return slices.Clone(b.lo), slices.Clone(b.hi)
}

// Centre returns the middle of the box.
func (b *Box) Centre() []float64 {
	c := make([]float64, len(b.lo))
	for i := range c {
		c[i] = b.lo[i]/2 + b.hi[i]/2
	}
	return c
}

// Points returns n points of a randomised Halton sequence.
func (b *Box) Points(n int, rng *rand.Rand) *mat.Dense {
	if n <= 0 {
		panic(panicPoints)
	}
	u := Halton(n, len(b.lo), rng)
	for i := range n {
		row := u.RawRowView(i)
		for j, v := range row {
			row[j] = min(b.lo[j]+v*(b.hi[j]-b.lo[j]), b.hi[j])
		}
	}
	return u
}

// Grid returns the centres of equal cells, which are as close as their number allows to cubes
// or, unless apart is 1, to boxes that are apart times as long in all dimensions but the
// last. The order is that of a snake: only the last coordinate changes from one
// point to the next, except at the end of a row. The number of points is the
// product of the numbers of cells per dimension that is closest to n.
func (b *Box) Grid(n int, apart float64) [][]float64 {
	if n <= 0 {
		panic(panicPoints)
	}
	d := len(b.lo)
	counts, total := b.gridCounts(n, apart)
	points := make([][]float64, 0, total)
	index := make([]int, d)
	step := make([]int, d)
	for i := range step {
		step[i] = 1
	}
	for {
		x := make([]float64, d)
		for i, k := range index {
			x[i] = b.lo[i] + (float64(k)+0.5)/float64(counts[i])*(b.hi[i]-b.lo[i])
		}
		points = append(points, x)
		i := d - 1
		for ; i >= 0; i-- { // counts like an odometer whose wheels turn back at their ends
			if k := index[i] + step[i]; k >= 0 && k < counts[i] {
				index[i] = k
				break
			}
			step[i] = -step[i]
		}
		if i < 0 {
			return points
		}
	}
}

// gridCounts returns the number of cells in each dimension for about n cells of the shape
// that [Box.Grid] describes.
// The number of cells falls as their side grows, so bisection finds the two
// numbers on either side of n.
func (b *Box) gridCounts(n int, apart float64) (counts []int, total int) {
	widest := 0.0
	for i := range b.lo {
		widest = max(widest, b.hi[i]-b.lo[i])
	}
	cells := func(side float64) ([]int, float64) {
		c, product := make([]int, len(b.lo)), 1.0
		for i := range c {
			edge := side
			if i < len(c)-1 {
				edge *= apart
			}
			c[i] = int(max(1, math.Round(min((b.hi[i]-b.lo[i])/edge, float64(n)))))
			product *= float64(c[i])
		}
		return c, product
	}
	many, few := widest/(2*float64(n)), 2*widest // sides that give at least n cells, and one cell
	for range 60 {
		if mid := (many + few) / 2; mid == many || mid == few {
			break
		} else if _, p := cells(mid); p >= float64(n) {
			many = mid
		} else {
			few = mid
		}
	}
	counts, p := cells(many)
	if c, q := cells(few); float64(n)-q < p-float64(n) {
		counts, p = c, q
	}
	return counts, int(p)
}

// Travel measures Euclidean distances.
func (b *Box) Travel() Travel { return &euclid{start: make([]float64, len(b.lo))} }

// euclid measures straight paths.
type euclid struct{ start []float64 }

func (e *euclid) From(x []float64) {
	if len(x) != len(e.start) {
		panic(panicDim)
	}
	copy(e.start, x)
}

func (e *euclid) Length(x []float64) float64 { return Distance(e.start, x) }

func (e *euclid) LengthGrad(dst, x []float64) float64 {
	l := Distance(e.start, x)
	for i := range dst {
		dst[i] = 0
		if l > 0 {
			dst[i] = (x[i] - e.start[i]) / l
		}
	}
	return l
}
