package experiment

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/paulmach/orb"

	"ugp_explorer/gp"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/surface"
	"ugp_explorer/sim"
)

// The drawn fields lie on a square of this side, with nodes this far apart.
const (
	fieldSide    = 800.0 // m
	fieldSpacing = 10.0  // m
)

// Places on a field of some ten hectares are known and met as by a robot with poor
// fixes; a level of 0.1 is one with good ones.
const (
	fieldExecution    = 10.0 // m
	fieldLocalisation = 5.0  // m
	fieldReading      = 0.02 // log10 of a concentration
)

// sphericalArena has the variogram of log10 K at Broom's Barn.
func sphericalArena(string) (*Arena, error) {
	// A Matérn 3/2 correlation of this length-scale falls to a half at the same distance,
	// 148 m.
	return drawnArena("spherical", "Gaussian fields with a spherical variogram and a nugget", sim.BroomsBarnVariogram(), gp.Matern32, 153)
}

// maternScale is the length-scale of maternArena's fields.
const maternScale = 100.0 // m

// maternArena has smoother fields, Matérn 5/2, of the same variances.
func maternArena(string) (*Arena, error) {
	v := sim.BroomsBarnVariogram()
	v.Model, v.Smoothness, v.Range = sim.Matern, 2.5, maternScale/math.Sqrt(5)
	return drawnArena("matern", "Gaussian fields with a Matérn 5/2 variogram and a nugget", v, gp.Matern52, maternScale)
}

func drawnArena(name, description string, v sim.Variogram, kind gp.Kind, scale float64) (*Arena, error) {
	box, err := field.NewBox([]float64{0, 0}, []float64{fieldSide, fieldSide})
	if err != nil {
		return nil, err
	}
	bound := orb.Bound{Max: orb.Point{fieldSide, fieldSide}}
	grid, err := surface.GridOver(bound, fieldSpacing, 0)
	if err != nil {
		return nil, err
	}
	return &Arena{
		Name: name, Description: description, Space: box, Size: fieldSide,
		Execution: fieldExecution, Localisation: fieldLocalisation, Reading: fieldReading,
		Hyper: &gp.Hyper{Kind: kind, SignalVariance: v.Structured, LengthScales: []float64{scale, scale}, NoiseVariance: v.Nugget, Mean: sim.BroomsBarnMean},
		Draw: func(rng *rand.Rand, execution float64) (Truth, error) {
			f, err := sim.Simulate(grid, v, sim.BroomsBarnMean, name, "", rng)
			if err != nil {
				return nil, err
			}
			return newFieldTruth(f, box, execution)
		},
	}, nil
}

// broomsBarnArena has log10 K in the topsoil of Broom's Barn farm. Every trial has
// the same field, and noise and a first target of its own.
func broomsBarnArena(file string) (*Arena, error) {
	points, err := sim.LoadPoints(file, "")
	if err != nil {
		return nil, err
	}
	return surveyArena("broomsbarn", "log10 K at Broom's Barn, kriged", points)
}

// meuseArena has log10 Zn in the topsoil beside the Meuse.
func meuseArena(file string) (*Arena, error) {
	points, err := sim.LoadPoints(file, "zinc")
	if err != nil {
		return nil, err
	}
	for i, v := range points.Values {
		if !(v > 0) {
			return nil, fmt.Errorf("experiment: %s: zinc is %g at %v, which has no logarithm", file, v, points.XY[i])
		}
		points.Values[i] = math.Log10(v)
	}
	a, err := surveyArena("meuse", "log10 Zn beside the Meuse, kriged", points)
	if err == nil {
		a.Execution, a.Localisation = 3*fieldExecution, 3*fieldLocalisation // over kilometres
	}
	return a, err
}

func surveyArena(name, description string, points *sim.PointData) (*Arena, error) {
	truth, region, err := surveyed(points, 0)
	if err != nil {
		return nil, err
	}
	return &Arena{
		Name: name, Description: description, Space: region, Size: math.Sqrt(region.Area()),
		Execution: fieldExecution, Localisation: fieldLocalisation, Reading: fieldReading,
		Draw: func(_ *rand.Rand, execution float64) (Truth, error) { return newFieldTruth(truth, region, execution) },
	}, nil
}

// fieldTruth is a field on a grid.
type fieldTruth struct {
	field    *surface.GridField
	expected *surface.Expectation
	maximum  float64
}

func newFieldTruth(f *surface.GridField, space field.Space, execution float64) (*fieldTruth, error) {
	v := execution * execution
	cov := [2][2]float64{{v, 0}, {0, v}}
	expected, err := surface.NewExpectation(cov, f.Resolution())
	if err != nil {
		return nil, err
	}
	lo, hi := space.Bounds()
	inside := func(x, y float64) bool { return space.Contains([]float64{x, y}) }
	best, err := surface.MaxExpected(f.Smooth, orb.Bound{Min: orb.Point(lo), Max: orb.Point(hi)}, f.Resolution(), inside, cov)
	return &fieldTruth{f, expected, best.Value}, err
}

func (t *fieldTruth) Value(x []float64) float64    { return t.field.Value(x[0], x[1]) }
func (t *fieldTruth) Expected(x []float64) float64 { return t.expected.At(t.field.Smooth, x[0], x[1]) }
func (t *fieldTruth) Maximum() float64             { return t.maximum }

// surveyed returns the field of a survey, kriged, and where a robot may be that keeps a
// margin from its outline.
func surveyed(points *sim.PointData, margin float64) (*surface.GridField, *field.Region, error) {
	outline, err := sim.Outline(points, false)
	if err != nil {
		return nil, nil, err
	}
	cfg, err := sim.DefaultPointFieldConfig(points)
	if err != nil {
		return nil, nil, err
	}
	truth, _, err := sim.FieldFromPoints(points, outline, cfg)
	if err != nil {
		return nil, nil, err
	}
	region, err := field.NewRegion(field.Field{Boundary: outline}, margin)
	return truth, region, err
}
