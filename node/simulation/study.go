package simulation

import (
	"context"
	"errors"
	"fmt"

	"ugp_explorer/node/report"
	"ugp_explorer/sim/experiment"
)

// Trial is one mission of a study.
type Trial struct {
	Seed   int64
	Method string
}

func (t Trial) String() string { return fmt.Sprintf("seed %d, %s", t.Seed, t.Method) }

// Trials returns the trials of a study: by seed, and then by method.
func Trials(seeds []int64, methods []string) []Trial {
	var trials []Trial
	for _, seed := range seeds {
		for _, method := range methods {
			trials = append(trials, Trial{seed, method})
		}
	}
	return trials
}

// Study runs the missions of trials in parallel and returns the outcomes in their
// order, whatever the number of workers. For one seed all methods meet the same
// field, robot and sensors. done is called after each trial, never twice at once;
// it may be nil, and its error ends the study. An error of run is the
// study's, but for ErrGivenUp with a mission, which is an outcome like others. When
// ctx ends no more trials begin, and the error is its cause. Beside an error come
// the outcomes of the trials that had their end: none is there for one that failed,
// was interrupted or not begun.
func Study(ctx context.Context, trials []Trial, workers int,
	run func(context.Context, Trial) (*report.Mission, error), done func(Outcome) error) ([]Outcome, error) {
	results, err := experiment.Run(ctx, trials, workers, func(ctx context.Context, trial Trial) (Outcome, error) {
		m, err := run(ctx, trial)
		if err != nil && (m == nil || !errors.Is(err, ErrGivenUp) || ctx.Err() != nil && errors.Is(err, context.Cause(ctx))) {
			return Outcome{}, err
		}
		o := outcome(trial, m)
		o.GivenUp = err != nil
		return o, nil
	}, func(_ Trial, o Outcome) error {
		if done == nil {
			return nil
		}
		return done(o)
	})
	var whole []Outcome
	for _, o := range results {
		if o != nil {
			whole = append(whole, *o)
		}
	}
	return whole, err
}
