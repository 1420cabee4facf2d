package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestShadowPlanErrors(t *testing.T) {
	for want, change := range map[string]func(*ShadowPlan){
		"Trials is 1":           func(p *ShadowPlan) { p.Trials = 1 },
		"Iterations is 0":       func(p *ShadowPlan) { p.Iterations = 0 },
		"β is -1":               func(p *ShadowPlan) { p.Beta = -1 },
		"no method":             func(p *ShadowPlan) { p.Methods = nil },
		`"magic"`:               func(p *ShadowPlan) { p.Methods = []string{"magic"} },
		`"ugp-ucb" is there`:    func(p *ShadowPlan) { p.Methods = []string{"ugp-ucb", "ugp-ucb"} },
		"length-scales, is 0":   func(p *ShadowPlan) { p.Deviations = []float64{0} },
		"length-scales, 0.5 is": func(p *ShadowPlan) { p.Deviations = []float64{0.5, 0.5} },
		"share in the shadow":   func(p *ShadowPlan) { p.Shares = []float64{1} },
		`"guessed"`:             func(p *ShadowPlan) { p.Hypers = []string{"guessed"} },
	} {
		p := DefaultShadowPlan()
		change(&p)
		if err := p.Validate(); !errors.Is(err, ErrPlan) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	p := DefaultShadowPlan()
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
	for _, m := range ShadowMethods() {
		p.Methods = []string{m.Name}
		if err := p.Validate(); err != nil || m.Description == "" {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}

// The shadow has its share of the field, E[f(x̃)|x] is that under the localisation of
// x's own part, and no place has more of it, or of f, than the maxima.
func TestShadowWorld(t *testing.T) {
	for trial := 1; trial <= 2; trial++ {
		for _, share := range []float64{0.25, 0.5} {
			w := newShadowWorld(1, ShadowJob{ShadowSetting: ShadowSetting{Deviation: 0.5, Share: share}, Trial: trial})
			best, highest := w.maxima()
			rng, dark := newRand(uint64(trial)), 0
			const n = 1000
			for range n {
				x := []float64{rng.Float64(), rng.Float64()}
				s := 0.01
				if w.dark(x) {
					dark++
					s = 0.5 * shadowScale
				}
				want := w.field.Expected(x, math.Hypot(0.01, s))
				if got := w.expected(x); math.Abs(got-want) > 1e-12 {
					t.Fatalf("E[f] is %g, want %g", got, want)
				}
				if want > best+1e-9 || w.field.Value(x) > highest+1e-9 {
					t.Fatalf("at %v E[f] is %g and f %g, more than the maxima %g and %g", x, want, w.field.Value(x), best, highest)
				}
			}
			if got := float64(dark) / n; math.Abs(got-share) > 0.075 { // four standard errors of 1000, and a cell
				t.Errorf("trial %d: %g of the field in the shadow, want %g", trial, got, share)
			}
		}
	}
}

// Every method of a trial begins with the same sample; a run is the same again; and
// what it stores gives the same tables and pictures after a round trip.
func TestShadowTrials(t *testing.T) {
	p := DefaultShadowPlan()
	p.Trials, p.Iterations, p.Deviations, p.Hypers = 2, 3, []float64{1}, []string{HyperLearnt}
	p.Methods = nil
	for _, m := range ShadowMethods() {
		p.Methods = append(p.Methods, m.Name)
	}
	var results []ShadowResult
	firsts := map[string]float64{}
	for _, j := range p.Study().Jobs() {
		r, err := p.Trial(t.Context(), j)
		if err != nil {
			t.Fatalf("%v: %v", j, err)
		}
		for _, curve := range [][]float64{r.Instantaneous, r.Recommended, r.Place, r.RMSE, r.Density} {
			if len(curve) != 3 || slices.ContainsFunc(curve, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
				t.Fatalf("%v: %v", j, curve)
			}
		}
		if slices.Min(append(slices.Clone(r.Instantaneous), r.Place...)) < -1e-9 {
			t.Errorf("%v: a regret below zero: %v, %v", j, r.Instantaneous, r.Place)
		}
		key := fmt.Sprint(j.ShadowSetting, j.Trial)
		if first, ok := firsts[key]; ok && first != r.Instantaneous[0] {
			t.Errorf("%v begins elsewhere than other methods", j)
		}
		firsts[key] = r.Instantaneous[0]
		results = append(results, r)
	}
	again, err := p.Trial(t.Context(), p.Study().Jobs()[3])
	if err != nil || !slices.Equal(again.Recommended, results[3].Recommended) || !slices.Equal(again.RMSE, results[3].RMSE) {
		t.Errorf("%v came to other figures: %v", p.Study().Jobs()[3], err)
	}
	text, err := json.Marshal(results)
	var stored []ShadowResult
	if err == nil {
		err = json.Unmarshal(text, &stored)
	}
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(stored)
	if p.Table(stored) != p.Table(results) {
		t.Error("the table is another after a round trip, in another order")
	}
	var a, b bytes.Buffer
	if err := errors.Join(p.Study().WriteCSV(&a, results), p.Study().WriteCSV(&b, stored)); err != nil || a.String() != b.String() {
		t.Errorf("the figures are others after a round trip: %v", err)
	}
	if lines, want := strings.Count(a.String(), "\n"), 1+3*len(results); lines != want {
		t.Errorf("%d lines of figures, want %d", lines, want)
	}
	for _, c := range p.Charts(results) {
		if len(c.Series) != len(p.Methods) || c.Groups != nil && len(c.Groups) != 1 {
			t.Errorf("%s: %d series in groups %v", c.Name, len(c.Series), c.Groups)
		}
	}
}

// In the table a method with a larger density than the first is ahead of it, as one
// with a smaller error is.
func TestShadowTableKnowsWhatIsBetter(t *testing.T) {
	p := DefaultShadowPlan()
	p.Trials, p.Iterations, p.Deviations, p.Hypers, p.Methods = 2, 1, []float64{1}, []string{HyperKnown}, []string{"ugp-ucb", "gp-ucb"}
	var results []ShadowResult
	for _, j := range p.Study().Jobs() {
		v := 0.25 * float64(j.Trial)
		r := ShadowResult{ShadowJob: j, Instantaneous: []float64{v}, Recommended: []float64{v}, Place: []float64{v}, RMSE: []float64{0.5}, Density: []float64{1}}
		if j.Method == "gp-ucb" {
			r.RMSE, r.Density = []float64{0.75}, []float64{3}
		}
		results = append(results, r)
	}
	table := p.Table(results)
	for _, want := range []string{
		"0.7500 ± 0.0000 | 0.2500 ± 0.0000 (2)", "3.0000 ± 0.0000 | -2.0000 ± 0.0000 (0)",
		"1 length-scales on 0.5 of the field, hyper-parameters known: 2 of 2 trials",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
}

// What is judged by the localisation at the target keeps out of a deep shadow once
// that is known; what is not goes on sampling there.
func TestLocalJudgementLeavesTheShadow(t *testing.T) {
	p := DefaultShadowPlan()
	p.Iterations = 20
	in := map[string]int{}
	for _, method := range []string{"ugp-ucb", "spread-told"} {
		for trial := 1; trial <= 2; trial++ {
			run, err := p.begin(ShadowJob{method, ShadowSetting{1, 0.5, HyperKnown}, trial})
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.Trial(t.Context(), run.job)
			if err != nil {
				t.Fatal(err)
			}
			best, _ := run.world.maxima()
			for _, v := range r.Instantaneous[10:] {
				if v > best/2 {
					in[method]++
				}
			}
		}
	}
	if in["spread-told"] >= in["ugp-ucb"] {
		t.Errorf("poor targets after ten samples: %v", in)
	}
}
