// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower_test

import (
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/ros"
)

// diagnoses returns the newest status of each name on /diagnostics.
func (w *world) diagnoses() map[string]diagnostic_msgs.DiagnosticStatus {
	w.t.Helper()
	heard := map[string]diagnostic_msgs.DiagnosticStatus{}
	rostest.Hear(w.t, w.test, "/diagnostics", ros.DefaultQoS(), func(m *diagnostic_msgs.DiagnosticArray) {
		for _, s := range m.Status {
			heard[strings.TrimPrefix(s.Name, "follower: ")] = s
		}
	})
	return heard
}

// A robot that is told to drive while its position stays is not well: /diagnostics and the
// log say so, until it moves again.
func TestHeldRobotIsSaid(t *testing.T) {
	w := newWorld(t, nil)
	heard := w.diagnoses()
	w.follow(straight...)
	w.run(10 * time.Second)
	if path := heard["path"]; path.Level != diagnostic_msgs.DiagnosticStatusOK || path.Message != "tracking" {
		t.Fatalf("%+v while the robot drives", path)
	}
	at := [2]float64{w.x, w.y}
	w.eachTick = func() { w.shift = [2]float64{at[0] - w.x, at[1] - w.y} } // the wheels turn, the position stays
	w.run(10 * time.Second)
	if path := heard["path"]; path.Level != diagnostic_msgs.DiagnosticStatusWarn || !strings.Contains(path.Message, "tracking; the robot does not move: velocity commands amount to") {
		t.Errorf("%+v after ten seconds against a wall", path)
	}
	if n := strings.Count(w.log.String(), "the robot does not move"); n != 1 {
		t.Errorf("the log says it %d times, want once:\n%s", n, &w.log)
	}
	last := w.shift
	w.eachTick = func() { w.shift = last }
	w.run(5 * time.Second)
	if path := heard["path"]; path.Level != diagnostic_msgs.DiagnosticStatusOK {
		t.Errorf("%+v when it drives again", path)
	}
}
