// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package simulation runs the five nodes on the in-process graph in simulated time. The
// nodes are the same as on a robot. The same seed and configuration give the same mission,
// message for message.
package simulation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/host"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	rosnames "ugp_explorer/node/ros/names"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
	"ugp_explorer/planner/surface"
)

// epoch is the simulated time at which every run begins, ns. It is not zero because a zero
// stamp means "no stamp".
const epoch = 1_000_000_000

// Patience is the simulated time after which a mission that is in the fault state or has
// not begun is given up: in a simulation nobody comes to help.
const Patience = time.Hour

// limit is the longest simulated time of a mission, longer than any battery lasts.
const limit = 48 * time.Hour

// ErrGivenUp is wrapped by the error of a mission that does not start, or that stayed in the fault state for
// Patience, for example because the robot has lost its heading.
var ErrGivenUp = errors.New("the mission was given up")

// DemoReceiver is the kind of receivers with which demonstrations drive, see [Options].
const DemoReceiver = "consumer"

// Options holds parameters, a log and a callback.
type Options struct {
	Parameters *param.Overrides // from parameter files and flags; nil: none
	Log        slog.Handler     // nil: nothing is logged
	Receiver   string           // fix.receiver, if the parameters leave the errors of the fixes open; "": white errors
	// Speed paces time for people who watch the page, simulated seconds per second; 0: time
	// passes as fast as it can, and there is no page.
	Speed float64
	// Terminal gets the link to the page; nil: standard error.
	Terminal io.Writer
	// Status is called with each status of the explorer. The message is valid during the
	// call only. It may be nil.
	Status func(*ugp_explorer_msgs.MissionStatus)
}

// Simulation is a running graph. Only one goroutine may use it.
type Simulation struct {
	executor *exec.Simulated
	graph    *inproc.Transport
	nodes    []*ros.Node
	host     *host.Host
	explorer *explorer.Explorer // of the host, or its last one while people edit the field
	filter   *ekf.EKF
	world    *fieldsim.Fieldsim
	enclose  func() error // of the guard
	failed   error        // the field that people have edited cannot be simulated
	cfg      *Config
	truth    *surface.GridField
	live     bool          // people watch
	patience time.Duration // Patience; tests that know earlier have less
	settings []NodeParameters

	namespace string // of its nodes; "": none. A test has two robots on one graph
}

// New starts the nodes. It returns an error for an invalid configuration, field or
// parameter; then nothing keeps running.
func New(cfg *Config, opts Options) (s *Simulation, err error) {
	s = &Simulation{executor: exec.NewSimulated(epoch), graph: inproc.New(), live: opts.Speed > 0, patience: Patience, cfg: cfg}
	if s.live {
		s.executor.Pace(opts.Speed)
	}
	defer func() {
		if err != nil {
			s.Close()
			s = nil
		}
	}()
	if opts.Terminal != nil {
		cfg.Explorer.Terminal = opts.Terminal
	}
	if err := s.start(cfg, opts); err != nil || opts.Status == nil {
		return s, err
	}
	node, err := ros.NewNode(s.graph, s.executor, "watch", ros.NodeOptions{})
	if err != nil {
		return s, err
	}
	s.nodes = append(s.nodes, node)
	_, err = ros.Subscribe(node, explorer.DefaultName+"/status", ros.Latched(),
		func(m *ugp_explorer_msgs.MissionStatus, _ ros.MessageInfo) { opts.Status(m) })
	return s, err
}

func (s *Simulation) start(cfg *Config, opts Options) error {
	nodes, err := s.join(cfg.Parameters(), opts)
	if err != nil {
		return err
	}
	if cfg.steered = s.live && cfg.Explorer.Teach.On(); cfg.steered {
		if err := s.letSteer(cfg, opts); err != nil {
			return err
		}
	}
	world, err := cfg.openField()
	if err != nil {
		return err
	}
	s.truth = world.Truth
	if robot := &cfg.Fieldsim; robot.FixesOpen() {
		robot.Receiver = opts.Receiver
	}
	if s.world, err = fieldsim.NewIn(nodes[fieldsim.DefaultName], &cfg.Fieldsim, world); err != nil {
		return err
	}
	if s.filter, err = ekf.New(nodes[ekf.DefaultName], &cfg.EKF); err != nil {
		return err
	}
	if _, err := follower.New(nodes[follower.DefaultName], &cfg.Follower); err != nil {
		return err
	}
	g, err := guard.New(nodes[guard.DefaultName], &cfg.Guard)
	if err != nil {
		return err
	}
	s.enclose = g.Enclose
	if s.host, err = host.New(nodes[explorer.DefaultName], &cfg.Explorer); err != nil {
		return err
	}
	s.explorer = s.host.Explorer()
	if s.explorer == nil && cfg.steered {
		return nil
	}
	if s.explorer == nil {
		return settings.ErrNoField
	}
	s.explain()
	return cfg.checkHome(s.explorer.Region())
}

// join adds a node to the graph for each set of parameters, and returns them by name.
func (s *Simulation) join(sets []NodeParameters, opts Options) (map[string]*ros.Node, error) {
	s.settings = sets
	if opts.Parameters != nil {
		names := make([]string, len(sets))
		for i, p := range sets {
			names[i] = s.namespace + "/" + p.Node
		}
		if err := errors.Join(opts.Parameters.Unmatched(names...)...); err != nil {
			return nil, err
		}
	}
	behind, err := rosnames.ParseRemap("cmd_vel:=cmd_vel_in")
	if err != nil {
		return nil, err
	}
	remaps := map[string][]rosnames.Remap{follower.DefaultName: {behind}} // the guard stands before the base
	nodes := map[string]*ros.Node{}
	for _, p := range sets {
		node, err := ros.NewNode(s.graph, s.executor, p.Node, ros.NodeOptions{
			Namespace: s.namespace, Parameters: p.Set, Overrides: opts.Parameters, LogHandler: opts.Log, Remaps: remaps[p.Node],
		})
		if err != nil {
			return nil, err
		}
		s.nodes = append(s.nodes, node)
		nodes[p.Node] = node
	}
	return nodes, nil
}

// letSteer lets a person drive the robot for the explorer's host, while there is no explorer.
func (s *Simulation) letSteer(cfg *Config, opts Options) error {
	node, err := ros.NewNode(s.graph, s.executor, "person", ros.NodeOptions{Namespace: s.namespace, LogHandler: opts.Log})
	if err != nil {
		return err
	}
	s.nodes = append(s.nodes, node)
	free := func() bool { return s.host.Explorer() == nil }
	p, err := newPerson(node, cfg.Guard.Stamped, opts.Speed, cfg.Explorer.Wall, free)
	cfg.Explorer.Steer = p.steer
	return err
}

// explain gives the explorer's record the parameters of all nodes.
func (s *Simulation) explain() {
	for _, p := range s.settings {
		s.explorer.AddSettings(p.Node, p.Set)
	}
}

// Record waits until people have recorded a field, if there is none, and there is an explorer. It returns ctx's cause
// when ctx ends before.
func (s *Simulation) Record(ctx context.Context) error {
	err := s.executor.Run(ctx, func() bool { return s.Explorer() != nil })
	return errors.Join(err, s.failed)
}

// Run runs the mission to its end or until ctx ends. In the latter case it stops the robot,
// saves the samples and returns ctx's cause. If the mission never begins, the error names
// what it waits for. Where people watch, it waits for them.
func (s *Simulation) Run(ctx context.Context) error {
	if s.cfg.Explorer.Passive {
		return errors.New("passive is true, but nothing drives the simulated robot then: leave passive out")
	}
	deadline := int64(epoch + limit)
	helpless := deadline // when the present fault or the wait for the start is given up
	err := s.executor.Run(ctx, func() bool {
		now := s.executor.Now()
		if state := s.Explorer().State(); state != mission.StateFault && state != mission.StateIdle {
			helpless = deadline
		} else if helpless == deadline {
			helpless = now + int64(s.patience)
		}
		return s.explorer.Finished() || s.failed != nil || (now > helpless || s.explorer.Refusal() != "") && !s.live
	})
	if errors.Is(err, exec.ErrIdle) {
		err = fmt.Errorf("the simulation stands still: %w", err)
	}
	if err == nil {
		err = s.failed
	}
	if why := s.explorer.Refusal(); err == nil && why != "" {
		err = fmt.Errorf("%w: it does not start: %s", ErrGivenUp, why)
	}
	if waiting := s.explorer.Waiting(); err == nil && waiting != "" {
		err = fmt.Errorf("%w: it has not begun within %g h: it waits for %s; the filter's state: %s", ErrGivenUp, s.patience.Hours(), waiting, s.filter.Mode())
		for _, trouble := range []string{s.filter.Trouble(), s.explorer.Trouble()} {
			if trouble != "" {
				err = fmt.Errorf("%w; %s", err, trouble)
			}
		}
	} else if err == nil && !s.explorer.Finished() {
		err = fmt.Errorf("%w: %s", ErrGivenUp, s.explorer.Status())
	}
	return errors.Join(err, s.explorer.Err())
}

// FromHome returns how far the robot really is from its home, m: the configured one, or where it started.
func (s *Simulation) FromHome() float64 {
	at := s.world.Pose()
	return planar.Distance(orb.Point{at.X, at.Y}, s.cfg.Explorer.HomeOr(orb.Point(s.cfg.Fieldsim.Start)))
}

// FixError returns the standard deviation of the errors of the robot's position fixes, of one axis, m.
func (s *Simulation) FixError() float64 { return s.world.FixError() }

// Stay serves the page after the mission until that continues with more budget, and [Simulation.Run] is to follow,
// or ctx ends: then it returns false.
func (s *Simulation) Stay(ctx context.Context) bool {
	return s.executor.Run(ctx, func() bool { return !s.explorer.Finished() }) == nil
}

// Explorer returns the explorer's node, nil before people have recorded a field on the page. They may edit it there,
// and then there is another.
func (s *Simulation) Explorer() *explorer.Explorer {
	if e := s.host.Explorer(); e != nil && e != s.explorer {
		s.explorer, s.failed = e, s.renew()
		s.explain()
	}
	return s.explorer
}

// renew gives the guard and the true field the outline that people have saved.
func (s *Simulation) renew() error {
	own, world, g := &s.cfg.Explorer.Field, &s.cfg.Fieldsim.Field, &s.cfg.Guard
	if own.File == "" { // the changes were discarded
		return nil
	}
	world.Boundary, world.Datum = own.File, own.Datum
	g.File, g.FieldDatum, g.Outline = own.File, own.Datum, field.Field{}
	return errors.Join(s.enclose(), s.world.Reopen())
}

// Close takes the nodes off the graph.
func (s *Simulation) Close() error {
	var errs []error
	for i := len(s.nodes) - 1; i >= 0; i-- {
		errs = append(errs, s.nodes[i].Close())
	}
	return errors.Join(append(errs, s.executor.Close(), s.graph.Close())...)
}
