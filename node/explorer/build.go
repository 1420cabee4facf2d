// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"time"

	"ugp_explorer/node/explorer/decide"
	"ugp_explorer/node/explorer/drive"
	"ugp_explorer/node/explorer/gather"
	"ugp_explorer/node/explorer/learn"
	"ugp_explorer/node/explorer/logbook"
	"ugp_explorer/node/explorer/parts"
	"ugp_explorer/node/explorer/pilot"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/explorer/team"
	"ugp_explorer/node/explorer/truth"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner/mission"
)

// build makes the parts and connects them.
func build(node *ros.Node, cfg *settings.Config) (*loop, error) {
	p := &parts.Parts{Parts: decide.Parts{Node: node, Config: cfg}}
	l := &loop{Parts: p, view: parts.View{Parts: p}, warn: node.NewThrottle(time.Second)}
	var inscribed float64
	var err error
	if p.Ground, inscribed, err = cfg.Ground(node.Parameters(), node.Logger()); err != nil {
		return nil, err
	}
	logGround(l)
	rules := cfg.Rules()
	p.Mode = rules.Mode
	if p.Mission, err = mission.New(rules); err != nil {
		return nil, err
	}
	p.Account = &p.Mission.Account
	if p.Team, err = team.New(node, cfg, p.Ground.Outline().Boundary); err != nil {
		return nil, err
	}
	var used []record.Covariate
	if p.Rasters, used, err = cfg.ReadCovariates(p.Ground.Region(), node.Logger()); err != nil {
		return nil, err
	}
	spacing := min(1, inscribed/50)
	if p.Book, err = logbook.New(node, cfg, p.Ground, used, spacing, logbook.Mission{
		Account: p.Account, Text: l.view.Text, Report: l.view.NewReport, Counts: l.view.Counts, Broken: l.journalBroken,
	}); err != nil {
		return nil, err
	}
	optimizer, err := cfg.NewOptimizer(p.Ground.Region())
	if err != nil {
		return nil, err
	}
	if p.Show, err = show.New(node, cfg, p.Ground, p.Rasters, used, show.Mission{Now: l.view.Snapshot, Mapped: l.save, Fit: optimizer.FitApart}); err != nil {
		return nil, err
	}
	if cfg.Truth {
		if p.Truth, err = truth.New(node, cfg, p.Ground.Region(), spacing); err != nil {
			return nil, err
		}
	}
	p.Learner = learn.New(cfg, optimizer, p.Ground, p.Book, p.Show, p.Truth, node.Logger())
	hears := cfg.Sense()
	p.Gather = gather.New(node, cfg, &hears, p.Mode, p.Truth.Compare, l.observed, l.heard)
	if p.Sense, err = sense.New(node, hears, sense.Listener{
		Located: l.located, Moved: l.newPose, Lost: p.Learner.Lost, Gatherer: p.Gather.Readings, Secondary: p.Gather.Secondary, Also: p.Gather.Also,
	}); err != nil {
		return nil, err
	}
	if p.Guard, err = drive.ListenGuard(node); err != nil {
		return nil, err
	}
	if !p.Mode.Suggests {
		if cfg.AutoStart {
			p.Startup = mission.StartAtPose
		}
		if p.Pilot, err = pilot.New(node, cfg, p.Sense, p.Ground, p.Guard, p.Book, pilot.Mission{
			Account: p.Account, Tell: l.tell, Starts: func() bool { return p.Startup == mission.StartAtPose }, Changed: p.Show.Status,
		}); err != nil {
			return nil, err
		}
	}
	p.Decider = decide.New(p.Parts, l.tell, l.save)
	if cfg.HasPage(node) || cfg.OutputDir != "" {
		readPhoto(l)
	}
	cfg.Web.Token = "" // so that it is in no record, bag or parameter service
	return l, nil
}

// logGround logs the size of the field, and what reduces it for the robot.
func logGround(l *loop) {
	log := l.Node.Logger()
	log.Info("the field: " + show.Extent(l.Config, l.Ground))
	if why, _ := show.TightBudget(l.Config, l.Ground); why != "" {
		log.Warn(why)
	}
	if edge := l.Ground.Outline().StdDev; edge > 0 {
		log.Info("the robot keeps farther from the edges of the field than field.margin, because field.file says that they are uncertain",
			"edge_stddev_m", edge, "field.margin", l.Config.Field.Margin, "distance_m", l.Ground.Region().Margin())
	}
}

// readPhoto makes the photo of the field.
func readPhoto(l *loop) {
	var err error
	if l.Photo, err = l.Config.Photo(l.Ground.Outline().Boundary.Bound()); err != nil {
		l.noPhoto = err.Error()
		l.Node.Logger().Warn(l.noPhoto)
	}
}

// join joins the graph.
func join(l *loop) error {
	if err := l.Show.Open(); err != nil {
		return err
	}
	if err := l.Sense.Open(); err != nil {
		return err
	}
	if err := l.Team.Open(team.Mission{
		Over: l.Finished, Learn: l.Decider.LearnOfMate, Strike: l.Decider.StrikeOfMate, Settled: l.Decider.HeldDue,
	}); err != nil {
		return err
	}
	l.Show.Outline()
	var err error
	if l.Watch, err = watch.New(l.Node, l.publish); err != nil {
		return err
	}
	l.Check()
	l.Node.OnShutdown(l.Node.Executor().OnJump(l.jumped)) // the node may end before its executor
	l.Node.OnShutdown(l.shutDown)
	type timer struct {
		period float64 // s
		fn     func()
	}
	timers := []timer{{0.2, l.tick}, {0.2, l.Sense.Expire}, {0.2, l.Decider.HeldDue}}
	if l.Pilot != nil {
		timers = append(timers, timer{l.Config.GoalPeriod, l.Pilot.Driver.Due})
	}
	for _, t := range append(timers, []timer{
		{1, l.publish},
		{1, l.Show.Due},
		{1, func() { l.Learner.Localise(l.Now()) }},
		{1, l.watchJournal},
		{1, l.watchClock},
		{1, l.Book.Journal.WatchBags},
	}...) {
		if _, err := l.Node.NewTimer(ros.Duration(t.period), t.fn); err != nil {
			return err
		}
	}
	return nil
}
