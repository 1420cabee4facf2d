// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
	"time"
)

// Odometry with half or twice the scale is found from the fixes on a drive with corners, also if it turns against the robot. None is found where wheels are off by a fifth, slip for a while or on one side, where an encoder is dead, or where fixes drift, jump or come late.
func TestRolled(t *testing.T) {
	for name, c := range map[string]struct {
		left, right float64 // what is counted of the wheels' motion
		mirrored    bool
		every       int // ticks of 50 ms between two fixes
		late        int // ticks
		disturb     func(second float64, fix, wheels *complex128)
		scale       float64
	}{
		"right":                {left: 1, right: 1, every: 4},
		"right, at 0.2 Hz":     {left: 1, right: 1, every: 100},
		"a fifth more":         {left: 1.2, right: 1.2, every: 4},
		"a fifth less":         {left: 0.8, right: 0.8, every: 4},
		"half":                 {left: 0.5, right: 0.5, every: 4, scale: 2},
		"half, at 1 Hz":        {left: 0.5, right: 0.5, every: 20, late: 10, scale: 2},
		"twice":                {left: 2, right: 2, every: 4, scale: 0.5},
		"mirrored":             {left: 1, right: 1, mirrored: true, every: 4},
		"mirrored, at 1 Hz":    {left: 1, right: 1, mirrored: true, every: 20, late: 10},
		"left encoder is dead": {left: 0, right: 1, every: 4},
		"left side slips":      {left: 1.3, right: 1, every: 4},
		"slips for 20 s": {left: 1, right: 1, every: 4, disturb: func(s float64, fix, wheels *complex128) {
			if s > 60 && s < 80 {
				*wheels *= 3
			}
		}},
		"drifts for 60 s": {left: 1, right: 1, every: 4, disturb: func(s float64, fix, wheels *complex128) {
			*fix += complex(0.2*min(max(s-30, 0), 60), 0)
		}},
		"jumps": {left: 1, right: 1, every: 4, disturb: func(s float64, fix, wheels *complex128) {
			if int(s)%40 > 30 {
				*fix += complex(0, 10)
			}
		}},
	} {
		for _, noise := range []float64{0.02, 0.3} {
			t.Run(fmt.Sprintf("%s/%g m", name, noise), func(t *testing.T) {
				for seed := range uint64(5) {
					rng := rand.New(rand.NewPCG(seed, 3))
					var tr track
					var r rolled
					var truth, wheels complex128
					var yaw, told float64
					type fix struct {
						stamp int64
						place complex128
					}
					var due []fix
					for k := range 20 * 400 { // seven minutes at 0.8 m/s, with a corner every 15 m
						const dt, track = 0.05, 0.5
						now := int64(1e18) + int64(k)*int64(50*time.Millisecond)
						speed, rate := 0.8, 0.0
						if phase := k % 460; phase >= 380 { // 4 s
							speed, rate = 0.2, []float64{0.4, -0.4, 0.3, 0.2, -0.35}[k/460%5]
						}
						truth += complex(speed*dt, 0) * cmplx.Rect(1, yaw+rate*dt/2)
						yaw += rate * dt
						left, right := c.left*(speed-rate*track/2), c.right*(speed+rate*track/2)
						spin := (right - left) / track
						if c.mirrored {
							spin = -spin
						}
						step := complex((left+right)/2*dt, 0) * cmplx.Rect(1, told+spin*dt/2)
						told += spin * dt
						at := truth + complex(noise*rng.NormFloat64(), noise*rng.NormFloat64())
						if c.disturb != nil {
							c.disturb(float64(k)*dt, &at, &step)
						}
						wheels += step
						tr.add(now, wheels)
						if k%c.every == 0 {
							due = append(due, fix{now, at})
						}
						for len(due) > 0 && due[0].stamp <= now-int64(c.late)*int64(50*time.Millisecond) {
							r.hear(&tr, due[0].stamp, due[0].place, noise)
							due = due[1:]
						}
						if c.scale == 0 && r.wrongScale != 0 {
							t.Fatalf("seed %d: a scale of %g after %d s", seed, r.wrongScale, k/20)
						}
					}
					if math.Abs(r.wrongScale-c.scale) > 0.1*c.scale {
						t.Errorf("seed %d: a scale of %g, want %g", seed, r.wrongScale, c.scale)
					}
				}
			})
		}
	}
}
