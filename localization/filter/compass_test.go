// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"math"
	"math/rand/v2"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// A compass that is off by 90°, as one is that is 0 to the north, is not used once driving has shown it, and is used again when it is right. One
// that is off by less pulls the robot from its way no more than it errs, whatever it states. The robot drives squares; its fixes state 2 m, and
// have an error of 1.5 m that lasts for a minute.
func TestWrongCompass(t *testing.T) {
	for name, c := range map[string]struct {
		off           func(s, yaw float64) float64 // rad
		used, refused []float64                    // s
		states        float64                      // rad; 0: 0.1
	}{
		"right":                {off: func(_, _ float64) float64 { return 0.1 }, used: []float64{100, 300, 599}},
		"from north":           {off: func(_, _ float64) float64 { return math.Pi / 2 }, refused: []float64{150, 300, 599}},
		"other way":            {off: func(_, _ float64) float64 { return math.Pi }, refused: []float64{150, 300, 599}},
		"off by 30°":           {off: func(_, _ float64) float64 { return 0.5 }, used: []float64{100, 300, 599}, states: 0.01},
		"iron on it":           {off: func(_, yaw float64) float64 { return 0.35 * math.Sin(yaw+1) }, used: []float64{100, 300, 599}, states: 0.01},
		"drifts":               {off: func(s, _ float64) float64 { return 0.002 * s }, used: []float64{100, 200}, refused: []float64{599}, states: 0.01},
		"clockwise from north": {off: func(_, yaw float64) float64 { return math.Pi/2 - 2*yaw }, refused: []float64{300, 599}},
		"beside iron": {off: func(s, _ float64) float64 {
			if s > 100 && s < 250 {
				return -1.5
			}
			return 0
		}, used: []float64{90, 450, 599}, refused: []float64{245}},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(4) {
				rng := rand.New(rand.NewPCG(seed, 9))
				f := New(DefaultConfig())
				var x, y, yaw, ex, ey float64
				const dt = 0.05
				for k := range 20 * 600 {
					stamp, s := int64(k+1)*5e7, float64(k)*dt
					v, w := 1.0, 0.0
					if math.Mod(s, 50) > 45 {
						v, w = 0, math.Copysign(math.Pi/2/5, float64(int(s/50)%3)-0.5)
					}
					x, y, yaw = x+v*dt*math.Cos(yaw+w*dt/2), y+v*dt*math.Sin(yaw+w*dt/2), yaw+w*dt
					must.OK(t, f.PredictGyro(stamp, w+0.002*rng.NormFloat64(), 1e-5))
					must.OK(t, f.PredictTwist(stamp, Twist{X: v, Yaw: w / 0.8}))
					ex += -ex*dt/60 + 1.5*math.Sqrt(2*dt/60)*rng.NormFloat64()
					ey += -ey*dt/60 + 1.5*math.Sqrt(2*dt/60)*rng.NormFloat64()
					if k%20 != 0 {
						continue
					}
					_, err := f.FusePosition(Fix{Stamp: stamp, X: x + ex, Y: y + ey, Cov: diag2(4, 4)})
					must.OK(t, err)
					variance := 0.01
					if c.states > 0 {
						variance = c.states * c.states
					}
					if f.Mode() == Running {
						variance *= 120 // its errors are alike for a minute
					}
					refuses := f.FuseYaw(stamp, wrapAngle(yaw+c.off(s, yaw)), variance).Status == FixContrary
					for i, moments := range [][]float64{c.used, c.refused} {
						for _, at := range moments {
							if s == at && refuses != (i == 1) {
								t.Errorf("seed %d: after %g s the heading is refused: %v", seed, s, refuses)
							}
						}
					}
					p, err := f.Pose()
					if err != nil || s < 200 {
						continue
					}
					if off, claims := math.Hypot(p.X-x, p.Y-y), math.Sqrt(max(p.Cov[0][0], p.Cov[1][1])); off > min(12, 4*claims) {
						t.Fatalf("seed %d: after %g s the position is %.1f m off, and claims %.1f m", seed, s, off, claims)
					}
					if off, claims := math.Abs(wrapAngle(p.Yaw-yaw)), math.Sqrt(p.Cov[2][2]); off > 4*claims {
						t.Fatalf("seed %d: after %g s the heading is %.2f rad off, and claims %.2f rad", seed, s, off, claims)
					}
				}
			}
		})
	}
}
