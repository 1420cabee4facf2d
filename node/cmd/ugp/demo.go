package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/report"
	"ugp_explorer/node/simulation"
)

type demoCommand struct {
	world  `embed:""`
	Seed   *int64 `help:"Seed of the field, the robot and the search: the same seed, the same mission (1)." placeholder:"N"`
	Method string `help:"How targets are chosen: ${methodHelp}." enum:",${methods}" default:"" placeholder:"NAME"`
	Out    string `help:"Folder for mission.json, report.html and the pictures." default:"out/demo" type:"path" placeholder:"DIR"`
}

// Run explores one field and says what was found.
func (c *demoCommand) Run(t terminal) error {
	if err := c.read(); err != nil {
		return err
	}
	overrides, err := c.overrides()
	if err != nil {
		return err
	}
	var rules []string
	if c.Seed != nil {
		rules = append(rules, fmt.Sprintf("%s:seed:=%d", explorer.DefaultName, *c.Seed), fmt.Sprintf("%s:seed:=%d", fieldsim.DefaultName, *c.Seed))
	}
	if c.Method != "" {
		rules = append(rules, explorer.DefaultName+":method:="+c.Method)
	}
	for _, rule := range append(rules, fmt.Sprintf("%s:output_dir:=%q", explorer.DefaultName, c.Out)) {
		if err := overrides.AddAssignment(rule); err != nil {
			return badInput{err}
		}
	}
	cfg := simulation.DefaultConfig(1)
	progress := newProgress(t)
	s, err := simulation.New(&cfg, simulation.Options{
		Parameters: overrides, Log: c.log(t), Status: progress.update,
	})
	if err != nil {
		return badInput{err}
	}
	defer s.Close()
	if err := writable(c.Out); err != nil {
		return err
	}
	err = s.Run(t.ctx)
	progress.finish()
	record := s.Explorer().Record()
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(t.out, "Interrupted: the robot is stopped.\n")
		if len(record.Observations) == 0 {
			fmt.Fprintln(t.out, "Nothing had been sampled yet, so nothing is saved.")
			return err
		}
		if reportErr := s.Explorer().WriteReport(); reportErr != nil {
			return reportErr
		}
	} else if err != nil {
		return err
	}
	summarise(t, record, c.Out)
	return err
}

// summarise prints what a mission has found and where it is written.
func summarise(t terminal, m *report.Mission, dir string) {
	fmt.Fprintf(t.out, "%d samples, %.1f km driven in %s of simulated time, %.1f s of yours: %s.\n",
		len(m.Observations), m.Distance/1000, clock(m.SimulatedTime), m.WallTime, m.Outcome)
	if r := m.Recommendation; r != nil {
		fmt.Fprintf(t.out, "The best place is (%.1f, %.1f) m: %s %.4g ± %.2g%s.\n",
			r.Target[0], r.Target[1], m.Quantity, r.Value, m.Transform.Spread(r.Mean, r.StdDev), unit(m.Units))
	}
	if truth := m.Truth; truth != nil && truth.Smooth != nil && m.Recommendation != nil {
		fmt.Fprintf(t.out, "The field's true best is %.4g; the place found has %.4g there: regret %.2g (%s).\n",
			truth.Smooth.Max, truth.Smooth.AtRecommendation, truth.Smooth.Regret, truth.Smooth.Description)
	}
	fmt.Fprintf(t.out, "Look at %s; the figures are in %s.\n",
		filepath.Join(dir, report.PageFile), filepath.Join(dir, report.MissionFile))
}

func unit(u string) string {
	if u == "" {
		return ""
	}
	return " " + u
}

// clock writes seconds as hours and minutes.
func clock(s float64) string {
	minutes := int(s/60 + 0.5)
	if minutes < 60 {
		return fmt.Sprintf("%d min", minutes)
	}
	return fmt.Sprintf("%d h %02d min", minutes/60, minutes%60)
}
