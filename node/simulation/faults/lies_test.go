// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/sim/experiment"
)

// The flags of the table of lies, which takes minutes and is not part of CI:
//
//	go test ./node/simulation/faults -run TestLies -lies -timeout 1h -v
var (
	lies     = flag.Bool("lies", false, "print how many missions leave the field when one source lies")
	liesRows = flag.String("lies-rows", "", "only the rows whose names match this expression, and only with a guard")
	liesMost = flag.Int("lies-missions", 30, "missions of a row and rate")
	liesFrom = flag.Int64("lies-from", 1, "seed of the first mission of a row and rate")
)

// lie is a row of the table: one fault in missions whose fixes are of centimetres.
type lie struct {
	name      string
	fault     Fault // it begins some time in the mission
	gyroscope bool
	early     bool // it begins 6 to 9 s after the robot has begun to drive
}

// lieRows are the rows of the table.
var lieRows = []lie{
	{name: "none"},
	{name: "receiver repeats its last fix for 60 s", fault: Fault{Kind: "receiver-stuck", For: 60}},
	{name: "… with a gyroscope", fault: Fault{Kind: "receiver-stuck", For: 60}, gyroscope: true},
	{name: "… with 2 cm of noise", fault: Fault{Kind: "receiver-stuck", For: 60, Size: centimetres}},
	{name: "fixes are displaced by 10 m for 60 s", fault: Fault{Kind: "receiver-jump", For: 60, Size: 10}},
	{name: "fixes drift by 0.2 m/s for 60 s", fault: Fault{Kind: "receiver-drift", For: 60, Size: 0.2}},
	{name: "… with a gyroscope", fault: Fault{Kind: "receiver-drift", For: 60, Size: 0.2}, gyroscope: true},
	{name: "… that begin on the first metres", fault: Fault{Kind: "receiver-drift", For: 60, Size: 0.2}, gyroscope: true, early: true},
	{name: "fixes drift by 0.4 m/s for 60 s", fault: Fault{Kind: "receiver-drift", For: 60, Size: 0.4}},
	{name: "`initial_yaw` wrong by 180°", fault: Fault{Kind: "heading-wrong", Size: math.Pi}},
	{name: "`initial_yaw` wrong by 90°", fault: Fault{Kind: "heading-wrong", Size: math.Pi / 2}},
	{name: "turned by hand by 180° in a pause", fault: Fault{Kind: "turned", On: "pause", Size: math.Pi}},
	{name: "turned by hand by 90° in a pause", fault: Fault{Kind: "turned", On: "pause", Size: math.Pi / 2}},
	{name: "left encoder dead for 120 s, `odom` pose", fault: Fault{Kind: "encoder", On: "left", For: 120}},
	{name: "… with a gyroscope", fault: Fault{Kind: "encoder", On: "left", For: 120}, gyroscope: true},
	{name: "right encoder counts 1.5 times for 120 s, `odom` pose", fault: Fault{Kind: "encoder", On: "right", For: 120, Size: 1.5}},
	{name: "gyroscope stuck for 120 s", fault: Fault{Kind: "gyroscope-stuck", For: 120}, gyroscope: true},
	{name: "gyroscope halves the rate for 120 s", fault: Fault{Kind: "gyroscope-scale", For: 120, Size: 0.5}, gyroscope: true},
}

// lieRates are the columns of the table: the rates of the fixes, Hz.
var lieRates = []float64{10, 5, 1}

// TestLies prints the table: of 30 missions each, how many come more than 0.5 m and more than 1 m outside, and
// how far out the worst is.
func TestLies(t *testing.T) {
	if !*lies {
		t.Skip("give -lies")
	}
	rows, err := regexp.Compile(*liesRows)
	must.OK(t, err)
	for _, guard := range []bool{false, true} {
		if !guard && *liesRows != "" {
			continue
		}
		table, err := liesTable(t.Context(), guard, rows)
		must.OK(t, err)
		t.Logf("guard: %v\n%s", guard, table)
	}
}

// liesTable returns the table of the rows, on fields on which the robot starts inside.
func liesTable(ctx context.Context, guard bool, rows *regexp.Regexp) (string, error) {
	type cell struct {
		row  int
		rate float64
		seed int64
	}
	var jobs []cell
	missions := *liesMost
	for row, l := range lieRows {
		if !rows.MatchString(l.name) {
			continue
		}
		for _, rate := range lieRates {
			seed := *liesFrom - 1
			for range missions {
				for seed++; startsOutside(seed); seed++ {
				}
				jobs = append(jobs, cell{row, rate, seed})
			}
		}
	}
	results, err := experiment.Run(ctx, jobs, runtime.GOMAXPROCS(0), func(ctx context.Context, c cell) (float64, error) {
		return lieRows[c.row].run(ctx, c.seed, c.rate, guard)
	}, nil)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| one fault |")
	for _, rate := range lieRates {
		fmt.Fprintf(&b, " %g Hz |", rate)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(lieRates)))
	for i := 0; i < len(jobs); i += missions {
		if jobs[i].rate == lieRates[0] {
			fmt.Fprintf(&b, "\n| %s |", lieRows[jobs[i].row].name)
		}
		far, left, worst := 0, 0, 0.0
		for _, out := range results[i : i+missions] {
			if *out > 0.5 {
				far++
			}
			if *out > 1 {
				left++
			}
			worst = max(worst, *out)
		}
		fmt.Fprintf(&b, " %d / %d (%.1f m) |", far, left, worst)
	}
	return b.String() + "\n", nil
}

func startsOutside(seed int64) bool {
	trial := drawHonest(seed)
	g := ground{trial.field.Boundary, trial.field.KeepOuts}
	return g.depth([2]float64{trial.start.X, trial.start.Y}) < 0
}

// run returns how far outside the robot comes in the mission of a seed, m. It continues after a rule
// was broken.
func (l *lie) run(ctx context.Context, seed int64, rate float64, guard bool) (float64, error) {
	f := l.fault
	f.Number = 1
	switch rng := stream(seed, "lie"); {
	case f.Kind == "":
		return l.mission(ctx, seed, rate, guard, nil, (*watcher).ended)
	case f.Kind == "heading-wrong":
	case l.early:
		if _, err := l.mission(ctx, seed, rate, guard, nil, func(v *watcher) bool {
			f.At = v.world.seconds()
			return v.world.truth.speed > 0.1
		}); err != nil {
			return 0, err
		}
		f.At += between(rng, 6, 9)
	default:
		f.At = between(rng, 10, 30)
	}
	return l.mission(ctx, seed, rate, guard, []Fault{f}, (*watcher).ended)
}

// mission returns how far outside the robot comes in a mission with faults, m, until it is over.
func (l *lie) mission(ctx context.Context, seed int64, rate float64, guard bool, faults []Fault, over func(*watcher) bool) (float64, error) {
	trial := drawHonest(seed)
	trial.guard, trial.Faults = guard, faults
	trial.setFixRate(rate)
	w := &trial.config.Fieldsim
	w.Fix.StdDev, w.PublishIMU = centimetres, l.gyroscope
	if l.fault.Kind == "encoder" {
		trial.config.EKF.Odometry = "pose"
	}
	folder, err := os.MkdirTemp("", "faults")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	world, err := newWorld(trial, trial.Faults, folder)
	if err != nil {
		return 0, err
	}
	defer world.close()
	v := world.watcher
	err = world.Run(ctx, func() bool {
		v.violation = nil
		return over(v)
	})
	return v.motion.farthest, err
}
