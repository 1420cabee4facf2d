package simulation

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"ugp_explorer/node/record"
	"ugp_explorer/sim/experiment"
)

// Methods of a [BudgetPlan].
const (
	BudgetGrid  = "grid"  // an even grid, at the density that is best for the budget
	BudgetFixed = "fixed" // uGP-UCB with a fixed price of distance
	BudgetPaced = "paced" // uGP-UCB with the automatic price
)

// TuningSeed is the first of the seeds on which the densities of the grids are chosen. Those
// of the comparison are lower.
const TuningSeed = 1001

// BudgetPlan is a comparison of even grids with uGP-UCB on missions with a limit of
// distance. For one seed all methods meet the same field, robot and sensors.
type BudgetPlan struct {
	Distances []float64 // m, the budgets
	Seeds     int       // number of seeds of the comparison, counted from 1
	Tuning    int       // number of seeds on which the densities are chosen, counted from TuningSeed
	Side      float64   // m, side of a square of the field's area
}

// BudgetTrial is one mission of a budget's comparison.
type BudgetTrial struct {
	Method   string  `json:"method"`
	Distance float64 `json:"budget_m"`
	Points   int     `json:"points"` // of the grid; 0 for other methods
	Seed     int64   `json:"seed"`
}

func (t BudgetTrial) String() string {
	return fmt.Sprintf("seed %d, %s, %g m", t.Seed, t.label(), t.Distance)
}

// label names the method and the points of a grid.
func (t BudgetTrial) label() string {
	if t.Points > 0 {
		return fmt.Sprintf("%s of %d", t.Method, t.Points)
	}
	return t.Method
}

// BudgetOutcome is the result of a trial.
type BudgetOutcome struct {
	BudgetTrial
	Smooth   float64 `json:"smooth"`   // regret of the recommendation on the field without nugget
	Expected float64 `json:"expected"` // regret of the expected value of a sample there
	Driven   float64 `json:"driven_m"`
	Duration float64 `json:"simulated_s"`
	Samples  int     `json:"samples"`
	GivenUp  bool    `json:"given_up"` // ended early in the fault state
}

// BudgetStudy is a study of budgets. A setting is a budget, m.
type BudgetStudy = experiment.Study[float64, BudgetTrial, BudgetOutcome]

// Fly runs one trial.
type Fly func(context.Context, BudgetTrial) (*record.Mission, error)

// The tour of an even grid of n points is about tourFactor·side·√n long, with the way home.
const tourFactor = 1.45

// densities are the numbers of points that are tried, relative to the number whose tour is
// as long as the budget.
var densities = []float64{0.5, 0.7, 1, 1.4}

// points returns the numbers of points that are tried for a budget.
func (p *BudgetPlan) points(distance float64) []int {
	fits := math.Pow(distance/(tourFactor*p.Side), 2)
	var list []int
	for _, d := range densities {
		list = append(list, max(1, int(math.Round(d*fits))))
	}
	return slices.Compact(list)
}

// Densities returns the study of the grids on the tuning seeds. A method of it is the place of a
// number of points in the list of those that are tried.
func (p *BudgetPlan) Densities(header any, fly Fly) *BudgetStudy {
	s := p.study(header, fly)
	s.Trials = p.Tuning
	for i := range densities {
		s.Methods = append(s.Methods, fmt.Sprint(i))
	}
	s.Job = func(method string, distance float64, trial int) BudgetTrial {
		list := p.points(distance)
		i := min(int(method[0]-'0'), len(list)-1)
		return BudgetTrial{BudgetGrid, distance, list[i], TuningSeed + int64(trial) - 1}
	}
	return s
}

// Best returns the number of points with the smallest mean regret on the smooth field for
// each budget, from the outcomes of [BudgetPlan.Densities]; the smaller number if equal.
func (p *BudgetPlan) Best(outcomes []BudgetOutcome) []int {
	best := make([]int, len(p.Distances))
	for i, distance := range p.Distances {
		least := math.Inf(1)
		for _, n := range p.points(distance) {
			var regret []float64
			for _, o := range outcomes {
				if o.Distance == distance && o.Points == n {
					regret = append(regret, o.Smooth)
				}
			}
			if mean := stat.Mean(regret, nil); mean < least {
				least, best[i] = mean, n
			}
		}
	}
	return best
}

// Comparison returns the study that compares the methods, with grids of the given numbers of
// points, one for each budget.
func (p *BudgetPlan) Comparison(header any, points []int, fly Fly) *BudgetStudy {
	s := p.study(header, fly)
	s.Trials = p.Seeds
	s.Methods = []string{BudgetGrid, BudgetFixed, BudgetPaced}
	s.Job = func(method string, distance float64, seed int) BudgetTrial {
		t := BudgetTrial{Method: method, Distance: distance, Seed: int64(seed)}
		if method == BudgetGrid {
			t.Points = points[slices.Index(p.Distances, distance)]
		}
		return t
	}
	s.Table = func(outcomes []BudgetOutcome) string { return p.table(s, outcomes) }
	s.Charts = func(outcomes []BudgetOutcome) []experiment.Chart { return p.charts(s, outcomes) }
	return s
}

func (p *BudgetPlan) study(header any, fly Fly) *BudgetStudy {
	return &BudgetStudy{
		Header: header, Unit: "missions", Settings: p.Distances,
		Of: func(o BudgetOutcome) BudgetTrial { return o.BudgetTrial },
		Run: func(ctx context.Context, trial BudgetTrial) (BudgetOutcome, error) {
			m, err := fly(ctx, trial)
			if !counts(ctx, m, err) {
				return BudgetOutcome{}, err
			}
			return budgetOutcome(trial, m, err != nil)
		},
		Columns: "method,budget_m,points,seed,samples,driven_m,simulated_s,smooth,expected",
		Rows: func(o BudgetOutcome) [][]any {
			return [][]any{{o.Method, o.Distance, o.Points, o.Seed, o.Samples, o.Driven, o.Duration, o.Smooth, o.Expected}}
		},
	}
}

func budgetOutcome(t BudgetTrial, m *record.Mission, givenUp bool) (BudgetOutcome, error) {
	if m.Truth == nil || len(m.Truth.RegretOverSamples) == 0 {
		return BudgetOutcome{}, fmt.Errorf("the mission has no samples: %s", m.Outcome)
	}
	r := m.Truth.RegretOverSamples[len(m.Truth.RegretOverSamples)-1]
	return BudgetOutcome{
		BudgetTrial: t, Smooth: r.Smooth, Expected: r.Expected, Driven: m.Distance, Duration: m.SimulatedTime,
		Samples: len(m.Observations), GivenUp: givenUp,
	}, nil
}

// Ratio is the quotient of two means over the same trials.
type Ratio struct{ Value, StandardError float64 }

// ratioOf returns the mean of a over that of b, with the standard error of first order for
// paired figures: that of a - Value·b, over the mean of b.
func ratioOf(a, b []float64) Ratio {
	mean := stat.Mean(b, nil)
	r := Ratio{Value: stat.Mean(a, nil) / mean}
	rest := make([]float64, len(a))
	for i := range a {
		rest[i] = a[i] - r.Value*b[i]
	}
	r.StandardError = stat.StdErr(stat.StdDev(rest, nil), float64(len(rest))) / mean
	return r
}

func smoothOf(o BudgetOutcome) float64   { return o.Smooth }
func expectedOf(o BudgetOutcome) float64 { return o.Expected }

func figures(outcomes []BudgetOutcome, of func(BudgetOutcome) float64) []float64 {
	list := make([]float64, len(outcomes))
	for i, o := range outcomes {
		list[i] = of(o)
	}
	return list
}

// table returns a Markdown table with a row for each budget and method.
func (p *BudgetPlan) table(s *BudgetStudy, outcomes []BudgetOutcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Regret of the recommendation over seeds 1 to %d, each as mean ± standard error, and its ratio to that of the best even grid. The grids' numbers of points are the best of four on seeds %d to %d.\n\n",
		p.Seeds, TuningSeed, TuningSeed+p.Tuning-1)
	b.WriteString("| budget, km | method | seeds | samples | driven, km | time, h | smooth | ratio | expected | ratio |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, distance := range p.Distances {
		groups := s.Groups(outcomes, distance)
		for _, g := range groups {
			if len(g.Results) == 0 {
				continue
			}
			mean := func(of func(BudgetOutcome) float64) float64 { return stat.Mean(figures(g.Results, of), nil) }
			fmt.Fprintf(&b, "| %.4g | %s | %d | %.1f | %.2f | %.2f |", distance/1000, g.Results[0].label(), len(g.Results),
				mean(func(o BudgetOutcome) float64 { return float64(o.Samples) }),
				mean(func(o BudgetOutcome) float64 { return o.Driven / 1000 }),
				mean(func(o BudgetOutcome) float64 { return o.Duration / 3600 }))
			for _, of := range []func(BudgetOutcome) float64{smoothOf, expectedOf} {
				own := figures(g.Results, of)
				m, deviation := stat.MeanStdDev(own, nil)
				r := ratioOf(own, figures(groups[0].Results, of))
				fmt.Fprintf(&b, " %.4f ± %.4f | %.2f ± %.2f |", m, stat.StdErr(deviation, float64(len(own))), r.Value, r.StandardError)
			}
			b.WriteString("\n")
		}
	}
	for _, o := range outcomes {
		if o.GivenUp {
			fmt.Fprintf(&b, "\nGiven up in the fault state and counted with its results so far: %v, after %d samples.\n", o.BudgetTrial, o.Samples)
		}
	}
	return b.String()
}

// charts returns the regret of each method over the budgets.
func (p *BudgetPlan) charts(s *BudgetStudy, outcomes []BudgetOutcome) []experiment.Chart {
	var charts []experiment.Chart
	for _, m := range []struct {
		name, title string
		of          func(BudgetOutcome) float64
	}{
		{"smooth", "regret of the recommendation, smooth field", smoothOf},
		{"expected", "regret of the recommendation, expected", expectedOf},
	} {
		c := experiment.Chart{Name: m.name, Title: m.title, Axis: "distance, km", Spread: "standard error", Series: make([]experiment.Series, len(s.Methods))}
		for _, distance := range p.Distances {
			groups := s.Groups(outcomes, distance)
			if len(groups[0].Results) < 2 {
				continue
			}
			c.Groups = append(c.Groups, fmt.Sprintf("%.4g", distance/1000))
			for i, g := range groups {
				mean, deviation := stat.MeanStdDev(figures(g.Results, m.of), nil)
				series := &c.Series[i]
				series.Label = g.Method
				series.Mean = append(series.Mean, mean)
				series.Deviation = append(series.Deviation, stat.StdErr(deviation, float64(len(g.Results))))
			}
		}
		if c.Groups != nil {
			charts = append(charts, c)
		}
	}
	return charts
}
