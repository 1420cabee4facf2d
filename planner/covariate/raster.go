// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package covariate holds rasters that are correlated with the explored quantity, such as an image of the crop, soil conductivity,
// elevation, or last year's map.
package covariate

import (
	"errors"
	"fmt"
	"math"
)

// Raster is a standardised quantity over the plane: its mean over the field is 0 and its variance 1.
// It is bilinear between the centres of square cells. Where it has no value, in holes and outside, it
// is 0, the mean, which says nothing about the field; it reaches half a cell beyond its last values and
// falls to 0 within the next cell. A Raster never changes and is safe for concurrent use.
type Raster struct {
	levels       []level // the finest first
	mean, stdDev float64 // over the field, before it was standardised
	known        []bool  // which cells of the finest level have a value
}

// level is a grid. Each coarser one has the means of blocks of 2×2 cells of the one before.
type level struct {
	west, south   float64 // centre of the first cell, m in the map frame
	cell          float64 // m
	width, height int
	values        []float64 // row by row to the north, 0 along the edge
}

// Errors of values that cannot be used.
var (
	ErrEmpty    = errors.New("it has no value in the field")
	ErrConstant = errors.New("it has the same value everywhere in the field, which says nothing: leave it out")
)

// New returns the raster of values, row by row to the north, at the centres of square cells of the
// given size, m, the first at (west, south) m in the map frame. NaN is a hole. inField says whether a
// place belongs to the field, over which the raster is standardised. An error is ErrEmpty or
// ErrConstant.
func New(west, south, cell float64, width int, values []float64, inField func(x, y float64) bool) (*Raster, error) {
	height := len(values) / width
	if !(cell > 0) || width*height != len(values) {
		panic(fmt.Sprintf("covariate: %d values in rows of %d cells of %g m", len(values), width, cell))
	}
	// Two cells more on each side: one to which the values reach, and one that is 0.
	const border = 2
	g := level{west: west - border*cell, south: south - border*cell, cell: cell, width: width + 2*border, height: height + 2*border}
	g.values = make([]float64, g.width*g.height)
	for k := range g.values {
		g.values[k] = math.NaN()
	}
	var n, mean, squares float64
	for k, v := range values {
		i, j := k%width, k/width
		if math.IsNaN(v) {
			continue
		}
		g.values[(j+border)*g.width+i+border] = v
		if inField(west+float64(i)*cell, south+float64(j)*cell) { // Welford's mean and sum of squares
			n++
			d := v - mean
			mean += d / n
			squares += d * (v - mean)
		}
	}
	if n == 0 {
		return nil, ErrEmpty
	}
	stdDev := math.Sqrt(squares / n)
	if !(stdDev > 1e-9*math.Abs(mean)) || math.IsInf(stdDev, 0) {
		return nil, ErrConstant
	}
	known := make([]bool, len(g.values))
	for k, v := range g.values {
		known[k], g.values[k] = !math.IsNaN(v), (v-mean)/stdDev
	}
	g.fill()
	r := &Raster{levels: []level{g}, mean: mean, stdDev: stdDev, known: known}
	for last := &g; last.width > 8 && last.height > 8; last = &r.levels[len(r.levels)-1] {
		r.levels = append(r.levels, last.coarser())
	}
	return r, nil
}

// Value returns the raster at a place in its own units, NaN where it has no value.
func (r *Raster) Value(x, y float64) float64 {
	g := &r.levels[0]
	i, j := int(math.Round((x-g.west)/g.cell)), int(math.Round((y-g.south)/g.cell))
	if i < 0 || j < 0 || i >= g.width || j >= g.height || !r.known[j*g.width+i] {
		return math.NaN()
	}
	c, _, _ := g.at(x, y)
	return r.mean + r.stdDev*c
}

// fill replaces holes beside values by the means of these, and all others by 0.
func (g *level) fill() {
	filled := make([]float64, len(g.values))
	for k, v := range g.values {
		if !math.IsNaN(v) {
			filled[k] = v
			continue
		}
		i, j, n := k%g.width, k/g.width, 0.
		for row := max(j-1, 0); row <= min(j+1, g.height-1); row++ {
			for column := max(i-1, 0); column <= min(i+1, g.width-1); column++ {
				if v := g.values[row*g.width+column]; !math.IsNaN(v) {
					n++
					filled[k] += (v - filled[k]) / n
				}
			}
		}
	}
	g.values = filled
}

// coarser returns the means of blocks of 2×2 cells, and an edge of 0.
func (g *level) coarser() level {
	c := level{west: g.west - 1.5*g.cell, south: g.south - 1.5*g.cell, cell: 2 * g.cell, width: (g.width+1)/2 + 2, height: (g.height+1)/2 + 2}
	c.values = make([]float64, c.width*c.height)
	for k, v := range g.values {
		c.values[(k/g.width/2+1)*c.width+k%g.width/2+1] += v / 4
	}
	return c
}

// at returns the bilinear value at a place and its gradient, 1/m.
func (g *level) at(x, y float64) (c, dx, dy float64) {
	u, v := (x-g.west)/g.cell, (y-g.south)/g.cell
	if !(u >= 0 && v >= 0 && u < float64(g.width-1) && v < float64(g.height-1)) {
		return 0, 0, 0
	}
	i, j := int(u), int(v)
	s, t := u-float64(i), v-float64(j)
	k := j*g.width + i
	sw, se, nw, ne := g.values[k], g.values[k+1], g.values[k+g.width], g.values[k+g.width+1]
	south, north := sw+s*(se-sw), nw+s*(ne-nw)
	return south + t*(north-south), ((1-t)*(se-sw) + t*(ne-nw)) / g.cell, (north - south) / g.cell
}

// Of the quadrature, in standard deviations along each axis of the ellipse: how far it reaches, and
// the largest distance between nodes. Nodes are also at most a cell apart, up to mostNodes on either
// side of the mean.
const (
	reach     = 3
	apart     = 0.75
	mostNodes = 40
)

// Mean returns the mean of the raster under the normal distribution of a place with mean (x, y), m,
// and covariance (xx, xy, yy), m²: c̄ = ∫ c dN. dx and dy are its derivatives in x and y, 1/m. It is
// a sum over nodes on a lattice along the axes of the ellipse, exact where the raster is linear. With
// a covariance of 0 it is the value at the place. Mean does not allocate.
//
// Wide distributions read the means of blocks of cells, which are smooth compared with them. Reading
// blocks of size D for cells of size d adds a variance of (D²-d²)/4, which is taken off the covariance.
func (r *Raster) Mean(x, y float64, cov [3]float64) (c, dx, dy float64) {
	// Variances along the axes, and the direction of the longer one.
	half, difference := (cov[0]+cov[2])/2, (cov[0]-cov[2])/2
	radius := math.Hypot(difference, cov[1])
	long, short := half+radius, max(half-radius, 0)
	if !(long > 0) {
		return r.levels[0].at(x, y)
	}
	sin, cos := math.Sincos(math.Atan2(cov[1], difference) / 2)
	g := &r.levels[0]
	for k := 1; k < len(r.levels) && short > 2*r.levels[k].cell*r.levels[k].cell; k++ {
		g = &r.levels[k]
	}
	added := (g.cell*g.cell - r.levels[0].cell*r.levels[0].cell) / 4
	a, b := math.Sqrt(long-added), math.Sqrt(short-added)
	na, nb := nodes(a, g.cell), nodes(b, g.cell)
	var across [2*mostNodes + 1]float64 // weights along the shorter axis
	for j := -nb; j <= nb; j++ {
		across[j+nb] = weight(j, nb)
	}
	sum := 0.
	for i := -na; i <= na; i++ {
		wi, s := weight(i, na), reach*a*float64(i)/float64(max(na, 1))
		for j := -nb; j <= nb; j++ {
			w, t := wi*across[j+nb], reach*b*float64(j)/float64(max(nb, 1))
			v, vx, vy := g.at(x+s*cos-t*sin, y+s*sin+t*cos)
			sum += w
			c += w * v
			dx += w * vx
			dy += w * vy
		}
	}
	return c / sum, dx / sum, dy / sum
}

// weight returns that of node i of n on either side of the mean.
func weight(i, n int) float64 {
	s := reach * float64(i) / float64(max(n, 1))
	return math.Exp(-s * s / 2)
}

// nodes returns the number of nodes on either side of the mean along an axis with a standard
// deviation of sd metres. An axis that is short compared with a cell has the mean alone.
func nodes(sd, cell float64) int {
	if sd < 1e-3*cell {
		return 0
	}
	return min(int(math.Ceil(reach/min(apart, cell/sd))), mostNodes)
}
