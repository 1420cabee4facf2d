package explorer

import (
	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/drive"
	"ugp_explorer/node/explorer/heading"
	"ugp_explorer/node/explorer/learn"
	"ugp_explorer/node/explorer/logbook"
	"ugp_explorer/node/explorer/pilot"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/explorer/team"
	"ugp_explorer/node/explorer/truth"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner/mission"
)

// build makes the parts and connects them.
func build(node *ros.Node, cfg *settings.Config) (*loop, error) {
	l := &loop{parts: &parts{node: node, cfg: cfg}, warn: newThrottle(node), warnPiece: newThrottle(node)}
	var inscribed float64
	var err error
	if l.ground, inscribed, err = cfg.Ground(node.Parameters(), node.Logger()); err != nil {
		return nil, err
	}
	logGround(l)
	if l.sense, err = sense.New(node, cfg.Sense()); err != nil {
		return nil, err
	}
	if l.team, err = team.New(node, cfg, l.ground.Outline().Boundary, team.Mission{
		Over: func() bool { return l.finished }, Learn: l.learnOfMate, Settled: l.heldDue,
	}); err != nil {
		return nil, err
	}
	var used []record.Covariate
	if l.rasters, used, err = cfg.ReadCovariates(l.ground.Region(), node.Logger()); err != nil {
		return nil, err
	}
	if l.book, err = logbook.New(node, cfg, l.ground, used, min(1, inscribed/50), l.journalBroken); err != nil {
		return nil, err
	}
	if l.show, err = show.New(node, cfg, l.ground, l.rasters, used); err != nil {
		return nil, err
	}
	if l.learner, err = learn.New(cfg, l.ground, l.book, l.show); err != nil {
		return nil, err
	}
	rules := cfg.Rules()
	l.mode = rules.Mode
	if l.mission, err = mission.New(rules); err != nil {
		return nil, err
	}
	if err := l.equip(); err != nil {
		return nil, err
	}
	if cfg.HasPage(node) || cfg.Report && cfg.OutputDir != "" {
		l.readPhoto()
	}
	cfg.Web.Token = "" // so that it is in no record, bag or parameter service
	l.sense.Located, l.sense.Moved, l.sense.Lost = l.located, l.newPose, l.learner.Lost
	return l, nil
}

// equip gives the explorer what its mode needs: what begins an observation, and who drives the robot.
func (l *loop) equip() (err error) {
	if l.mode.Pieces {
		l.pieces = l.sense.Pieces(func(m localization.Observation) {
			l.heard = l.now()
			l.truth.Compare(m)
		}, l.passed)
		l.pieces.Ended = !l.mode.Suggests
		l.sense.Gatherer = l.pieces
	} else {
		l.stops = l.sense.Stops(func(m localization.Observation) { l.truth.Compare(m) }, l.sampled)
		l.sense.Gatherer = l.stops
	}
	if l.mode.Suggests {
		return nil
	}
	if l.cfg.AutoStart {
		l.startup = mission.StartAtPose
	}
	l.pilot, err = pilot.New(l.node, l.cfg, l.sense, l.ground, pilot.Mission{
		Mission: heading.Mission{
			GoesOn: l.endsByItself, Starts: func() bool { return l.startup == mission.StartAtPose }, Changed: l.publishStatus,
			Failed: func(reason string) { l.tell(mission.EventFault{Stamp: l.now(), Reason: reason}) },
		},
		Tell: l.tell, Status: func() mission.Status { return l.mission.Status() }, Note: l.book.Journal.Note,
	})
	return err
}

// logGround logs the size of the field, and what makes it smaller for the robot than it is.
func logGround(l *loop) {
	log := l.node.Logger()
	log.Info("the field: " + show.Extent(l.cfg, l.ground))
	if why, _ := show.TightBudget(l.cfg, l.ground); why != "" {
		log.Warn(why)
	}
	if edge := l.ground.Outline().StdDev; edge > 0 {
		log.Info("the robot keeps farther from the edges of the field than field.margin, because field.file says that they are uncertain",
			"edge_stddev_m", edge, "field.margin", l.cfg.Field.Margin, "distance_m", l.ground.Region().Margin())
	}
}

// readPhoto makes the photo of the field.
func (l *loop) readPhoto() {
	var err error
	if l.photo, err = l.cfg.Photo(l.ground.Outline().Boundary.Bound()); err != nil {
		l.noPhoto = err.Error()
		l.node.Logger().Warn(l.noPhoto)
	}
}

// join joins the graph.
func join(l *loop) error {
	if err := l.show.Open(); err != nil {
		return err
	}
	var err error
	if l.guard, err = drive.ListenGuard(l.node); err != nil {
		return err
	}
	if err := l.sense.Open(); err != nil {
		return err
	}
	if err := l.team.Open(); err != nil {
		return err
	}
	l.show.Outline()
	if l.cfg.Truth {
		if l.truth, err = truth.New(l.node, l.cfg, l.ground.Region(), l.book.Spacing()); err != nil {
			return err
		}
	}
	if err := l.startWatch(); err != nil {
		return err
	}
	l.node.OnShutdown(l.node.Executor().OnJump(l.jumped)) // the node may end before its executor
	l.node.OnShutdown(l.shutDown)
	type timer struct {
		period float64 // s
		fn     func()
	}
	timers := []timer{{0.2, l.tick}, {0.2, l.sense.Expire}, {0.2, l.heldDue}}
	if l.pilot != nil {
		timers = append(timers, timer{l.cfg.GoalPeriod, l.pilot.Driver.Due})
	}
	for _, t := range append(timers, []timer{
		{1, l.publish},
		{1, func() { l.show.Due(l.snapshot, l.mapped) }},
		{1, func() { l.learner.Localise(l.now()) }},
		{1, l.watchJournal},
		{1, l.watchClock},
		{1, l.book.Journal.WatchBags},
	}...) {
		if _, err := l.node.NewTimer(ros.Duration(t.period), t.fn); err != nil {
			return err
		}
	}
	return nil
}
