// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"testing"
	"time"

	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/record"
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
