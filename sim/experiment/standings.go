package experiment

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// checkpoints returns the numbers of samples after which the entries are judged.
func (t *Tournament) checkpoints() []int {
	list := slices.DeleteFunc([]int{10, 20, 30, 60}, func(n int) bool { return n >= t.Iterations })
	return append(list, t.Iterations)
}

// tournamentHeader is the first line of a tournament's log.
type tournamentHeader struct {
	Experiment string `json:"experiment"`
	Seed       uint64 `json:"seed"`
	Iterations int    `json:"iterations"`
}

// Study returns the tournament's study.
func (t *Tournament) Study() *Study[Condition, Match, Score] {
	s := &Study[Condition, Match, Score]{
		Header: tournamentHeader{"tournament", t.Seed, t.Iterations}, Unit: "trials",
		Methods: t.methods(), Settings: t.Conditions(), Trials: t.Trials,
		Job: func(entry string, c Condition, trial int) Match { return Match{entry, c, trial} },
		Of:  func(s Score) Match { return s.Match }, Run: t.Play,
		Columns: "arena,noise,ratio,method,trial,iteration,worth,sampled,recommended",
		Rows: func(s Score) (rows [][]any) {
			for i, v := range s.Sampled {
				rows = append(rows, []any{s.Arena, s.Level, s.Ratio, s.Entry, s.Trial, i + 1, s.Worth, v, s.Recommended[i]})
			}
			return rows
		},
		Table: t.Table, Charts: t.Charts,
	}
	for _, n := range t.checkpoints() {
		s.Curves = append(s.Curves, Curve[Score]{
			Name: fmt.Sprint(n), Of: func(s Score) []float64 { return s.Recommended[:n] }, Alone: n < t.Iterations,
		})
	}
	return s
}

// panel holds, under a condition, the scores of each entry on the trials that every
// entry has.
type panel struct {
	Condition
	entries []Group[Score]
}

// panels returns a panel for each condition that has such trials.
func (t *Tournament) panels(scores []Score) []panel {
	var list []panel
	s := t.Study()
	for _, c := range s.Settings {
		if g := s.Groups(scores, c); len(g[0].Results) > 0 {
			list = append(list, panel{c, g})
		}
	}
	return list
}

// lost returns the recommended regret of an entry after n samples as a share of what
// could be won, by trial.
func (p *panel) lost(entry, n int) []float64 {
	scores := p.entries[entry].Results
	out := make([]float64, len(scores))
	for i, s := range scores {
		out[i] = s.Recommended[n-1] / s.Worth
	}
	return out
}

// standing is an entry's result over all conditions, each of which weighs the same.
type standing struct {
	Lost, StandardError   float64 // mean recommended regret as a share of what could be won
	Behind, BehindError   float64 // Lost less the first entry's, paired
	Rank                  float64 // mean rank of the regret among the entries of a trial, from 1
	Better, Equal, Trials int     // trials on which the first entry did better, and as well
}

// standings returns the standing of each entry after n samples.
func (t *Tournament) standings(panels []panel, n int) []standing {
	list := make([]standing, len(t.Entries))
	for i := range list {
		s := &list[i]
		for _, p := range panels {
			mine, first := p.lost(i, n), p.lost(0, n)
			mean, se := meanError(mine)
			versus := Compare(first, mine)
			s.Lost += mean
			s.StandardError += se * se
			s.Behind += versus.Difference
			s.BehindError += versus.StandardError * versus.StandardError
			s.Better += versus.Wins
			for k := range mine {
				if mine[k] == first[k] {
					s.Equal++
				}
			}
			s.Trials += len(mine)
			s.Rank += p.rank(i, n)
		}
		c := float64(len(panels))
		s.Lost, s.StandardError = s.Lost/c, math.Sqrt(s.StandardError)/c
		s.Behind, s.BehindError = s.Behind/c, math.Sqrt(s.BehindError)/c
		s.Rank /= c
	}
	return list
}

// rank returns the mean rank of an entry's regret, equal ones sharing theirs.
func (p *panel) rank(entry, n int) float64 {
	sum := 0.0
	for k, mine := range p.entries[entry].Results {
		r := 1.0
		for i, other := range p.entries {
			switch c := cmp.Compare(other.Results[k].Recommended[n-1], mine.Recommended[n-1]); {
			case c < 0:
				r++
			case c == 0 && i != entry:
				r += 0.5
			}
		}
		sum += r
	}
	return sum / float64(len(p.entries[entry].Results))
}

// Table returns the standings after each number of samples, and the regrets of
// each condition, in Markdown.
func (t *Tournament) Table(scores []Score) string {
	var b strings.Builder
	panels := t.panels(scores)
	first := t.Entries[0].Text
	fmt.Fprintf(&b, "# Tournament\n\nRecommended regret: the largest E[f(x̃)|x] less that at the place recommended; %d trials, seed %d.\n\n", t.Trials, t.Seed)
	for _, a := range t.Arenas {
		fmt.Fprintf(&b, "- %s: %s; deviations %g of the execution, %g of the localisation, %g of the readings, times the noise level\n", a.Name, a.Description, a.Execution, a.Localisation, a.Reading)
	}
	if len(panels) == 0 {
		b.WriteString("\nNo trial has all methods yet.\n")
		return b.String()
	}
	b.WriteString("\n## Standings\n\nLost: the regret as a share of what could be won over a place taken blindly (the mean of E[f(x̃)|x]), mean over trials and then over conditions ± standard error, in %. " +
		"Behind: paired difference to " + first + " ± standard error (trials on which that did better). Rank: mean over the trials.\n")
	for _, n := range t.checkpoints() {
		fmt.Fprintf(&b, "\nAfter %d samples:\n\n| method | lost, %% | behind | rank |\n|---|---|---|---|\n", n)
		for i, s := range t.standings(panels, n) {
			behind := ""
			if i > 0 {
				behind = fmt.Sprintf("%.2f ± %.2f (%d of %d)", 100*s.Behind, 100*s.BehindError, s.Better, s.Trials)
			}
			fmt.Fprintf(&b, "| %s | %.2f ± %.2f | %s | %.2f |\n", t.Entries[i].Text, 100*s.Lost, 100*s.StandardError, behind, s.Rank)
		}
	}
	b.WriteString("\n## Conditions\n\nRecommended regret in the field's unit, mean ± standard error; behind " + first + " after the last sample: paired difference ± standard error (trials on which that did better).\n")
	study := t.Study()
	for _, p := range panels {
		fmt.Fprintf(&b, "\n### %s, noise %g, σ̂/σ = %g: %d of %d trials\n\n", p.Arena, p.Level, p.Ratio, len(p.entries[0].Results), t.Trials)
		study.Compare(&b, p.entries)
	}
	return b.String()
}

// Charts returns what the entries lose over the samples under all conditions, and
// their regret after the last sample under each.
func (t *Tournament) Charts(scores []Score) []Chart {
	panels := t.panels(scores)
	if len(panels) == 0 {
		return nil
	}
	curves := Chart{Name: "standings", Title: "lost of what could be won, %", Spread: "standard error"}
	bars := Chart{Name: "conditions", Spread: curves.Spread, Title: fmt.Sprintf("lost after %d samples, %%", t.Iterations), Axis: "field", Groups: []string{}}
	for i, e := range t.Entries {
		line, bar := Series{Label: e.Text}, Series{Label: e.Text}
		for n := 1; n <= t.Iterations; n++ {
			s := t.standings(panels, n)[i]
			line.Mean, line.Deviation = append(line.Mean, 100*s.Lost), append(line.Deviation, 100*s.StandardError)
		}
		for _, p := range panels {
			mean, se := meanError(p.lost(i, t.Iterations))
			bar.Mean, bar.Deviation = append(bar.Mean, 100*mean), append(bar.Deviation, 100*se)
		}
		curves.Series, bars.Series = append(curves.Series, line), append(bars.Series, bar)
	}
	for _, p := range panels {
		name := p.Arena
		if len(t.Levels) > 1 || p.Level != 1 {
			name += fmt.Sprintf(", noise %g", p.Level)
		}
		if len(t.Ratios) > 1 || p.Ratio != 1 {
			name += ", " + taken(p.Ratio)
		}
		bars.Groups = append(bars.Groups, name)
	}
	return []Chart{curves, bars}
}
