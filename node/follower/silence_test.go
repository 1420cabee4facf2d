// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower_test

import (
	"math"
	"testing"
	"time"
)

// Before the first path somebody else may drive the robot. Without a pose, the follower
// must not hold it: the filter may find its heading only by driving.
func TestSilentBeforeTheFirstPath(t *testing.T) {
	for _, c := range []struct {
		name  string
		start func(*world)
	}{
		{"with poses", func(*world) {}},
		{"without poses", func(w *world) { w.silent = true }},
		{"empty paths", func(w *world) { w.follow() }},
		{"path with NaN", func(w *world) { w.follow([2]float64{1, math.NaN()}) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, nil)
			c.start(w)
			w.run(10 * time.Second)
			w.must(w.node.Close())
			w.run(time.Second)
			w.mustBeSilent(epoch, c.name)
		})
	}
}

// A robot whose path is withdrawn is told to stand for two seconds, and then left to others.
// The next path is followed as the first one.
func TestSilentAfterStanding(t *testing.T) {
	w := fast(t, nil)
	from := w.ex.Now()
	w.sendPlan("map")
	w.run(20 * time.Second)
	zeros, moving := 0, 0
	for _, c := range w.since(from) {
		if c.v == 0 && c.w == 0 {
			zeros++
		} else if moving++; zeros > 0 {
			t.Fatalf("(%g m/s, %g rad/s) after a zero command", c.v, c.w)
		}
	}
	if want := int(2 * w.cfg.Rate); zeros != want || moving == 0 {
		t.Errorf("%d commands to move and %d zeros, want some and %d", moving, zeros, want)
	}
	w.follow(straight...)
	w.run(5 * time.Second)
	if w.last().v == 0 {
		t.Error("stands though there is a path again")
	}
	w.sendPlan("map")
	w.repeat = nil
	w.run(20 * time.Second)
	end := w.ex.Now()
	w.must(w.node.Close())
	w.run(time.Second)
	w.mustBeSilent(end, "the end of a silent follower")
}

// While there is a path the follower does not leave the robot to others: a robot that has
// arrived, or that lacks a pose, is told to stand for as long as that takes.
func TestHoldsTheRobotWhileThereIsAPath(t *testing.T) {
	w := newWorld(t, nil)
	w.follow([2]float64{0, 0}, [2]float64{5, 0})
	w.run(time.Minute)
	from := w.ex.Now()
	w.run(time.Minute)
	w.mustStand(from, "arrived")
	if n, want := len(w.since(from)), int(60*w.cfg.Rate); n < want-1 {
		t.Errorf("%d commands in a minute, want %d", n, want)
	}
	w.silent = true
	w.run(time.Second)
	from = w.ex.Now()
	w.run(time.Minute)
	w.mustStand(from, "no poses")
	if n, want := len(w.since(from)), int(60*w.cfg.Rate); n < want-1 {
		t.Errorf("%d commands in a minute without poses, want %d", n, want)
	}
}
