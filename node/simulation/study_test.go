package simulation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ugp_explorer/node/record"
	"ugp_explorer/sim/experiment"
)

// fly runs a trial of two samples.
func fly(t *testing.T) func(context.Context, Trial) (*record.Mission, error) {
	return func(ctx context.Context, trial Trial) (*record.Mission, error) {
		cfg := DefaultConfig(trial.Seed)
		cfg.Explorer.Method = trial.Method
		s, err := New(&cfg, Options{Parameters: parameters(t, "ugp_explorer: {ros__parameters: {budget.samples: 2}}")})
		if err != nil {
			return nil, err
		}
		defer s.Close()
		if err := s.Run(ctx); err != nil {
			return nil, err
		}
		return s.Explorer().Record(), nil
	}
}

// run runs all missions of a plan and returns the outcomes of those that had their end.
func run(ctx context.Context, p Plan, workers int, fly func(context.Context, Trial) (*record.Mission, error), done func(Outcome)) ([]Outcome, error) {
	s := p.Study(nil, fly)
	results, err := experiment.Run(ctx, s.Jobs(), workers, s.Run, func(_ Trial, o Outcome) error {
		if done != nil {
			done(o)
		}
		return nil
	})
	var whole []Outcome
	for _, o := range results {
		if o != nil {
			whole = append(whole, *o)
		}
	}
	return whole, err
}

// TestStudyWorkers has real missions give the same whether they run one after
// the other or all at once.
func TestStudyWorkers(t *testing.T) {
	plan := Plan{[]string{"ugp-ucb", "random"}, Seeds{1, 2}}
	one, err := run(t.Context(), plan, 1, fly(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	many, err := run(t.Context(), plan, 4, fly(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(one, many, cmpopts.IgnoreFields(Outcome{}, "Wall")); diff != "" {
		t.Errorf("one worker and four differ:\n%s", diff)
	}
	var trials []Trial
	for _, o := range one {
		trials = append(trials, o.Trial)
		if o.Observations != 2 || len(o.Regret) != 2 || len(o.Misses) != 2 || len(o.Consistency) != 2 || o.Distance <= 0 || o.Simulated <= 0 {
			t.Errorf("outcome %+v of two samples", o)
		}
	}
	if want := []Trial{{1, "ugp-ucb"}, {1, "random"}, {2, "ugp-ucb"}, {2, "random"}}; !slices.Equal(trials, want) {
		t.Errorf("trials %v, want %v", trials, want)
	}
	if one[0].Regret[1] == one[2].Regret[1] {
		t.Error("two seeds have the same regret")
	}
}

// TestStudyTells has done called once for each trial, and never while a call is
// under way.
func TestStudyTells(t *testing.T) {
	var told []Trial
	var busy sync.Mutex
	_, err := run(t.Context(), Plan{[]string{"a", "b"}, Seeds{1, 5}}, 3,
		func(context.Context, Trial) (*record.Mission, error) { return &record.Mission{}, nil },
		func(o Outcome) {
			if !busy.TryLock() {
				t.Error("two calls at once")
				return
			}
			defer busy.Unlock()
			told = append(told, o.Trial)
		})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(told, func(a, b Trial) int { return int(a.Seed-b.Seed)*2 + strings.Compare(a.Method, b.Method) })
	want := []Trial{{1, "a"}, {1, "b"}, {2, "a"}, {2, "b"}, {3, "a"}, {3, "b"}, {4, "a"}, {4, "b"}, {5, "a"}, {5, "b"}}
	if !slices.Equal(told, want) {
		t.Errorf("told of %v, want %v", told, want)
	}
}

// TestStudyErrors names the trial that failed, and goes on with the others.
func TestStudyErrors(t *testing.T) {
	broken := errors.New("a wheel fell off")
	plan := Plan{[]string{"grid", "random"}, Seeds{1, 2}}
	outcomes, err := run(t.Context(), plan, 2,
		func(_ context.Context, trial Trial) (*record.Mission, error) {
			if trial == (Trial{2, "grid"}) {
				return nil, broken
			}
			return &record.Mission{Distance: float64(trial.Seed)}, nil
		}, nil)
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "seed 2, grid: a wheel fell off") {
		t.Errorf("error %v, want seed 2, grid: %v", err, broken)
	}
	if strings.Contains(fmt.Sprint(err), "random") {
		t.Errorf("error %v names a trial that did not fail", err)
	}
	want := []Outcome{
		{Trial: Trial{1, "grid"}, Distance: 1}, {Trial: Trial{1, "random"}, Distance: 1}, {Trial: Trial{2, "random"}, Distance: 2},
	}
	if diff := cmp.Diff(want, outcomes); diff != "" {
		t.Errorf("what is left beside the broken one:\n%s", diff)
	}
	// The seed that lacks a method is in no average.
	table := plan.Table(outcomes)
	for _, want := range []string{"over 1 seed, ", "| grid | 0 | NaN", "| random | 0 | NaN", "| 0.0 | 0.00 |", "Left out because a method has no result for it: seed 2."} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
}

// TestStudyCancel begins nothing more once the context has ended.
func TestStudyCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	begun := 0
	_, err := run(ctx, Plan{[]string{"grid"}, Seeds{1, 4}}, 1,
		func(ctx context.Context, _ Trial) (*record.Mission, error) {
			begun++
			cancel()
			return nil, ctx.Err()
		}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if begun != 1 {
		t.Errorf("%d trials were begun, want 1", begun)
	}
}

// TestStudyCancelMidway keeps what was whole, and nothing of the mission that was
// interrupted, even where it comes with what it had.
func TestStudyCancelMidway(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("that is enough")
	plan := Plan{[]string{"a", "b"}, Seeds{1, 3}}
	outcomes, err := run(ctx, plan, 1,
		func(ctx context.Context, trial Trial) (*record.Mission, error) {
			m := &record.Mission{Distance: 1000, Observations: make([]record.Observation, 30)}
			if trial == (Trial{2, "b"}) {
				cancel(enough)
				m.Observations = m.Observations[:4]
				return m, errors.Join(ErrGivenUp, context.Cause(ctx))
			}
			return m, nil
		}, nil)
	if !errors.Is(err, enough) || err.Error() != enough.Error() {
		t.Errorf("error %v, want %v alone", err, enough)
	}
	var trials []Trial
	for _, o := range outcomes {
		trials = append(trials, o.Trial)
		if o.Observations != 30 {
			t.Errorf("%+v is not whole", o)
		}
	}
	if want := []Trial{{1, "a"}, {1, "b"}, {2, "a"}}; !slices.Equal(trials, want) {
		t.Errorf("outcomes of %v, want of %v", trials, want)
	}
	table := plan.Table(outcomes)
	for _, want := range []string{"over 1 seed, ", "| a | 30 |", "| b | 30 |", "because a method has no result for it: seed 2."} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
}

// A mission that was given up is an outcome; any other error is the study's.
func TestStudyKeepsMissionsGivenUp(t *testing.T) {
	plan := Plan{[]string{"a"}, Seeds{1, 2}}
	fly := func(_ context.Context, trial Trial) (*record.Mission, error) {
		if trial.Seed == 2 {
			return &record.Mission{Observations: make([]record.Observation, 3)}, fmt.Errorf("%w: lost", ErrGivenUp)
		}
		return &record.Mission{Observations: make([]record.Observation, 5)}, nil
	}
	outcomes, err := run(context.Background(), plan, 1, fly, nil)
	if err != nil {
		t.Fatal(err)
	}
	if outcomes[0].GivenUp || !outcomes[1].GivenUp || outcomes[1].Observations != 3 {
		t.Errorf("outcomes %+v", outcomes)
	}
	table := plan.Table(outcomes)
	if !strings.Contains(table, "over 2 seeds, ") || !strings.Contains(table, "a, seed 2, after 3 samples.") {
		t.Errorf("the table does not name the mission given up:\n%s", table)
	}
	outcomes[1].Observations = 1
	if table := plan.Table(outcomes[1:]); !strings.Contains(table, "over 1 seed, ") || !strings.Contains(table, "after 1 sample.") {
		t.Errorf("one is written as many:\n%s", table)
	}
	nothing := func(context.Context, Trial) (*record.Mission, error) { return nil, ErrGivenUp }
	if _, err := run(context.Background(), Plan{[]string{"a"}, Seeds{1, 1}}, 1, nothing, nil); !errors.Is(err, ErrGivenUp) {
		t.Errorf("a mission given up without a record: error %v", err)
	}
}

// TestOutcomeJSON has an outcome come back as it was, figures that are no numbers
// included.
func TestOutcomeJSON(t *testing.T) {
	nan := math.NaN()
	want := Outcome{
		Trial:    Trial{7, "uei"},
		Regret:   []record.RegretAt{{Samples: 1, Simple: 0.1 + 0.2, Recommended: nan, Smooth: 3, Expected: nan, Instantaneous: 0.5, Mean: nan}, {Samples: 3, Simple: 1.0 / 3}},
		Distance: 12.5, Simulated: 1e4, Wall: 0.25, Misses: []float64{0.5, 1e-17}, Consistency: []float64{nan, 2}, Assumed: 1.5, Observations: 2, GivenUp: true,
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Outcome
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("it came back otherwise:\n%s", diff)
	}
	if err := json.Unmarshal([]byte(`{"seed": "seven"}`), &got); err == nil {
		t.Error("a seed that is no number")
	}
}
