// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"testing"

	"ugp_explorer/internal/testkit/must"
)

func TestFilterDoesNotAllocate(t *testing.T) {
	cfg := DefaultConfig()
	f := initialised(t, cfg, 0)
	stamp := int64(0)
	if n := testing.AllocsPerRun(1000, func() {
		stamp += 50 * ms
		must.OK(t, f.PredictTwist(stamp, Twist{X: 1, Yaw: 0.1}))
		for _, late := range []int64{65 * ms, 20 * ms, -10 * ms} {
			must.OK(t, f.PredictGyro(stamp-late, 0.1, 1e-6))
		}
		p, err := f.Pose()
		must.OK(t, err)
		for _, late := range []int64{0, 130 * ms, -20 * ms} {
			if _, err := f.FusePosition(Fix{Stamp: stamp - late, X: p.X, Y: p.Y, Cov: diag2(1, 1)}); err != nil {
				t.Fatal(err)
			}
		}
		f.FuseYaw(stamp, p.Yaw, 0.1)
	}); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
	if c := f.Counts(); c.FixesDelayed == 0 || c.Accepted < 3000 || c.Gyro < 3000 {
		t.Errorf("the test did not reach all paths of the code: %+v", c)
	}
}

// A yaw rate and the odometry of one step.
func BenchmarkEKFGyro(b *testing.B) {
	f := initialised(b, DefaultConfig(), 0)
	stamp := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		stamp += 20 * ms
		must.OK(b, f.PredictGyro(stamp, 0.1, 1e-6))
		must.OK(b, f.PredictTwist(stamp, Twist{X: 0.5, Yaw: 0.1}))
	}
}

// A fix 0.2 s late at 50 Hz: ten steps are repeated.
func BenchmarkEKFLateUpdate(b *testing.B) {
	f := initialised(b, DefaultConfig(), 0)
	stamp := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		stamp += 20 * ms
		must.OK(b, f.PredictTwist(stamp, Twist{X: 0.01, Yaw: 0.0001}))
		p, err := f.Pose()
		must.OK(b, err)
		if stamp < 200*ms {
			continue
		}
		if in, err := f.FusePosition(Fix{Stamp: stamp - 200*ms, X: p.X, Y: p.Y, Cov: diag2(1, 1)}); err != nil || in.Status != fixAccepted {
			b.Fatal(in, err)
		}
	}
}
