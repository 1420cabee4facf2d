// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
	"ugp_explorer/sim"
)

// farmhouse is where the robot stands when a mission on the farm begins.
var farmhouse = orb.Point{300, 300}

// uninterrupted is a mission without stops on the shipped farm, 71 ha, with the defaults of a
// robot, which goes on by itself after a crash.
func uninterrupted(dir string) settings.Config {
	c := settings.DefaultConfig()
	c.Outline = field.Field{Boundary: sim.DefaultOutline(), KeepOuts: sim.DefaultKeepOuts()}
	c.OutputDir, c.AutoStart, c.AutoResume = dir, true, true
	c.Reading.AtStops = false
	c.Mission.Budget = mission.Budget{Duration: 7 * 24 * 3600}
	c.Path.Length, c.Path.Time = 8, 0
	return c
}

// farm returns the true field of a long mission.
func farm(tb testing.TB) func(x, y float64) float64 {
	tb.Helper()
	world, err := fieldsim.DefaultConfig().Field.Open(1)
	must.OK(tb, err)
	return world.Truth.Value
}

// longMission leaves in a folder the journal of a mission of n observations that was killed while
// its robot drove: begun by an explorer, continued by the journal's own writer with the entries
// that a day's mission has for each piece of path.
func longMission(tb testing.TB, dir string, n int) *journal.State {
	tb.Helper()
	begun := tb.TempDir()
	w := openWorldAt(tb, uninterrupted(begun), true, epoch, farmhouse[0], farmhouse[1])
	w.field = farm(tb)
	w.until("the first observation", func() bool { return len(w.explorer.Record().Observations) > 0 })
	w.must(os.CopyFS(dir, os.DirFS(begun)))

	j, s, err := journal.Open(journal.OS{}, dir)
	w.must(err)
	add := func(entry any) { w.must(j.Append(entry)) }
	rng := rand.New(rand.NewPCG(1, 2))
	region := w.explorer.Region()
	status, at, stamp := s.Mission, farmhouse, s.Mission.Stamp
	target, first, known := at, s.Observations[0], 1
	progress := func(metres float64) {
		for range 6 { // a second each
			stamp += int64(time.Second)
			status.Stamp, status.Elapsed, status.Driving = stamp, status.Elapsed+int64(time.Second), status.Driving+int64(time.Second)
			status.UsedDistance += metres / 6
			add(journal.Progress{
				Stamp: stamp, Elapsed: status.Elapsed, Driving: status.Driving, Distance: status.UsedDistance, HomeDistance: 400,
				Track: []record.Place{at}, StdDev: []float64{0.4},
			})
		}
	}
	for k := len(s.Observations) + 1; k <= n; k++ {
		for planar.Distance(at, target) < 8 || !region.Contains([]float64{at[0], at[1]}) {
			target = orb.Point(region.Points(1, rng).RawRowView(0))
			if !region.Contains([]float64{at[0], at[1]}) {
				at = target // behind a keep-out, as if driven round it
			}
			status.State, status.Target = mission.StateTravelling, target
			s.Decided++
			add(journal.Decision{Number: s.Decided, Choice: &record.Decision{Samples: known, Target: target, Acquisition: 2, Mean: 1, StdDev: 0.3, Beta: 3}})
			add(journal.Status{Mission: status, Counts: s.Counts})
		}
		share := 8 / planar.Distance(at, target)
		at = orb.Point{at[0] + share*(target[0]-at[0]), at[1] + share*(target[1]-at[1])}
		progress(8)
		o := first
		o.Sequence, o.Stamp, o.Target = k, float64(stamp)/1e9, at
		o.Belief.X, o.Belief.Y = at[0], at[1]
		o.Value = w.field(at[0], at[1]) + 0.02*rng.NormFloat64()
		o.ModelValue = o.Value
		add(o)
		if k-known >= max(10, k/50) {
			known = k
			add(journal.Learnt{
				Recommended: record.RecommendedAt{Samples: k, Target: (*record.Place)(&at), Mean: 1.5, StdDev: 0.1},
				Hyper: &record.HyperAt{
					Samples: k,
					Hyper:   record.Hyper{Kernel: "matern32", SignalVariance: 0.016, LengthScales: []float64{110, 110}, NoiseVariance: 0.0011, Mean: 1.44},
				},
			})
		}
	}
	status.State = mission.StatePlanning // the next target was being chosen
	add(journal.Status{Mission: status, Counts: s.Counts})
	w.must(j.Close())
	s, err = journal.Read(dir)
	w.must(err)
	return s
}

// reopened starts another explorer in the folder of a mission, an hour after it was killed, and
// lets it go on until it sends the robot to its next target.
func reopened(tb testing.TB, dir string, killed *journal.State) *world {
	tb.Helper()
	ex := exec.NewSimulated(killed.Mission.Stamp + int64(time.Hour))
	last := killed.Observations[len(killed.Observations)-1].Belief
	w := joinWorld(tb, uninterrupted(dir), true, ex, inproc.New(), "", last.X, last.Y)
	w.field = farm(tb)
	w.until("a goal to drive to", func() bool {
		return slices.ContainsFunc(w.goals, func(g goal) bool { return g.state == mission.StateTravelling })
	})
	return w
}

// BenchmarkResume10000 starts an explorer in the folder of a mission of 10,000 observations that
// was killed while its next target was chosen: from the journal on the disk to the first goal.
func BenchmarkResume10000(b *testing.B) {
	dir := b.TempDir()
	killed := longMission(b, dir, 10_000)
	for b.Loop() {
		b.StopTimer()
		again := b.TempDir()
		must.OK(b, os.CopyFS(again, os.DirFS(dir)))
		b.StartTimer()
		w := reopened(b, again, killed)
		b.ReportMetric(float64(w.explorer.Model().Inducing()), "points")
	}
}
