package experiment

import (
	"fmt"
	"math/rand/v2"

	"ugp_explorer/gp"
	"ugp_explorer/planner/field"
)

// Arena is a kind of field on which the methods of a [Tournament] meet. They know its space
// and its noise and learn the rest.
type Arena struct {
	Name, Description string

	Space        field.Space
	Size         float64 // side of a square of the space's area
	Execution    float64 // σ_x, standard deviation of x̃ from its target in each coordinate
	Localisation float64 // standard deviation of the localisation's estimate from x̃ in each coordinate
	Reading      float64 // standard deviation of the observed values from f(x̃)

	// Hyper holds the hyper-parameters of the fields, or the nearest ones that our kernels
	// have; nil where they are not known. Entries with Known are told them.
	Hyper *gp.Hyper

	// Draw returns a trial's field for an execution noise, which is
	// Execution times the condition's level.
	Draw func(rng *rand.Rand, execution float64) (Truth, error)
}

// Truth is a field of an arena. Its methods may be called from several goroutines.
type Truth interface {
	// Value returns f(x), of any x: samples may be taken outside the space.
	Value(x []float64) float64

	// Expected returns E[f(x̃)] for x̃ ~ N(x, σ_x²I), of the field without its nugget: what
	// varies over distances too short to map cannot be found.
	Expected(x []float64) float64

	// Maximum returns the largest Expected over the space.
	Maximum() float64
}

// unitArena is the unit square with functions of the paper's first experiment.
func unitArena(string) (*Arena, error) {
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

// arenas lists the arenas in their order. make is given the arena's survey.
var arenas = []struct {
	name   string
	survey bool // the arena needs a survey
	make   func(file string) (*Arena, error)
}{
	{"rkhs", false, unitArena}, {"spherical", false, sphericalArena}, {"matern", false, maternArena},
	{"broomsbarn", true, broomsBarnArena}, {"meuse", true, meuseArena},
}

// ArenaNames lists the arenas.
func ArenaNames() []string {
	var names []string
	for _, a := range arenas {
		names = append(names, a.name)
	}
	return names
}

// NewArena makes the arena of that name. surveys are the files of surveys, which are not
// shipped, by the names of their arenas. The arena is nil, without an error, when it needs
// a survey that is not given.
func NewArena(name string, surveys map[string]string) (*Arena, error) {
	for _, a := range arenas {
		switch file := surveys[name]; {
		case a.name != name:
		case a.survey && file == "":
			return nil, nil
		default:
			return a.make(file)
		}
	}
	return nil, fmt.Errorf("%w: there is no arena %q, want one of %q", ErrPlan, name, ArenaNames())
}
