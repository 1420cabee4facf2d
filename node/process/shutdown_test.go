// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package process_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"ugp_explorer/node/report"
)

// soon is the longest time after its end for which a node may be in the graph, with an allowance for a machine
// that has other things to do. Those who were killed are in it for 20 s.
const soon = 10 * time.Second

// ended waits until a node that was sent a signal has left the graph and has ended
// with 0.
func (o *observer) ended(node string, signalled time.Time) {
	o.Helper()
	p := o.processes[node]
	var left, ended time.Duration
	o.until(node+" to go", func() bool {
		if left == 0 && !o.sees(node) {
			left = time.Since(signalled)
		}
		select {
		case <-p.Done():
			if ended == 0 {
				ended = time.Since(signalled)
			}
		default:
		}
		return left > 0 && ended > 0
	})
	delete(o.processes, node)
	if left > ended+soon {
		o.Errorf("%s left the graph after %v and ended after %v: it did not say so", node, left, ended)
	}
	if err := p.Err(); err != nil {
		o.Errorf("%s does not end well: %v", node, err)
	}
	o.Logf("%s left the graph after %v and ended after %v", node, left.Round(time.Millisecond), ended.Round(time.Millisecond))
}

// saved fails the test unless the explorer has saved what was sampled before it was
// interrupted, with a report.
func (o *observer) saved() {
	o.Helper()
	m := o.record()
	if got, want := len(m.Observations), int(o.status.SamplesTaken); got < 1 || got != want {
		o.Errorf("%d samples are saved, want the %d that were taken", got, want)
	}
	if want := "interrupted while travelling"; m.Outcome != want {
		o.Errorf("the outcome is %q, want %q", m.Outcome, want)
	}
	if _, err := os.Stat(filepath.Join(o.dir, report.PageFile)); err != nil {
		o.Error(err)
	}
}

// TestInterrupt has all nodes interrupted at once while the robot drives, as by Ctrl-C: the last that
// the graph hears is that it is to stop. TestEnding has the other ways to end a node.
func TestInterrupt(t *testing.T) {
	r := newRobot(t, 20)
	o := r.observe()
	r.start()
	o.driving()
	signalled := time.Now()
	for _, e := range executables {
		r.signal(e.node, syscall.SIGINT)
	}
	for _, e := range executables {
		o.ended(e.node, signalled)
	}
	if v := o.command; v.Linear.X != 0 || v.Angular.Z != 0 {
		t.Errorf("the last velocity is %g m/s and %g rad/s, want zero", v.Linear.X, v.Angular.Z)
	}
	o.saved()
}
