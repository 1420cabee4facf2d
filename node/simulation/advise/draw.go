// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package advise

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/covariate"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/surface"
	"ugp_explorer/sim"
)

// KnownGround is what is known about a field in addition to its outline. The zero value means that nothing is known.
type KnownGround struct {
	Range   *[2]float64          // smallest and largest value of the field, in model units; nil: not known
	Length  float64              // length-scale, m; 0: not known
	Earlier []record.Observation // samples from before the mission
}

const (
	// fineNodes and coarseNodes are the numbers of grid nodes per side of a square of the field's
	// area. Fields with a length-scale above smoothFrom sides are drawn on the coarse grid:
	// there a circulant embedding needs a torus of many times the grid.
	fineNodes, coarseNodes = 100, 30
	smoothFrom             = 0.2
	// longest is the longest length-scale that is drawn, in sides of that square: a field with a
	// longer one looks much the same inside the outline.
	longest = 1.5
	// flattest is the longest length-scale that a user may give, in sides: a field with a longer one hardly varies.
	flattest = 10
	// knownFactor is the factor within which a length-scale that a user knows is right, as one
	// standard deviation of its logarithm.
	knownFactor = 1.35
	// members is the number of hyper-parameters that stand for those that earlier samples leave
	// possible.
	members = 32
)

// drawer draws fields.
type drawer struct {
	known        KnownGround
	region       *field.Region
	side         float64 // of a square of the region's area, m
	fine, coarse raster
	start        gp.Hyper
	priors       fit.Config
	learns       bool             // the hyper-parameters are not given
	weights      []fit.Weighted   // hyper-parameters after the earlier samples; nil: there are none
	samples      []gp.Observation // the earlier samples
}

// raster is a grid over the region.
type raster struct {
	surface.Grid
	inside []int // nodes in the region
}

// place returns the place of the node with an index, m.
func (r *raster) place(k int) []float64 {
	x, y := r.Node(k%r.NX, k/r.NX)
	return []float64{x, y}
}

// drawn is a field in model units.
type drawn struct {
	*surface.GridField
	nodes *raster
	hyper gp.Hyper
	// rough: its variogram is exponential, with the first length-scale of hyper as range. The
	// explorer has no such kernel, but many soils do: on the synthetic farm, whose variogram is
	// spherical, missions end farther from the best than on fields of the explorer's kernels.
	rough       bool
	best, worst float64 // largest and smallest value in the region
	mean        float64 // over the region
}

// newDrawer returns a drawer of fields over a region, from a model's prior. It finds the
// hyper-parameters that earlier samples leave possible.
func newDrawer(region *field.Region, start gp.Hyper, priors fit.Config, learns bool, known KnownGround, seed uint64) (*drawer, error) {
	d := &drawer{known: known, region: region, side: math.Sqrt(region.Area()), start: start, priors: priors, learns: learns}
	if most := flattest * d.side; known.Length > most {
		return nil, fmt.Errorf("the correlation length (--length) is %g m: want at most %.3g m, %d times the side of a square of the field's area, since a field with a longer one hardly varies; leave --length out if it is unknown",
			known.Length, most, flattest)
	}
	lo, hi := region.Bounds()
	bound := orb.Bound{Min: orb.Point(lo), Max: orb.Point(hi)}
	for _, o := range known.Earlier {
		bound = bound.Extend(orb.Point{o.Belief.X, o.Belief.Y})
		d.samples = append(d.samples, gp.Observation{Belief: o.Located(), Value: o.ModelValue, NoiseVariance: o.ModelVariance, OnePlace: o.Path == nil})
	}
	var err error
	for nodes, r := range map[float64]*raster{fineNodes: &d.fine, coarseNodes: &d.coarse} {
		if r.Grid, err = surface.GridOver(bound, d.side/nodes, 0); err != nil {
			return nil, err
		}
		for k := range r.Len() {
			if region.Contains(r.place(k)) {
				r.inside = append(r.inside, k)
			}
		}
		if len(r.inside) == 0 {
			return nil, fmt.Errorf("the field is too narrow: none of %d places on it, %.2g m apart, lies inside its margin", r.Len(), d.side/nodes)
		}
	}
	if len(d.samples) == 0 || !learns {
		return d, nil
	}
	rng := sim.Stream(seed, "advise/learn")
	best, err := fit.Hyper(d.samples, d.start, d.priors, rng)
	if err != nil {
		return nil, fmt.Errorf("the model cannot be learnt from the earlier samples: %w", err)
	}
	d.weights, err = fit.Average(d.samples, best, d.priors, members, rng)
	return d, err
}

// hyper draws hyper-parameters: those of the configuration if they are not learnt, from what
// the earlier samples leave possible, or from the priors. The signal variance is that of the
// start then: another one is another unit. With the priors the field is rough with the
// probability of one kernel.
func (d *drawer) hyper(rng *rand.Rand) (h gp.Hyper, rough bool) {
	h = d.start
	switch {
	case !d.learns:
		return h, false
	case d.weights != nil:
		u := rng.Float64()
		for _, w := range d.weights {
			h = w.Hyper
			if u -= w.Weight; u < 0 {
				break
			}
		}
		return h, false
	}
	kind := rng.IntN(1 + len(d.priors.Kinds))
	if rough = kind == len(d.priors.Kinds); !rough {
		h.Kind = d.priors.Kinds[kind]
	}
	length := d.priors.LengthScale.Median * math.Exp(d.priors.LengthScale.LogStdDev*rng.NormFloat64())
	if d.known.Length > 0 {
		length = d.known.Length * math.Pow(knownFactor, rng.NormFloat64())
	}
	noise := d.priors.NoiseVariance
	h.NoiseVariance = h.SignalVariance * min(noise.Median*math.Exp(noise.LogStdDev*rng.NormFloat64()), noise.Max)
	h.LengthScales = slices.Repeat([]float64{min(length, longest*d.side)}, 2)
	return h, rough
}

// draw draws a field.
func (d *drawer) draw(rng *rand.Rand) (*drawn, error) {
	f := &drawn{nodes: &d.fine}
	f.hyper, f.rough = d.hyper(rng)
	if max(f.hyper.LengthScales[0], f.hyper.LengthScales[1]) > smoothFrom*d.side {
		f.nodes = &d.coarse
	}
	g := f.nodes
	values, err := d.sample(f, rng)
	if err != nil {
		return nil, err
	}
	if err := d.condition(g, values, f.hyper, rng); err != nil {
		return nil, err
	}
	for k := range values {
		values[k] += f.hyper.Mean
	}
	f.span(g, values)
	if r := d.known.Range; r != nil {
		scale := (r[1] - r[0]) / (f.best - f.worst)
		for k, v := range values {
			values[k] = r[0] + scale*(v-f.worst)
		}
		f.hyper.SignalVariance *= scale * scale
		f.hyper.NoiseVariance *= scale * scale
		f.span(g, values)
	}
	f.GridField, err = surface.NewGridField(g.Grid, values, values, "", "")
	return f, err
}

// sample draws the values of a field of mean 0 that varies like f at its nodes.
func (d *drawer) sample(f *drawn, rng *rand.Rand) ([]float64, error) {
	sample := sampled
	if f.nodes == &d.coarse {
		sample = factored
	}
	return sample(f.nodes, f.variogram(), f.hyper.LengthScales[0]/f.hyper.LengthScales[1], rng)
}

// correlated draws another field that varies like a field, at its nodes. Over the region it has this
// correlation with it, the mean 0 and the variance 1.
func (d *drawer) correlated(f *drawn, correlation float64, rng *rand.Rand) ([]float64, error) {
	others, err := d.sample(f, rng)
	if err != nil {
		return nil, err
	}
	g := f.nodes
	at := func(k int) float64 { p := g.place(k); return f.Smooth(p[0], p[1]) }
	var values, noise []float64
	for _, k := range g.inside {
		values, noise = append(values, at(k)), append(noise, others[k])
	}
	mix := sim.Correlate(values, noise, correlation)
	for k := range others {
		others[k] = mix(at(k), others[k])
	}
	return others, nil
}

// covariate draws a raster of the region that has this correlation with a field.
func (d *drawer) covariate(f *drawn, correlation float64, rng *rand.Rand) (gp.Covariate, error) {
	all, err := d.correlated(f, correlation, rng)
	if err != nil {
		return nil, err
	}
	g := f.nodes
	cells := slices.Repeat([]float64{math.NaN()}, g.Len())
	for _, k := range g.inside {
		cells[k] = all[k]
	}
	return covariate.New(g.X0, g.Y0, g.DX, g.NX, cells, func(x, y float64) bool { return d.region.Contains([]float64{x, y}) })
}

// sampled draws the values of a field of mean 0 at the nodes by circulant embedding. The field
// is isotropic on a grid that is stretched along y.
func sampled(r *raster, v sim.Variogram, stretch float64, rng *rand.Rand) ([]float64, error) {
	g := r.Grid
	g.DY *= stretch
	f, err := sim.NewSampler(g, v)
	if err != nil {
		return nil, err
	}
	values := make([]float64, g.Len())
	f.Sample(values, rng)
	return values, nil
}

// jitter is added to the diagonal of a covariance matrix, relative to the variance, so that that
// of a smooth field can be factored.
const jitter = 1e-6

// factored draws the same from the Cholesky factor of the covariance matrix of the nodes, which
// is quick for few nodes, however long the length-scales.
func factored(r *raster, v sim.Variogram, stretch float64, rng *rand.Rand) ([]float64, error) {
	n := r.Len()
	// The covariance of two nodes is that of the first node and the one that is as many columns and rows away from it.
	first := make([]float64, n)
	for k := range first {
		first[k] = v.Covariance(math.Hypot(float64(k%r.NX)*r.DX, stretch*float64(k/r.NX)*r.DY))
	}
	first[0] = v.Structured * (1 + jitter)
	covariance := mat.NewSymDense(n, nil).RawSymmetric()
	for i := range n {
		for j := i; j < n; j++ { // the upper triangle
			columns := j%r.NX - i%r.NX
			covariance.Data[i*n+j] = first[(j/r.NX-i/r.NX)*r.NX+max(columns, -columns)]
		}
	}
	upper, ok := lapack64.Potrf(covariance) // mat.Cholesky would take as long for the condition number
	if !ok {
		return nil, fmt.Errorf("a field with a %v variogram of range %.3g m cannot be drawn: its covariance matrix is singular", v.Model, v.Range)
	}
	z := blas64.Vector{N: n, Data: make([]float64, n), Inc: 1}
	for i := range z.Data {
		z.Data[i] = rng.NormFloat64()
	}
	blas64.Trmv(blas.Trans, upper, z)
	return z.Data, nil
}

// kernel names the field's shape.
func (f *drawn) kernel() string {
	if f.rough {
		return "exponential"
	}
	return f.hyper.Kind.String()
}

// span sets the largest and the smallest value in the region, and the mean.
func (f *drawn) span(g *raster, values []float64) {
	f.best, f.worst, f.mean = math.Inf(-1), math.Inf(1), 0
	for _, k := range g.inside {
		f.best, f.worst = max(f.best, values[k]), min(f.worst, values[k])
		f.mean += values[k] / float64(len(g.inside))
	}
}

// condition changes a field of mean 0 into one that agrees with the earlier samples, as far as
// their noise demands: a sample of the field's distribution given them (Journel and
// Huijbregts 1978, conditional simulation by kriging the residuals).
func (d *drawer) condition(g *raster, values []float64, h gp.Hyper, rng *rand.Rand) error {
	if len(d.samples) == 0 {
		return nil
	}
	f, err := surface.NewGridField(g.Grid, values, values, "", "")
	if err != nil {
		return err
	}
	rest := slices.Clone(d.samples)
	for i, o := range rest {
		c := o.Belief.Cov
		e, err := surface.NewExpectation([2][2]float64{{c.At(0, 0), c.At(0, 1)}, {c.At(0, 1), c.At(1, 1)}}, f.Resolution())
		if err != nil {
			return err
		}
		noise := math.Sqrt(h.Noise(&o)) * rng.NormFloat64()
		rest[i].Value -= h.Mean + e.At(f.Smooth, o.Belief.Mean[0], o.Belief.Mean[1]) + noise
	}
	h.Mean = 0
	model, err := gp.NewSparse(h, gp.DefaultSparseConfig())
	if err != nil {
		return err
	}
	if err := model.AddAll(rest); err != nil {
		return err
	}
	p, err := model.NewPredictor(nil)
	if err != nil {
		return err
	}
	n := len(values)
	x, mean, variance := mat.NewDense(n, 2, nil), make([]float64, n), make([]float64, n)
	for k := range n {
		x.SetRow(k, g.place(k))
	}
	p.PredictBatch(mean, variance, x)
	for k := range values {
		values[k] += mean[k]
	}
	return nil
}

// variogram returns the variogram of the field with the first of its length-scales, without
// its noise. A field of the rational quadratic kernel, which has no model in sim, is drawn with
// the smoother Matérn kernel.
func (f *drawn) variogram() sim.Variogram {
	h := f.hyper
	v, l := sim.Variogram{Structured: h.SignalVariance}, h.LengthScales[0]
	switch {
	case f.rough:
		v.Model, v.Range = sim.Exponential, l
	case h.Kind == gp.SquaredExponential:
		v.Model, v.Range = sim.Gaussian, math.Sqrt2*l
	case h.Kind == gp.Matern32:
		v.Model, v.Range = sim.Matern32, l/math.Sqrt(3)
	default:
		v.Model, v.Range = sim.Matern52, l/math.Sqrt(5)
	}
	return v
}
