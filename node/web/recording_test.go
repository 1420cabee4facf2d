// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/node/record"
	"ugp_explorer/node/web"
)

const edit = `{"version":3,"ring":1,"op":"move","corner":2,"at":[1.5,-2]}`

// An edit comes to the explorer as it was given, and its answer to the person.
func TestEdits(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	if code, text, _ := r.ask("POST", "/api/outline", edit, isJSON, bearer); code != 200 || text != `{"done":true,"text":"corner move"}`+"\n" {
		t.Errorf("an edit: %d %s", code, text)
	}
	if code, text, _ := r.ask("POST", "/api/outline", `{"corner":7,"op":"delete"}`, isJSON, bearer); code != 200 || text != `{"done":false,"text":"corner delete"}`+"\n" {
		t.Errorf("a refused edit: %d %s", code, text)
	}
	if got := fmt.Sprint(r.given()); got != "[move 2 of ring 1 to [1.5 -2], seen version 3 delete 7 of ring 0 to [0 0], seen version 0]" {
		t.Errorf("the explorer was given %s", got)
	}
	refused := 0
	for range 60 {
		if code, _, _ := r.ask("POST", "/api/outline", edit, isJSON, bearer); code == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused < 20 {
		t.Errorf("of 60 edits at once %d were refused", refused)
	}
	if code, text, _ := r.ask("POST", "/api/command", `{"command":"start"}`, isJSON, bearer); code != 200 {
		t.Errorf("a command after them: %d %s", code, text)
	}
}

// A wish to drive comes to the explorer as it was given. It needs the token, and has limits.
func TestSteer(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	for body, want := range map[string]string{
		`{"forward":1,"left":-0.5}`: `200 {"done":true,"text":"steered"}`,
		`{"left":1}`:                `200 {"done":false,"text":"steered"}`,
		`{"forward":1.01}`:          `400 {"error":"forward and left must be from -1 to 1"}`,
		`{"left":-2}`:               `400 {"error":"forward and left must be from -1 to 1"}`,
	} {
		if code, text, _ := r.ask("POST", "/api/steer", body, isJSON, bearer); fmt.Sprintln(code, strings.TrimSpace(text)) != want+"\n" {
			t.Errorf("%s: %d %s", body, code, text)
		}
	}
	if code, _, _ := r.ask("POST", "/api/steer", `{"forward":1}`, isJSON); code != http.StatusForbidden {
		t.Errorf("without the token: %d", code)
	}
	got := r.given()
	slices.Sort(got)
	if fmt.Sprint(got) != "[steer 0 1 steer 1 -0.5]" {
		t.Errorf("the explorer was given %s", got)
	}
}

// A client gets the recording, its rings, and of the open ring what it lacks; all again when points
// were taken back, and all of another explorer.
func TestRecordingEvents(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	recording := func(cut, version, points int, rings ...web.RecordedRing) {
		r.set(func(s *web.Snapshot) {
			n := &web.Recording{Active: true, Open: "outline", Points: points, Cut: cut, Version: version, Rings: rings, Length: 12.4}
			for i := range points {
				n.Edge = append(n.Edge, record.Place{float64(i), 0.001})
			}
			s.Recording = n
		})
	}
	ring := web.RecordedRing{Kind: "keep-out", Points: []record.Place{{0, 0}, {1, 0}, {1, 1.00051}}, Area: 0.5, StdDev: 0.0123456}
	recording(1, 1, 3, ring)
	s := r.stream("")
	s.until("hello", any1)
	first := s.until("recording", func(d map[string]any) bool { return d["active"] == true })
	if first["open"] != "outline" || first["length_m"] != 12.0 || first["rings"] != nil {
		t.Errorf("the recording is %v", first)
	}
	if rings := s.until("rings", any1); fmt.Sprint(rings) != "map[rings:[map[area_m2:0.5 kind:keep-out points:[[0 0] [1 0] [1 1.001]] stddev_m:0.012346]] version:1]" {
		t.Errorf("the rings are %v", rings)
	}
	length := func(d map[string]any) string { return fmt.Sprint(d["from"], len(d["points"].([]any))) }
	if edge := s.until("edge", any1); length(edge) != "0 3" {
		t.Errorf("the edge is %v", edge)
	}
	recording(1, 1, 5, ring)
	if edge := s.until("edge", any1); length(edge) != "3 2" {
		t.Errorf("more of the edge is %v", edge)
	}
	recording(2, 1, 4, ring)
	if edge := s.until("edge", any1); length(edge) != "0 4" {
		t.Errorf("after an undo the edge is %v", edge)
	}
	recording(3, 2, 0)
	if edge := s.until("edge", any1); length(edge) != "0 0" {
		t.Errorf("without points the edge is %v", edge)
	}
	r.set(func(s *web.Snapshot) { s.Run, s.Recording = 1, &web.Recording{Field: true} })
	hello := s.until("hello", any1)
	if !strings.HasSuffix(hello["id"].(string), "-1") {
		t.Errorf("of another explorer: %v", hello)
	}
	s.until("scene", any1)
	s.until("recording", func(d map[string]any) bool { return d["field"] == true && d["active"] == nil })
}

// drive is an outline that grows by a point with every look, beside a ring with as many corners as
// there may be.
type drive struct {
	edge []record.Place
	ring web.RecordedRing
	n    int
}

// newDrive makes the rig's explorer record that outline.
func newDrive(r *rig) {
	d := &drive{edge: make([]record.Place, 10_000), ring: web.RecordedRing{Kind: "keep-out"}, n: 4000}
	for i := range 2000 {
		d.ring.Points = append(d.ring.Points, orb.Point{float64(i), float64(i * i % 1000)})
	}
	for i := range d.edge {
		d.edge[i] = record.Place{float64(i) / 2, 12.345}
	}
	r.set(func(s *web.Snapshot) {
		d.grow(s)
		r.each = d.grow
	})
}

func (d *drive) grow(s *web.Snapshot) {
	d.n = min(d.n+1, len(d.edge))
	s.Recording = &web.Recording{
		Active: true, Open: "outline", Driving: true, Points: d.n, Length: float64(d.n) / 2, Edge: d.edge[:d.n:d.n], Cut: 1, Version: 1, Rings: []web.RecordedRing{d.ring},
	}
}
