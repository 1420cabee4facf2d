// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/planner/surface"
)

// maxKriging is the largest number of points of a global kriging system. The time for
// its factorisation grows with the cube of this number.
const maxKriging = 4000

// maxKrigingCondition is the largest condition number at which the weights
// still have half of a float64's digits.
const maxKrigingCondition = 1e8

// kriger predicts a quantity from point data by ordinary kriging (Webster &
// Oliver, Geostatistics for Environmental Scientists, 2nd ed., chapter 8) with
// all the data, in two ways:
//
//   - Value treats the nugget as variation of the quantity itself over
//     distances shorter than those between the samples. It passes through the
//     data. A nugget proper has no extent, and the kriged surface would jump to
//     the datum at its place and back; so that it can be driven over, the
//     nugget is given a spherical variogram of range microRange, which data
//     that are no closer cannot tell from a nugget.
//   - Smooth treats the nugget as noise of the measurements and filters it out
//     (Cressie, Statistics for Spatial Data, section 3.2.1): it passes among the
//     data.
//
// A kriger is safe for concurrent use.
type kriger struct {
	data      *PointData
	v         Variogram
	micro     Variogram // the nugget as a structure
	raw, flat krigingSystem
}

// krigingSystem is the data's covariance matrix K, factorised, and what
// predictions need of it: with μ = 1ᵀK⁻¹z/1ᵀK⁻¹1 the estimate of the mean by
// generalised least squares, ordinary kriging is μ + kᵀK⁻¹(z − μ1) (Cressie,
// eq. 3.2.12 to 3.2.15, in covariances).
type krigingSystem struct {
	mean float64
	dual []float64 // K⁻¹(z − μ1)
}

// newKriger factorises the systems of the data. The microRange in metres is that of Value, see
// kriger. With 0 the nugget has no extent, as in textbooks, and Value equals Smooth except at the
// data.
func newKriger(p *PointData, v Variogram, microRange float64) (*kriger, error) {
	k := &kriger{data: p, v: v, micro: Variogram{Model: Spherical, Structured: v.Nugget, Range: microRange}}
	own := func(h float64) float64 { return v.Structured*v.correlationAt(h) + k.microCovariance(h) } // of the quantity itself
	if err := k.raw.factorise(p, own); err != nil {
		return nil, err
	}
	return k, k.flat.factorise(p, v.Covariance)
}

func (k *kriger) microCovariance(h float64) float64 {
	if h == 0 {
		return k.v.Nugget
	}
	if h >= k.micro.Range { // also where the range is 0
		return 0
	}
	return k.micro.Covariance(h)
}

func (s *krigingSystem) factorise(p *PointData, cov func(h float64) float64) error {
	n := len(p.Values)
	c := mat.NewSymDense(n, nil)
	for i, a := range p.XY {
		for j := range i + 1 {
			b := p.XY[j]
			c.SetSym(i, j, cov(math.Hypot(a[0]-b[0], a[1]-b[1])))
		}
	}
	var chol mat.Cholesky
	condition := math.Inf(1) // of a matrix that rounding makes indefinite, which Cond must not be asked for
	if chol.Factorize(c) {
		condition = chol.Cond()
	}
	if !(condition < maxKrigingCondition) {
		return fmt.Errorf("sim: the kriging system of %d points is ill-conditioned (condition number %.3g, allowed %.0g): points lie too close together for a variogram without nugget; give one with a nugget, or a rougher model",
			n, condition, maxKrigingCondition)
	}
	ones := mat.NewVecDense(n, nil)
	for i := range n {
		ones.SetVec(i, 1)
	}
	var a, b mat.VecDense
	if err := chol.SolveVecTo(&a, ones); err != nil {
		return fmt.Errorf("sim: kriging system: %w", err)
	}
	for i, z := range p.Values {
		s.mean += a.AtVec(i) * z
	}
	s.mean /= mat.Sum(&a)
	z := mat.NewVecDense(n, nil)
	for i, v := range p.Values {
		z.SetVec(i, v-s.mean)
	}
	if err := chol.SolveVecTo(&b, z); err != nil {
		return fmt.Errorf("sim: kriging system: %w", err)
	}
	s.dual = b.RawVector().Data
	return nil
}

// predict returns both predictions at (x, y). It does not allocate.
func (k *kriger) predict(x, y float64) (value, smooth float64) {
	value, smooth = k.raw.mean, k.flat.mean
	for i, p := range k.data.XY {
		// Not Hypot: places are far from overflow, and this is the inner loop.
		h := math.Sqrt(square(x-p[0]) + square(y-p[1]))
		c := k.v.Structured * k.v.correlationAt(h)
		value += (c + k.microCovariance(h)) * k.raw.dual[i]
		smooth += c * k.flat.dual[i]
	}
	return value, smooth
}

// FieldFromPoints fits a variogram to point data and kriges the data onto a grid over the
// outline, whose data's name and units it has.
//
// All settings are on the scale of the data: a spherical variogram from classes as wide as
// the median spacing, up to 0.4 of the diagonal of the sampled area (Webster & Oliver
// advise against lags near the extent), and eight nodes to the median spacing, which is
// also the micro range (see [kriger]) and the margin around the outline.
func FieldFromPoints(p *PointData, outline orb.Polygon) (*surface.GridField, error) {
	s := p.spacing()
	if !(s > 0) {
		return nil, fmt.Errorf("sim: %d points are too few for a field", len(p.XY))
	}
	b := orb.MultiPoint(p.XY).Bound()
	reach := 0.4 * math.Hypot(b.Max[0]-b.Min[0], b.Max[1]-b.Min[1])
	v, err := fitVariogram(empiricalVariogram(p, s, math.Ceil(reach/s)*s))
	if err != nil {
		return nil, fmt.Errorf("its %d points do not show how values vary with distance: %w", len(p.XY), err)
	}
	if len(outline) == 0 || len(outline[0]) < 3 {
		return nil, fmt.Errorf("sim: the outline has fewer than 3 corners")
	}
	g, err := surface.GridOver(outline.Bound(), s/8, s)
	if err != nil {
		return nil, err
	}
	k, err := newKriger(p, v, s)
	if err != nil {
		return nil, err
	}
	value, smooth := make([]float64, g.Len()), make([]float64, g.Len())
	for j := range g.NY {
		for i := range g.NX {
			at := g.Index(i, j)
			value[at], smooth[at] = k.predict(g.Node(i, j))
		}
	}
	return surface.NewGridField(g, value, smooth, p.Name, p.Units)
}
