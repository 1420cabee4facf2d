// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"ugp_explorer/internal/num"
	"ugp_explorer/sim/experiment"
	"ugp_explorer/sim/experiment/paper"
)

// table returns Markdown tables: how the missions with each receiver went, and for each receiver the regret of the final
// recommendations and of the mean over the samples: mean and standard error for each method, and its paired
// difference from the first method with the number of seeds on which the first one won.
// A seed without an outcome of every method is left out and named.
func (p Plan) table(outcomes []MissionOutcome) string {
	study := p.Study(nil, nil)
	var b strings.Builder
	p.courses(&b, outcomes)
	for _, receiver := range p.Receivers {
		own := slices.DeleteFunc(slices.Clone(outcomes), func(o MissionOutcome) bool { return o.Receiver != receiver || len(o.Samples) == 0 })
		groups := study.Groups(own, receiver)
		whole := map[int64]bool{}
		for _, o := range groups[0].Results {
			whole[o.Seed] = true
		}
		if len(whole) > 0 {
			with := ""
			if receiver != "" {
				with = " with " + p.receiverName(receiver)
			}
			fmt.Fprintf(&b, "\nRegret of the recommendation%s over %s, and the mean of the expected regret over all samples, each as mean ± standard error; behind %s: paired difference ± standard error (number of seeds on which %s was better).\n\n",
				with, num.Count(len(whole), "seed"), p.Methods[0], p.Methods[0])
			study.Compare(&b, groups)
			b.WriteString("\n" + assumptions(own, p.Methods))
		}
		for _, o := range outcomes {
			if o.Receiver == receiver && !whole[o.Seed] {
				whole[o.Seed] = true // name each seed once
				fmt.Fprintf(&b, "Left out, because a method has no result: seed %d.\n", o.Seed)
			}
		}
	}
	for _, o := range outcomes {
		if o.GivenUp || o.Observations == 0 {
			fmt.Fprintf(&b, "Counted with its results so far: %v, after %s: %s.\n", o.Trial, num.Count(o.Observations, "sample"), o.Ending)
		}
	}
	return b.String()
}

// receiverName returns the name of a kind of receivers or of a recording for tables and pictures, with as many of its
// folders as no other of the plan shares.
func (p Plan) receiverName(receiver string) string {
	if receiver == "" {
		return "as configured"
	}
	last := func(of string, n int) string {
		parts := strings.Split(filepath.ToSlash(filepath.Clean(of)), "/")
		return strings.TrimSuffix(strings.Join(parts[max(0, len(parts)-n):], "/"), ".csv")
	}
	for n := range strings.Count(receiver, "/") + 2 {
		name := last(receiver, n+1)
		if !slices.ContainsFunc(p.Receivers, func(other string) bool { return other != receiver && last(other, n+1) == name }) {
			return name
		}
	}
	return receiver
}

// atHome is how far from its start a robot may really be that is home, m: as far as a good receiver of one
// frequency errs.
const atHome = 5

// tellsHome returns the same for a receiver whose errors have a standard deviation, m: both the start and the end are as far off as a fix, and 95 of 100
// such distances are shorter.
func tellsHome(stdDev float64) float64 {
	return max(atHome, math.Sqrt(-2*math.Log(0.05)*2)*stdDev)
}

// courses writes a table of how the missions of each receiver and method went.
func (p Plan) courses(b *strings.Builder, outcomes []MissionOutcome) {
	fmt.Fprintf(b, "How the missions went. Home: truly within %d m of the start at the end. From targets: root mean square of the distance of a sample's true place from its target. d²: mean squared Mahalanobis distance of the true places from their beliefs (2 is consistent); inside 2σ: 86.5 %% is consistent. Regret: of the recommendation on the smooth field. Home as it can tell: within %d m, or within the distance below which 95 %% of pairs of fixes are from each other, if that is larger.\n\n", atHome, atHome)
	b.WriteString("| receiver | method | missions | all samples, and home | home | given up | samples | from targets, m | d² | inside 2σ, % | regret | all samples, and home as it can tell |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for i, receiver := range p.Receivers {
		tells := tellsHome(p.FixErrors[i])
		for _, method := range p.Methods {
			var all, home, told, givenUp, samples int
			var places misses
			var regrets []float64
			own := slices.DeleteFunc(slices.Clone(outcomes), func(o MissionOutcome) bool { return o.Receiver != receiver || o.Method != method })
			for _, o := range own {
				places.add(o)
				samples += o.Observations
				if o.GivenUp {
					givenUp++
				}
				if !o.GivenUp && o.FromHome <= tells && o.Observations >= o.Wanted {
					told++
				}
				if !o.GivenUp && o.FromHome <= atHome {
					home++
					if o.Observations >= o.Wanted {
						all++
					}
				}
				if n := len(o.Smooth); n > 0 && !math.IsNaN(o.Smooth[n-1]) {
					regrets = append(regrets, o.Smooth[n-1])
				}
			}
			regret, se := experiment.MeanError(regrets)
			n := float64(max(len(own), 1))
			fmt.Fprintf(b, "| %s | %s | %d | %d | %d | %d | %.1f | %.2f | %.2f | %.0f | %.3f ± %.3f | %d, within %.1f m |\n",
				p.receiverName(receiver), method, len(own), all, home, givenUp, float64(samples)/n,
				math.Sqrt2*places.rms(), places.distance/float64(places.n), 100*places.inside/float64(places.n), regret, se, told, tells)
		}
	}
}

// charts returns charts of the mean regret, which the paper plots, and of the
// recommendation's regret on the smooth field and as expected. Each shows the mean and the
// standard deviation over the seeds after each sample. A mission that ended early counts
// with its last values. A chart with missing values is left out.
func (p Plan) charts(outcomes []MissionOutcome) (charts []experiment.Chart) {
	samples := 0
	for _, o := range outcomes {
		samples = max(samples, slices.Max(append([]int{0}, o.Samples...)))
	}
	if samples == 0 {
		return nil
	}
	for _, m := range []struct {
		name, title string
		of          func(MissionOutcome) Numbers
	}{
		{"mean", "mean expected regret so far", func(o MissionOutcome) Numbers { return o.Mean }},
		{"smooth", "regret of the recommendation, smooth field", func(o MissionOutcome) Numbers { return o.Smooth }},
		{"expected", "regret of the recommendation, expected", func(o MissionOutcome) Numbers { return o.Expected }},
	} {
		whole := func(o MissionOutcome) []float64 {
			values := make([]float64, samples)
			for k := range values {
				values[k] = o.after(k+1, m.of(o))
			}
			return values
		}
		for _, receiver := range p.Receivers {
			c := experiment.Chart{Name: m.name, Title: m.title, Spread: "standard deviation over the seeds"}
			if receiver != "" {
				name := p.receiverName(receiver)
				c.Name, c.Title = m.name+"-"+strings.ReplaceAll(name, "/", "_"), m.title+", "+name
			}
			charts = append(charts, p.Study(nil, nil).Lines(c, outcomes, whole, receiver)...)
		}
	}
	return slices.DeleteFunc(charts, func(c experiment.Chart) bool {
		return slices.ContainsFunc(c.Series, func(s experiment.Series) bool { return slices.ContainsFunc(s.Mean, math.IsNaN) })
	})
}

// misses sums up the distances between targets and true places of samples, and the consistency of the beliefs with
// the true places.
type misses struct {
	n                         int
	squared, inside, distance float64
}

func (m *misses) add(o MissionOutcome) {
	for i, miss := range o.Misses {
		m.squared += miss * miss
		m.distance += o.Consistency[i]
		if o.Consistency[i] <= 4 { // inside the 2σ ellipse
			m.inside++
		}
		m.n++
	}
}

// rms returns the root mean square of the distances in x and in y.
func (m *misses) rms() float64 { return math.Sqrt(m.squared / float64(m.n) / 2) }

// assumptions describes the distances between targets and true places, and for each method that models the
// execution noise the standard deviation assumed in the end, as a mean over the method's missions.
func assumptions(outcomes []MissionOutcome, methods []string) string {
	var all misses
	assumed := map[string][]float64{}
	for _, o := range outcomes {
		if o.Assumed > 0 {
			assumed[o.Method] = append(assumed[o.Method], o.Assumed)
		}
		all.add(o)
	}
	if all.n == 0 {
		return ""
	}
	rms := all.rms()
	text := fmt.Sprintf("%s: the true places are %.2f m from their targets in x and in y (root mean square); "+
		"mean squared Mahalanobis distance from their beliefs %.2f (2 is consistent); %.1f %% inside the 2σ ellipse (86.5 %% is consistent).\n",
		num.Count(all.n, "sample"), rms, all.distance/float64(all.n), 100*all.inside/float64(all.n))
	square := func(s float64) *mat.SymDense { return mat.NewSymDense(2, []float64{s * s, 0, 0, s * s}) }
	for _, method := range methods {
		if len(assumed[method]) == 0 {
			continue
		}
		mean := stat.Mean(assumed[method], nil)
		if printed, proven, err := paper.Mismatch(1, square(mean), square(rms)); err == nil { // an error means that the distance is 0
			text += fmt.Sprintf("%s assumed %.2f m for this distance at the end: the error in expected values is at most %.2f norms of the field by Proposition approx as printed (%.2f by its proof).\n",
				method, mean, printed, proven)
		}
	}
	return text
}
