package simulation

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"ugp_explorer/node/report"
)

// Trial is one mission of a study.
type Trial struct {
	Seed   int64
	Method string
}

// Outcome is what a trial came to.
type Outcome struct {
	Trial
	Regret       []report.RegretAt // after each sample
	Distance     float64           // m
	Simulated    float64           // s
	Wall         float64           // s
	Misses       []float64         // m from each target to where the sample was truly taken
	Consistency  []float64         // squared Mahalanobis distance of each true place from its belief
	Observations int
	GivenUp      bool // in a fault before its end: it counts with what it had found
}

// Study runs a mission for each seed and each method, in parallel, and returns
// the outcomes by seed and then by method, whatever the number of workers. For
// one seed all methods meet the same field, robot and sensors. done is called
// after each trial, never twice at once; it may be nil. An error of run is the
// study's, but for ErrGivenUp with a mission, which is an outcome like others. When
// ctx ends no more trials begin, and the error is its cause. Beside an error come
// the outcomes of the trials that had their end: none is there for one that failed,
// was interrupted or not begun.
func Study(ctx context.Context, seeds []int64, methods []string, workers int,
	run func(context.Context, Trial) (*report.Mission, error), done func(Trial)) ([]Outcome, error) {
	var trials []Trial
	for _, seed := range seeds {
		for _, method := range methods {
			trials = append(trials, Trial{seed, method})
		}
	}
	outcomes, errs := make([]*Outcome, len(trials)), make([]error, len(trials))
	next := make(chan int)
	var running sync.WaitGroup
	var telling sync.Mutex
	for range max(workers, 1) {
		running.Go(func() {
			for i := range next {
				if ctx.Err() != nil {
					continue
				}
				m, err := run(ctx, trials[i])
				if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
					continue // whatever it has is not whole
				}
				if err != nil && (m == nil || !errors.Is(err, ErrGivenUp)) {
					errs[i] = fmt.Errorf("seed %d, %s: %w", trials[i].Seed, trials[i].Method, err)
					continue
				}
				o := outcome(trials[i], m)
				o.GivenUp = err != nil
				outcomes[i] = &o
				if done != nil {
					telling.Lock()
					done(trials[i])
					telling.Unlock()
				}
			}
		})
	}
	for i := range trials {
		next <- i
	}
	close(next)
	running.Wait()
	var whole []Outcome
	interrupted := false
	for i, o := range outcomes {
		if o != nil {
			whole = append(whole, *o)
		} else if errs[i] == nil {
			interrupted = true
		}
	}
	if interrupted {
		errs = append(errs, context.Cause(ctx))
	}
	return whole, errors.Join(errs...)
}

func outcome(t Trial, m *report.Mission) Outcome {
	o := Outcome{
		Trial: t, Distance: m.Distance, Simulated: m.SimulatedTime, Wall: m.WallTime, Observations: len(m.Observations),
	}
	if m.Truth != nil {
		o.Regret = m.Truth.RegretOverSamples
	}
	for _, s := range m.Observations {
		if s.TruePlace == nil {
			continue
		}
		o.Misses = append(o.Misses, apart(*s.TruePlace, s.Target))
		o.Consistency = append(o.Consistency, mahalanobis(*s.TruePlace, s.Belief))
	}
	return o
}
