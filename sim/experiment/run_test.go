// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// small is a plan of few samples with every kind of method.
func small(problem *Problem) Plan {
	p := DefaultPlan(problem)
	p.Trials, p.Iterations = 2, 6
	p.Methods = []string{"ugp-ucb", "igp-ucb", "uei", "grid"}
	p.Ratios = []float64{1, 2}
	p.Betas = []string{"1"}
	return p
}

func csvOf(t *testing.T, p *Plan, results []TrialResult) string {
	t.Helper()
	var b bytes.Buffer
	must.OK(t, p.Study().WriteCSV(&b, results))
	return b.String()
}

func values[T any](list []*T) (out []T) {
	for _, v := range list {
		if v != nil {
			out = append(out, *v)
		}
	}
	return out
}

// Killed in the middle, with a line half written, and resumed with another number
// of workers: the figures are those of an undisturbed run, to the bit, and no trial that was
// whole is run again.
func TestResume(t *testing.T) {
	plan := small(RKHS())
	jobs := len(plan.Study().Jobs())
	undisturbed, err := Run(t.Context(), plan.Study().Jobs(), 2, plan.run, nil)
	must.OK(t, err)
	want := csvOf(t, &plan, values(undisturbed))
	dir := filepath.Join(t.TempDir(), "new")
	finish := func(ctx context.Context, p Plan, resume bool, workers int, tell func(n int)) (results []TrialResult, left, told int, err error) {
		results, err = p.Study().Finish(ctx, dir, resume, workers, func(done, n int, _ []TrialResult) bool {
			if left, told = n, done; done > 0 {
				tell(told)
			}
			return false
		})
		return results, left, told, err
	}
	silent := func(int) {}
	ctx, cancel := context.WithCancel(t.Context())
	part, left, told, err := finish(ctx, plan, false, 2, func(n int) {
		if n == 5 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || left != jobs || told < 5 || len(part) != told || told == jobs {
		t.Fatalf("of %d jobs %d were done, there are %d results, and the run ended with %v", left, told, len(part), err)
	}
	name := filepath.Join(dir, LogName)
	file, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	must.OK(t, err)
	if _, err := file.WriteString(`{"method":"ugp-ucb","ratio":1,"beta":"1","tri`); err != nil {
		t.Fatal(err)
	}
	file.Close()

	if _, _, _, err := finish(t.Context(), plan, false, 1, silent); !errors.Is(err, os.ErrExist) {
		t.Errorf("a log is begun over another: %v", err)
	}
	other := plan
	other.Seed = 2
	if _, _, _, err := finish(t.Context(), other, true, 1, silent); !errors.Is(err, ErrLog) || !strings.Contains(err.Error(), "seed is 1, not 2") {
		t.Errorf("the log of another seed: %v", err)
	}
	rest, left, told, err := finish(t.Context(), plan, true, 1, silent)
	if err != nil || left != jobs-len(part) || told != left {
		t.Fatalf("after %d jobs %d were left and %d done: %v", len(part), left, told, err)
	}
	if got := csvOf(t, &plan, rest); got != want {
		t.Errorf("resumed:\n%s\nundisturbed:\n%s", got, want)
	}
	// The file has all of it now.
	all, left, _, err := finish(t.Context(), plan, true, 1, silent)
	if err != nil || left != 0 || csvOf(t, &plan, all) != want {
		t.Errorf("the log lacks %d of %d jobs: %v", left, jobs, err)
	}
}

// Jobs of a lower turn are done first, and none after those that are enough. The results are in the order of the jobs,
// and a log is another study's if that has another header.
func TestEnough(t *testing.T) {
	type header struct {
		Seed int `json:"seed"`
	}
	var begun []int
	s := Study[int, int, int]{
		Header: header{1}, Methods: []string{"one"}, Settings: []int{0, 10}, Trials: 4,
		Job: func(_ string, setting, trial int) int { return setting + trial }, Of: func(r int) int { return r },
		Turn: func(j int) int { return (j + 10) % 20 },
		Run:  func(_ context.Context, j int) (int, error) { begun = append(begun, j); return j, nil },
	}
	dir := t.TempDir()
	until := func(n int) func(int, int, []int) bool {
		return func(_, _ int, results []int) bool { return len(results) >= n }
	}
	if why := s.Another(dir); why != nil {
		t.Errorf("a folder without a log has that of another study: %v", why)
	}
	if got, err := s.Finish(t.Context(), dir, false, 1, until(5)); err != nil || !slices.Equal(got, []int{1, 11, 12, 13, 14}) || !slices.Equal(begun[:5], []int{11, 12, 13, 14, 1}) {
		t.Errorf("%v, of which %v were begun: %v", got, begun, err)
	}
	n := len(begun)
	if got, err := s.Finish(t.Context(), dir, true, 1, until(5)); err != nil || len(got) != 5 || len(begun) != n {
		t.Errorf("there are enough, and yet %v are done after %d: %v", begun, n, err)
	}
	if why := s.Another(dir); why != nil {
		t.Errorf("its own log is that of another study: %v", why)
	}
	s.Header = header{2}
	if why := s.Another(dir); why == nil || !strings.Contains(why.Error(), "seed is 1, not 2") {
		t.Errorf("another study's log: %v", why)
	}
}

func TestLogErrors(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, LogName)
	for text, want := range map[string]string{
		"":                         "first line",
		`{"seed":1}`:               "first line",
		"{}\n":                     "seed is <nil>, not 1",
		"nonsense\n":               "another run",
		"{\"seed\":1}\nnonsense\n": "line 2",
	} {
		must.OK(t, os.WriteFile(name, []byte(text), 0o644))
		_, err := openLog[TrialResult](dir, true, struct {
			Seed int `json:"seed"`
		}{1})
		if !errors.Is(err, ErrLog) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Every method meets the same function, noise and first target.
func TestTrialsArePaired(t *testing.T) {
	plan := small(RKHS())
	plan.Iterations = 3
	var first float64
	for i, method := range []string{"ugp-ucb", "uei", "gp-ucb", "random", "grid"} {
		job := plan.Study().Job(method, Setting{1, "1"}, 1)
		r, err := plan.run(t.Context(), job)
		must.OK(t, err)
		if i == 0 {
			first = r.Instantaneous[0]
		}
		if r.Instantaneous[0] != first || r.Recommended[0] != first || len(r.Instantaneous) != 3 {
			t.Errorf("%s: regrets %v and %v, the first method's first is %g", method, r.Instantaneous, r.Recommended, first)
		}
		for _, v := range append(r.Instantaneous, r.Recommended...) {
			if v < -1e-9 {
				t.Errorf("%s: a regret of %g", method, v)
			}
		}
		again, err := plan.begin(job)
		must.OK(t, err)
		var x []float64
		must.OK(t, again.run(t.Context(), 1, func(target, _ []float64) { x = target }))
		// Values and places by hand, from the same stream.
		noise := plan.draws(1).stream("noise")
		taken, located := make([]float64, 2), make([]float64, 2)
		for k := range x {
			taken[k] = x[k] + 0.1*noise.NormFloat64()
			located[k] = taken[k] + 0.05*noise.NormFloat64()
		}
		o := again.Learnt().Posterior.Observations()[0]
		if o.Value != again.objective.value(taken)+0.1*noise.NormFloat64() {
			t.Errorf("%s: value %g", method, o.Value)
		}
		if method != "uei" && !slices.Equal(o.Belief.Mean, located) || method == "uei" && !slices.Equal(o.Belief.Mean, x) {
			t.Errorf("%s: stored at %v; target %v, localisation %v", method, o.Belief.Mean, x, located)
		}
	}
	other, err := plan.run(t.Context(), Job{"random", Setting{Ratio: 1}, 2})
	if err != nil || other.Instantaneous[0] == first {
		t.Errorf("two trials begin alike: %v, %v", other.Instantaneous, err)
	}
}

// A grid with fewer places than samples starts again, from the end at which it is.
func TestGridBeginsAnew(t *testing.T) {
	plan := small(Michalewicz())
	plan.Iterations = 20 // of 4-D grids, those of 16 and 81 cells are nearest
	r, err := plan.run(t.Context(), Job{"grid", Setting{Ratio: 1}, 1})
	if err != nil || len(r.Instantaneous) != 20 || r.Instantaneous[17] != r.Instantaneous[16] || r.Instantaneous[19] != r.Instantaneous[14] {
		t.Errorf("%v, %v", r.Instantaneous, err)
	}
}

func TestRunErrors(t *testing.T) {
	broken := errors.New("broken")
	square := func(_ context.Context, j int) (int, error) {
		if j == 3 {
			return 0, broken
		}
		return j * j, nil
	}
	var busy sync.Mutex // done is never called twice at once
	told := 0
	got, err := Run(t.Context(), []int{1, 2, 3, 4}, 2, square, func(int, int) error {
		if !busy.TryLock() {
			t.Error("two calls at once")
		}
		defer busy.Unlock()
		told++
		return nil
	})
	if !errors.Is(err, broken) || err.Error() != "3: broken" || got[2] != nil || *got[3] != 16 || told != 3 {
		t.Errorf("%v, told %d times, %v", got, told, err)
	}
	// What cannot be noted down is not gone on with.
	full := errors.New("the disk is full")
	began := 0
	_, err = Run(t.Context(), []int{1, 2, 4, 5}, 1, func(ctx context.Context, j int) (int, error) {
		began++
		return square(ctx, j)
	}, func(int, int) error { return full })
	if !errors.Is(err, full) || began != 1 {
		t.Errorf("%d jobs were begun: %v", began, err)
	}
	// A context that ends when all is done takes nothing back.
	ctx, cancel := context.WithCancel(t.Context())
	got, err = Run(ctx, []int{1, 2}, 1, square, func(j, _ int) error {
		if j == 2 {
			cancel()
		}
		return nil
	})
	if err != nil || *got[1] != 4 {
		t.Errorf("%v, %v", got, err)
	}
	plan := small(RKHS())
	if _, err := plan.run(ctx, plan.Study().Jobs()[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("a trial without time: %v", err)
	}
}
