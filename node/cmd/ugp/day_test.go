// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"ugp_explorer/internal/num"
	"ugp_explorer/internal/testkit/soak"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/launcher"
	"ugp_explorer/node/process"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/simulation"
	"ugp_explorer/planner/mission"
)

// dayFlags runs TestDay with these flags; `make day` gives them.
var dayFlags = flag.String("day", "", "run TestDay with these flags, such as \"--hours 24 --bin DIR --out DIR\"; --help lists them")

// TestDay measures what the nodes use of the machine in a mission that lasts a day.
func TestDay(t *testing.T) {
	if *dayFlags == "" {
		t.Skip("make day runs it")
	}
	ctx, stop := process.Interruption()
	defer stop()
	wholeDay := func(*soak.Log) bool { return false }
	if err := onADay(terminal{ctx: ctx, out: os.Stdout, err: os.Stderr, now: time.Now}, wholeDay, strings.Fields(*dayFlags)...); err != nil {
		t.Error(err)
	}
}

// onADay runs the nodes as processes over DDS for a simulated day, or until what was measured is enough, kills the
// explorer every hour, and measures memory, files, decision times and disk.
func onADay(t terminal, enough func(*soak.Log) bool, args ...string) error {
	c := dayCommand{enough: enough}
	parser, err := kong.New(&c, numbers, helpVars())
	if err == nil {
		_, err = parser.Parse(args)
	}
	if err != nil {
		return err
	}
	return c.Run(t)
}

type dayCommand struct {
	world   `embed:""`
	enough  func(*soak.Log) bool
	Hours   float64 `group:"run" help:"Simulated hours (24)." default:"24" from:"0.01" to:"1000" placeholder:"N"`
	Restart float64 `group:"run" help:"Simulated hours from one kill of the explorer to the next; 0: it is not killed (1)." default:"1" from:"0" to:"1000" placeholder:"N"`
	Speed   float64 `group:"run" help:"Simulated seconds per second of real time; the simulation slows down if the nodes cannot keep up (40)." default:"40" from:"0.01" to:"1000" placeholder:"N"`
	Limit   int     `group:"run" help:"Limit of the recording in MB, record.limit (100)." default:"100" from:"0" to:"1000000" placeholder:"MB"`
	Bin     string  `group:"run" help:"Folder of the nodes' executables (the folder of ugp)." type:"path" placeholder:"DIR"`
	Out     string  `group:"run" help:"Folder for table.md, day.svg, the readings, and the mission with its journal and bags (out/day)." default:"out/day" type:"path" placeholder:"DIR"`
}

// dayParameters makes a mission without stops that takes some 10,000 samples in a day, of a robot
// whose sensors tell as often as such a mission needs.
var dayParameters = []string{
	"fieldsim:probe.only_standing:=false",
	"ugp_explorer:sample.stop:=false", "ugp_explorer:budget.samples:=0",
	"ugp_explorer:record.topics:=all", "ugp_explorer:auto_resume:=true",
	"ugp_explorer:ground_truth:=false",
	// A second of the wall clock, in which a busy machine may not come to a node, is long in simulated time.
	"ugp_explorer:pose.timeout:=10.0", "ugp_explorer:budget.sample_time:=50.0",
	"follower:pose_timeout:=2.0",
}

// dayPeriod is the simulated time between two readings, s.
const dayPeriod = 60

// dayLate is how late a goal of a killed explorer may be heard. Another one takes longer to start.
const dayLate = 200 * time.Millisecond

// Run starts the four nodes as processes of a DDS graph, kills and starts the explorer again and
// again, and writes what it measured, also when it is interrupted.
func (c *dayCommand) Run(t terminal) error {
	if err := cmp.Or(c.read(), writable(c.Out)); err != nil {
		return err
	}
	run := &dayRun{t: t, sim: simCommand{Bin: c.Bin, Out: c.Out}, until: c.Hours * 3600, every: c.Restart * 3600, enough: c.enough}
	cfg, err := c.configure()
	if err != nil {
		return err
	}
	if run.list, err = run.sim.executables(); err != nil {
		return err
	}
	if err := stayLocal(); err != nil {
		return err
	}
	if run.parameters, err = run.sim.write(cfg, c.Speed); err != nil {
		return err
	}
	err = run.run()
	if len(run.log.Readings) == 0 {
		return cmp.Or(err, errors.New("the mission ended before anything was measured"))
	}
	return errors.Join(err, c.report(t, &run.log))
}

// configure returns the configuration of the nodes, after checking it.
func (c *dayCommand) configure() (*simulation.Config, error) {
	o, err := c.parameters(append(given{
		fmt.Sprintf("ugp_explorer:budget.time:=%s", double(c.Hours*3600*2)), // the mission does not end before
		fmt.Sprintf("ugp_explorer:record.limit:=%d", c.Limit),
		fmt.Sprintf("ugp_explorer:output_dir:=%q", c.Out),
		"ugp_explorer:existing_mission:=resume",
	}, dayParameters...), nil)
	if err != nil {
		return nil, err
	}
	s, cfg, err := c.open(1, simulation.Options{Parameters: o})
	if err != nil {
		return nil, err
	}
	return cfg, s.Close()
}

// report writes and prints what was measured.
func (c *dayCommand) report(t terminal, log *soak.Log) error {
	var readings, kept bytes.Buffer
	if err := errors.Join(log.WriteCSV(&readings), log.WriteKeptCSV(&kept)); err != nil {
		return err
	}
	table := log.Table()
	err := writeFiles(c.Out, map[string][]byte{"readings.csv": readings.Bytes(), "explorer.csv": kept.Bytes(), "table.md": []byte(table), "day.svg": log.Picture()})
	fmt.Fprintf(t.out, "\n%s\nThe picture is %s.\n", table, filepath.Join(c.Out, "day.svg"))
	return err
}

// dayRun is a run of the nodes.
type dayRun struct {
	t            terminal
	sim          simCommand
	list         []launcher.Executable
	parameters   string
	until, every float64 // simulated s
	enough       func(*soak.Log) bool
	log          soak.Log

	*member
	stamp     int64                        // simulated time of the newest status, ns
	processes map[string]*launcher.Process // by the nodes' names
	vitals    map[string]map[string]string // the newest values on /diagnostics of each node
	decision  float64

	begin   int64     // simulated time when the mission began, ns
	next    float64   // time of the next readings, s
	killed  float64   // time of the last kill, s
	started time.Time // when the newest explorer was
	due     bool      // its first goal has not come
	failed  error
	printed time.Time
}

// run runs the nodes until the time is over.
func (r *dayRun) run() (err error) {
	r.processes, r.vitals = map[string]*launcher.Process{}, map[string]map[string]string{}
	if r.member, err = join(r.t, "ugp_day"); err != nil {
		return err
	}
	defer func() {
		var all []*launcher.Process
		for _, p := range r.processes {
			all = append(all, p)
		}
		err = errors.Join(err, launcher.Stop(writing, all...), r.Close())
	}()
	if err := r.listen(); err != nil {
		return err
	}
	for _, e := range r.list {
		var args []string
		if e.Name == explorer.DefaultName { // later ones continue in its folder
			args = []string{"-p", "existing_mission:=replace"}
		}
		if err := r.start(e, args...); err != nil {
			return err
		}
	}
	finished := false
	if _, err := r.node.NewTimer(50*time.Millisecond, func() { finished = r.failed != nil || r.elapsed() >= r.until || r.enough(&r.log) }); err != nil {
		return err
	}
	err = r.executor.Run(r.t.ctx, func() bool { return finished })
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(r.t.out, "Interrupted: the robot is stopped, and the nodes have ended.")
	}
	return errors.Join(err, r.failed)
}

// listen subscribes to what the nodes tell.
func (r *dayRun) listen() error {
	_, err := ros.Subscribe(r.node, "/"+explorer.DefaultName+"/status", ros.Latched(), func(m *ugp_explorer_msgs.MissionStatus, _ ros.MessageInfo) { r.heard(m) })
	if err != nil {
		return err
	}
	_, err = ros.Subscribe(r.node, "/diagnostics", ros.DefaultQoS().WithDepth(100), func(m *diagnostic_msgs.DiagnosticArray, _ ros.MessageInfo) {
		for _, s := range m.Status {
			name, ofProcess := strings.CutSuffix(s.Name, ": process")
			values := map[string]string{}
			for _, v := range s.Values {
				values[strings.Clone(v.Key)] = strings.Clone(v.Value)
			}
			if ofProcess {
				r.vitals[strings.Clone(strings.TrimPrefix(name, "/"))] = values
			} else if text, ok := values[show.LastRound]; ok {
				r.decision, _ = strconv.ParseFloat(text, 64)
			}
		}
	})
	if err != nil {
		return err
	}
	_, err = ros.Subscribe(r.node, "/goal_pose", ros.DefaultQoS(), func(*geometry_msgs.PoseStamped, ros.MessageInfo) {
		if n, took := len(r.log.Restarts), time.Since(r.started); r.due && n > 0 && took > dayLate {
			r.due = false
			r.log.Restarts[n-1].Goal = took.Seconds()
		}
	})
	return err
}

// start starts the process of a node, whose log it continues. More arguments override its file of
// parameters.
func (r *dayRun) start(e launcher.Executable, more ...string) error {
	log, err := os.OpenFile(r.sim.logFile(e.Name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	e.Log, e.Args = io.Writer(log), append([]string{"--ros-args", "--params-file", r.parameters}, more...)
	p, err := launcher.Start(e)
	if err != nil {
		return errors.Join(err, log.Close())
	}
	r.processes[e.Name] = p
	go func() {
		<-p.Done()
		_ = log.Close()
		if err := p.Err(); err != nil {
			r.executor.Post(func() {
				if r.processes[e.Name] == p { // it was not killed
					r.failed = fmt.Errorf("the node %s has ended during the mission: %w", e.Name, err)
				}
			})
		}
	}()
	return nil
}

// elapsed returns the simulated time since the mission began, s.
func (r *dayRun) elapsed() float64 {
	if r.begin == 0 {
		return 0
	}
	return float64(r.stamp-r.begin) / 1e9
}

// heard takes readings and kills the explorer when that is due.
func (r *dayRun) heard(m *ugp_explorer_msgs.MissionStatus) {
	state := mission.State(m.State)
	r.stamp = ros.TimeNs(m.Header.Stamp)
	if r.begin == 0 && state != mission.StateIdle {
		r.begin = r.stamp
	}
	now := r.elapsed()
	switch {
	case state == mission.StateDone:
		r.failed = fmt.Errorf("the mission has ended after %.1f h: %s", now/3600, m.Text)
		return
	case r.begin == 0 || now < r.next:
		return
	}
	r.next = now + dayPeriod
	r.read(now, int(m.SamplesTaken))
	if at := r.t.now(); at.Sub(r.printed) >= time.Minute {
		r.printed = at
		fmt.Fprintf(r.t.err, "%.1f of %.1f h: %s, %s driven\n", now/3600, r.until/3600, num.Count(int(m.SamplesTaken), "sample"), num.Metres(m.Distance))
	}
	if r.every > 0 && now-r.killed >= r.every && now+r.every/2 < r.until && !r.due {
		r.kill(now, int(m.SamplesTaken))
	}
}

// read takes readings of all nodes, the explorer last.
func (r *dayRun) read(now float64, samples int) {
	for _, e := range r.list {
		usage, err := soak.UsageOf(r.processes[e.Name].PID())
		if err != nil {
			r.failed = errors.Join(r.failed, err)
			return
		}
		vitals := r.vitals[e.Name]
		goroutines, _ := strconv.Atoi(vitals["goroutines"])
		heap, _ := strconv.ParseFloat(vitals["heap, MB"], 64)
		r.log.Readings = append(r.log.Readings, soak.Reading{Time: now, Node: e.Name, Usage: usage, Goroutines: goroutines, Heap: heap})
	}
	journal, bags := soak.Sizes(r.sim.Out)
	r.log.Kept = append(r.log.Kept, soak.Kept{Time: now, Samples: samples, Decision: r.decision, Journal: journal, Bag: bags})
}

// kill kills the explorer and starts another one.
func (r *dayRun) kill(now float64, samples int) {
	last := r.list[len(r.list)-1]
	p := r.processes[last.Name]
	delete(r.processes, last.Name)
	p.Kill()
	r.log.Restarts = append(r.log.Restarts, soak.Restart{Time: now, Samples: samples})
	r.killed, r.started, r.due = now, r.t.now(), true
	delete(r.vitals, last.Name)
	if err := r.start(last); err != nil {
		r.failed = errors.Join(r.failed, err)
	}
}
