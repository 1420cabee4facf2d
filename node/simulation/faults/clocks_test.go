// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// clocked runs a mission of five samples and half an hour with a fault, or with none, and returns its watcher.
func clocked(t *testing.T, seed int64, faults ...Fault) *watcher {
	t.Helper()
	v, _ := sentBy(t, seed, nil, faults...)
	return v
}

// sentBy is clocked, with the log of the mission; send is what happens to messages before they arrive.
func sentBy(t *testing.T, seed int64, send func(*world), faults ...Fault) (*watcher, string) {
	t.Helper()
	trial := drawHonest(seed)
	trial.laptop, trial.nav2, trial.guard = false, false, true
	trial.setFixRate(5)
	trial.config.Fieldsim.Fix.StdDev = centimetres
	e := &trial.config.Explorer
	e.AutoStart, e.Home = true, nil
	e.Mission.Budget.Samples, e.Mission.Budget.Distance, e.Mission.Budget.Duration = 5, 0, 1800
	trial.Faults = faults
	var log bytes.Buffer
	trial.log = slog.NewTextHandler(&log, nil)
	world, err := newWorld(trial, trial.Faults, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer world.close()
	if send != nil {
		send(world)
	}
	v := world.watcher
	if err := world.Run(t.Context(), func() bool { return v.ended() || v.seconds() > 900 }); err != nil {
		t.Fatal(err)
	}
	return v, log.String()
}

// A mission is the same when the robot's clock is set in its course, by seconds or by years, forward or back, once or
// again and again: it takes as long, counts as long, and takes as many samples.
func TestMissionsWhileTheClockIsSet(t *testing.T) {
	for _, seed := range []int64{1, 2, 3} {
		want := clocked(t, seed)
		for _, size := range []float64{-86400, -7200, -3, 0.5, 3, 600, 170 * 86400} {
			var faults []Fault
			for i, at := range []float64{1, 30, 31} {
				faults = append(faults, Fault{Number: i + 1, Kind: "clock-step", On: "robot", At: at, Size: size})
			}
			got := clocked(t, seed, faults...)
			if got.violation != nil {
				t.Errorf("seed %d, the clock is set by %g s: %v", seed, size, got.violation)
			}
			a, b := &want.mission, &got.mission
			if len(got.samples.acknowledged) != len(want.samples.acknowledged) || a.elapsed != b.elapsed || want.seconds() != got.seconds() || a.text != b.text {
				t.Errorf("seed %d, the clock is set by %g s: %d samples in %g s, told as %g s: %s; want %d in %g s, told as %g s: %s", seed, size,
					len(got.samples.acknowledged), got.seconds(), b.elapsed, b.text, len(want.samples.acknowledged), want.seconds(), a.elapsed, a.text)
			}
		}
	}
}

// A simulation whose time is set back, or goes far forward and back, leaves the robot without a heading. The mission says so, and takes all samples
// as soon as somebody has told the pose.
func TestSimulationsThatBeginAgain(t *testing.T) {
	for _, seed := range []int64{1, 2, 3} {
		for _, jumps := range [][]float64{{-1500}, {80, -1500}} {
			var faults []Fault
			for i, size := range jumps {
				faults = append(faults, Fault{Number: i + 1, Kind: "clock-jump", At: 30 + 20*float64(i), Size: size})
			}
			if v := clocked(t, seed, faults...); v.violation != nil || len(v.samples.acknowledged) < 5 {
				t.Errorf("seed %d, time is set by %g s: %d of 5 samples, violation %v: %s", seed, jumps, len(v.samples.acknowledged), v.violation, v.mission.text)
			}
		}
	}
}

// A source whose clock is wrong from the beginning, from some moment on, or only in the messages of a second sender, costs no metre in
// silence, also with readings that have no stamp: no sample is where the robot was not, the robot stays in its field, and the log
// speaks of the stamps of a mission that takes too few samples. A difference of less than a tenth of a second costs nothing.
func TestClocksThatDiffer(t *testing.T) {
	for _, topic := range []string{"/fix_pose", "/odom", "/odometry/filtered", "/reading"} {
		for _, by := range []time.Duration{-2500 * time.Millisecond, -50 * time.Millisecond, 2500 * time.Millisecond} {
			constant := func(_ *world, cdr []byte, on deliver) { on(stampedLater(cdr, int64(by)), 0) }
			const unstamped = "constant, and readings have no stamp"
			for name, pass := range map[string]func(w *world, cdr []byte, on deliver){
				"constant": constant, unstamped: constant,
				"a step": func(w *world, cdr []byte, on deliver) {
					if w.seconds() > 20 {
						cdr = stampedLater(cdr, int64(by))
					}
					on(cdr, 0)
				},
				"two senders": func(_ *world, cdr []byte, on deliver) {
					on(cdr, 0)
					on(stampedLater(cdr, int64(by)), 0)
				},
			} {
				v, log := sentBy(t, 1, func(w *world) {
					w.wire.add(topic, func(cdr []byte, on deliver) { pass(w, cdr, on) })
					if name == unstamped {
						w.wire.add("/reading", func(cdr []byte, on deliver) {
							cdr = bytes.Clone(cdr)
							clear(cdr[4:12])
							on(cdr, 0)
						})
					}
				})
				said, samples := strings.Contains(log, "stamp"), len(v.samples.acknowledged)
				if v.violation != nil || samples < 5 && !said || said && by.Abs() < 100*time.Millisecond {
					t.Errorf("%s, %s of %v: %d samples, told in the log: %v, violation %v", topic, name, by, samples, said, v.violation)
				}
			}
		}
	}
}
