// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package process_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"ugp_explorer/node/launcher"
	"ugp_explorer/node/record"
	"ugp_explorer/node/simulation"
)

// patience is how long a test waits for what must happen.
const patience = 90 * time.Second

// side is the length of the field's sides, m.
const side = 60.0

// robot is a simulated robot with its field: the four nodes as processes, in a
// domain and a folder of their own.
type robot struct {
	*testing.T
	cfg        simulation.Config
	dir        string
	parameters string
	domain     int
	processes  map[string]*launcher.Process // by the nodes' names
}

// newRobot prepares a mission of three samples on a square field; time passes so
// many times as fast as on the wall. Nothing is started.
func newRobot(t *testing.T, speed float64, change ...func(*simulation.Config)) *robot {
	t.Helper()
	r := &robot{T: t, cfg: simulation.DefaultConfig(1), dir: t.TempDir(), processes: map[string]*launcher.Process{}}
	r.domain = r.freeDomain()
	boundary := filepath.Join(r.dir, "boundary.geojson")
	r.must(os.WriteFile(boundary, fmt.Appendf(nil, `{"type": "Polygon", "coordinates": [[[0, 0], [%g, 0], [%[1]g, %[1]g], [0, %[1]g], [0, 0]]]}`, side), 0o666))
	r.cfg.Fieldsim.Field.Boundary = boundary
	r.cfg.Explorer.Mission.Budget.Samples = 3
	r.cfg.Explorer.OutputDir = r.dir
	for _, f := range change {
		f(&r.cfg)
	}
	s, err := simulation.New(&r.cfg, simulation.Options{}) // has the nodes agree
	r.must(err)
	r.must(s.Close())
	r.parameters, err = r.cfg.WriteFiles(r.dir, speed)
	r.must(err)
	t.Cleanup(r.clear)
	return r
}

func (r *robot) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// start starts nodes, all of them when none is named.
func (r *robot) start(nodes ...string) {
	r.Helper()
	for _, e := range executables {
		if len(nodes) > 0 && !slices.Contains(nodes, e.node) {
			continue
		}
		log, err := os.OpenFile(r.log(e.node), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
		r.must(err)
		x := launcher.Executable{
			Name: e.node, Path: program(e.command), Log: log,
			Args: []string{"--ros-args", "--params-file", r.parameters},
			Env:  []string{"ROS_LOCALHOST_ONLY=1", "ROS_DOMAIN_ID=" + strconv.Itoa(r.domain)},
		}
		p, err := launcher.Start(x)
		r.must(err)
		go func() {
			<-p.Done()
			_ = log.Close()
		}()
		r.processes[e.node] = p
	}
}

// kill ends a node as a crash would.
func (r *robot) kill(node string) {
	r.processes[node].Kill()
	delete(r.processes, node)
}

// signal sends a signal to a node.
func (r *robot) signal(node string, s syscall.Signal) {
	r.Helper()
	r.must(syscall.Kill(r.processes[node].PID(), s))
}

// live fails the test when a node has ended.
func (r *robot) live() {
	r.Helper()
	for name, p := range r.processes {
		select {
		case <-p.Done():
			r.Fatalf("%s has ended: %v", name, p.Err())
		default:
		}
	}
}

// stop ends all nodes as a user does, and fails the test when one does not end
// well.
func (r *robot) stop() {
	r.Helper()
	var all []*launcher.Process
	for _, p := range r.processes {
		all = append(all, p)
	}
	if err := launcher.Stop(patience, all...); err != nil {
		r.Errorf("the nodes do not end well: %v", err)
	}
	clear(r.processes)
}

// clear kills what a test that failed has left, and shows what the nodes said.
func (r *robot) clear() {
	for _, p := range r.processes {
		p.Kill()
	}
	if !r.Failed() {
		return
	}
	for _, e := range executables {
		if text, err := os.ReadFile(r.log(e.node)); err == nil {
			lines := strings.SplitAfter(string(text), "\n")
			r.Logf("%s said at the end:\n%s", e.node, strings.Join(lines[max(0, len(lines)-30):], ""))
		}
	}
}

func (r *robot) log(node string) string { return filepath.Join(r.dir, node+".log") }

// record returns what the explorer has saved.
func (r *robot) record() *record.Mission {
	r.Helper()
	m, err := record.ReadMission(filepath.Join(r.dir, record.MissionFile))
	r.must(err)
	return m
}

// domains counts those that this process has looked at.
var domains atomic.Int32

// freeDomain returns a DDS domain that nobody on this machine is in, as far as its
// ports tell.
func (r *robot) freeDomain() int {
	r.Helper()
	for range 100 {
		domain := 51 + (7*os.Getpid()+int(domains.Add(1)))%50
		if portsAreFree(7410+250*domain, 8) { // of its first four participants: RTPS 2.5, 9.6.2.3
			return domain
		}
	}
	r.Fatal("there is no free DDS domain on this machine")
	return 0
}

func portsAreFree(first, n int) bool {
	for port := range n {
		c, err := net.ListenPacket("udp4", fmt.Sprintf("0.0.0.0:%d", first+port))
		if err != nil {
			return false
		}
		_ = c.Close()
	}
	return true
}
