// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// The lag of stamps is found from the wheels where the robot stops and drives on: a clock that is behind, messages that are
// stamped when they are sent, and a receiver that is late and says so, with errors of centimetres and with slow ones; and none is found
// where there is none, also with errors of a metre, with wheels that slip, with odometry at 5 Hz, with odometry that wraps or begins anew, and
// with fixes that go on at a stop for 2 s and come back while the robot drives, as those of phones do.
func TestLag(t *testing.T) {
	for _, c := range []struct {
		off, late   time.Duration // of the stamp from the measurement, and of the arrival
		noise, slow float64       // m
		wheels      float64
		want        time.Duration
		every       int64   // ticks of 50 ms between two messages of the odometry; 0: 1
		wraps       float64 // m, at which the position of the odometry starts again at 0; 0: never
		astray      float64 // m, by which fixes go on at a stop
	}{
		{0, 0, 0.02, 0, 1, 0, 0, 0, 0}, {0, 300 * time.Millisecond, 0.02, 0, 1, 0, 0, 0, 0}, {0, 2 * time.Second, 0.02, 0, 1, 0, 0, 0, 0}, {0, 0, 1, 0, 1, 0, 0, 0, 0}, {0, 0, 0.02, 3, 1, 0, 0, 0, 0},
		{0, 0, 0.02, 0, 1.2, 0, 0, 0, 0}, {0, 0, 0.3, 1, 0.9, 0, 0, 0, 0},
		{-2500 * time.Millisecond, 0, 0.02, 0, 1, 2500 * time.Millisecond, 0, 0, 0}, {-time.Second, 200 * time.Millisecond, 0.02, 0, 1, time.Second, 0, 0, 0},
		{-2500 * time.Millisecond, 0, 0.02, 3, 1.05, 2500 * time.Millisecond, 0, 0, 0}, {2 * time.Second, 2 * time.Second, 0.02, 0, 1, -2 * time.Second, 0, 0, 0},
		{time.Second, time.Second, 0.05, 1, 1, -time.Second, 0, 0, 0},
		{0, 0, 0.02, 0, 1, 0, 4, 0, 0}, {0, 0, 0.3, 1, 1, 0, 4, 0, 0}, {0, 0, 0.02, 0, 1, 0, 0, 32.768, 0}, {0, 0, 0.02, 0, 1, 0, 0, 10, 0},
		{-2500 * time.Millisecond, 0, 0.02, 0, 1, 2500 * time.Millisecond, 4, 0, 0}, {time.Second, time.Second, 0.02, 0, 1, -time.Second, 4, 0, 0},
		{0, 0, 0.02, 0, 1, 0, 0, 0, 1.5}, {0, 0, 0.2, 0, 1, 0, 0, 0, 2.5},
	} {
		for seed := range uint64(5) {
			rng := rand.New(rand.NewPCG(seed, 1))
			var tr track
			var l lag
			type fix struct {
				arrives, stamp int64
				x              float64
			}
			var due []fix
			x, said := 0.0, time.Duration(0)
			for k := range int64(20 * 240) { // four minutes: 12 s at 1 m/s, 6 s at a stop, and so on
				now := int64(1e18) + k*5e7
				if k%(20*18) < 20*12 {
					x += 0.05
				}
				if k%max(1, c.every) == 0 {
					at := c.wheels * x
					if c.wraps > 0 {
						at = math.Mod(at, c.wraps)
					}
					tr.add(now, complex(at, 0))
				}
				if k%4 == 3 { // when odometry at 5 Hz is old
					error := c.noise*rng.NormFloat64() + c.slow*math.Sin(float64(k)/20/60)
					if t := float64(k%(20*18)) / 20; t > 12 {
						error += c.astray * min(1, (t-12)/2)
					} else if k > 20*18 {
						error += c.astray * (1 - t/12)
					}
					due = append(due, fix{now + int64(c.late), now + int64(c.off), x + error})
				}
				for len(due) > 0 && due[0].arrives <= now {
					l.hear(&tr, due[0].stamp, complex(due[0].x, 0))
					due = due[1:]
					if by := l.by(); by != 0 {
						said = by
					}
				}
			}
			if got := l.by(); got < c.want-lagStep || got > c.want+lagStep || c.want == 0 && said != 0 {
				t.Errorf("stamps off by %v, %v late, noise %g and %g m, wheels %g, odometry each %d ticks, wraps at %g m, astray by %g m: %v, want %v",
					c.off, c.late, c.noise, c.slow, c.wheels, c.every, c.wraps, c.astray, said, c.want)
			}
		}
	}
}
