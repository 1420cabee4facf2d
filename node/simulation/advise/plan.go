// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package advise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/convert"
	reader "ugp_explorer/node/covariate"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/simulation/ideal"
	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
	"ugp_explorer/sim"
	"ugp_explorer/sim/experiment"
)

// Config is a question.
type Config struct {
	// Parameters returns the explorer's parameters, a copy for each mission; the file with the
	// outline is one of them.
	Parameters func() (*param.Overrides, error)

	Known    KnownGround    // Earlier follows from the parameters
	Budget   mission.Budget // what the user asks about; zero: the plan tries several
	Missions int            // number of missions for each budget; 0: as many as it takes
	Seed     uint64

	// Fix has the Receiver of the robot, or a Trace of it; without both it knows where it is.
	Fix sim.FixConfig
	// PlaceStdDev is the standard deviation of the robot's position in x and in y, m; 0: that of the receiver.
	PlaceStdDev float64

	// Covariates are correlations with the field of rasters. Missions with Budget are simulated with each of them alone.
	Covariates []float64
	// Files are rasters whose correlation with the field is not known. Without Covariates, missions are simulated with drawn
	// rasters of the correlations in unknown instead.
	Files []string

	// Secondary are correlations with the field of the quantity that a second sensor measures along the whole path. Missions
	// with Budget are simulated with each of them alone.
	Secondary []float64
}

// unknown has the correlations of weak, usual and good rasters, for rasters whose correlation is not known.
var unknown = []float64{0.4, 0.6, 0.8}

// trial is a mission with a budget. Missions with the same number meet the same field.
type trial struct {
	setting
	Mission int `json:"mission"` // from 1
}

// setting has the differences between missions of the same number.
type setting struct {
	Budget      mission.Budget `json:"budget"`
	Raster      bool           `json:"raster,omitempty"`      // the mission has one
	Secondary   bool           `json:"secondary,omitempty"`   // the robot has a second sensor
	Correlation float64        `json:"correlation,omitempty"` // with the field, of the raster or of what that sensor measures
}

// aid names the other source of information of the missions, "" if they have only samples.
func (s setting) aid() string {
	switch {
	case s.Raster:
		return "raster"
	case s.Secondary:
		return "second sensor"
	}
	return ""
}

func (t trial) String() string {
	aid := ""
	if name := t.aid(); name != "" {
		aid = fmt.Sprintf(" and a %s with the correlation %g", name, t.Correlation)
	}
	return fmt.Sprintf("mission %d with %s%s", t.Mission, budgetText(t.Budget), aid)
}

// Outcome is the result of a trial. Values are in the unit of [Plan.Unit].
type Outcome struct {
	trial
	Kernel   string  `json:"kernel"`
	Length   float64 `json:"length_scale_m"` // of the field
	Regret   float64 `json:"regret"`         // best value of the field less that at the recommended place, without the variation over distances too short to map
	MapError float64 `json:"map_rmse"`       // root mean square error of the map
	Worth    float64 `json:"worth"`          // best value of the field less its mean
	Span     float64 `json:"span"`           // highest value of the field less its lowest
	Driven   float64 `json:"driven_m"`
	Duration float64 `json:"simulated_s"`
	Samples  int     `json:"samples"`
}

// Study is a study of a plan's missions.
type Study = experiment.Study[setting, trial, Outcome]

// Plan is a question that can be answered. It is safe for concurrent use.
type Plan struct {
	Extent string   // how large the field is, and where it is cut into parts
	Notes  []string // what a person should know about the rasters
	Tight  string   // that the budget keeps the robot near its start, "" if it does not

	cfg      Config
	explorer *settings.Config // with the values that follow the field
	drawer   *drawer
	grounds  [64]ground // by the mission's number modulo 64, for the missions of one number run at about the same time
	start    orb.Point
	budgets  []mission.Budget // that are tried, the one that is asked about first
	aided    []setting        // with a raster or a second sensor, that are tried with the first budget

	automatic bool // there are as many missions as it takes
}

// New checks a question. The error says what is wrong with it.
func New(cfg Config) (*Plan, error) {
	p := &Plan{cfg: cfg, automatic: cfg.Missions == 0}
	if cfg.Fix.Real() && cfg.PlaceStdDev == 0 {
		p.cfg.PlaceStdDev = ideal.StdDev(&cfg.Fix)
	}
	if p.cfg.Missions = cmp.Or(cfg.Missions, mostMissions); p.cfg.Missions < leastMissions {
		return nil, fmt.Errorf("--missions is %d, too few for the limit of 9 in 10: want at least %d", cfg.Missions, leastMissions)
	}
	robot, err := p.robot(cfg.Budget, 1)
	if err != nil {
		return nil, err
	}
	e, resolved, err := ideal.Open(robot)
	if err != nil {
		return nil, err
	}
	p.explorer, p.Extent = resolved, e.Extent()
	if err := p.check(); err != nil {
		return nil, err
	}
	if err := p.place(e); err != nil {
		return nil, err
	}
	p.cfg.Known.Earlier = e.Record().Earlier
	if r := p.cfg.Known.Range; r != nil && len(p.cfg.Known.Earlier) > 0 {
		return nil, errors.New("both a range of values and earlier samples, which determine it, are given: give one of the two")
	}
	if r := p.cfg.Known.Range; r != nil {
		converted, scale := *r, p.scale() // in model units
		for i, v := range r {
			if _, converted[i], err = scale.ModelOf(v); err != nil {
				return nil, fmt.Errorf("the range from %g to %g: %w", r[0], r[1], err)
			}
		}
		p.cfg.Known.Range = &converted
	}
	hyper, priors := e.Prior()
	p.drawer, err = newDrawer(e.Region(), hyper, priors, resolved.Model.Fit, p.cfg.Known, cfg.Seed)
	if err != nil {
		return nil, err
	}
	p.budgets = p.tried()
	tight, pointless := e.TightBudget()
	if p.Tight = tight; pointless {
		return nil, fmt.Errorf("%w: with %s %s", ErrTooLittle, budgetText(cfg.Budget), p.Tight)
	}
	if err := p.look(e.Region()); err != nil {
		return nil, err
	}
	for _, correlation := range p.cfg.Covariates {
		p.aided = append(p.aided, setting{Budget: cfg.Budget, Raster: true, Correlation: correlation})
	}
	for _, correlation := range p.cfg.Secondary {
		p.aided = append(p.aided, setting{Budget: cfg.Budget, Secondary: true, Correlation: correlation})
	}
	if len(p.aided) > 0 && cfg.Budget == (mission.Budget{}) {
		return nil, fmt.Errorf("the benefit of a %s depends on the budget, but none is given: give --distance, --time or --samples", p.aided[0].aid())
	}
	// A mission of one sample shows whether the budget allows any at all.
	one := p.budgets[0]
	one.Samples = 1
	_, err = p.flyBudget(context.Background(), trial{setting{Budget: one}, 1})
	return p, err
}

// look refuses rasters that the explorer could not use, and says how much of the field the others cover.
func (p *Plan) look(region *field.Region) error {
	datum, err := convert.Datum("field.datum", p.explorer.Field.Datum)
	for _, file := range p.cfg.Files {
		var note record.Covariate
		if err == nil {
			_, note, err = reader.Read(file, region, datum)
		}
		if err != nil {
			return err
		}
		p.Notes = append(p.Notes, note.Notes()...)
	}
	if len(p.cfg.Files) > 0 && len(p.cfg.Covariates) == 0 {
		p.cfg.Covariates = unknown
	}
	return nil
}

// check refuses what simulated missions of this kind cannot answer.
func (p *Plan) check() error {
	c := p.explorer
	switch {
	case c.Passive:
		return errors.New("passive is true: a mission that does not drive by itself cannot be predicted")
	case !c.Reading.AtStops:
		return errors.New("sample.stop is false: only missions that stop to sample can be predicted")
	case c.Objective != planner.ObjectiveMaximum && c.Objective != planner.ObjectiveMinimum:
		return fmt.Errorf("objective is %s: only missions for the maximum or the minimum can be predicted", c.Objective)
	case len(c.Team) > 0:
		return fmt.Errorf("team lists %d explorers: only missions of one robot can be predicted", len(c.Team))
	}
	return nil
}

// ErrTooLittle is wrapped by the errors about budgets with which a mission could hardly drive.
var ErrTooLittle = errors.New("the budget is too small for this field")

// place sets where the robot starts: at home or, if no home is given, near the field's
// south-west corner.
func (p *Plan) place(e *explorer.Explorer) error {
	if len(p.explorer.Home) == 2 {
		p.start = orb.Point(p.explorer.Home)
	} else {
		outline, err := convert.ReadBoundary(p.explorer.Field.File, p.explorer.Field.Datum)
		if err != nil {
			return err
		}
		start, err := fieldsim.Start(outline)
		if err != nil {
			return err
		}
		p.start = orb.Point{start.X, start.Y}
	}
	if _, _, err := e.Region().Path(p.start, orb.Point(e.Region().Centre())); err != nil {
		return fmt.Errorf("the middle of the field cannot be reached from the start (%.1f, %.1f) m: %w", p.start[0], p.start[1], err)
	}
	if stated := p.cfg.Fix.LeastStated(); stated > 0 {
		if why := e.NarrowAt(p.start, stated); why != "" {
			return fmt.Errorf("with this receiver, no mission would start on this field: %s", why)
		}
	}
	if err := p.explorer.Mission.Check(0); err != nil {
		return fmt.Errorf("%w: %w", ErrTooLittle, err)
	}
	return nil
}

func (p *Plan) transform() record.Transform {
	return record.Transform(p.explorer.Reading.Transform)
}

// robot returns the robot of a mission. The parameters that a plan sets win over those of the
// user.
func (p *Plan) robot(b mission.Budget, number int) (ideal.Robot, error) {
	overrides, err := p.cfg.Parameters()
	if err != nil {
		return ideal.Robot{}, err
	}
	set := func(name, value string) string { return explorer.DefaultName + ":" + name + ":=" + value }
	rules := []string{
		set("seed", fmt.Sprint(number)), set("output_dir", `""`), set("web.address", `""`), set("ground_truth", "false"),
		set("goal.interface", "topic"), set("pose.source", "odometry"), set("reading.type", "FieldReading"), set("secondary.type", `""`),
		set("budget.distance", double(b.Distance)), set("budget.time", double(b.Duration)), set("budget.samples", fmt.Sprint(b.Samples)),
	}
	if p.cfg.Known.Length > 0 {
		rules = append(rules, set("model.length_scale", double(p.cfg.Known.Length)))
	}
	r := ideal.Robot{
		Config: settings.DefaultConfig(), Parameters: overrides, Start: p.start,
		Fix: p.cfg.Fix, Random: sim.Stream(p.cfg.Seed, fmt.Sprintf("advise/receiver/%d", number)),
	}
	if c := p.explorer; c != nil {
		r.Speed, r.SampleTime = c.Mission.Speed, c.Mission.SampleTime
	}
	for _, rule := range rules {
		if err := overrides.AddAssignment(rule); err != nil {
			return r, err
		}
	}
	return r, nil
}

// Shares of the budget that is asked about that are tried, too.
var shares = []float64{0.5, 2}

// The budgets that are tried when none is given: distances in sides of a square of the field's
// area, each with these numbers of samples and with as many as it allows.
var (
	sides  = []float64{2, 4, 8, 16}
	counts = []int{10, 20, 40, 0}
)

// samplesPerSide is about the number of samples that a mission with a limit of distance alone
// takes on a side of a square of the field's area.
const samplesPerSide = 8

// tried returns the budgets of the plan.
func (p *Plan) tried() []mission.Budget {
	b := p.cfg.Budget
	if b == (mission.Budget{}) {
		var list []mission.Budget
		for _, n := range counts {
			for _, s := range sides {
				if float64(n) < 0.8*samplesPerSide*s {
					list = append(list, mission.Budget{Distance: num.Rounded(s*p.drawer.side, 2), Samples: n})
				}
			}
		}
		return list
	}
	list := []mission.Budget{b}
	for _, s := range shares {
		if battery := (mission.Budget{Samples: b.Samples, Distance: s * b.Distance, Duration: s * b.Duration}); battery != b {
			list = append(list, battery)
		}
		if more := b; b.Samples > 0 {
			more.Samples = max(1, int(math.Round(s*float64(b.Samples))))
			list = append(list, more)
		}
	}
	// What leaves no time for a sample is not tried.
	return append(list[:1], slices.DeleteFunc(list[1:], func(b mission.Budget) bool {
		c := p.explorer.Mission.BudgetConfig
		c.Budget = b
		return c.Check(0) != nil
	})...)
}

// double formats a number so that YAML does not take it for an integer.
func double(x float64) string { return strconv.FormatFloat(x, 'e', -1, 64) }

// settings returns the settings of the plan.
func (p *Plan) settings() (list []setting) {
	for _, b := range p.budgets {
		list = append(list, setting{Budget: b})
	}
	return append(list, p.aided...)
}

// Study returns the study of the plan's missions.
func (p *Plan) Study(header any) *Study {
	s := &Study{
		Header: header, Unit: "missions", Methods: []string{p.explorer.Method}, Settings: p.settings(), Trials: p.cfg.Missions,
		Job:     func(_ string, s setting, number int) trial { return trial{s, number} },
		Turn:    p.turn,
		Of:      func(o Outcome) trial { return o.trial },
		Run:     p.flyBudget,
		Columns: "budget_m,budget_s,budget_samples,mission,kernel,length_scale_m,samples,driven_m,simulated_s,regret,map_rmse,worth,raster_correlation",
		Rows: func(o Outcome) [][]any {
			row := []any{o.Budget.Distance, o.Budget.Duration, o.Budget.Samples, o.Mission, o.Kernel, o.Length, o.Samples, o.Driven, o.Duration, o.Regret, o.MapError, o.Worth, o.correlationIf(o.Raster)}
			if len(p.cfg.Secondary) > 0 {
				row = append(row, o.correlationIf(o.Secondary))
			}
			return [][]any{row}
		},
	}
	if len(p.cfg.Secondary) > 0 {
		s.Columns += ",secondary_correlation"
	}
	return s
}

// correlationIf returns the correlation, or an empty cell of a table.
func (s setting) correlationIf(has bool) any {
	if has {
		return s.Correlation
	}
	return ""
}
