// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/record"
)

// status is the explorer's status after a number of 30 samples.
func status(taken uint32) *ugp_explorer_msgs.MissionStatus {
	m := &ugp_explorer_msgs.MissionStatus{
		State: "travelling", SamplesTaken: taken, SamplesBudget: 30, Distance: 1234, ElapsedTime: 4500,
		RemainingTime: math.Inf(1), BestValue: math.NaN(), BestStddev: math.NaN(), ExpectedDistance: 2100, ExpectedTime: 7800, ShareDone: 0.4,
	}
	if taken > 0 {
		m.BestValue, m.BestStddev = 1.53271, 0.02468
	}
	return m
}

// wall is a clock that stands until it is set.
type wall struct{ now time.Time }

func (w *wall) at(s float64) { w.now = time.Unix(0, 0).Add(time.Duration(s * float64(time.Second))) }

func newWall() *wall { w := &wall{}; w.at(0); return w }

// Without a terminal there is a line with the first sample and then one every three seconds, whatever happens
// between; before the first sample after three seconds.
func TestPlainLines(t *testing.T) {
	for _, c := range []struct {
		taken []uint32  // with each status
		at    []float64 // s
		lines []int     // printed by then
	}{
		{[]uint32{0, 0, 1, 1, 2, 5, 6, 9}, []float64{0, 0.5, 1, 2, 3.9, 4, 6.9, 7}, []int{0, 0, 1, 1, 1, 2, 2, 3}},
		{[]uint32{0, 0, 0, 1, 1}, []float64{1, 2.9, 3, 4, 6}, []int{0, 0, 1, 1, 2}},
	} {
		var errs bytes.Buffer
		w := newWall()
		p := newProgress(terminal{err: &errs, now: func() time.Time { return w.now }})
		for i, taken := range c.taken {
			w.at(c.at[i])
			p.mission(status(taken))
			if got := strings.Count(errs.String(), "\n"); got != c.lines[i] || strings.Contains(errs.String(), "\r") {
				t.Errorf("after %g s: %q, want %d lines", c.at[i], errs.String(), c.lines[i])
			}
		}
	}
}

// A value of which a logarithm is taken is shown as itself, by the sensor or by the model: 10^1.53271 between 10^1.48335 and
// 10^1.58207.
func TestProgressInUnits(t *testing.T) {
	byModel := status(1)
	byModel.BestValue, byModel.BestStddev = 34.1, record.TransformLog10.Spread(1.53271, 0.02468)
	for _, c := range []struct {
		of record.Mission
		m  *ugp_explorer_msgs.MissionStatus
	}{
		{record.Mission{Units: "log10(mg/l)"}, status(1)},
		{record.Mission{Units: "mg/l", Transform: record.TransformLog10}, byModel},
	} {
		var errs bytes.Buffer
		w := newWall()
		p := newProgress(terminal{err: &errs, now: func() time.Time { return w.now }})
		p.of = c.of
		p.mission(c.m)
		if want := "travelling: 1 of 30 samples, best about 34 mg/l (30 to 38), "; !strings.HasPrefix(errs.String(), want) {
			t.Errorf("%q, want %q", errs.String(), want)
		}
	}
}

// TestPlainLineSays has samples of the budget, best value with its interval, distance, simulated time, and what is left: the
// mission was first heard of 1000 s of its time before, which took 20 s, so that 7800 s take 156 s more.
func TestPlainLineSays(t *testing.T) {
	limited := status(10)
	limited.RemainingTime = 1200
	unlimited := status(10)
	unlimited.SamplesBudget, unlimited.ShareDone = 0, math.NaN()
	over := status(30)
	over.State, over.ExpectedDistance, over.ExpectedTime, over.ShareDone = "done", 0, 0, 1
	for _, c := range []struct {
		name   string
		status *ugp_explorer_msgs.MissionStatus
		want   string
	}{
		{"under way", status(10), "travelling: 10 of 30 samples, best about 1.53 (1.48 to 1.58), 1.23 km driven in 1 h 15 min, about 2.10 km and 2 h 10 min left (3 min of real time)\n"},
		{"nothing yet", status(0), "travelling: 0 of 30 samples, 1.23 km driven in 1 h 15 min, about 2.10 km and 2 h 10 min left (3 min of real time)\n"},
		{"budget of time", limited, "travelling: 10 of 30 samples, best about 1.53 (1.48 to 1.58), 1.23 km driven in 1 h 15 min (20 min of the budget left), about 2.10 km and 2 h 10 min left (3 min of real time)\n"},
		{"no budget", unlimited, "travelling: 10 samples, best about 1.53 (1.48 to 1.58), 1.23 km driven in 1 h 15 min, time left unknown\n"},
		{"over", over, "done: 30 of 30 samples, best about 1.53 (1.48 to 1.58), 1.23 km driven in 1 h 15 min\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var errs bytes.Buffer
			w := newWall()
			p := newProgress(terminal{err: &errs, now: func() time.Time { return w.now }})
			first := *c.status
			first.ElapsedTime -= 1000
			first.SamplesTaken = 0
			p.mission(&first)
			w.at(20)
			p.mission(c.status)
			p.finish()
			w.at(60)
			p.mission(c.status) // of a mission whose page is still served
			if errs.String() != c.want {
				t.Errorf("got  %q\nwant %q", errs.String(), c.want)
			}
		})
	}
}

// In a terminal the line that changes says the same more briefly, so that 80 columns hold it.
func TestLineInATerminal(t *testing.T) {
	var errs bytes.Buffer
	w := newWall()
	p := newProgress(terminal{err: &errs, isTTY: true, now: func() time.Time { return w.now }})
	first := status(0)
	first.ElapsedTime -= 1000
	p.mission(first)
	w.at(20)
	p.mission(status(10))
	frames := strings.Split(errs.String(), "\r")
	shown := frames[len(frames)-1]
	if want := "10 of 30 samples, best about 1.53, 1.23 km, about 2.10 km and 3 min left\x1b[K"; shown != want {
		t.Errorf("the line is %q, want %q", shown, want)
	}
	drawn := errs.Len()
	w.at(20.05)
	p.mission(status(10))
	if errs.Len() != drawn {
		t.Error("the line is drawn again after 50 ms in which nothing happened")
	}
	w.at(20.1)
	p.mission(status(10))
	if errs.Len() == drawn {
		t.Error("the line is not drawn again after 100 ms")
	}
	p.finish()
	p.finish()
	if got := errs.String(); !strings.HasSuffix(got, "K\n") {
		t.Errorf("the line ends with %q, want one new line", got[max(0, len(got)-100):])
	}
}
