package main

import (
	"cmp"
	"fmt"
	"slices"

	"ugp_explorer/sim/experiment"
)

type continuousCommand struct {
	Survey    string   `group:"mission" help:"Point data from which all seeds get their field by kriging, such as brooms_barn.dat; empty: each seed has its own synthetic farm." placeholder:"FILE"`
	Field     string   `hidden:""` // what Survey was before
	Distances []string `group:"mission" help:"Budgets of distance in km, the path home included (6.5)." placeholder:"KM"`
	Pieces    []string `group:"mission" help:"Lengths in m of the pieces of path that make an observation (10,50,150)." placeholder:"M"`
	Travel    word     `name:"travel-cost" group:"mission" help:"Price of a kilometre in standard deviations of the field (0.8)." placeholder:"C"`
	Tuning    word     `group:"run" help:"Number of seeds, counted from 1001, on which the number of points of the grids is chosen (10)." default:"10" placeholder:"N"`
	runFlags  `kong:"embed,set='trials=20',set='trialsHelp=Number of seeds of the comparison, counted from 1; each has its own field and noise',set='unit=missions',set='out=out/continuous'"`
}

// continuousHeader holds what the missions of a log have in common.
type continuousHeader struct {
	Experiment string  `json:"experiment"`
	Price      float64 `json:"travel_cost"`
	Spread     float64 `json:"spread"`
	Survey     string  `json:"field"` // the key of when the flag was --field: older logs can be continued
}

// Run chooses the densities of the grids on the tuning seeds, then runs the comparison on
// the others.
func (c *continuousCommand) Run(t terminal) error {
	p := experiment.DefaultContinuousPlan()
	kilometres := []float64{p.Distances[0] / 1000}
	workers, err := c.Workers.workers()
	err = cmp.Or(err,
		whole("--trials", c.Trials, 2, experiment.ContinuousTuningSeed-1, &p.Seeds), // one seed has no standard error
		whole("--tuning", c.Tuning, 1, 100000, &p.Tuning),
		numbers("--distances", c.Distances, 0.1, 1000, &kilometres),
		numbers("--pieces", c.Pieces, 1, 10000, &p.Pieces),
	)
	if err == nil && c.Travel != "" {
		p.Price, err = c.Travel.float("--travel-cost", 0, 1000)
	}
	if err == nil && c.Field != "" {
		err = badInput{fmt.Errorf("--field is %q: point data are given by --survey", c.Field)}
	}
	if err == nil && c.Survey != "" {
		p.Survey, err = experiment.LoadSurvey(c.Survey)
		err = badFlag("--survey", err)
	}
	if err = cmp.Or(err, writable(c.Out)); err != nil {
		return err
	}
	slices.Sort(kilometres)
	p.Distances = nil
	for _, km := range slices.Compact(kilometres) {
		p.Distances = append(p.Distances, 1000*km)
	}
	header := continuousHeader{"continuous", p.Price, p.Spread, c.Survey}
	results, err := finish(t, p.Densities(header), c.Out, "grids", c.Resume, workers, choosingGrids)
	if err != nil {
		return err
	}
	return runStudy(t, p.Comparison(header, p.Best(results)), &c.runFlags)
}
