// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// errEnough is returned after a job when no more are wanted.
var errEnough = errors.New("experiment: enough")

// Run does jobs on a number of workers and returns their results in the order of the
// jobs, whatever the number of workers; nil for a job that failed, was interrupted or did
// not begin. It calls done with each result, never twice at once; done may be nil, and its
// error keeps further jobs from beginning; it is among the errors unless it is errEnough. The
// error of a job names it as fmt prints it and does not stop the others. When ctx ends no more
// jobs begin, results that come after that do not count, and the cause is among the errors.
func Run[J, R any](ctx context.Context, jobs []J, workers int,
	do func(context.Context, J) (R, error), done func(J, R) error) ([]*R, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	results, errs := make([]*R, len(jobs)), make([]error, len(jobs))
	next := make(chan int)
	var running sync.WaitGroup
	var telling sync.Mutex
	var refused error // by done
	for range max(workers, 1) {
		running.Go(func() {
			for i := range next {
				if ctx.Err() != nil {
					continue
				}
				r, err := do(ctx, jobs[i])
				if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
					continue // its result is not complete
				}
				if err != nil {
					errs[i] = fmt.Errorf("%v: %w", jobs[i], err)
					continue
				}
				results[i] = &r
				if done == nil {
					continue
				}
				telling.Lock()
				if err := done(jobs[i], r); err != nil {
					if err != errEnough {
						refused = errors.Join(refused, err)
					}
					stop(err)
				}
				telling.Unlock()
			}
		})
	}
	for i := range jobs {
		next <- i
	}
	close(next)
	running.Wait()
	interrupted := false
	for i, r := range results {
		interrupted = interrupted || r == nil && errs[i] == nil
	}
	if refused != nil {
		errs = append(errs, refused)
	} else if interrupted && context.Cause(ctx) != errEnough {
		errs = append(errs, context.Cause(ctx))
	}
	return results, errors.Join(errs...)
}
