// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package process_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/killtest"
	"ugp_explorer/msgs/bag"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/simulation"
	"ugp_explorer/planner/mission"
)

// resuming makes the explorer keep its mission and a bag, and continue by itself after a
// crash.
func resuming(samples int) func(*simulation.Config) {
	return func(c *simulation.Config) {
		c.Explorer.Mission.Budget = mission.Budget{Samples: samples, Distance: 5000}
		c.Explorer.Existing, c.Explorer.AutoResume = settings.ExistingResume, true
		c.Explorer.Record.Topics, c.Explorer.Record.Reserve = "all", 0
	}
}

// hears returns the observations that are heard from now on, by their numbers, and
// fails the test when two of one number differ.
func (o *observer) hears() map[int]ugp_explorer_msgs.FieldObservation {
	o.Helper()
	heard := map[int]ugp_explorer_msgs.FieldObservation{}
	hear(o, "/"+explorer.DefaultName+"/observation", ros.Latched().WithDepth(1000), func(m *ugp_explorer_msgs.FieldObservation) {
		got := *m
		got.Header.FrameID = strings.Clone(m.Header.FrameID)
		if was, ok := heard[int(m.Sequence)]; ok && was != got {
			o.Errorf("observation %d was %+v and is %+v", m.Sequence, was, got)
		}
		heard[int(m.Sequence)] = got
	})
	return heard
}

// waitJournal waits until cond holds for the mission's journal. It reads the journal only when its size has changed, since a reading takes
// longer than a message.
func (o *observer) waitJournal(what string, cond func(*journal.State) bool) {
	o.Helper()
	size := int64(-1)
	o.wait(what, func() bool {
		info, err := os.Stat(filepath.Join(o.dir, journal.FileName))
		if err != nil || info.Size() == size {
			return false
		}
		size = info.Size()
		s, err := journal.Read(o.dir)
		return err == nil && cond(s)
	})
}

// TestResumed has the explorer killed at whatever moment, again and again, and
// started again. The mission comes to its end within its budget, and each
// observation that anyone heard of is in its record once. UGP_EXPLORER_KILLS says
// how often (4 without).
func TestResumed(t *testing.T) {
	t.Parallel()
	kills := killtest.Times(t, "UGP_EXPLORER_KILLS", 4)
	samples := kills + 2
	r := newRobot(t, 40, resuming(samples))
	o := r.observe()
	heard := o.hears()
	begin := time.Now()
	r.start()
	rng := rand.New(rand.NewPCG(7, 8))
	o.driving()
	killed := 0
	for k := range kills {
		switch k % 2 {
		case 0: // at any moment
			poses := o.poses + rng.IntN(300)
			o.wait("so many poses", func() bool { return o.poses > poses })
		case 1: // as an observation is heard of
			n := len(heard)
			o.wait("an observation", func() bool {
				return len(heard) > n || o.state() == mission.StateReturning || o.state() == mission.StateDone
			})
		}
		if o.state() == mission.StateDone {
			break
		}
		r.kill(explorer.DefaultName)
		killed++
		s, err := journal.Read(r.dir)
		r.must(err)
		if len(s.Observations) < len(heard) {
			t.Errorf("after kill %d there are %d observations, and %d were heard of", k+1, len(s.Observations), len(heard))
		}
		runs := len(s.Runs)
		r.start(explorer.DefaultName)
		// statuses of the killed one may still come
		o.waitJournal("the mission to be taken up", func(s *journal.State) bool { return len(s.Runs) > runs })
	}
	o.finish()
	t.Logf("%v, %d observations heard; %v", time.Since(begin).Round(time.Millisecond), len(heard), o)
	o.waitJournal("the record", func(s *journal.State) bool { return s.Saved })
	r.stop()
	m := r.record()
	if len(m.Observations) != samples || len(m.Resumed) != killed || killed < kills/2 {
		t.Errorf("%d observations and %d times taken up, want %d and %d: %s", len(m.Observations), len(m.Resumed), samples, killed, m.Outcome)
	}
	if m.Distance > 5000 {
		t.Errorf("%g m were driven", m.Distance)
	}
	for i, k := range m.Observations {
		h, ok := heard[i]
		if k.Sequence != i+1 || !ok || h.Value != k.Value || h.Belief.Pose.Position.X != k.Belief.X || h.Belief.Pose.Position.Y != k.Belief.Y {
			t.Errorf("observation %d of the record is %+v, heard was %v %+v", i+1, k, ok, h)
		}
	}
	if len(heard) != samples {
		t.Errorf("%d observations were heard", len(heard))
	}
	r.checkBags(killed+1, samples)
}

// checkBags fails the test unless there is the wanted number of bags, or fewer if a run was
// killed before its bag, each can be read, and all of them together have the
// observations.
func (r *robot) checkBags(bags, samples int) {
	r.Helper()
	seen := map[uint32]bool{}
	found, err := filepath.Glob(filepath.Join(r.dir, "bag_*"))
	if err != nil || len(found) > bags || len(found) < bags/2 {
		r.Errorf("bags %v, %v, want %d", found, err, bags)
	}
	for k := range found {
		dir := filepath.Join(r.dir, fmt.Sprintf("bag_%d", k+1))
		b, err := bag.Open(r.Context(), dir)
		if err != nil {
			r.Error(err)
			continue
		}
		messages := 0
		for m, err := range b.Messages(bag.Query{}) {
			if err != nil { // of a run that was killed
				r.Logf("%s: %v", dir, err)
				continue
			}
			messages++
			if m.Topic.Type == "ugp_explorer/msg/FieldObservation" {
				var f ugp_explorer_msgs.FieldObservation
				r.must(f.UnmarshalCDR(m.Data))
				seen[f.Sequence] = true
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "metadata.yaml")); k == len(found)-1 && err != nil {
			r.Errorf("the last bag has no metadata: %v", err)
		}
		if k == len(found)-1 && messages < 100 { // others may have been killed at once
			r.Errorf("%s has %d messages", dir, messages)
		}
		r.must(b.Close())
	}
	if len(seen) != samples {
		r.Errorf("the bags have %d observations, want %d", len(seen), samples)
	}
}
