// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

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

// A robot that turned against its commands drives on by itself if its pose turns correctly after some seconds: the filter may have found that the
// gyroscope is wrong.
func TestTurnsCorrectlyAgain(t *testing.T) {
	w := newWorld(t, nil)
	w.signs = [2]float64{1, -1}
	w.follow([]orb.Point{{0, 0}, {-20, 3}}...)
	w.run(8 * time.Second)
	if !strings.Contains(w.log.String(), "the robot turns against its commands") {
		t.Fatal("it does not say that it turns against its commands")
	}
	w.signs = [2]float64{1, 1}
	w.run(30 * time.Second)
	if w.x > -10 {
		t.Errorf("it is at %.1f, %.1f m", w.x, w.y)
	}
}

// A robot that moves against its commands, since a sign is wrong, is stopped, and /diagnostics and the log say why. It may try another path.
func TestWrongSigns(t *testing.T) {
	for _, c := range []struct {
		turn, drive float64
		path        []orb.Point
		says        string
	}{
		{-1, 1, []orb.Point{{0, 0}, {-20, 3}}, "the robot turns against its commands"},
		{1, -1, straight, "the robot drives backwards when it is told to drive forwards"},
		{1, 1, []orb.Point{{0, 0}, {-20, 3}, {-20, 20}, {3, 3}}, ""},
	} {
		w := newWorld(t, nil)
		w.signs = [2]float64{c.drive, c.turn}
		heard := w.diagnoses()
		w.follow(c.path...)
		w.run(30 * time.Second)
		path, stands := heard["path"], w.v == 0 && w.w == 0
		if said := path.Level == diagnostic_msgs.DiagnosticStatusError && strings.HasPrefix(path.Message, c.says); said != (c.says != "") || stands != said {
			t.Errorf("%g, %g: %+v, it stands: %v", c.turn, c.drive, path, stands)
		}
		want := 1
		if c.turn < 0 {
			want = 2 // it turns a second time
		}
		if n := strings.Count(w.log.String(), c.says); c.says != "" && n != want {
			t.Errorf("%g, %g: the log says it %d times, want %d", c.turn, c.drive, n, want)
		}
		if far := math.Hypot(w.x, w.y); c.says != "" && far > 6 {
			t.Errorf("%g, %g: it came %g m far", c.turn, c.drive, far)
		}
		w.follow(orb.Point{0, 0}, orb.Point{20, 0})
		w.run(time.Second)
		if w.v == 0 && w.w == 0 {
			t.Errorf("%g, %g: it stands on another path", c.turn, c.drive)
		}
	}
}
