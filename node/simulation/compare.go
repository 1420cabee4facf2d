package simulation

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"ugp_explorer/node/report"
	"ugp_explorer/sim/experiment"
	"ugp_explorer/sim/experiment/paper"
)

// table returns a Markdown table of the regret of the final recommendations and of the
// mean over the samples: mean and standard error for each method, and its paired
// difference from the first method with the number of seeds on which the first one won.
// A seed without an outcome of every method is left out and named.
func (p Plan) table(outcomes []missionOutcome) string {
	study := p.Study(nil, nil)
	groups := study.Groups(outcomes, struct{}{})
	whole := map[int64]bool{}
	for _, o := range groups[0].Results {
		whole[o.Seed] = true
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Regret of the recommendation over %s, and the mean of the expected regret over all samples, each as mean ± standard error; behind %s: paired difference ± standard error (number of seeds on which %s was better).\n\n",
		report.Count(len(whole), "seed"), p.Methods[0], p.Methods[0])
	study.Compare(&b, groups)
	b.WriteString("\n" + misses(outcomes, p.Methods))
	for _, o := range outcomes {
		if !whole[o.Seed] {
			whole[o.Seed] = true // name each seed once
			fmt.Fprintf(&b, "Left out because a method has no result for it: seed %d.\n", o.Seed)
		}
	}
	for _, o := range outcomes {
		if o.GivenUp {
			fmt.Fprintf(&b, "Given up in the fault state and counted with its results so far: %s, seed %d, after %s.\n", o.Method, o.Seed, report.Count(o.Observations, "sample"))
		}
	}
	return b.String()
}

// charts returns charts of the mean regret, which the paper plots, and of the
// recommendation's regret on the smooth field and as expected. Each shows the mean and the
// standard deviation over the seeds after each sample. A mission that ended early counts
// with its last values. A chart with missing values is left out.
func (p Plan) charts(outcomes []missionOutcome) (charts []experiment.Chart) {
	samples := 0
	for _, o := range outcomes {
		samples = max(samples, slices.Max(append([]int{0}, o.Samples...)))
	}
	if samples == 0 {
		return nil
	}
	for _, m := range []struct {
		name, title string
		of          func(missionOutcome) numbers
	}{
		{"mean", "mean expected regret so far", func(o missionOutcome) numbers { return o.Mean }},
		{"smooth", "regret of the recommendation, smooth field", func(o missionOutcome) numbers { return o.Smooth }},
		{"expected", "regret of the recommendation, expected", func(o missionOutcome) numbers { return o.Expected }},
	} {
		whole := func(o missionOutcome) []float64 {
			values := make([]float64, samples)
			for k := range values {
				values[k] = o.after(k+1, m.of(o))
			}
			return values
		}
		c := experiment.Chart{Name: m.name, Title: m.title, Spread: "standard deviation over the seeds"}
		charts = append(charts, p.Study(nil, nil).Lines(c, outcomes, whole, struct{}{})...)
	}
	return slices.DeleteFunc(charts, func(c experiment.Chart) bool {
		return slices.ContainsFunc(c.Series, func(s experiment.Series) bool { return slices.ContainsFunc(s.Mean, math.IsNaN) })
	})
}

// misses describes the distances between targets and true places of the samples and the
// consistency of the beliefs with the true places. For each method that models the
// execution noise it adds the standard deviation assumed in the end, as a mean over the
// method's missions.
func misses(outcomes []missionOutcome, methods []string) string {
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
	text := fmt.Sprintf("%s: the true places are %.2f m from their targets in x and in y (root mean square); "+
		"mean squared Mahalanobis distance from their beliefs %.2f (2 is consistent); %.1f %% inside the 2σ ellipse (86.5 %% is consistent).\n",
		report.Count(n, "sample"), rms, consistency/float64(n), 100*inside/float64(n))
	square := func(s float64) *mat.SymDense { return mat.NewSymDense(2, []float64{s * s, 0, 0, s * s}) }
	for _, method := range methods {
		if len(assumed[method]) == 0 {
			continue
		}
		mean := stat.Mean(assumed[method], nil)
		if printed, proven, err := paper.Mismatch(1, square(mean), square(rms)); err == nil { // an error means that the distance is 0
			text += fmt.Sprintf("%s assumed %.2f m for this distance in the end: the error in expected values is at most %.2f norms of the field by Proposition approx as printed (%.2f by its proof).\n",
				method, mean, printed, proven)
		}
	}
	return text
}
