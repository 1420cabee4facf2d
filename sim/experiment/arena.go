package experiment

import (
	"fmt"
	"math/rand/v2"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
)

// Arena is a kind of field on which methods of a [Tournament] meet. The methods
// know its space and how well it is seen, and learn the rest.
type Arena struct {
	Name, Description string

	Space        planner.Space
	Size         float64 // side of a square of the space's area
	Execution    float64 // σ_x, deviation of x̃ from its target in each coordinate
	Localisation float64 // deviation of the localisation's estimate from x̃ in each coordinate
	Reading      float64 // deviation of the observed values from f(x̃)

	// Hyper is what the fields are drawn with, or the nearest to that among the kernels;
	// nil where that is not known. It is for entries that are told it.
	Hyper *gp.Hyper

	// Draw returns a trial's field for an execution noise, which is
	// Execution times the condition's level.
	Draw func(rng *rand.Rand, execution float64) (Truth, error)
}

// Truth is a field of an arena. Its methods may be called from several goroutines.
type Truth interface {
	// Value returns f(x), of any x: samples may be taken outside the space.
	Value(x []float64) float64

	// Expected returns E[f(x̃)] for x̃ ~ N(x, σ_x²I), of the field without what varies
	// over distances too short to map, which nobody can find.
	Expected(x []float64) float64

	// Maximum returns the largest Expected over the space.
	Maximum() float64
}

// unitArena is the unit square with functions of the paper's first experiment.
func unitArena() (*Arena, error) {
	p := rkhs()
	return &Arena{
		Name: "rkhs", Description: "functions of the squared-exponential kernel's space, length-scale 0.1, on the unit square",
		Space: p.Box(), Size: 1, Execution: p.Execution, Localisation: p.Localisation, Reading: p.Reading,
		Draw: func(rng *rand.Rand, execution float64) (Truth, error) {
			f := p.Draw(rng)
			return &objectiveTruth{f, execution, f.Maximum(execution)}, nil
		},
	}, nil
}

// objectiveTruth is an [Objective] with one execution noise.
type objectiveTruth struct {
	Objective
	execution, maximum float64
}

func (o *objectiveTruth) Expected(x []float64) float64 { return o.Objective.Expected(x, o.execution) }
func (o *objectiveTruth) Maximum() float64             { return o.maximum }

// ArenaFiles are the surveys that some arenas need: files that are not shipped.
type ArenaFiles struct{ BroomsBarn, Meuse string }

// ArenaNames lists the arenas.
func ArenaNames() []string {
	var names []string
	for _, a := range arenas {
		names = append(names, a.name)
	}
	return names
}

var arenas = []struct {
	name string
	file func(ArenaFiles) *string // the survey that it needs; nil: none
	make func(file string) (*Arena, error)
}{
	{"rkhs", nil, func(string) (*Arena, error) { return unitArena() }},
	{"spherical", nil, func(string) (*Arena, error) { return sphericalArena() }},
	{"matern", nil, func(string) (*Arena, error) { return maternArena() }},
	{"broomsbarn", func(f ArenaFiles) *string { return &f.BroomsBarn }, broomsBarnArena},
	{"meuse", func(f ArenaFiles) *string { return &f.Meuse }, meuseArena},
}

// NewArena makes the arena of that name. It is nil, without an error, when the
// arena needs a survey and there is no file of it.
func NewArena(name string, files ArenaFiles) (*Arena, error) {
	for _, a := range arenas {
		if a.name != name {
			continue
		}
		if a.file == nil {
			return a.make("")
		}
		if file := *a.file(files); file != "" {
			return a.make(file)
		}
		return nil, nil
	}
	return nil, fmt.Errorf("%w: there is no arena %q, want one of %v", ErrPlan, name, ArenaNames())
}
