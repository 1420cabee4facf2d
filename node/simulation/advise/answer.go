// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package advise

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"ugp_explorer/internal/num"
	"ugp_explorer/planner/mission"
	"ugp_explorer/sim/experiment"
)

// share is the share of the missions for which a limit is stated, beside that of half of them.
const share = 0.9

// sure is the probability with which a limit, or a gain, lies between its bounds.
const sure = 0.9

// Numbers of missions. With fewest, the limit of half of the missions lies between the smallest and the largest figure with the
// probability 1 - 2/2^fewest. With leastMissions there is a limit for 9 of 10. With bounded it has an upper bound: the largest of n
// figures is above the limit with the probability 1 - share^n.
const (
	fewest        = 5
	leastMissions = 10
	bounded       = 29
)

// Limit is the value below which a share of the missions stays, estimated from simulated ones.
type Limit struct {
	Value float64 // NaN if the missions are too few
	// Low and High bound the share's true limit with a probability of sure, whatever the
	// distribution. High is +Inf if the missions are too few for an upper bound.
	Low, High float64
}

// limitOf estimates the limit of a share from figures. A further figure of the same distribution is below Value with the
// probability share: it is below the one of rank r of n with the probability r/(n+1), and Value interpolates between two of them
// (Weibull 1939). The bounds are two of the figures, whose ranks follow from the binomial distribution of the number of figures
// below the true limit.
func limitOf(share float64, figures []float64) Limit {
	x := slices.Sorted(slices.Values(figures))
	n := len(x)
	rank := share * float64(n+1)
	i := int(rank)
	l := Limit{Value: math.NaN(), Low: math.Inf(-1), High: math.Inf(1)}
	if i >= 1 && i < n {
		l.Value = x[i-1] + (rank-float64(i))*(x[i]-x[i-1])
	}
	below := distuv.Binomial{N: float64(n), P: share}
	for r := 1; r <= n; r++ {
		p := below.CDF(float64(r - 1)) // that fewer than r figures lie below the limit: x[r-1] is above it
		if p <= (1-sure)/2 {
			l.Low = x[r-1]
		}
		if p >= (1+sure)/2 {
			l.High = x[r-1]
			break
		}
	}
	return l
}

// Row summarises a plan's missions with one setting.
type Row struct {
	setting
	Missions int
	Regret   Limit   // of 9 missions in 10
	Half     Limit   // regret of half of the missions
	Mean     float64 // regret
	MapError Limit   // of 9 missions in 10
	MapMid   float64 // error of the map of the median mission
	Driven   float64 // m, median
	Duration float64 // s, median
	Samples  float64 // median
	Worth    float64 // mean
	Span     float64 // mean
}

// StudyAnswer is the answer to a plan's question from its missions so far.
type StudyAnswer struct {
	plan     *Plan
	Rows     []Row // of the samples alone
	Aided    []Row // with a raster or a second sensor, by the first budget
	outcomes []Outcome
}

func regretOf(o Outcome) float64 { return o.Regret }
func mapOf(o Outcome) float64    { return o.MapError }

// Answer returns the answer from these outcomes. A setting with fewer than fewest missions has no row.
func (p *Plan) Answer(outcomes []Outcome) *StudyAnswer {
	a := &StudyAnswer{plan: p, outcomes: outcomes}
	for _, s := range p.settings() {
		of := a.of(s)
		switch {
		case len(of) < fewest:
		case s.aid() != "":
			a.Aided = append(a.Aided, newRow(s, of))
		default:
			a.Rows = append(a.Rows, newRow(s, of))
		}
	}
	return a
}

// newRow summarises the missions of a setting.
func newRow(s setting, of []Outcome) Row {
	mean := func(f func(Outcome) float64) float64 { return stat.Mean(experiment.Figures(of, f), nil) }
	median := func(f func(Outcome) float64) float64 { return num.Median(experiment.Figures(of, f)) }
	regret := experiment.Figures(of, regretOf)
	return Row{
		setting: s, Missions: len(of),
		Regret: limitOf(share, regret), Half: limitOf(0.5, regret), Mean: mean(regretOf),
		MapError: limitOf(share, experiment.Figures(of, mapOf)), MapMid: median(mapOf),
		Driven:   median(func(o Outcome) float64 { return o.Driven }),
		Duration: median(func(o Outcome) float64 { return o.Duration }),
		Samples:  median(func(o Outcome) float64 { return float64(o.Samples) }),
		Worth:    mean(func(o Outcome) float64 { return o.Worth }),
		Span:     mean(func(o Outcome) float64 { return o.Span }),
	}
}

// of returns the outcomes of a setting.
func (a *StudyAnswer) of(s setting) (list []Outcome) {
	for _, o := range a.outcomes {
		if o.setting == s {
			list = append(list, o)
		}
	}
	return list
}

// gain is by how much the mean mission is closer to the best with one setting than with another.
type gain struct {
	Mean, Low, High float64 // Low and High bound it with a probability of sure
}

// gain compares two settings by the missions that met the same fields, so that the difference is known better than
// either. There is none, with bounds of any size, of fewer than fewest of them.
func (a *StudyAnswer) gain(from, to setting) gain {
	before := map[int]float64{}
	for _, o := range a.of(from) {
		before[o.Mission] = o.Regret
	}
	var less []float64
	for _, o := range a.of(to) {
		if regret, ok := before[o.Mission]; ok {
			less = append(less, regret-o.Regret)
		}
	}
	if len(less) < fewest {
		return gain{math.NaN(), math.Inf(-1), math.Inf(1)}
	}
	mean, deviation := stat.MeanStdDev(less, nil)
	n := float64(len(less))
	reach := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile((1+sure)/2) * stat.StdErr(deviation, n)
	return gain{mean, mean - reach, mean + reach}
}

// budgetText describes a budget.
func budgetText(b mission.Budget) string {
	var parts []string
	if b.Distance > 0 {
		parts = append(parts, distanceText(b.Distance))
	}
	if b.Duration > 0 {
		parts = append(parts, durationText(b.Duration))
	}
	if b.Samples > 0 {
		parts = append(parts, num.Count(b.Samples, "sample"))
	}
	return strings.Join(parts, " and ")
}

func distanceText(m float64) string {
	if m < 1000 {
		return fmt.Sprintf("%.3g m", m)
	}
	return fmt.Sprintf("%.3g km", m/1000)
}

func durationText(s float64) string {
	switch {
	case s < 120:
		return fmt.Sprintf("%.3g s", s)
	case s < 2*3600:
		return fmt.Sprintf("%.3g min", s/60)
	}
	return fmt.Sprintf("%.3g h", s/3600)
}

// text writes a limit with its bounds.
func (a *StudyAnswer) text(l Limit) string {
	if math.IsNaN(l.Value) {
		return "not known yet"
	}
	return a.plan.value(l.Value) + " (" + l.bounds() + ")"
}

// bounds says how sure a limit is.
func (l Limit) bounds() string {
	switch {
	case math.IsInf(l.Low, -1):
		return "at most " + num.Significant(l.High, 2)
	case math.IsInf(l.High, 1):
		return num.Significant(l.Low, 2) + " or more"
	}
	return num.Significant(l.Low, 2) + " to " + num.Significant(l.High, 2)
}

// compared says how the mean mission differs from one setting to another. More of a budget is never said to be worse,
// nor less to be better: missions need not use up what they may, so that such a difference is chance.
func (a *StudyAnswer) compared(from, to setting) string {
	g, more := a.gain(from, to), enlarged(from.Budget, to.Budget)
	low, high := num.Significant(math.Abs(g.Low), 2), num.Significant(math.Abs(g.High), 2)
	switch {
	case math.IsNaN(g.Mean):
		return "not known yet"
	case g.Low > 0 && more >= 0:
		return fmt.Sprintf("%s closer to the best (%s to %s)", a.plan.value(g.Mean), low, high)
	case g.High < 0 && more <= 0:
		return fmt.Sprintf("%s farther from the best (%s to %s)", a.plan.value(-g.Mean), high, low)
	}
	between := low + " farther to " + a.plan.value(g.High) + " closer"
	if g.Low > 0 {
		between = low + " to " + a.plan.value(g.High) + " closer"
	} else if g.High < 0 {
		between = high + " to " + a.plan.value(-g.Low) + " farther"
	}
	return fmt.Sprintf("no visible %s (%s)", []string{"loss", "difference", "gain"}[more+1], between)
}

// enlarged is 1 for a budget that is larger than another, -1 for a smaller one, and 0 for the same.
func enlarged(from, to mission.Budget) int {
	return cmp.Or(cmp.Compare(to.Distance, from.Distance), cmp.Compare(to.Duration, from.Duration), cmp.Compare(to.Samples, from.Samples))
}

// main returns the row that the answer is about: that of the budget that is asked about, or that of the distance beyond
// which more buys little. It is nil before there are enough missions.
func (a *StudyAnswer) main() *Row {
	if len(a.Rows) == 0 {
		return nil
	}
	if a.plan.cfg.Budget != (mission.Budget{}) {
		if a.Rows[0].Budget != a.plan.cfg.Budget {
			return nil
		}
		return &a.Rows[0]
	}
	ladder := a.ladder()
	if len(ladder) == 0 {
		return nil
	}
	i := 0
	for j := range ladder { // the larger ones pay as long as one of them is surely closer to the best, and by more than little
		if g := a.gain(ladder[i].setting, ladder[j].setting); g.Low > 0 && g.Mean >= little*ladder[i].Worth {
			i = j
		}
	}
	return &ladder[i]
}

// ladder returns the rows with as many samples as the distance allows, by the distance.
func (a *StudyAnswer) ladder() (rows []Row) {
	for _, r := range a.Rows {
		if r.Budget.Samples == 0 {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(x, y Row) int { return cmp.Compare(x.Budget.Distance, y.Budget.Distance) })
	return rows
}

// little is the gain of more distance that counts as little, relative to the best value of the
// field less its mean.
const little = 0.02

// Known reports whether there are enough missions for an answer.
func (a *StudyAnswer) Known() bool { return a.main() != nil }

// Line says what is known so far, and brief the same in fewer words; both are "" before the first mission.
func (a *StudyAnswer) Line() (line, brief string) {
	r := a.main()
	switch {
	case r == nil && len(a.outcomes) == 0:
		return "", ""
	case r == nil:
		farthest := slices.Max(experiment.Figures(a.outcomes, regretOf))
		brief = fmt.Sprintf("the first %d within %s", len(a.outcomes), a.plan.value(farthest))
		if len(a.outcomes) == 1 {
			brief = "the first within " + a.plan.value(farthest)
		}
		return brief + " of the best", brief
	case math.IsNaN(r.Regret.Value):
		return fmt.Sprintf("%s: half of %d within %s of the best", r.name(), r.Missions, a.text(r.Half)), "half within " + a.text(r.Half)
	}
	return fmt.Sprintf("%s: half of %d within %s of the best, 9 in 10 within %s", r.name(), r.Missions, a.text(r.Half), a.text(r.Regret)), "9 in 10 within " + a.text(r.Regret)
}

// name describes the row's budget; one without a limit of samples with the number that it sufficed for.
func (r *Row) name() string {
	if r.Budget.Samples == 0 {
		return fmt.Sprintf("%s and %.0f samples", budgetText(r.Budget), r.Samples)
	}
	return budgetText(r.Budget)
}

// Sentence answers the question: what the budget that is asked about comes to and what
// another would, or up to which distance more buys much.
func (a *StudyAnswer) Sentence() string {
	r := a.main()
	nine := "within " + a.text(r.Regret) + " in 9 of 10"
	if math.IsNaN(r.Regret.Value) {
		nine = fmt.Sprintf("the limit of 9 in 10 needs %d missions", leastMissions)
	}
	text := fmt.Sprintf("%s: the value at the place found is within %s of the best in half of the missions, and %s. %s%d missions were simulated; the bounds in brackets hold with a probability of %g.",
		r.name(), a.text(r.Half), nine, a.plan.scaleText(), r.Missions, sure)
	if r.Missions >= leastMissions && r.Missions < bounded {
		text += fmt.Sprintf(" An upper bound of 9 in 10 needs %d missions.", bounded)
	}
	others, lead := a.Rows[1:], "\nThe mean mission with other budgets on the same fields: "
	if a.plan.cfg.Budget == (mission.Budget{}) {
		others, lead = a.ladder(), "\nThe mean mission with other distances on the same fields: "
	}
	var parts []string
	for _, other := range others {
		if other.setting != r.setting {
			parts = append(parts, other.name()+": "+a.compared(r.setting, other.setting))
		}
	}
	if len(parts) > 0 {
		text += lead + strings.Join(parts, "; ") + "."
	}
	return text + a.benefit("raster") + a.benefit("second sensor") + a.places()
}

// benefit says what an aid changes in the mean missions, "" if none had it.
func (a *StudyAnswer) benefit(aid string) string {
	var parts []string
	for _, r := range a.Aided {
		if r.aid() != aid {
			continue
		}
		parts = append(parts, fmt.Sprintf("with the correlation %g, %s, and the error of the median mission's map is %s instead of %s",
			r.Correlation, a.compared(a.Rows[0].setting, r.setting), a.plan.value(r.MapMid), num.Significant(a.Rows[0].MapMid, 2)))
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("\nThe benefit of a %s that is correlated with the field, for the mean mission with %s, which is within %s of the best without one: %s.",
		aid, budgetText(a.Rows[0].Budget), a.plan.value(a.Rows[0].Mean), strings.Join(parts, "; "))
}

// Table returns a Markdown table with a row for each budget, and one with the lengths over
// which the fields are correlated unless that length is known.
func (a *StudyAnswer) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%sThe limit of half (of 9 in 10) is the bound that half (9 in 10) of the missions do not exceed; in brackets, its bounds with a probability of %g.\n\n", a.plan.scaleText(), sure)
	main := a.main()
	fmt.Fprintf(&b, "| budget | missions | samples | driven, km | time, h | below the best: limit of half | limit of 9 in 10 | map error: limit of 9 in 10 | mean mission, against %s |\n|---|---|---|---|---|---|---|---|---|\n", main.name())
	for _, r := range slices.Concat(a.Rows, a.Aided) {
		aid, against := "", ""
		if r.setting != main.setting {
			against = a.compared(main.setting, r.setting)
		}
		if name := r.aid(); name != "" {
			aid = fmt.Sprintf(", %s of correlation %g", name, r.Correlation)
		}
		fmt.Fprintf(&b, "| %s%s | %d | %.0f | %.2f | %.2f | %s | %s | %s | %s |\n", budgetText(r.Budget), aid, r.Missions, r.Samples, r.Driven/1000, r.Duration/3600,
			a.text(r.Half), a.text(r.Regret), a.text(r.MapError), against)
	}
	b.WriteString(a.lengths())
	return b.String()
}

// lengths returns how the result depends on the field's length-scale, in thirds of the
// missions, where that is not known.
func (a *StudyAnswer) lengths() string {
	r := a.main()
	of := a.of(r.setting)
	if a.plan.cfg.Known.Length > 0 || !a.plan.drawer.learns || a.plan.drawer.weights != nil || len(of) < 3*fewest {
		return ""
	}
	slices.SortStableFunc(of, func(x, y Outcome) int { return cmp.Compare(x.Length, y.Length) })
	text := fmt.Sprintf("\nThe length-scale of the field is unknown, and the result depends on it. With %s, the median mission is within", r.name())
	for i := range 3 {
		third := of[i*len(of)/3 : (i+1)*len(of)/3]
		text += fmt.Sprintf("%s %s of the best where that is %s to %s m", []string{"", ",", ", and"}[i], a.plan.value(num.Median(experiment.Figures(third, regretOf))),
			num.Significant(third[0].Length, 2), num.Significant(third[len(third)-1].Length, 2))
	}
	return text + ".\n"
}
