package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
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
	if err := p.Study().WriteCSV(&b, results); err != nil {
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
			results, err := Run(t.Context(), plan.Study().Jobs(), workers, plan.Trial, nil)
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
	undisturbed, err := Run(t.Context(), plan.Study().Jobs(), 2, plan.Trial, nil)
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
	_, err = Run(ctx, plan.Study().Jobs(), 2, plan.Trial, func(_ Job, r Result) error {
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
	if len(log.Done) < 5 || len(log.Done) >= len(plan.Study().Jobs()) {
		t.Fatalf("%d jobs are in the log", len(log.Done))
	}
	left, told := len(plan.Study().Jobs())-len(log.Done), 0
	all, err := plan.Study().Finish(t.Context(), log, 1, func(n int) func() {
		if n != left {
			t.Errorf("%d jobs are left, want %d", n, left)
		}
		return func() { told++ }
	})
	if err != nil || told != left {
		t.Fatalf("%d jobs were done, want %d: %v", told, left, err)
	}
	if got, want := csvOf(t, &plan, all), csvOf(t, &plan, values(undisturbed)); got != want {
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

// A log keeps its form: this is how a header and a result of each experiment are stored.
func TestLogForm(t *testing.T) {
	reads := func(name string, header any, of func(line string) (any, error), first, line string, want any) {
		if err := sameHeader([]byte(first), header); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := of(line); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v: %v", name, got, want, err)
		}
	}
	p := DefaultPlan(ProblemNamed("rkhs"))
	reads("rkhs", p.Study().Header, decoded[Result],
		`{"experiment":"rkhs","seed":1,"iterations":400,"noise":"matched","length_scale":0.1}`,
		`{"method":"ugp-ucb","ratio":2,"beta":"theorem","trial":3,"lambda":0.25,"instantaneous":[1,2],"recommended":[3,0.5]}`,
		Result{Job{"ugp-ucb", Setting{2, "theorem"}, 3}, 0.25, []float64{1, 2}, []float64{3, 0.5}})
	shadow := DefaultShadowPlan()
	reads("shadow", shadow.Study().Header, decoded[ShadowResult],
		`{"experiment":"shadow","seed":1,"iterations":30,"beta":2}`,
		`{"method":"gp-ucb","deviation":0.5,"share":0.25,"hyper":"known","trial":2,"instantaneous":[1],"recommended":[2],"place":[3],"rmse":[4],"density":[-5],"length_scale":6,"noise":7}`,
		ShadowResult{ShadowJob{"gp-ucb", ShadowSetting{0.5, 0.25, "known"}, 2}, []float64{1}, []float64{2}, []float64{3}, []float64{4}, []float64{-5}, 6, 7})
	reads("tournament", little(t, "grid").Study().Header, decoded[Score],
		`{"experiment":"tournament","seed":1,"iterations":5}`,
		`{"method":"grid","arena":"rkhs","level":0.5,"ratio":2,"trial":4,"worth":3,"sampled":[1],"recommended":[2]}`,
		Score{Match{"grid", Condition{"rkhs", 0.5, 2}, 4}, 3, []float64{1}, []float64{2}})
}

func decoded[R any](line string) (any, error) {
	var r R
	err := json.Unmarshal([]byte(line), &r)
	return r, err
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
		job := plan.Study().Job(method, Setting{1, "1"}, 1)
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
	if _, err := plan.Trial(ctx, plan.Study().Jobs()[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("a trial without time: %v", err)
	}
}
