package advise

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"ugp_explorer/planner/mission"
	"ugp_explorer/sim/experiment"
)

// share is the share of the missions for which a limit is stated.
const share = 0.9

// sure is the probability with which a limit lies between its bounds.
const sure = 0.9

// limit is a value that a share of the missions stays below, from a number of simulated ones.
type limit struct {
	Value float64
	// Low and High bound the share's true limit with a probability of sure, whatever the
	// distribution. High is +Inf if the missions are too few for an upper bound.
	Low, High float64
}

// limitOf returns the limit of some figures. The next figure of the same distribution is below
// Value with the probability share: of n, the one of rank r is above it with r/(n+1), in
// between it is interpolated (Weibull 1939). The bounds are figures, too, whose ranks follow
// from the binomial distribution of the number of figures below the true limit.
func limitOf(figures []float64) limit {
	x := slices.Sorted(slices.Values(figures))
	n := len(x)
	rank := share * float64(n+1)
	i := min(int(rank), n)
	l := limit{Value: x[max(i-1, 0)], Low: math.Inf(-1), High: math.Inf(1)}
	if i >= 1 && i < n {
		l.Value += (rank - float64(i)) * (x[i] - x[i-1])
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

// row is what a plan's missions with a budget came to.
type row struct {
	setting
	Missions int
	Regret   limit   // of 9 missions in 10
	Median   float64 // regret of the middle mission
	Mean     float64 // regret
	MapError limit   // of 9 missions in 10
	MapMid   float64 // error of the map of the middle mission
	Driven   float64 // m, median
	Duration float64 // s, median
	Samples  float64 // median
	Worth    float64 // mean
}

// studyAnswer is what a plan's missions came to.
type studyAnswer struct {
	plan     *advicePlan
	Rows     []row // without a raster
	Rasters  []row // with one, by the first budget
	outcomes []Outcome
}

func median(list []float64) float64 {
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

func regretOf(o Outcome) float64 { return o.Regret }
func mapOf(o Outcome) float64    { return o.MapError }

// Answer returns what the missions came to. There must be a mission of each budget.
func (p *advicePlan) Answer(outcomes []Outcome) *studyAnswer {
	a := &studyAnswer{plan: p, outcomes: outcomes}
	for _, b := range p.budgets {
		a.Rows = append(a.Rows, a.row(setting{Budget: b}))
	}
	for _, s := range p.rasters {
		a.Rasters = append(a.Rasters, a.row(s))
	}
	return a
}

// row returns what the missions of a setting came to.
func (a *studyAnswer) row(s setting) row {
	of := a.of(s)
	regret := experiment.Figures(of, regretOf)
	return row{
		setting: s, Missions: len(of),
		Regret: limitOf(regret), Mean: stat.Mean(regret, nil), Median: median(regret),
		MapError: limitOf(experiment.Figures(of, mapOf)), MapMid: median(experiment.Figures(of, mapOf)),
		Driven:   median(experiment.Figures(of, func(o Outcome) float64 { return o.Driven })),
		Duration: median(experiment.Figures(of, func(o Outcome) float64 { return o.Duration })),
		Samples:  median(experiment.Figures(of, func(o Outcome) float64 { return float64(o.Samples) })),
		Worth:    stat.Mean(experiment.Figures(of, func(o Outcome) float64 { return o.Worth }), nil),
	}
}

// of returns the outcomes of a setting.
func (a *studyAnswer) of(s setting) (list []Outcome) {
	for _, o := range a.outcomes {
		if o.setting == s {
			list = append(list, o)
		}
	}
	return list
}

// significant formats a number with two significant digits.
func significant(v float64) string {
	if v == 0 {
		return "0"
	}
	digits := 1 - int(math.Floor(math.Log10(math.Abs(v))))
	scale := math.Pow(10, float64(digits))
	return strconv.FormatFloat(math.Round(v*scale)/scale, 'f', max(digits, 0), 64)
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
		parts = append(parts, fmt.Sprintf("%d samples", b.Samples))
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
	if s < 2*3600 {
		return fmt.Sprintf("%.3g min", s/60)
	}
	return fmt.Sprintf("%.3g h", s/3600)
}

// bounds says how sure a limit is.
func (l limit) bounds() string {
	switch {
	case math.IsInf(l.High, 1):
		return significant(l.Low) + " or more"
	case math.IsInf(l.Low, -1):
		return "at most " + significant(l.High)
	}
	return significant(l.Low) + " to " + significant(l.High)
}

// Sentence answers the question: what the budget that is asked about comes to and what
// another would, or up to which distance more buys much.
func (a *studyAnswer) Sentence() string {
	if a.plan.cfg.Budget == (mission.Budget{}) {
		return a.enough()
	}
	first := a.Rows[0]
	text := fmt.Sprintf("%s: within %s of the best in 9 missions of 10 (%s; %d simulated missions, with which the limit is %s with a probability of 0.9).",
		budgetText(first.Budget), significant(first.Regret.Value), a.plan.unitText(), first.Missions, first.Regret.bounds())
	var others []string
	for _, r := range a.Rows[1:] {
		others = append(others, fmt.Sprintf("%s: %s (%s)", budgetText(r.Budget), significant(r.Regret.Value), r.Regret.bounds()))
	}
	if len(others) > 0 {
		text += " Other budgets: " + strings.Join(others, "; ") + "."
	}
	return text + a.unbounded() + a.worth()
}

// worth says what rasters change by the mean missions, "" without any. With and without a raster the missions
// meet the same fields, so that the difference is known better than either.
func (a *studyAnswer) worth() string {
	if len(a.Rasters) == 0 {
		return ""
	}
	var parts []string
	without := a.of(a.Rows[0].setting)
	for _, r := range a.Rasters {
		var less []float64
		for i, o := range a.of(r.setting) {
			less = append(less, without[i].Regret-o.Regret)
		}
		gain, deviation := stat.MeanStdDev(less, nil)
		way := "nearer"
		if gain < 0 {
			way = "farther"
		}
		parts = append(parts, fmt.Sprintf("with the correlation %g by %s instead (%s by %s ± %s), and the error of the middle mission's map is %s instead of %s",
			r.Correlation, significant(r.Mean), way, significant(math.Abs(gain)), significant(stat.StdErr(deviation, float64(len(less)))), significant(r.MapMid), significant(a.Rows[0].MapMid)))
	}
	return fmt.Sprintf("\nWhat a raster is worth that goes with the field: with %s and without one the mean mission is below the best by %s; %s.",
		budgetText(a.Rows[0].Budget), significant(a.Rows[0].Mean), strings.Join(parts, "; "))
}

// unbounded says that there are too few missions for an upper bound, "" if there are enough: with n missions the largest figure
// is above the limit of a share with the probability 1 - share^n.
func (a *studyAnswer) unbounded() string {
	enough := int(math.Ceil(math.Log((1-sure)/2) / math.Log(share)))
	missions := a.Rows[0].Missions
	if missions >= enough {
		return ""
	}
	return fmt.Sprintf(" %d missions are too few to say what a limit is at most, and limits that differ by less than their bounds may be the same: for bounds on both sides give --missions %d or more.", missions, enough)
}

// little is the gain of a doubling that counts as little, relative to the best value of the
// field less its mean.
const little = 0.02

// enough says up to which distance more buys much.
func (a *studyAnswer) enough() string {
	var rows []row // with as many samples as the distance allows
	for _, r := range a.Rows {
		if r.Budget.Samples == 0 {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(x, y row) int { return cmp.Compare(x.Budget.Distance, y.Budget.Distance) })
	i := 0
	for i+1 < len(rows) && rows[i].Mean-rows[i+1].Mean >= little*rows[i].Worth {
		i++
	}
	r := rows[i]
	text := fmt.Sprintf("%s and %.0f samples: within %s of the best in 9 missions of 10 (%s; %d simulated missions, with which the limit is %s with a probability of 0.9).",
		distanceText(r.Budget.Distance), r.Samples, significant(r.Regret.Value), a.plan.unitText(), r.Missions, r.Regret.bounds())
	if i+1 < len(rows) {
		gain := r.Mean - rows[i+1].Mean
		return text + fmt.Sprintf(" More buys little: with %s the mean mission is %s nearer to the best, of the %s by which the best is above the field's mean.",
			distanceText(rows[i+1].Budget.Distance), significant(max(gain, 0)), significant(r.Worth)) + a.unbounded()
	}
	return text + " This is the largest distance that was tried, and the last doubling still paid." + a.unbounded()
}

// Table returns a Markdown table with a row for each budget, and one with the lengths over
// which the fields stay alike unless that length is known.
func (a *studyAnswer) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Values are in %s. A limit is one that 9 missions of 10 stay below; in brackets its bounds with a probability of %g.\n\n", a.plan.unitText(), sure)
	b.WriteString("| budget | missions | samples | driven, km | time, h | below the best: limit | middle mission | map error: limit |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range slices.Concat(a.Rows, a.Rasters) {
		raster := ""
		if r.Raster {
			raster = fmt.Sprintf(", raster of correlation %g", r.Correlation)
		}
		fmt.Fprintf(&b, "| %s%s | %d | %.0f | %.2f | %.2f | %s (%s) | %s | %s (%s) |\n", budgetText(r.Budget), raster, r.Missions, r.Samples, r.Driven/1000, r.Duration/3600,
			significant(r.Regret.Value), r.Regret.bounds(), significant(r.Median), significant(r.MapError.Value), r.MapError.bounds())
	}
	b.WriteString(a.lengths())
	return b.String()
}

// lengths returns how the result depends on the field's length-scale, in thirds of the
// missions, where that is not known.
func (a *studyAnswer) lengths() string {
	if a.plan.cfg.Known.Length > 0 || !a.plan.drawer.learns || a.plan.drawer.weights != nil {
		return ""
	}
	of := a.of(a.Rows[0].setting)
	if a.plan.cfg.Budget == (mission.Budget{}) {
		of = a.of(a.Rows[len(a.Rows)-1].setting)
	}
	slices.SortStableFunc(of, func(x, y Outcome) int { return cmp.Compare(x.Length, y.Length) })
	text := fmt.Sprintf("\nThe length-scale of the field is not known, and the result depends on it. With %s the middle mission is below the best", budgetText(of[0].Budget))
	for i := range 3 {
		third := of[i*len(of)/3 : (i+1)*len(of)/3]
		text += fmt.Sprintf("%s by %s where that is %s to %s m", []string{"", ",", ", and"}[i], significant(median(experiment.Figures(third, regretOf))),
			significant(third[0].Length), significant(third[len(third)-1].Length))
	}
	return text + ".\n"
}
