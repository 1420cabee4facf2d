// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"testing"
	"time"

	"ugp_explorer/node/web"
)

// A wish holds for half a second from when it came, even if it is heard later, and then the robot is told to stop,
// once. Beside an explorer it is told nothing.
func TestPersonLetsGo(t *testing.T) {
	began := time.Unix(1000, 0)
	wall := began
	var got [][2]float64 // m/s, rad/s
	p := &person{wall: func() time.Time { return wall }, free: func() bool { return true }, factor: [2]float64{0.75, 0.04}}
	p.twist = func(linear, angular float64) error { got = append(got, [2]float64{linear, angular}); return nil }
	want := func(what string, n int, forward, left float64) {
		t.Helper()
		if len(got) != n || got[n-1] != [2]float64{forward, left} {
			t.Errorf("%s: %d commands, %+v", what, len(got), got)
		}
	}
	p.steer(web.Steer{Forward: -1, Left: 0.5, At: wall})
	want("a wish", 1, -0.75, 0.02)
	wall = began.Add(499 * time.Millisecond)
	p.drive()
	want("just before the end", 2, -0.75, 0.02)
	wall = began.Add(500 * time.Millisecond)
	p.drive()
	want("at the end", 3, 0, 0)
	p.drive()
	p.steer(web.Steer{Forward: 1, At: began}) // heard too late
	want("after the end", 3, 0, 0)
	p.steer(web.Steer{Forward: 1, At: wall})
	want("another wish", 4, 0.75, 0)
	p.free = func() bool { return false }
	p.drive()
	want("when an explorer has come", 5, 0, 0)
	p.steer(web.Steer{Forward: 1, At: wall})
	want("beside an explorer", 5, 0, 0)
}
