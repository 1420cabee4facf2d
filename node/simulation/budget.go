// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ugp_explorer/node/record"
	"ugp_explorer/planner"
	"ugp_explorer/sim/experiment"
)

// Methods of a [BudgetPlan], beside constant prices of distance: a number names uGP-UCB with
// that price of distance, 1/km.
const (
	BudgetGrid  = "grid"  // an even grid, at the density that is best for the budget
	BudgetLines = "lines" // parallel lines, at the density that is best for the budget
	BudgetPaced = "paced" // uGP-UCB as it is by default, with the price that follows the budget
)

// rowsApart has the methods that visit a lattice: the distance of its rows over that of the points
// in a row.
var rowsApart = map[string]float64{BudgetGrid: 1, BudgetLines: planner.LinesApart}

// ConstantPrice returns the price of distance that a method names, 1/km.
func ConstantPrice(method string) (price float64, ok bool) {
	price, err := strconv.ParseFloat(method, 64)
	return price, err == nil && price >= 0 && price <= 1000
}

// CheckBudgetMethods returns an error unless the methods exist and none is repeated.
func CheckBudgetMethods(methods []string) error {
	known := []string{BudgetGrid, BudgetLines, BudgetPaced}
	for i, m := range methods {
		if _, ok := ConstantPrice(m); !ok && !slices.Contains(known, m) {
			return fmt.Errorf("%q is not a method: want %s, or a price of distance from 0 to 1000 per km", m, strings.Join(known, ", "))
		}
		if slices.Contains(methods[:i], m) {
			return fmt.Errorf("%q is given twice", m)
		}
	}
	if len(methods) == 0 {
		return fmt.Errorf("no method is given")
	}
	return nil
}

// TuningSeed is the first of the seeds on which the densities of the grids and lines are
// chosen, and on which parameters may be tuned. Those of the comparison are lower.
const TuningSeed = 1001

// BudgetPlan is a comparison of methods on missions with budgets. For one seed all methods meet
// the same field, robot and sensors.
type BudgetPlan struct {
	Methods  []string // the first is compared with the others
	Settings []BudgetSetting
	Seeds    Seeds // of the comparison
	Tuning   int   // number of seeds on which the densities are chosen, counted from TuningSeed

	Side func(field string) float64 // m, side of a square of the area of a field
}

// BudgetSetting is a budget on a field.
type BudgetSetting struct {
	Field string `json:"field"`
	BudgetLimit
}

func (s BudgetSetting) String() string { return s.Field + ", " + s.BudgetLimit.String() }

// BudgetTrial is one mission of a budget's comparison.
type BudgetTrial struct {
	Method string `json:"method"`
	BudgetSetting
	Points int   `json:"points"` // of the lattice; 0 for other methods
	Seed   int64 `json:"seed"`
}

func (t BudgetTrial) String() string {
	return fmt.Sprintf("seed %d, %s, %v", t.Seed, t.label(), t.BudgetSetting)
}

// label names the method and the points of a lattice.
func (t BudgetTrial) label() string {
	if t.Points > 0 {
		return fmt.Sprintf("%s of %d", t.Method, t.Points)
	}
	if _, ok := ConstantPrice(t.Method); ok {
		return "price " + t.Method
	}
	return t.Method
}

// BudgetOutcome is the result of a trial.
type BudgetOutcome struct {
	BudgetTrial
	Smooth   float64       `json:"smooth"`   // regret of the recommendation on the field without nugget
	Expected float64       `json:"expected"` // regret of the expected value of a sample there
	MapError float64       `json:"map_rmse"` // root mean square error of the map; 0: not computed
	Inside   float64       `json:"inside"`   // fraction of the map within two of its standard deviations of the truth
	Driven   float64       `json:"driven_m"`
	Duration float64       `json:"simulated_s"`
	Samples  int           `json:"samples"`
	GivenUp  bool          `json:"given_up"` // ended early in the fault state
	Course   []BudgetPoint `json:"course"`   // after each sample
}

// BudgetPoint is the state of a mission after a sample.
type BudgetPoint struct {
	Driven   float64 `json:"m"` // sum of the paths to the targets
	Elapsed  float64 `json:"s"` // since the start
	Smooth   float64 `json:"smooth"`
	Expected float64 `json:"expected"`
}

// BudgetStudy compares methods for budgets.
type BudgetStudy = experiment.Study[BudgetSetting, BudgetTrial, BudgetOutcome]

// CheckSeeds returns an error if densities are chosen on a seed of the comparison.
func (p *BudgetPlan) CheckSeeds() error {
	first, last := int64(TuningSeed), TuningSeed+int64(p.Tuning)-1
	if len(p.lattices()) > 0 && p.Seeds.First <= last && p.Seeds.of(p.Seeds.Count) >= first {
		return fmt.Errorf("the comparison uses the %v, but the densities of grids and lines are chosen on the seeds %d to %d: want other seeds", p.Seeds, first, last)
	}
	return nil
}

// lattices returns the methods that visit a lattice.
func (p *BudgetPlan) lattices() []string {
	return slices.DeleteFunc(slices.Clone(p.Methods), func(m string) bool { return rowsApart[m] == 0 })
}

// Densities returns the study of the lattices on the tuning seeds. A method of it is one of the
// plan's and the place of a number of points in the list of those that are tried. drive runs a
// trial by [Simulation.DriveLattice].
func (p *BudgetPlan) Densities(header any, drive func(context.Context, BudgetTrial) (BudgetOutcome, error)) *BudgetStudy {
	s := p.study(header)
	s.Run = drive
	s.Trials = p.Tuning
	s.Settings = slices.DeleteFunc(slices.Clone(p.Settings), func(setting BudgetSetting) bool {
		return !slices.ContainsFunc(p.lattices(), func(m string) bool { // there is nothing to choose
			return len(setting.lattices(p.Side(setting.Field), rowsApart[m])) > 1
		})
	})
	type density struct {
		method string
		place  int
	}
	tried := map[string]density{} // by the study's method
	for _, m := range p.lattices() {
		for i := range latticeShares {
			name := fmt.Sprint(m, " ", i)
			s.Methods, tried[name] = append(s.Methods, name), density{m, i}
		}
	}
	s.Job = func(method string, setting BudgetSetting, trial int) BudgetTrial {
		d := tried[method]
		list := setting.lattices(p.Side(setting.Field), rowsApart[d.method])
		return BudgetTrial{d.method, setting, list[min(d.place, len(list)-1)], TuningSeed + int64(trial) - 1}
	}
	return s
}

// Comparison returns the study that compares the methods, with lattices of the given numbers of
// points. fly runs a trial.
func (p *BudgetPlan) Comparison(header any, densities DensitySettings, fly func(context.Context, BudgetTrial) (*record.Mission, error)) *BudgetStudy {
	s := p.study(header)
	s.Run = func(ctx context.Context, trial BudgetTrial) (BudgetOutcome, error) {
		m, err := fly(ctx, trial)
		if !counts(ctx, m, err) {
			return BudgetOutcome{}, err
		}
		return budgetOutcome(trial, m, err != nil)
	}
	s.Trials, s.Methods = p.Seeds.Count, p.Methods
	s.Job = func(method string, setting BudgetSetting, trial int) BudgetTrial {
		return BudgetTrial{method, setting, densities[lattice{method, setting}], p.Seeds.of(trial)}
	}
	s.Table = func(outcomes []BudgetOutcome) string { return p.table(s, outcomes) }
	s.Charts = func(outcomes []BudgetOutcome) []experiment.Chart { return p.charts(s, outcomes) }
	return s
}

func (p *BudgetPlan) study(header any) *BudgetStudy {
	return &BudgetStudy{
		Header: header, Unit: "missions", Settings: p.Settings,
		Of:      func(o BudgetOutcome) BudgetTrial { return o.BudgetTrial },
		Columns: "method,field,budget_m,budget_s,budget_samples,sample_s,points,seed,samples,driven_m,elapsed_s,smooth,expected,map_rmse",
		Rows:    rows,
	}
}

// rows returns a row for each sample of a mission, and one for its end, which alone has a map
// error.
func rows(o BudgetOutcome) [][]any {
	row := func(samples int, p BudgetPoint, rmse any) []any {
		return []any{o.Method, o.Field, o.BudgetLimit.Distance, o.BudgetLimit.Duration, o.BudgetLimit.Samples, o.SampleTime, o.Points, o.Seed,
			samples, p.Driven, p.Elapsed, p.Smooth, p.Expected, rmse}
	}
	var list [][]any
	for i, p := range o.Course {
		list = append(list, row(i+1, p, ""))
	}
	return append(list, row(o.Samples, BudgetPoint{o.Driven, o.Duration, o.Smooth, o.Expected}, o.MapError))
}

func budgetOutcome(t BudgetTrial, m *record.Mission, givenUp bool) (BudgetOutcome, error) {
	regrets := outcome(Trial{}, m)
	last := len(regrets.Samples) - 1
	if last < 0 {
		return BudgetOutcome{}, fmt.Errorf("the mission has no samples: %s", m.Outcome)
	}
	o := BudgetOutcome{
		BudgetTrial: t, Smooth: regrets.Smooth[last], Expected: regrets.Expected[last], Driven: m.Distance, Duration: m.SimulatedTime,
		Samples: len(m.Observations), GivenUp: givenUp,
	}
	if m.Survey != nil {
		o.MapError, o.Inside = m.Survey.Error, m.Survey.Inside
	}
	driven := 0.0
	for i, s := range m.Observations {
		// A drive that was interrupted, as by the wait at an edge, has the path of its last part.
		leg := 0.0
		if s.Approach != nil {
			leg = s.Approach.Length
		}
		if i > 0 {
			last := m.Observations[i-1].Target
			leg = max(leg, math.Hypot(s.Target[0]-last[0], s.Target[1]-last[1]))
		}
		driven += leg
		o.Course = append(o.Course, BudgetPoint{driven, s.Stamp - m.Started, regrets.after(i+1, regrets.Smooth), regrets.after(i+1, regrets.Expected)})
	}
	return o, nil
}
