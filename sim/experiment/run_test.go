package experiment

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// small is a plan of few samples with every kind of method.
func small(problem string) Plan {
	p := DefaultPlan(ProblemNamed(problem))
	p.Trials, p.Iterations = 2, 6
	p.Methods = []string{"ugp-ucb", "igp-ucb", "uei", "grid"}
	p.Ratios = []float64{1, 2}
	p.Betas = []string{"1"}
	return p
}

func csvOf(t *testing.T, p *Plan, results []Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.WriteCSV(&b, results); err != nil {
		t.Fatal(err)
	}
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

// The same figures to the bit, whatever the number of workers.
func TestWorkersDoNotMatter(t *testing.T) {
	for _, p := range Problems() {
		plan := small(p.Name)
		var csv []string
		for _, workers := range []int{1, 5} {
			results, err := Run(t.Context(), plan.Jobs(), workers, plan.Trial, nil)
			if err != nil {
				t.Fatal(err)
			}
			csv = append(csv, csvOf(t, &plan, values(results)))
		}
		if csv[0] != csv[1] || strings.Count(csv[0], "\n") != 1+2*2*4*6 {
			t.Errorf("%s: one worker and five differ, or %d lines", p.Name, strings.Count(csv[0], "\n"))
		}
	}
}

// Killed in the middle, with a line half written, and resumed with another number
// of workers: the figures are those of an undisturbed run, and no trial that was
// whole is run again.
func TestResume(t *testing.T) {
	type header struct {
		Seed uint64 `json:"seed"`
	}
	plan := small("rkhs")
	undisturbed, err := Run(t.Context(), plan.Jobs(), 2, plan.Trial, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "new")
	log, err := CreateLog[Result](dir, header{1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	_, err = Run(ctx, plan.Jobs(), 2, plan.Trial, func(_ Job, r Result) error {
		if n++; n == 5 {
			cancel()
		}
		return log.Add(r)
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the run ended with %v", err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, LogName)
	file, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(`{"method":"ugp-ucb","ratio":1,"beta":"1","tri`); err != nil {
		t.Fatal(err)
	}
	file.Close()

	if _, err := CreateLog[Result](dir, header{1}); !errors.Is(err, os.ErrExist) {
		t.Errorf("a log is begun over another: %v", err)
	}
	if _, err := ResumeLog[Result](dir, header{2}); !errors.Is(err, ErrLog) || !strings.Contains(err.Error(), "seed is 1, not 2") {
		t.Errorf("the log of another seed: %v", err)
	}
	log, err = ResumeLog[Result](dir, header{1})
	if err != nil {
		t.Fatal(err)
	}
	if len(log.Done) < 5 || len(log.Done) >= len(plan.Jobs()) {
		t.Fatalf("%d jobs are in the log", len(log.Done))
	}
	var left []Job
	for _, j := range plan.Jobs() {
		if !slices.ContainsFunc(log.Done, func(r Result) bool { return r.Job == j }) {
			left = append(left, j)
		}
	}
	rest, err := Run(t.Context(), left, 1, plan.Trial, func(_ Job, r Result) error { return log.Add(r) })
	if err != nil {
		t.Fatal(err)
	}
	if got, want := csvOf(t, &plan, append(log.Done, values(rest)...)), csvOf(t, &plan, values(undisturbed)); got != want {
		t.Errorf("resumed:\n%s\nundisturbed:\n%s", got, want)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	// The file has all of it now.
	if log, err = ResumeLog[Result](dir, header{1}); err != nil || csvOf(t, &plan, log.Done) != csvOf(t, &plan, values(undisturbed)) {
		t.Errorf("the log has %d jobs: %v", len(log.Done), err)
	}
	log.Close()
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
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := ResumeLog[Result](dir, struct {
			Seed int `json:"seed"`
		}{1})
		if !errors.Is(err, ErrLog) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Every method meets the same function, noise and first target.
func TestTrialsArePaired(t *testing.T) {
	plan := small("rkhs")
	plan.Iterations = 3
	var first float64
	for i, method := range []string{"ugp-ucb", "uei", "gp-ucb", "random", "grid"} {
		job := Job{Method: method, Setting: Setting{Ratio: 1}, Trial: 1}
		if weighted(method) {
			job.Beta = "1"
		}
		r, err := plan.Trial(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
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
		if err != nil {
			t.Fatal(err)
		}
		x, err := again.target(0)
		if err != nil {
			t.Fatal(err)
		}
		if err := again.sample(x); err != nil {
			t.Fatal(err)
		}
		// Values and places by hand, from the same stream.
		noise := plan.draws(1).stream("noise")
		taken, located := make([]float64, 2), make([]float64, 2)
		for k := range x {
			taken[k] = x[k] + 0.1*noise.NormFloat64()
			located[k] = taken[k] + 0.05*noise.NormFloat64()
		}
		o := again.model.Observations()[0]
		if o.Value != again.objective.Value(taken)+0.1*noise.NormFloat64() {
			t.Errorf("%s: value %g", method, o.Value)
		}
		if method != "uei" && !slices.Equal(o.Belief.Mean, located) || method == "uei" && !slices.Equal(o.Belief.Mean, x) {
			t.Errorf("%s: stored at %v; target %v, localisation %v", method, o.Belief.Mean, x, located)
		}
	}
	other, err := plan.Trial(t.Context(), Job{"random", Setting{Ratio: 1}, 2})
	if err != nil || other.Instantaneous[0] == first {
		t.Errorf("two trials begin alike: %v, %v", other.Instantaneous, err)
	}
}

// A grid with fewer places than samples begins anew, from the end at which it is.
func TestGridBeginsAnew(t *testing.T) {
	plan := small("michalewicz")
	plan.Iterations = 20 // of 4-D grids, those of 16 and 81 cells are nearest
	r, err := plan.Trial(t.Context(), Job{"grid", Setting{Ratio: 1}, 1})
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
	got, err := Run(t.Context(), []int{1, 2, 3, 4}, 2, square, nil)
	if !errors.Is(err, broken) || err.Error() != "3: broken" || got[2] != nil || *got[3] != 16 {
		t.Errorf("%v, %v", got, err)
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
	plan := small("rkhs")
	if _, err := plan.Trial(ctx, plan.Jobs()[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("a trial without time: %v", err)
	}
}
