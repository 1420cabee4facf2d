// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/guard"
)

// While the robot stands the need has what fixes stated at worst in the last minute, and forgets it after two.
func TestNeedsOfAReceiverThatChanges(t *testing.T) {
	const allowance = 3.0
	g := guard.New(square(60), guard.Config{Allowance: allowance})
	now, x := second, 0.0
	stand := func(seconds int, stdDev float64) {
		for range seconds {
			now += second
			_ = g.Odometry(now, 0, 0, 0)
			x = 0.01 - x
			if err := g.Fix(now, now, orb.Point{x, 0}, stdDev); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := func(when string, usually, always float64) {
		t.Helper()
		u, a := g.Needs()
		if math.Abs(u-(5*usually+0.65-allowance)) > 0.05 || math.Abs(a-(11*always+0.65-allowance)) > 0.05 || g.StdDev() != always {
			t.Errorf("%s: needs %.2f m, and %.2f m at worst, and %.2f m are stated", when, u, a, g.StdDev())
		}
	}
	stand(20, 0.02)
	want("at first", 0.02, 0.02)
	stand(3, 0.9)
	want("with a poor fix", 0.9, 0.9)
	stand(57, 0.02)
	want("a minute later", 0.02, 0.9)
	stand(65, 0.02)
	want("two minutes later", 0.02, 0.02)
}

// A robot that stands near the edge with a receiver of metres, and may drive less than half of what it has to until fixes show where it
// heads, is stopped on its way, with the allowance that is named it is not, and a receiver of centimetres needs none.
func TestShowsWhereItHeads(t *testing.T) {
	for _, c := range []struct {
		name           string
		stdDev, inside float64 // m
		lacks          float64 // m
	}{{"consumer", 2, 8, 11.2}, {"consumer at the edge", 2, 2, 17.2}, {"consumer inside", 2, 20, 0}, {"rtk", 0.02, 2, 0}} {
		t.Run(c.name, func(t *testing.T) {
			// run returns how far the robot drives along the edge.
			run := func(allowance float64) (_, _, _, driven float64) {
				g := guard.New(square(60), guard.Config{Allowance: allowance})
				w := newWorld(rand.New(rand.NewPCG(1, 16)), g, receiver{period: second, stdDev: c.stdDev})
				w.at, w.yaw = orb.Point{60 - c.inside, 0}, math.Pi/2
				w.heard = w.yaw
				w.receiver.change = func(w *world, _ orb.Point) orb.Point { return w.at } // it holds its fixes while it stands
				for stands := 10; stands <= 20; stands += 10 {
					if _, _, _, settled := g.Showing(); settled {
						t.Fatalf("it knows after %d s", stands-10)
					}
					for end := w.now + 10*second; w.now < end; {
						w.drive(0)
					}
				}
				may, needs, lacks, settled := g.Showing()
				if !settled {
					t.Error("it does not know after 20 s")
				}
				for end := w.now + 60*second; w.now < end; { // on its first way it stands from time to time
					w.drive(0.8)
				}
				return may, needs, lacks, w.at[1]
			}
			may, needs, lacks, driven := run(0)
			if math.Abs(lacks-c.lacks) > 0.1 || math.Abs(needs-max(1, 4*c.stdDev)) > 1e-9 {
				t.Errorf("it may drive %.2f m of %.2f m, and lacks %.2f m", may, needs, lacks)
			}
			if free := driven > 15; free != (may >= needs/2) {
				t.Errorf("it may drive %.2f m of %.2f m, and drives %.1f m", may, needs, driven)
			}
			if may, needs, _, driven := run(lacks); may < needs || driven < 15 {
				t.Errorf("with the allowance it may drive %.2f m of %.2f m, and drives %.1f m", may, needs, driven)
			}
		})
	}
}

// A person who has looked at the robot may start it where it would not be allowed to drive far enough.
func TestVouchedRobotMayStart(t *testing.T) {
	g := guard.New(square(60), guard.Config{})
	for i := range int64(2) {
		now := (i + 1) * second
		_ = g.Odometry(now, 0, 0, 0)
		must.OK(t, g.Fix(now, now, orb.Point{58, float64(i)}, 2))
		if may, needs, _, _ := g.Showing(); (may < needs) != (i == 0) {
			t.Errorf("after %d answers it may drive %.1f m of %.1f m", i, may, needs)
		}
		g.Reset()
	}
}
