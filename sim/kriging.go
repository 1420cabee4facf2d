package sim

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/planner/surface"
)

// maxKriging is the largest number of points of a global kriging system. The time for
// its factorisation grows with the cube of this number.
const maxKriging = 4000

// maxKrigingCondition is the largest condition number at which the weights
// still have half of a float64's digits.
const maxKrigingCondition = 1e8

// Kriger predicts a quantity from point data by ordinary kriging (Webster &
// Oliver, Geostatistics for Environmental Scientists, 2nd ed., chapter 8) with
// all the data, in two ways:
//
//   - Value treats the nugget as variation of the quantity itself over
//     distances shorter than those between the samples. It passes through the
//     data. A nugget proper has no extent, and the kriged surface would jump to
//     the datum at its place and back; so that it can be driven over, the
//     nugget is given a spherical variogram of range MicroRange, which data
//     that are no closer cannot tell from a nugget.
//   - Smooth treats the nugget as noise of the measurements and filters it out
//     (Cressie, Statistics for Spatial Data, section 3.2.1): it passes among the
//     data.
//
// A Kriger is safe for concurrent use.
type Kriger struct {
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

// NewKriger factorises the systems of the data, at least two points. The
// microRange in metres is that of Value, see Kriger; the median spacing of the
// data (PointData.Spacing) is a good choice. With 0 the nugget has no extent,
// as in textbooks, and Value equals Smooth except at the data.
func NewKriger(p *PointData, v Variogram, microRange float64) (*Kriger, error) {
	if err := v.Validate(); err != nil {
		return nil, err
	}
	if v.Sill() == 0 {
		return nil, fmt.Errorf("sim: kriging needs a variogram with a sill above 0")
	}
	if !(microRange >= 0) || math.IsInf(microRange, 0) {
		return nil, fmt.Errorf("sim: kriging micro range is %v m: must be finite and not negative", microRange)
	}
	if n := len(p.Values); n < 2 || n > maxKriging || len(p.XY) != n {
		return nil, fmt.Errorf("sim: kriging of %d values at %d places: there must be between 2 and %d; thin out larger sets", n, len(p.XY), maxKriging)
	}
	k := &Kriger{data: p, v: v, micro: Variogram{Model: Spherical, Structured: v.Nugget, Range: microRange}}
	if err := k.raw.factorise(p, k.valueCovariance); err != nil {
		return nil, err
	}
	if err := k.flat.factorise(p, v.Covariance); err != nil {
		return nil, err
	}
	return k, nil
}

// valueCovariance is the covariance of the quantity itself.
func (k *Kriger) valueCovariance(h float64) float64 {
	return k.v.Structured*k.v.Correlation(h) + k.microCovariance(h)
}

func (k *Kriger) microCovariance(h float64) float64 {
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

// Predict returns both predictions at (x, y). It does not allocate.
func (k *Kriger) Predict(x, y float64) (value, smooth float64) {
	value, smooth = k.raw.mean, k.flat.mean
	for i, p := range k.data.XY {
		// Not Hypot: places are far from overflow, and this is the inner loop.
		h := math.Sqrt(square(x-p[0]) + square(y-p[1]))
		c := k.v.Structured * k.v.Correlation(h)
		value += (c + k.microCovariance(h)) * k.raw.dual[i]
		smooth += c * k.flat.dual[i]
	}
	return value, smooth
}

// Krige predicts at every node of g and returns the field, with the data's name
// and units. The parameters are those of NewKriger.
func Krige(p *PointData, v Variogram, microRange float64, g surface.Grid) (*surface.GridField, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	k, err := NewKriger(p, v, microRange)
	if err != nil {
		return nil, err
	}
	value, smooth := make([]float64, g.Len()), make([]float64, g.Len())
	for j := range g.NY {
		for i := range g.NX {
			at := g.Index(i, j)
			value[at], smooth[at] = k.Predict(g.Node(i, j))
		}
	}
	return surface.NewGridField(g, value, smooth, p.Name, p.Units)
}
