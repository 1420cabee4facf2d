// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"ugp_explorer/internal/num"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/record"
	"ugp_explorer/node/report"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/simulation"
)

type demoCommand struct {
	missionFlags `embed:""`
	Speed        float64 `group:"run" help:"With --live: simulated seconds per second of real time, at most (20)." from:"0.01" to:"1000" placeholder:"N"`
	Outline      string  `group:"field" help:"With --live: GeoJSON file for the outline of a field that you record on the page before the mission, by driving the simulated robot along the edge; with --field, for the edited outline of that field." type:"path" placeholder:"FILE"`
	Out          string  `group:"run" help:"Folder for mission.json and report.html (out/demo)." default:"out/demo" type:"path" placeholder:"DIR"`
}

// Run explores one field and prints the result.
func (c *demoCommand) Run(t terminal) error {
	overrides, err := c.parameters(c.Out)
	if err != nil {
		return err
	}
	t.doubts(overrides)
	if c.Outline != "" {
		if !c.Live {
			return badInput{errors.New("--outline has no effect without --live: the outline is recorded on the page; add --live")}
		}
		recorded := given{explorer.DefaultName + ":auto_start:=false"}
		recorded.set(explorer.DefaultName, "outline.file", c.Outline)
		if err := recorded.addTo(overrides); err != nil {
			return err
		}
	}
	opts := simulation.Options{Parameters: overrides, Receiver: simulation.DemoReceiver, Terminal: t.err}
	if c.Verbose {
		opts.Log = ros.NewConsole(t.err)
	}
	switch {
	case c.Live:
		opts.Speed = cmp.Or(c.Speed, liveSpeed)
	case c.Speed != 0:
		return badInput{errors.New("--speed has no effect without --live: time passes as fast as possible; add --live")}
	}
	var progress *progress
	var s *simulation.Simulation
	opts.Status = func(m *ugp_explorer_msgs.MissionStatus) {
		if progress != nil {
			progress.mission(m)
		}
	}
	s, cfg, err := c.open(1, opts)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := foreign(c.Out); err != nil {
		return err
	}
	if s.Explorer() == nil {
		fmt.Fprintf(t.err, "There is no field yet: drive the robot along its edge on the page. The outline will be saved in %s.\n", cfg.Explorer.Teach.File)
		if err := s.Record(t.ctx); err != nil {
			return err
		}
	}
	c.introduce(t, s.Explorer(), cfg)
	for {
		progress = newProgress(t)
		progress.of = *s.Explorer().Record()
		err := c.explore(t, s, progress)
		none := errors.Is(err, errNoSample)
		if err != nil && !none || !c.Live {
			return err
		}
		text := ". To explore with more budget, use Continue on the page."
		if none {
			text = fmt.Sprintf(": %v; start the demonstration again for another mission.", err)
		}
		fmt.Fprintln(t.out, "The page is served until you press Ctrl-C"+text)
		if !s.Stay(t.ctx) {
			return nil
		}
	}
}

// explore runs the mission to its end, and prints the result.
func (c *demoCommand) explore(t terminal, s *simulation.Simulation, progress *progress) error {
	err := s.Run(t.ctx)
	progress.finish()
	record := s.Explorer().Record()
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(t.out, "Interrupted: the robot is stopped.")
		if len(record.Observations) == 0 {
			fmt.Fprintln(t.out, "No sample has been taken, so nothing is saved.")
			return err
		}
	}
	if err == nil {
		err = sampled(record)
	}
	if len(record.Observations) == 0 {
		return err
	}
	if err != nil { // the mission ended before the explorer wrote the report
		if reportErr := s.Explorer().WriteReport(); reportErr != nil {
			return reportErr
		}
	}
	summarise(t, record, s.Explorer().Answer(), c.Out, true)
	return err
}

// summarise prints the result of a mission and where it is saved, with or without a
// report.
func summarise(t terminal, m *record.Mission, answer record.Answer, dir string, page bool) {
	fmt.Fprintf(t.out, "%s, %s driven in %s of simulated time (%.1f s of real time): %s.\n",
		num.Count(len(m.Observations), "sample"), num.Metres(m.Distance), num.Duration(m.SimulatedTime), m.WallTime, m.Outcome)
	fmt.Fprint(t.out, answer.Lines())
	for i := range m.Covariates {
		fmt.Fprintln(t.out, m.Explained(i))
	}
	if heard := m.Heard(); heard != "" {
		fmt.Fprintln(t.out, heard)
	}
	if truth := m.Truth; truth != nil && truth.Smooth != nil && m.Recommendation != nil && m.LooksForBest() {
		scale := m.Scale()
		best, found := scale.Reading(truth.Smooth.Best), scale.Reading(truth.Smooth.AtRecommendation)
		fmt.Fprintf(t.out, "Known in a simulation only: the true best value is %s, the true value at this place %s, the regret %s (%s).\n",
			strings.TrimSpace(num.Short(best, 3)+" "+scale.Units), num.Short(found, 3), num.Short(math.Abs(best-found), 2), truth.Smooth.Description)
	}
	figures := filepath.Join(dir, record.MissionFile)
	if page {
		fmt.Fprintf(t.out, "The report is %s; the numbers are in %s.\n", filepath.Join(dir, report.PageFile), figures)
	} else {
		fmt.Fprintf(t.out, "The numbers are in %s.\n", figures)
	}
}
