// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"math"
	"math/rand/v2"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/samplemv"
)

// Space is the set of places that may be chosen as a target, a compact set of dimension
// Dim. Its methods are safe for concurrent use; a [Travel] is not. Points are slices of
// Dim coordinates, metres in the plane; a slice of another length panics.
type Space interface {
	Dim() int

	// Contains reports whether x belongs to the space. A point with a NaN never does.
	Contains(x []float64) bool

	// Project writes the point of the space nearest to x into dst. Contains holds for
	// the result; a point of the space is its own projection. dst may be x.
	Project(dst, x []float64)

	// Bounds returns the smallest box around the space, as new slices.
	Bounds() (lo, hi []float64)

	// Centre returns the place to sample first, when nothing is known.
	Centre() []float64

	// Points returns n quasi-random points of the space, n×d, one per row. They cover
	// the space more evenly than independent points. n must be positive.
	Points(n int, rng *rand.Rand) *mat.Dense

	// Grid returns about n points of a lattice, row by row, in an order that makes a short
	// path. Rows are apart times as far from one another as the points of a row. n and
	// apart must be positive.
	Grid(n int, apart float64) [][]float64

	// Travel returns a new measure of the distance that a robot has to drive.
	Travel() Travel
}

// Travel measures driving distances from one start to many places. It owns its
// workspace, so only From may allocate. It is not safe for concurrent use.
type Travel interface {
	// From sets the start.
	From(x []float64)

	// Length returns the length of the shortest path from the start to x, +Inf if there
	// is none.
	Length(x []float64) float64

	// LengthGrad returns Length and writes its gradient with respect to x into dst: the
	// unit vector along which the path reaches x. The gradient is zero at the start, and
	// where there is no path.
	LengthGrad(dst, x []float64) float64
}

const (
	panicDim    = "planner: point has the wrong dimension"
	panicPoints = "planner: number of points must be positive"
)

// Distance returns the Euclidean distance between a and b.
func Distance(a, b []float64) float64 {
	if len(a) != len(b) {
		panic(panicDim)
	}
	if len(a) == 2 {
		return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]))
	}
	s := 0.0
	for i, v := range a {
		s += (v - b[i]) * (v - b[i])
	}
	return math.Sqrt(s)
}

// dist returns the distance between two points of the plane.
func dist(a, b orb.Point) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]))
}

// Halton returns n points of the unit cube of dimension d, n×d, one per row, from a
// Halton sequence with randomly permuted digits (Owen, arXiv:1706.02808). The first
// rows, any number of them, are themselves evenly spread.
func Halton(n, d int, rng *rand.Rand) *mat.Dense {
	batch := mat.NewDense(n, d, nil)
	samplemv.Halton{Kind: samplemv.Owen, Q: distmv.NewUnitUniform(d, nil), Src: rng}.Sample(batch)
	return batch
}
