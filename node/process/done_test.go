// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package process_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/launcher"
	"ugp_explorer/node/simulation"
)

// TestEndWhenDone has the explorer's program end by itself with the mission and its record,
// so that a launch file can end with it; the others continue, and the robot stands.
func TestEndWhenDone(t *testing.T) {
	t.Parallel()
	r := newRobot(t, 40, func(c *simulation.Config) {
		c.Explorer.EndWhenDone, c.Explorer.Mission.Budget.Samples = true, 2
	})
	o := r.observe()
	r.start()
	p := r.processes[explorer.DefaultName]
	delete(r.processes, explorer.DefaultName) // which must end
	t.Cleanup(func() { _ = launcher.Stop(time.Second, p) })
	o.wait("the end of the explorer's program", func() bool {
		select {
		case <-p.Done():
			return true
		default:
			return false
		}
	})
	if err := p.Err(); err != nil {
		t.Errorf("the explorer's program ends with %v", err)
	}
	r.check()
	o.standing()
	r.stop()
}

// TestInterruptedStart has an explorer interrupted while it waits for the filter's datum, for 10 s: it ends at once, as told to.
func TestInterruptedStart(t *testing.T) {
	t.Parallel()
	r := newRobot(t, 1)
	field, log := filepath.Join(r.dir, "degrees.geojson"), filepath.Join(r.dir, "waiting.log")
	r.must(os.WriteFile(field, []byte(`{"type":"Polygon","coordinates":[[[8.0456,52.2716],[8.0486,52.2716],[8.0486,52.2736]]]}`), 0o666))
	out, err := os.Create(log)
	r.must(err)
	defer out.Close()
	p, err := launcher.Start(launcher.Executable{
		Name: "waiting", Path: program("explorer"), Log: out,
		Args: []string{"--ros-args", "-p", "field.file:=" + field},
		Env:  []string{"ROS_LOCALHOST_ONLY=1", "ROS_DOMAIN_ID=" + strconv.Itoa(r.domain)},
	})
	r.must(err)
	t.Cleanup(p.Kill)
	for told := false; !told; {
		text, err := os.ReadFile(log)
		r.must(err)
		if told = strings.Contains(string(text), "waiting for the filter's datum"); !told {
			select {
			case <-p.Done():
				t.Fatalf("the explorer ended: %v\n%s", p.Err(), text)
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	r.must(launcher.Stop(patience, p))
	if text, err := os.ReadFile(log); err != nil || strings.Contains(string(text), "the datum is missing") {
		t.Errorf("%v, the explorer waited on:\n%s", err, text)
	}
}
