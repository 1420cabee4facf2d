package simulation

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"ugp_explorer/node/report"
	"ugp_explorer/planner"
	"ugp_explorer/sim/experiment"
)

func apart(a, b report.Place) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }

// measure is a figure by which missions are compared.
type measure struct {
	name string
	of   func(report.RegretAt) float64
}

var measures = []measure{
	{"smooth", func(r report.RegretAt) float64 { return r.Smooth }},
	{"expected", func(r report.RegretAt) float64 { return r.Expected }},
	{"raw", func(r report.RegretAt) float64 { return r.Recommended }},
	{"mean", func(r report.RegretAt) float64 { return r.Mean }},
}

func measureNamed(name string) measure {
	return measures[slices.IndexFunc(measures, func(m measure) bool { return m.name == name })]
}

// WriteCSV writes a row for each sample of each trial: tidy data for any
// statistics program.
func WriteCSV(w io.Writer, outcomes []Outcome) error {
	if _, err := fmt.Fprintln(w, "method,seed,samples,instantaneous,mean,simple,recommended_raw,recommended_smooth,recommended_expected"); err != nil {
		return err
	}
	for _, o := range outcomes {
		for _, r := range o.Regret {
			if _, err := fmt.Fprintf(w, "%s,%d,%d,%g,%g,%g,%g,%g,%g\n", o.Method, o.Seed, r.Samples, r.Instantaneous, r.Mean, r.Simple, r.Recommended, r.Smooth, r.Expected); err != nil {
				return err
			}
		}
	}
	return nil
}

// paired sorts outcomes by method and seed, and parts the seeds that every method
// has an outcome for from the others.
func paired(outcomes []Outcome, methods []string) (final map[string]map[int64]Outcome, seeds, partial []int64) {
	final = map[string]map[int64]Outcome{}
	for _, method := range methods {
		final[method] = map[int64]Outcome{}
	}
	for _, o := range outcomes {
		if final[o.Method] == nil {
			continue // a method that is not asked for
		}
		if !slices.Contains(seeds, o.Seed) {
			seeds = append(seeds, o.Seed)
		}
		final[o.Method][o.Seed] = o
	}
	seeds = slices.DeleteFunc(seeds, func(seed int64) bool {
		for _, method := range methods {
			if _, ok := final[method][seed]; !ok {
				partial = append(partial, seed)
				return true
			}
		}
		return false
	})
	return final, seeds, partial
}

// Table returns a Markdown table of the regret of the final recommendations, and
// of the mean over the samples: mean and standard error for each method, and its paired difference from the
// first method with the number of seeds on which the first one won. A seed that
// one of the methods has no outcome for is left out, and named.
func Table(outcomes []Outcome, methods []string) string {
	final, seeds, partial := paired(outcomes, methods)
	var b strings.Builder
	fmt.Fprintf(&b, "Regret of the recommendation over %s, and the mean of all samples' expected one, mean ± standard error; behind %s: paired difference ± standard error (seeds on which %s did better).\n\n",
		report.Count(len(seeds), "seed"), methods[0], methods[0])
	b.WriteString("| method | samples |")
	for _, m := range measures {
		fmt.Fprintf(&b, " %s | behind |", m.name)
	}
	b.WriteString(" distance, km | time, h |\n|---|---|" + strings.Repeat("---|---|", len(measures)) + "---|---|\n")
	for _, method := range methods {
		column := func(of func(Outcome) float64) []float64 {
			values := make([]float64, len(seeds))
			for i, seed := range seeds {
				values[i] = of(final[method][seed])
			}
			return values
		}
		samples := stat.Mean(column(func(o Outcome) float64 { return float64(o.Observations) }), nil)
		fmt.Fprintf(&b, "| %s | %.4g |", method, samples)
		for _, m := range measures {
			regret := column(func(o Outcome) float64 { return last(o, m) })
			mean, se := experiment.MeanError(regret)
			fmt.Fprintf(&b, " %.4f ± %.4f |", mean, se)
			if method == methods[0] {
				b.WriteString(" |")
				continue
			}
			first := make([]float64, len(seeds))
			for i, seed := range seeds {
				first[i] = last(final[methods[0]][seed], m)
			}
			fmt.Fprintf(&b, " %v |", experiment.Compare(first, regret))
		}
		fmt.Fprintf(&b, " %.1f | %.2f |\n",
			stat.Mean(column(func(o Outcome) float64 { return o.Distance / 1000 }), nil),
			stat.Mean(column(func(o Outcome) float64 { return o.Simulated / 3600 }), nil))
	}
	b.WriteString("\n" + misses(outcomes, methods))
	for _, seed := range partial {
		fmt.Fprintf(&b, "Left out, as not every method has it: seed %d.\n", seed)
	}
	for _, o := range outcomes {
		if o.GivenUp {
			fmt.Fprintf(&b, "Given up in a fault, and counted with what it had found: %s, seed %d, after %s.\n", o.Method, o.Seed, report.Count(o.Observations, "sample"))
		}
	}
	return b.String()
}

// misses says how far from their targets samples were taken, and whether the
// beliefs held the true places; and of each method that reckons with the misses how
// far off it took them to be in the end, as a mean over its missions.
func misses(outcomes []Outcome, methods []string) string {
	var squared, inside, consistency float64
	assumed := map[string][]float64{}
	n := 0
	for _, o := range outcomes {
		if o.Assumed > 0 {
			assumed[o.Method] = append(assumed[o.Method], o.Assumed)
		}
		for i, miss := range o.Misses {
			squared += miss * miss
			consistency += o.Consistency[i]
			if o.Consistency[i] <= 4 { // inside the 2σ ellipse
				inside++
			}
			n++
		}
	}
	rms := math.Sqrt(squared / float64(n) / 2)
	text := fmt.Sprintf("%s: true places miss their targets by %.2f m in x and in y (root mean square); "+
		"mean squared Mahalanobis distance from their beliefs %.2f (2 is consistent); %.1f %% inside the 2σ ellipse (86.5 %% is consistent).\n",
		report.Count(n, "sample"), rms, consistency/float64(n), 100*inside/float64(n))
	square := func(s float64) *mat.SymDense { return mat.NewSymDense(2, []float64{s * s, 0, 0, s * s}) }
	for _, method := range methods {
		if len(assumed[method]) == 0 {
			continue
		}
		mean := stat.Mean(assumed[method], nil)
		if bound, err := planner.Mismatch(1, square(mean), square(rms)); err == nil { // not for no miss
			text += fmt.Sprintf("%s took that for %.2f m in the end: expected values are off by at most %.2f norms of the field for it, by Proposition approx as printed (%.2f by its proof).\n",
				method, mean, bound.Printed, bound.Proven)
		}
	}
	return text
}

func last(o Outcome, m measure) float64 {
	if len(o.Regret) == 0 {
		return math.NaN()
	}
	return m.of(o.Regret[len(o.Regret)-1])
}
