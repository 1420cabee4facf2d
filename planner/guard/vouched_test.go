// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/guard"
)

// A robot with a gyroscope that people have carried and turned drives on after a person has vouched for it over some metres: the fixes of
// these metres show in which direction it drives.
func TestCarriedAndTurned(t *testing.T) {
	for _, stdDev := range []float64{0.02, 0.1, 0.3, 0.9} {
		t.Run(fmt.Sprint(stdDev), func(t *testing.T) {
			g := guard.New(square(60), guard.Config{Allowance: 1})
			w := newWorld(rand.New(rand.NewPCG(1, 8)), g, receiver{period: second, stdDev: stdDev})
			w.yaw, w.heard = -2, -2
			drive := func(seconds int64, rate float64, move func()) {
				for end := w.now + seconds*second; w.now < end; {
					w.yaw += rate * float64(tick) / 1e9
					_ = g.Gyroscope(w.now, rate)
					move()
				}
			}
			freely := func() { w.drive(0.8) }
			for k := range 24 {
				drive(5, 0.3*float64(1-k%2*2), freely)
			}
			stand := func() { w.drive(0) }
			drive(5, 0, stand)
			if !g.Gyroscopic() {
				t.Fatal("the guard does not use the gyroscope")
			}
			w.at = orb.Point{-50, 0}
			w.yaw, w.heard = 0, 0 // neither wheels nor gyroscope show it
			drive(10, 0, stand)
			drive(60, 0, freely) // until the guard stops it
			drive(30, 0, func() {
				if w.now%(4*tick) == 0 {
					g.Reset()
				}
				w.told = 0.5
				g.Command(w.now, w.told, 0)
				w.step()
			})
			from := w.at
			drive(60, 0, freely)
			if far := math.Hypot(w.at[0]-from[0], w.at[1]-from[1]); far < 40 {
				t.Errorf("it drives %.1f m in a minute, want at least 40 m", far)
			}
		})
	}
}

// A person may vouch again and again for a robot whose fixes move, also if it never drives straight ahead for long enough to show its heading:
// each time it may drive as far as at first.
func TestAnswersWhileFixesMove(t *testing.T) {
	g := guard.New(square(1000), guard.Config{})
	w := newWorld(rand.New(rand.NewPCG(3, 4)), g, receiver{period: 4 * tick, stdDev: 0.02})
	driven := 0.0
	for range 20 {
		g.Reset()
		for range 600 {
			w.yaw += 0.1
			w.drive(0.5)
			driven += w.speed * float64(tick) / 1e9
		}
	}
	if driven < 40 {
		t.Errorf("after 20 answers it has driven %.1f m, want at least 40 m", driven)
	}
}
