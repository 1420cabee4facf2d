// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/drive"
	"ugp_explorer/node/explorer/gather"
	"ugp_explorer/node/explorer/heading"
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
	l := &loop{Parts: &parts.Parts{Node: node, Config: cfg}, warn: newThrottle(node), warnPiece: newThrottle(node)}
	var inscribed float64
	var err error
	if l.Ground, inscribed, err = cfg.Ground(node.Parameters(), node.Logger()); err != nil {
		return nil, err
	}
	logGround(l)
	if l.Team, err = team.New(node, cfg, l.Ground.Outline().Boundary, team.Mission{
		Over: func() bool { return l.Finished }, Learn: l.learnOfMate, Strike: l.strikeOfMate, Settled: l.heldDue,
	}); err != nil {
		return nil, err
	}
	var used []record.Covariate
	if l.Rasters, used, err = cfg.ReadCovariates(l.Ground.Region(), node.Logger()); err != nil {
		return nil, err
	}
	if l.Book, err = logbook.New(node, cfg, l.Ground, used, min(1, inscribed/50), l.journalBroken); err != nil {
		return nil, err
	}
	if l.Show, err = show.New(node, cfg, l.Ground, l.Rasters, used); err != nil {
		return nil, err
	}
	if l.Learner, err = learn.New(cfg, l.Ground, l.Book, l.Show, node.Logger()); err != nil {
		return nil, err
	}
	rules := cfg.Rules()
	l.Mode = rules.Mode
	done := l.sampled
	if l.Mode.Pieces {
		done = l.passed
	}
	hears := cfg.Sense()
	l.Gather = gather.New(node, cfg, &hears, l.Mode, func(m localization.Observation) { l.Truth.Compare(m) }, done)
	if l.Sense, err = sense.New(node, hears, sense.Listener{Located: l.located, Moved: l.newPose, Lost: l.Learner.Lost, Gatherer: l.Gather.Readings}); err != nil {
		return nil, err
	}
	if l.Mission, err = mission.New(rules); err != nil {
		return nil, err
	}
	if err := equip(l); err != nil {
		return nil, err
	}
	if cfg.HasPage(node) || cfg.Report && cfg.OutputDir != "" {
		readPhoto(l)
	}
	cfg.Web.Token = "" // so that it is in no record, bag or parameter service
	return l, nil
}

// equip gives the explorer who drives the robot, if its mode does.
func equip(l *loop) (err error) {
	if l.Mode.Suggests {
		return nil
	}
	if l.Config.AutoStart {
		l.Startup = mission.StartAtPose
	}
	l.Pilot, err = pilot.New(l.Node, l.Config, l.Sense, l.Ground, pilot.Mission{
		Mission: heading.Mission{
			GoesOn: l.EndsByItself, Starts: func() bool { return l.Startup == mission.StartAtPose }, Changed: l.publishStatus,
			Failed: func(reason string) { l.tell(mission.EventFault{Stamp: l.Now(), Reason: reason}) },
		},
		Tell: l.tell, Status: func() mission.Status { return l.Mission.Status() }, Note: l.Book.Journal.Note,
	})
	return err
}

// logGround logs the size of the field, and what makes it smaller for the robot than it is.
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
	var err error
	if l.Guard, err = drive.ListenGuard(l.Node); err != nil {
		return err
	}
	if err := l.Sense.Open(); err != nil {
		return err
	}
	if err := l.Team.Open(); err != nil {
		return err
	}
	l.Show.Outline()
	if l.Config.Truth {
		if l.Truth, err = truth.New(l.Node, l.Config, l.Ground.Region(), l.Book.Spacing()); err != nil {
			return err
		}
	}
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
	timers := []timer{{0.2, l.tick}, {0.2, l.Sense.Expire}, {0.2, l.heldDue}}
	if l.Pilot != nil {
		timers = append(timers, timer{l.Config.GoalPeriod, l.Pilot.Driver.Due})
	}
	for _, t := range append(timers, []timer{
		{1, l.publish},
		{1, func() { l.Show.Due(l.Snapshot, l.mapped) }},
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
