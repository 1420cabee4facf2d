package experiment

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/execution"
	"ugp_explorer/sim/experiment/paper"
)

// Tournament compares methods over arenas. Unlike the methods of a [Plan], these
// learn the hyper-parameters from their samples, as an explorer does.
type Tournament struct {
	Seed       uint64
	Trials     int
	Iterations int
	Arenas     []*Arena
	Entries    []Entry   // the first is compared with each of the others
	Levels     []float64 // factors of the arena's noises
	Ratios     []float64 // σ̂/σ_x

	fields sync.Map // Match of any entry and ratio → function that returns the field
}

// Validate returns an error, wrapping [ErrPlan], that names the first value out
// of its range.
func (t *Tournament) Validate() error {
	known := func(text string) error {
		e := t.Entries[slices.Index(t.methods(), text)]
		for _, a := range t.Arenas {
			if e.Known && a.Hyper == nil {
				return fmt.Errorf("the hyper-parameters of %s are not known", a.Name)
			}
		}
		return nil
	}
	var arenas []string
	for _, a := range t.Arenas {
		arenas = append(arenas, a.Name)
	}
	return cmp.Or(
		atLeast("Trials", t.Trials, 1),
		atLeast("Iterations", t.Iterations, 1),
		each("arena", arenas, func(string) error { return nil }),
		each("method", t.methods(), known),
		each("noise level", t.Levels, func(v float64) error { return positive("the noise level", v) }),
		each("ratio", t.Ratios, func(v float64) error { return positive("σ̂/σ", v) }),
	)
}

// methods returns the entries' names.
func (t *Tournament) methods() []string {
	list := make([]string, len(t.Entries))
	for i, e := range t.Entries {
		list[i] = e.Text
	}
	return list
}

// Condition is a setting under which entries are compared.
type Condition struct {
	Arena string  `json:"arena"`
	Level float64 `json:"level"` // of the noises
	Ratio float64 `json:"ratio"` // σ̂/σ_x
}

// Match is a trial of an entry under a condition.
type Match struct {
	Entry string `json:"method"`
	Condition
	Trial int `json:"trial"` // from 1
}

func (m Match) String() string {
	return fmt.Sprintf("%s, %s, noise %g, ratio %g, trial %d", m.Entry, m.Arena, m.Level, m.Ratio, m.Trial)
}

// Score is the outcome of a match.
type Score struct {
	Match
	Worth       float64   `json:"worth"`       // largest E[f(x̃)|x] less its mean over the space: what can be won
	Sampled     []float64 `json:"sampled"`     // uncertain-inputs regret of each target
	Recommended []float64 `json:"recommended"` // regret of the place recommended after each sample
}

// Conditions returns the settings under which entries are compared, arena by arena.
func (t *Tournament) Conditions() []Condition {
	var list []Condition
	for _, a := range t.Arenas {
		for _, level := range t.Levels {
			for _, ratio := range t.Ratios {
				list = append(list, Condition{a.Name, level, ratio})
			}
		}
	}
	return list
}

// ground is what a trial's entries meet under an arena's noise level.
type ground struct {
	truth Truth
	worth float64
}

// worthPlaces is the number of places over which the mean of a field is taken.
const worthPlaces = 1000

// fieldOf returns the field of a match, which is drawn once for all entries.
func (t *Tournament) fieldOf(m Match, a *Arena) (ground, error) {
	drawn, _ := t.fields.LoadOrStore(Match{"", Condition{m.Arena, m.Level, 0}, m.Trial}, sync.OnceValues(func() (ground, error) {
		truth, err := a.Draw(t.draws(m).stream("field"), m.Level*a.Execution)
		if err != nil {
			return ground{}, err
		}
		places, sum := a.Space.Points(worthPlaces, t.draws(m).stream("worth")), 0.0
		for i := range worthPlaces {
			sum += truth.Expected(places.RawRowView(i))
		}
		return ground{truth, truth.Maximum() - sum/worthPlaces}, nil
	}))
	return drawn.(func() (ground, error))()
}

// draws returns the random numbers of a trial, the same for every entry, level and
// ratio.
func (t *Tournament) draws(m Match) draws { return draws{t.Seed, "tournament/" + m.Arena, m.Trial} }

// Play runs a match. It ends early with ctx's cause when ctx ends.
func (t *Tournament) Play(ctx context.Context, m Match) (Score, error) {
	l, f, err := t.begin(m)
	if err != nil {
		return Score{}, err
	}
	score := Score{Match: m, Worth: f.worth}
	best := f.truth.Maximum()
	err = l.run(ctx, t.Iterations, func(x, recommended []float64) {
		score.Sampled = append(score.Sampled, best-f.truth.Expected(x))
		score.Recommended = append(score.Recommended, best-f.truth.Expected(recommended))
	})
	return score, err
}

// begin returns the loop of a match and the field that it meets.
func (t *Tournament) begin(m Match) (*loop, ground, error) {
	a := t.Arenas[slices.IndexFunc(t.Arenas, func(a *Arena) bool { return a.Name == m.Arena })]
	e := t.Entries[slices.IndexFunc(t.Entries, func(e Entry) bool { return e.Text == m.Entry })]
	f, err := t.fieldOf(m, a)
	if err != nil {
		return nil, f, err
	}
	dim, d := a.Space.Dim(), t.draws(m)
	scale, localisation, reading := m.Level*a.Execution, m.Level*a.Localisation, m.Level*a.Reading
	noise := d.stream("noise")
	drawn := func(step int) []float64 {
		return slices.Clone(a.Space.Points(1, d.stream(fmt.Sprintf("step %d", step))).RawRowView(0))
	}
	l := &loop{
		first: func() []float64 { return drawn(0) },
		take: func(x []float64) planner.Sample {
			taken, located := scatter(x, scale, localisation, noise)
			return planner.Sample{
				Target: x, Located: gp.Belief{Mean: located, Cov: isotropic(dim, localisation)},
				Value: f.truth.Value(taken) + reading*noise.NormFloat64(), Variance: reading * reading,
			}
		},
	}
	l.exhausted = func(job *planner.Job) ([]float64, error) { // a grid is followed by random targets
		x := drawn(l.Decisions())
		l.Decide(job)
		return x, nil
	}
	cfg := planner.OptimizerConfig{
		Catalogue: paper.Catalogue(), Method: e.Method, Beta: planner.BetaConfig{Schedule: "fixed", Fixed: e.Beta},
		Strategy: planner.DefaultStrategyConfig(),
		Aim:      execution.AimConfig{Config: execution.Config{StdDev: m.Ratio * scale}},
		Model:    guess(e.Kinds, dim, a.Size, t.Iterations), Random: d.random("strategy", "fit"),
	}
	if cfg.Model.Average = e.Average; e.Likelihood {
		cfg.Model.Prior.Likelihood, cfg.Model.Prior.GuessedVariance = true, 0
	}
	if e.Known {
		cfg.Model = known(*a.Hyper, t.Iterations)
	}
	cfg.Strategy.SpreadSamples, cfg.Strategy.Recommend, cfg.Strategy.GridPoints = e.Spread, e.Recommend, t.Iterations
	l.Optimizer, err = planner.NewOptimizer(a.Space, cfg)
	return l, f, err
}
