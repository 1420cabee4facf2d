// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/launcher"
	"ugp_explorer/node/process"
	"ugp_explorer/node/record"
	"ugp_explorer/node/report"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/sockets"
	"ugp_explorer/node/simulation"
	"ugp_explorer/node/web"
	"ugp_explorer/planner/mission"
)

type simCommand struct {
	missionFlags `embed:""`
	Speed        float64 `group:"run" help:"Simulated seconds per second of real time; the simulation slows down if the nodes cannot keep up (100, or 20 with --live)." from:"0.01" to:"1000" placeholder:"N"`
	Bin          string  `group:"run" help:"Folder of the nodes' executables (the folder of ugp)." type:"path" placeholder:"DIR"`
	Out          string  `group:"run" help:"Folder for mission.json, report.html, the nodes' parameters and their logs (out/sim)." default:"out/sim" type:"path" placeholder:"DIR"`
}

// simSpeed is how fast time passes unless the user says it or watches.
const simSpeed = 100

const (
	// goodbye is the time that a node may take to end.
	goodbye = 10 * time.Second
	// writing is the time that the explorer may take to write the report after the mission
	// has ended or was interrupted.
	writing = time.Minute
)

// Run starts the five nodes as processes of a DDS graph, watches the mission and ends the
// nodes.
func (c *simCommand) Run(t terminal) error {
	speed := cmp.Or(c.Speed, simSpeed)
	if c.Live {
		speed = cmp.Or(c.Speed, liveSpeed)
	}
	overrides, err := c.parameters(c.Out)
	if err != nil {
		return err
	}
	t.doubts(overrides)
	// Errors in the field and the parameters are found before any process starts.
	s, cfg, err := c.open(1, simulation.Options{Parameters: overrides, Receiver: simulation.DemoReceiver})
	if err != nil {
		return err
	}
	of := *s.Explorer().Record()
	if err := cmp.Or(s.Close(), foreign(c.Out)); err != nil {
		return err
	}
	c.introduce(t, s.Explorer(), cfg)
	paths, err := c.executables()
	if err != nil {
		return err
	}
	if err := stayLocal(); err != nil {
		return err
	}
	if c.Live {
		if err := announce(t, cfg.Explorer.Web); err != nil {
			return err
		}
	}
	m, err := join(t, "ugp_sim")
	if err != nil {
		return err
	}
	started := time.Now()
	nodes, err := c.start(t, cfg, speed, paths)
	if err == nil {
		err = c.watch(t, m, nodes, started, of)
	}
	if err == nil && c.Live {
		fmt.Fprintln(t.out, "The mission is over. The page is served until you press Ctrl-C.")
		<-t.ctx.Done()
	}
	// The explorer may still have to write: the report of a mission that was interrupted or given
	// up, or after the report what is for other software.
	err = errors.Join(err, launcher.Stop(goodbye+writing, nodes...), m.Close())
	return c.conclude(t, err, started)
}

// stayLocal keeps the graph on this machine unless the environment already restricts discovery.
func stayLocal() error {
	const here = "ROS_LOCALHOST_ONLY"
	if os.Getenv(here) == "" && os.Getenv("ROS_AUTOMATIC_DISCOVERY_RANGE") == "" {
		return os.Setenv(here, "1")
	}
	return nil
}

// announce prints the link to the page, whose token the explorer gets by the environment: its own
// output goes to a file.
func announce(t terminal, page web.Config) error {
	at, err := net.ResolveTCPAddr("tcp", page.Address)
	if err != nil {
		return badInput{fmt.Errorf("web.address: %w", err)}
	}
	token := cmp.Or(page.Token, os.Getenv(web.TokenVariable), web.NewToken())
	if err := os.Setenv(web.TokenVariable, token); err != nil {
		return err
	}
	web.Announce(t.err, at, token)
	return nil
}

// conclude prints the result, also after an interruption.
func (c *simCommand) conclude(t terminal, err error, started time.Time) error {
	interrupted := errors.Is(err, context.Canceled)
	if interrupted {
		fmt.Fprintln(t.out, "Interrupted: the robot is stopped, and the nodes have ended.")
	}
	file := filepath.Join(c.Out, record.MissionFile)
	if !newer(file, started) {
		if err == nil {
			err = fmt.Errorf("the explorer wrote no %s: see %s", file, c.logFile(explorer.DefaultName))
		} else if interrupted {
			fmt.Fprintln(t.out, "No sample has been taken, so nothing is saved.")
		}
		return err
	}
	record, readErr := record.ReadMission(file)
	if readErr != nil {
		return errors.Join(err, readErr)
	}
	summarise(t, record, record.Answer(nil), c.Out, newer(filepath.Join(c.Out, report.PageFile), started))
	return err
}

// executables returns the paths of the nodes' executables in starting order.
func (c *simCommand) executables() ([]launcher.Executable, error) {
	dir := c.Bin
	if dir == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		dir = filepath.Dir(self)
	}
	var list []launcher.Executable
	for _, e := range []struct{ node, program string }{
		{fieldsim.DefaultName, "fieldsim"}, {ekf.DefaultName, "ekf"}, {follower.DefaultName, "follower"}, {guard.DefaultName, "guard"}, {explorer.DefaultName, "explorer"},
	} {
		path := filepath.Join(dir, e.program)
		if _, err := os.Stat(path); err != nil {
			return nil, badInput{fmt.Errorf("the node %s is missing: %w; build it with `make ros`, or give its folder with --bin", e.node, err)}
		}
		list = append(list, launcher.Executable{Name: e.node, Path: path})
	}
	return list, nil
}

func (c *simCommand) logFile(node string) string { return filepath.Join(c.Out, node+".log") }

// start starts the nodes. On an error it also returns the nodes that it has started.
func (c *simCommand) start(t terminal, cfg *simulation.Config, speed float64, list []launcher.Executable) (nodes []*launcher.Process, err error) {
	parameters, err := c.write(cfg, speed)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		log, err := os.Create(c.logFile(e.Name)) // open until this program ends
		if err != nil {
			return nodes, err
		}
		e.Log, e.Args = log, []string{"--ros-args", "--params-file", parameters}
		if e.Name == follower.DefaultName {
			e.Args = append(e.Args, "-r", "cmd_vel:=cmd_vel_in") // of the guard
		}
		if c.Verbose {
			e.Log = io.MultiWriter(log, t.err)
		}
		p, err := launcher.Start(e)
		if err != nil {
			return nodes, err
		}
		nodes = append(nodes, p)
	}
	return nodes, nil
}

// write writes the nodes' parameters and returns the name of their file.
func (c *simCommand) write(cfg *simulation.Config, speed float64) (parameters string, err error) {
	if err := os.MkdirAll(c.Out, 0o777); err != nil {
		return "", fmt.Errorf("--out: %w", err)
	}
	return cfg.WriteFiles(c.Out, speed)
}

// newer reports whether a file exists that was written after an instant.
func newer(path string, than time.Time) bool {
	info, err := os.Stat(path)
	return err == nil && info.ModTime().After(than)
}

// member is a node of this program on the graph.
type member struct {
	transport ros.Transport
	executor  *exec.RealTime
	node      *ros.Node
}

// join joins the graph. The process id keeps the names of several simulations in one domain unique.
func join(t terminal, name string) (m *member, err error) {
	m = &member{}
	defer func() {
		if err != nil {
			err = errors.Join(err, m.Close())
		}
	}()
	var warnings []string
	if m.transport, warnings, err = process.OpenTransport(""); err != nil {
		return m, badInput{err}
	}
	for _, text := range append(warnings, sockets.Warnings()...) {
		fmt.Fprintln(t.err, "ugp:", text)
	}
	m.executor = exec.NewRealTime()
	m.node, err = ros.NewNode(m.transport, m.executor, name+"_"+strconv.Itoa(os.Getpid()), ros.NodeOptions{})
	return m, err
}

// watch shows the progress of a mission in the units of a record of it, and returns when it is over and written, when the context of the
// terminal ends, or with an error when one of the nodes has ended or the mission is given up. Who watches
// live may help a mission in the fault state.
func (c *simCommand) watch(t terminal, m *member, nodes []*launcher.Process, started time.Time, of record.Mission) error {
	progress := newProgress(t)
	progress.of = of
	defer progress.finish()
	var over time.Time // when the mission's end was reported
	var healthy int64  // simulated time when the mission was last without a fault, ns
	_, err := ros.Subscribe(m.node, "/"+explorer.DefaultName+"/status", ros.Latched(), func(s *ugp_explorer_msgs.MissionStatus, _ ros.MessageInfo) {
		progress.mission(s)
		now := ros.TimeNs(s.Header.Stamp)
		switch state := mission.State(s.State); {
		case state == mission.StateDone && over.IsZero():
			over = time.Now()
		case state != mission.StateFault && state != mission.StateIdle, healthy == 0:
			healthy = now
		case now-healthy > int64(simulation.Patience) && !c.Live:
			m.executor.Stop(fmt.Errorf("%w: %s", simulation.ErrGivenUp, s.Text))
		}
	})
	if err != nil {
		return err
	}
	for _, p := range nodes {
		go func() {
			<-p.Done()
			m.executor.Stop(errors.Join(fmt.Errorf("the node %s has ended during the mission", p.Name()), p.Err()))
		}()
	}
	finished := false
	if _, err := m.node.NewTimer(50*time.Millisecond, func() {
		finished = !over.IsZero() && (newer(filepath.Join(c.Out, report.PageFile), started) || time.Since(over) > writing)
	}); err != nil {
		return err
	}
	return m.executor.Run(t.ctx, func() bool { return finished })
}

// Close takes the member off the graph.
func (m *member) Close() error {
	var errs []error
	if m.node != nil {
		errs = append(errs, m.node.Close())
	}
	if m.executor != nil {
		errs = append(errs, m.executor.Close())
	}
	if m.transport != nil {
		errs = append(errs, m.transport.Close())
	}
	return errors.Join(errs...)
}
