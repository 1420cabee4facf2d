package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/sim"
)

// Tournament compares methods over arenas. Unlike the methods of a [Plan], these
// learn the hyper-parameters from their samples, as an explorer does.
type Tournament struct {
	Seed       uint64
	Trials     int
	Iterations int
	Arenas     []*Arena
	Entries    []Entry   // the first is compared with each of the others
	Levels     []float64 // by what each of the arena's noises is multiplied
	Ratios     []float64 // σ̂/σ_x

	mu     sync.Mutex
	fields map[match]*field
}

// Validate returns an error, wrapping [ErrPlan], that names the first value out
// of its range.
func (t *Tournament) Validate() error {
	switch {
	case t.Trials < 1:
		return fmt.Errorf("%w: Trials is %d, want at least 1", ErrPlan, t.Trials)
	case t.Iterations < 1:
		return fmt.Errorf("%w: Iterations is %d, want at least 1", ErrPlan, t.Iterations)
	case len(t.Arenas) == 0 || len(t.Entries) == 0 || len(t.Levels) == 0 || len(t.Ratios) == 0:
		return fmt.Errorf("%w: %d arenas, %d entries, %d noise levels and %d ratios, want at least one of each", ErrPlan, len(t.Arenas), len(t.Entries), len(t.Levels), len(t.Ratios))
	}
	for i, e := range t.Entries {
		if slices.ContainsFunc(t.Entries[:i], func(o Entry) bool { return o.Text == e.Text }) {
			return fmt.Errorf("%w: %q is there twice", ErrPlan, e.Text)
		}
	}
	for i, a := range t.Arenas {
		if slices.ContainsFunc(t.Arenas[:i], func(o *Arena) bool { return o.Name == a.Name }) {
			return fmt.Errorf("%w: the arena %q is there twice", ErrPlan, a.Name)
		}
	}
	for _, e := range t.Entries {
		for _, a := range t.Arenas {
			if e.Known && a.Hyper == nil {
				return fmt.Errorf("%w: %q is to be told hyper-parameters, and those of %s are not known", ErrPlan, e.Text, a.Name)
			}
		}
	}
	for _, list := range [][]float64{t.Levels, t.Ratios} {
		for i, v := range list {
			if !(v > 0) || math.IsInf(v, 1) || slices.Contains(list[:i], v) {
				return fmt.Errorf("%w: Levels are %v and Ratios %v, want finite numbers > 0, each once", ErrPlan, t.Levels, t.Ratios)
			}
		}
	}
	return nil
}

// Condition is under what entries are compared.
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

// Score is what a match came to.
type Score struct {
	Match
	Worth       float64   `json:"worth"`       // largest E[f(x̃)|x] less its mean over the space: what can be won
	Sampled     []float64 `json:"sampled"`     // uncertain-inputs regret of each target
	Recommended []float64 `json:"recommended"` // that of the place recommended after each sample
}

// Conditions returns what entries are compared under, arena by arena.
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

// Matches returns the tournament's matches, trial by trial.
func (t *Tournament) Matches() []Match {
	var list []Match
	for trial := 1; trial <= t.Trials; trial++ {
		for _, c := range t.Conditions() {
			for _, e := range t.Entries {
				list = append(list, Match{e.Text, c, trial})
			}
		}
	}
	return list
}

// match names a field: that of a trial, whoever meets it.
type match struct {
	arena string
	level float64
	trial int
}

// field is drawn once for all that meet it.
type field struct {
	once  sync.Once
	truth Truth
	worth float64
	err   error
}

// worthPlaces is over how many places the mean of a field is taken.
const worthPlaces = 1000

// fieldOf returns the field of a match.
func (t *Tournament) fieldOf(m Match, a *Arena) *field {
	key := match{m.Arena, m.Level, m.Trial}
	t.mu.Lock()
	if t.fields == nil {
		t.fields = map[match]*field{}
	}
	f := t.fields[key]
	if f == nil {
		f = &field{}
		t.fields[key] = f
	}
	t.mu.Unlock()
	f.once.Do(func() {
		if f.truth, f.err = a.Draw(t.stream(m, "field"), m.Level*a.Execution); f.err != nil {
			return
		}
		places := a.Space.Points(worthPlaces, t.stream(m, "worth"))
		sum := 0.0
		for i := range worthPlaces {
			sum += f.truth.Expected(places.RawRowView(i))
		}
		f.worth = f.truth.Maximum() - sum/worthPlaces
	})
	return f
}

// stream returns the random numbers of one part of a trial, the same for every
// entry, level and ratio.
func (t *Tournament) stream(m Match, part string) *rand.Rand {
	return sim.Stream(t.Seed, fmt.Sprintf("tournament/%s/%d/%s", m.Arena, m.Trial, part))
}

// bout is a match under way.
type bout struct {
	tournament *Tournament
	match      Match
	arena      *Arena
	field      *field
	entry      Entry
	strategy   planner.Strategy
	fitting    gp.FitConfig
	hyper      gp.Hyper
	model      *gp.GP
	members    []gp.Member
	execution  *mat.SymDense // Σ̂
	noise      *rand.Rand

	observations []gp.Observation
	targets      [][]float64
}

// Play runs a match. It ends early with ctx's cause when that ends.
func (t *Tournament) Play(ctx context.Context, m Match) (Score, error) {
	b, err := t.begin(m)
	if err != nil {
		return Score{}, err
	}
	score := Score{Match: m, Worth: b.field.worth}
	best := b.field.truth.Maximum()
	for step := range t.Iterations {
		if ctx.Err() != nil {
			return Score{}, context.Cause(ctx)
		}
		x, err := b.target(step)
		if err != nil {
			return Score{}, err
		}
		b.sample(x)
		if err := b.learn(); err != nil {
			return Score{}, err
		}
		named, err := b.strategy.Recommend(planner.Inquiry{
			Model: b.model, Members: b.members, Execution: b.execution, Targets: b.targets, Rng: t.stream(m, fmt.Sprintf("recommend %d", step)),
		})
		if err != nil {
			return Score{}, err
		}
		score.Sampled = append(score.Sampled, best-b.field.truth.Expected(x))
		score.Recommended = append(score.Recommended, best-b.field.truth.Expected(named.X))
	}
	return score, nil
}

func (t *Tournament) begin(m Match) (*bout, error) {
	a := t.Arenas[slices.IndexFunc(t.Arenas, func(a *Arena) bool { return a.Name == m.Arena })]
	e := t.Entries[slices.IndexFunc(t.Entries, func(e Entry) bool { return e.Text == m.Entry })]
	b := &bout{
		tournament: t, match: m, arena: a, entry: e, field: t.fieldOf(m, a), noise: t.stream(m, "noise"),
		execution: isotropic(a.Space.Dim(), m.Ratio*m.Level*a.Execution),
	}
	if b.field.err != nil {
		return nil, b.field.err
	}
	// As the explorer has them where it is told nothing of the field.
	length := a.Size / 6
	b.hyper = gp.Hyper{Kind: e.Kinds[0], SignalVariance: 1, LengthScales: make([]float64, a.Space.Dim()), NoiseVariance: 0.01}
	for i := range b.hyper.LengthScales {
		b.hyper.LengthScales[i] = length
	}
	b.fitting = gp.DefaultFitConfig(length)
	b.fitting.Isotropic, b.fitting.GuessedVariance, b.fitting.Kinds = true, b.hyper.SignalVariance, e.Kinds
	if e.Likelihood {
		b.fitting.Likelihood, b.fitting.GuessedVariance = true, 0
	}

	cfg := planner.DefaultStrategyConfig()
	cfg.Beta, cfg.Spread, cfg.Recommend, cfg.GridPoints = e.Beta, e.Spread, e.Recommend, t.Iterations
	method, err := planner.PaperCatalogue().Method(e.Method)
	if err != nil {
		return nil, err
	}
	b.strategy, err = method.NewStrategy(a.Space, cfg, t.stream(m, "strategy"))
	return b, err
}

// target returns the target of a step, the first of which is drawn uniformly. When
// a grid has come to its end the rest is drawn too.
func (b *bout) target(step int) ([]float64, error) {
	t := b.tournament
	rng := t.stream(b.match, fmt.Sprintf("step %d", step))
	if step == 0 {
		return b.drawn(rng), nil
	}
	target, err := b.strategy.Next(planner.Request{
		Model: b.model, Members: b.members, Execution: b.execution, Step: step, Chosen: b.targets, Robot: b.targets[step-1], Reach: planner.Anywhere(), Rng: rng,
	})
	if errors.Is(err, planner.ErrNoTarget) {
		return b.drawn(rng), nil
	}
	return target.X, err
}

func (b *bout) drawn(rng *rand.Rand) []float64 {
	return slices.Clone(b.arena.Space.Points(1, rng).RawRowView(0))
}

// sample takes a sample with target x: what the robot meets, what its localisation
// says of that, and what it reads.
func (b *bout) sample(x []float64) {
	level := b.match.Level
	taken, located := make([]float64, len(x)), make([]float64, len(x))
	for i, v := range x {
		taken[i] = v + level*b.arena.Execution*b.noise.NormFloat64()
		located[i] = taken[i] + level*b.arena.Localisation*b.noise.NormFloat64()
	}
	reading := level * b.arena.Reading
	belief := gp.Belief{Mean: located, Cov: isotropic(len(x), level*b.arena.Localisation)}
	b.targets = append(b.targets, x)
	b.observations = append(b.observations, gp.Observation{
		Belief:        b.strategy.Data().Of(belief, x, b.execution),
		Value:         b.field.truth.Value(taken) + reading*b.noise.NormFloat64(),
		NoiseVariance: reading * reading,
	})
}

// learn fits the hyper-parameters and computes the posterior.
func (b *bout) learn() (err error) {
	n := len(b.observations)
	if n == 1 {
		b.hyper.Mean = b.observations[0].Value
	}
	if b.entry.Known {
		b.hyper = *b.arena.Hyper
	} else if b.hyper, _, err = gp.Fit(b.observations, b.hyper, b.fitting, b.tournament.stream(b.match, fmt.Sprintf("fit %d", n))); err != nil {
		return err
	}
	if b.model, err = gp.New(b.hyper); err != nil {
		return err
	}
	if err = b.model.AddAll(b.observations); err != nil || b.entry.Known || b.entry.Average < 2 {
		return err
	}
	hypers, err := gp.Average(b.observations, b.hyper, b.fitting, b.entry.Average, b.tournament.stream(b.match, fmt.Sprintf("average %d", n)))
	if err != nil {
		return err
	}
	b.members, err = gp.NewMembers(b.observations, hypers)
	return err
}
