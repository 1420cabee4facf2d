// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
	"ugp_explorer/localization/filter"
	"ugp_explorer/sim"
)

// The filter estimates the same poses as in the version before, to the last bit: once a minute a digest
// of all its estimates, and the last one. `UPDATE_GOLDEN=1 go test ./sim -run Golden` writes them
// again; a commit that does so says why.
func TestGoldenFilter(t *testing.T) {
	const file = "testdata/golden_filter.txt"
	if runtime.GOARCH != "amd64" {
		t.Skipf("the goldens are those of amd64, and this is %s", runtime.GOARCH)
	}
	var got strings.Builder
	for _, c := range []struct {
		name   string
		change func(*journey)
	}{
		{"default", func(*journey) {}},
		{"gyroscope", func(j *journey) { j.gyro = true }},
		{"RTK at 10 Hz, antenna beside the base", func(j *journey) {
			j.fix.Period, j.fix.StdDev, j.fix.OutageGap, j.antenna = 0.1, 0.02, 0, localization.Lever{X: 0.4, Y: -0.3}
		}},
		{"skid of a half", func(j *journey) { j.skid(0.5) }},
		{"heading wrong by half a turn", func(j *journey) { j.told = math.Pi }},
		{"receiver that sticks", func(j *journey) {
			j.gyro, j.fix.Period, j.fix.StdDev, j.fix.OutageGap = true, 0.2, 0.02, 0
			var stuck filter.Fix
			j.spoil = func(now float64, f *filter.Fix) bool {
				if now > 300 && now < 360 {
					f.X, f.Y = stuck.X, stuck.Y
				}
				stuck = *f
				return false
			}
		}},
	} {
		j := newJourney()
		j.seconds, j.steered = 600, true
		c.change(&j)
		h := fnv.New64a()
		next := 60.0
		j.watch = func(now float64, _ sim.PlantState, f *filter.EKF) {
			p, err := f.Pose()
			fmt.Fprintln(h, p, err, f.Mode())
			if now >= next {
				next += 60
				fmt.Fprintf(&got, "%s, %.0f s: %v, %s, estimates %016x\n", c.name, now, []float64{p.X, p.Y, p.Yaw}, f.Mode(), h.Sum64())
			}
		}
		j.run(t, 1)
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		must.OK(t, os.WriteFile(file, []byte(got.String()), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	must.OK(t, err)
	wanted := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got.String(), "\n") {
		if i >= len(wanted) || line != wanted[i] {
			t.Fatalf("%s:%d: this version has\n\t%s\nand not what stands there", file, i+1, line)
		}
	}
}
