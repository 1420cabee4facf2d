// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/planner/mission"
)

// pondering is an executor on which what runs beside the callbacks takes its time.
type pondering struct {
	*exec.Simulated
	takes func() time.Duration
}

func (p *pondering) Async(work, done func()) {
	wait := p.takes()
	work()
	p.After(wait, done)
}

// A decision that comes after a pause or after the plan timeout is dropped: another
// one is made for the plan that is wanted now, which alone counts, and the grid loses
// no point by it.
func TestLateDecision(t *testing.T) {
	grid := func(c *settings.Config) {
		c.Method, c.Mission.PlanTimeout = "grid", 10
	}
	want := targets(begun(t, grid).finish())
	slow := func(w *world) { // the decision after the next sample takes long
		n := len(w.observations) + 1
		w.until("the next sample", func() bool { return len(w.observations) == n })
		w.state(mission.StatePlanning)
	}
	for name, disturb := range map[string]func(*world){
		"paused until it is there": func(w *world) {
			slow(w)
			w.call("pause")
			w.run(8 * time.Second)
			w.call("resume")
		},
		"plan timeout": func(w *world) { slow(w) },
	} {
		t.Run(name, func(t *testing.T) {
			cfg := small()
			grid(&cfg)
			cfg.OutputDir = t.TempDir()
			ex := exec.NewSimulated(epoch)
			decisions := 0
			var w *world
			on := &pondering{ex, func() time.Duration {
				if w.explorer.State() != mission.StatePlanning {
					return 0
				}
				if decisions++; decisions != 2 {
					return time.Second
				}
				if name == "plan timeout" {
					return 15 * time.Second
				}
				return 5 * time.Second
			}}
			w = joinWorldOn(t, cfg, false, ex, on, inproc.New(), "", 20, 10)
			w.exactly()
			w.start()
			disturb(w)
			m := w.finish()
			if got := targets(m); !slices.Equal(got, want) || len(m.Decisions) != 4 {
				t.Errorf("%d decisions, targets %v, want 4 and %v", len(m.Decisions), got, want)
			}
			if !strings.Contains(w.log.String(), "a decision came too late and is dropped") {
				t.Errorf("no decision was late:\n%s", w.log.String())
			}
			s, err := journal.Read(cfg.OutputDir)
			if err != nil || s.Decided != 4 || len(s.Decisions) != 4 {
				t.Errorf("the journal has %d decisions, %d with a choice, want 4: %v", s.Decided, len(s.Decisions), err)
			}
		})
	}
}

// The target that a person gives while a decision is under way, and another one is wanted, needs neither.
func TestGivenTargetNeedsNoDecision(t *testing.T) {
	ex := exec.NewSimulated(epoch)
	w := joinWorldOn(t, small(), false, ex, &pondering{ex, func() time.Duration { return 5 * time.Second }}, inproc.New(), "", 20, 10)
	w.start()
	w.do("pause")
	w.do("resume")
	w.say("goto 40 30")
	w.run(11 * time.Second)
	if n := strings.Count(w.log.String(), "a decision came too late and is dropped"); n != 1 {
		t.Errorf("%d decisions were made for nothing, want the one that was under way", n)
	}
}

// While maps are computed the robot is heard and sent on, whatever that takes. They
// are published when they are there; of posteriors that came meanwhile the newest is
// next; and the mission ends with the last one's.
func TestMapsBesideTheCallbacks(t *testing.T) {
	cfg := small()
	cfg.OutputDir = t.TempDir()
	ex := exec.NewSimulated(epoch)
	var w *world
	on := &pondering{ex, func() time.Duration {
		if w.explorer.State() == mission.StateTravelling { // the plan is out: these are the maps
			return time.Minute
		}
		return time.Second
	}}
	w = joinWorldOn(t, cfg, false, ex, on, inproc.New(), "", 20, 10)
	type heard struct {
		at      int64
		samples int
	}
	var maps []heard
	statuses := 0
	hear(w, "ugp_explorer/cloud", ros.Latched(), func(*sensor_msgs.PointCloud2) { maps = append(maps, heard{ex.Now(), len(w.observations)}) })
	hear(w, "ugp_explorer/status", ros.Latched(), func(*ugp_explorer_msgs.MissionStatus) {
		if len(maps) == 0 && len(w.observations) > 0 {
			statuses++
		}
	})
	m := w.mission()
	if len(w.observations) != 4 {
		t.Fatalf("%d observations", len(w.observations))
	}
	if len(maps) != 2 || maps[0].at-w.sampledAt[0] < int64(time.Minute) || maps[0].samples < 3 || statuses < 50 {
		t.Errorf("maps at %v, samples at %v, %d statuses before the first maps", maps, w.sampledAt, statuses)
	}
	checkCloud(t, w, m)
	read, err := record.ReadMission(cfg.OutputDir + "/mission.json")
	w.must(err)
	if len(read.Observations) != 4 || read.Survey == nil || m.Survey == nil {
		t.Errorf("the record has %d observations and the survey %+v", len(read.Observations), read.Survey)
	}
}
