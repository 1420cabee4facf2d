package experiment

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
)

// Measure is a curve over the iterations of a result.
type Measure struct {
	Name, Description string
	Of                func(Result) []float64
}

// Measures lists the curves: what the paper shows first, then what a user gets.
func Measures() []Measure {
	return []Measure{
		{"mean", "mean uncertain-inputs regret so far", meanRegret},
		{"simple", "smallest uncertain-inputs regret so far", simpleRegret},
		{"recommended", "uncertain-inputs regret of the recommended target", func(r Result) []float64 { return r.Recommended }},
	}
}

// meanRegret returns r̂_avg = 1/t Σ r̂_i.
func meanRegret(r Result) []float64 {
	out, sum := make([]float64, len(r.Instantaneous)), 0.0
	for i, v := range r.Instantaneous {
		sum += v
		out[i] = sum / float64(i+1)
	}
	return out
}

func simpleRegret(r Result) []float64 {
	out, least := make([]float64, len(r.Instantaneous)), math.Inf(1)
	for i, v := range r.Instantaneous {
		least = min(least, v)
		out[i] = least
	}
	return out
}

// sorted returns results by ratio, weight, method in the plan's order, and trial;
// those that are not the plan's are left out.
func (p *Plan) sorted(results []Result) []Result {
	place := map[Job]int{}
	for i, j := range p.Jobs() {
		place[j] = i
	}
	kept := slices.DeleteFunc(slices.Clone(results), func(r Result) bool {
		_, ok := place[r.Job]
		return !ok
	})
	at := func(r Result) []int {
		return []int{
			slices.Index(p.Ratios, r.Ratio), slices.Index(p.Methods, r.Method), slices.Index(p.Betas, r.Beta), r.Trial,
		}
	}
	slices.SortStableFunc(kept, func(a, b Result) int { return slices.Compare(at(a), at(b)) })
	return kept
}

// WriteCSV writes a row for each iteration of each of the plan's results, in the
// plan's order whatever theirs: tidy data for any statistics program.
func (p *Plan) WriteCSV(w io.Writer, results []Result) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "method,ratio,beta,noise,trial,iteration,instantaneous,mean,simple,recommended")
	for _, r := range p.sorted(results) {
		mean, simple := meanRegret(r), simpleRegret(r)
		for i := range r.Instantaneous {
			fmt.Fprintf(b, "%s,%g,%s,%s,%d,%d,%g,%g,%g,%g\n", r.Method, r.Ratio, r.Beta, p.Noise, r.Trial, i+1,
				r.Instantaneous[i], mean[i], simple[i], r.Recommended[i])
		}
	}
	return b.Flush()
}

// group is the results of a method under a setting, by trial.
type group struct {
	Method string
	Setting
	Results []Result
}

// groups returns the results that the plan compares under one setting: for each
// method, those of the trials that every method has. Methods that have no use for
// β are compared under each.
func (p *Plan) groups(results []Result, s Setting) []group {
	list := make([]group, len(p.Methods))
	for i, method := range p.Methods {
		list[i] = group{Method: method, Setting: s}
		if !weighted(method) {
			list[i].Beta = ""
		}
	}
	same := paired(len(list), results, func(i int, r Result) bool {
		return r.Method == list[i].Method && r.Setting == list[i].Setting && r.Trial <= p.Trials
	}, func(r Result) int { return r.Trial })
	for i := range list {
		list[i].Results = same[i]
	}
	return list
}

// paired returns, for each of n methods, the results that are its own, of the trials
// that every method has and in their order.
func paired[R any](n int, results []R, own func(method int, r R) bool, trial func(R) int) [][]R {
	had := map[int]int{}
	of := make([][]R, n)
	for i := range of {
		for _, r := range results {
			if own(i, r) {
				of[i] = append(of[i], r)
				had[trial(r)]++
			}
		}
	}
	for i := range of {
		of[i] = slices.DeleteFunc(of[i], func(r R) bool { return had[trial(r)] < n })
		slices.SortFunc(of[i], func(a, b R) int { return cmp.Compare(trial(a), trial(b)) })
	}
	return of
}

// settingsAll returns every setting that methods are compared under.
func (p *Plan) settingsAll() []Setting {
	var list []Setting
	for _, ratio := range p.Ratios {
		for _, beta := range p.Betas {
			list = append(list, Setting{ratio, beta})
		}
	}
	return list
}
