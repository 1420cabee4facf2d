// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bytes"
	"encoding/json"
	"math"
	"time"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
)

// frame is a snapshot in the form for clients. It does not change after it is published.
type frame struct {
	at       time.Time // when the snapshot came
	snapshot *Snapshot
	maps     uint64            // version of the maps; 0: none
	layers   map[string][]byte // of the maps, as package painter describes them
	sections [sectionCount]section
}

// section is an event that is sent again whenever its data have changed.
type section struct {
	version uint64 // 0: not known yet
	data    []byte // JSON
}

const (
	sceneSection = iota
	poseSection
	statusSection
	usageSection
	checksSection
	planSection
	mapsSection
	regretSection
	recordingSection
	ringsSection
	struckSection
	sectionCount
)

var sectionNames = [sectionCount]string{"scene", "pose", "status", "usage", "checks", "plan", "maps", "regret", "recording", "rings", "struck"}

// next returns the frame of a snapshot after the frame f, nil for the first.
func (f *frame) next(s *Snapshot, at time.Time) (*frame, error) {
	n := &frame{at: at, snapshot: s}
	var before Snapshot
	if f != nil {
		n.sections, n.maps, n.layers = f.sections, f.maps, f.layers
		before = *f.snapshot
	}
	if s.Run != before.Run { // the version increases, since the encoded maps are those of the other explorer
		n.sections, before = [sectionCount]section{}, Snapshot{}
	}
	var err error
	set := func(i int, v any) {
		data, failed := json.Marshal(v)
		if failed != nil {
			err = failed
			return
		}
		if old := n.sections[i]; old.version == 0 || !bytes.Equal(data, old.data) {
			n.sections[i] = section{version: old.version + 1, data: data}
		}
	}
	if s.Scene != before.Scene {
		set(sceneSection, s.Scene)
	}
	if s.Robot != nil {
		set(poseSection, poseOf(s))
	}
	status := s.Status
	if t := status.Target; t != nil {
		at := painter.Place(*t)
		status.Target = &at
	}
	if b := status.Best; b != nil {
		status.Best = &Best{At: painter.Place(b.At)}
	}
	set(statusSection, status)
	usage := s.Usage
	usage.Distance.Used, usage.Time.Used = painter.Round(1, usage.Distance.Used), math.Floor(painter.Round(3, usage.Time.Used))
	usage.ToHome = painter.Round(1, usage.ToHome)
	if left := usage.Left; left != nil {
		usage.Left = &Left{painter.Round(0, left.Distance), painter.Round(0, left.Time), painter.Round(3, left.Done)}
	}
	set(usageSection, usage)
	set(checksSection, s.Checks)
	set(planSection, painter.Places(s.Plan))
	if s.Maps != before.Maps {
		n.maps++
		n.layers = map[string][]byte{}
		e := mapsEvent{Version: n.maps}
		if m := s.Maps; m != nil {
			for i := range m.Data.Layers {
				l := &m.Data.Layers[i]
				e.Named = append(e.Named, namedLayer{l.Key(), l.Title(), l.Units})
			}
			for _, name := range painter.Layers(m.Data) {
				values := painter.Values(m.Data, m.Transform, name)
				if values == nil || !painter.Shown(name, m.Samples) {
					continue
				}
				low, high := painter.Limits(m.Data, m.Transform, name, m.Samples)
				var fade []float64
				if name == "mean" {
					fade = painter.Fade(m.Data, m.Variance)
				}
				n.layers[name], e.Layers = painter.Encode(m.Data.Grid, values, low, high, fade), append(e.Layers, name)
			}
		}
		set(mapsSection, e)
	}
	if len(s.Regret) != len(before.Regret) || len(s.Regret) > 0 && &s.Regret[0] != &before.Regret[0] {
		set(regretSection, s.Regret)
	}
	setRecording(set, s.Recording, before.Recording)
	set(struckSection, struck(s))
	return n, err
}

// struckEvent is a sample that does not count.
type struckEvent struct {
	Number int           `json:"n"`
	Robot  string        `json:"robot,omitempty"` // another robot took it
	Why    record.Struck `json:"why"`
}

func struck(s *Snapshot) []struckEvent {
	list := []struckEvent{}
	for i := range s.Own {
		if o := &s.Own[i]; o.Struck != "" {
			list = append(list, struckEvent{Number: o.Sequence, Why: o.Struck})
		}
	}
	for i := range s.Team {
		if o := &s.Team[i].Observation; o.Struck != "" {
			list = append(list, struckEvent{o.Sequence, s.Team[i].Robot, o.Struck})
		}
	}
	return list
}

type poseEvent struct {
	T     float64    `json:"t"`
	X     float64    `json:"x"`
	Y     float64    `json:"y"`
	Yaw   float64    `json:"yaw"`
	Cov   [3]float64 `json:"cov"` // xx, xy, yy, m²
	Speed float64    `json:"v"`
	Age   float64    `json:"age"`
}

func poseOf(s *Snapshot) poseEvent {
	r := s.Robot
	return poseEvent{
		T: painter.Round(2, num.Seconds(r.Stamp)), X: painter.Round(3, r.X), Y: painter.Round(3, r.Y), Yaw: painter.Round(3, r.Yaw),
		Cov: [3]float64{painter.Significant(r.XX), painter.Significant(r.XY), painter.Significant(r.YY)}, Speed: painter.Round(2, r.Speed),
		Age: painter.Round(1, max(0, num.Seconds(s.Now-r.Stamp))),
	}
}

type mapsEvent struct {
	Version uint64       `json:"version"`
	Layers  []string     `json:"layers"`
	Named   []namedLayer `json:"named,omitempty"` // those among them that have a name and units of their own
}

type namedLayer struct {
	Layer string `json:"layer"`
	Name  string `json:"name"`
	Units string `json:"units,omitempty"`
}
