// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"testing"

	"ugp_explorer/internal/num"
)

// turning returns the rates of a gyroscope on a robot that turns at a constant rate for n
// seconds.
func turning(c GyroConfig, seed uint64, rate float64, n int) (list []GyroRate) {
	g := NewGyro(c, Stream(seed, "gyro"))
	for now := int64(0); now <= int64(n)*1e9; now += tick {
		if m, ok := g.Tick(now, PlantState{YawRate: rate}); ok {
			list = append(list, m)
		}
	}
	return list
}

// The integral of the noise is a random walk of the configured density: over blocks of 1 s
// its standard deviation is the density, however often a rate comes. The stated variance is
// that of one rate.
func TestGyroNoise(t *testing.T) {
	for _, period := range []float64{0.02, 0.05, 0.1} {
		c := GyroConfig{Period: period, Density: 0.003, DriftTime: 1}
		const blocks = 2000
		var angles, errors []float64
		list := turning(c, 1, 0.4, blocks)
		before, at := 0.0, int64(0)
		for _, m := range list {
			dt := float64(m.Stamp-at) * 1e-9
			at = m.Stamp
			near(t, "stated variance", m.Variance, c.Density*c.Density/dt, 1e-15)
			errors = append(errors, (m.Rate-0.4)/math.Sqrt(m.Variance))
			before += (m.Rate - 0.4) * dt
			if m.Stamp%1e9 == 0 {
				angles, before = append(angles, before), 0
			}
		}
		if len(angles) < blocks-1 {
			t.Fatalf("period %g s: %d blocks", period, len(angles))
		}
		// The variance of n normal numbers has the relative standard deviation √(2/n).
		_, v := moments(angles)
		near(t, "variance of the angle after 1 s", v, c.Density*c.Density, 4*math.Sqrt(2.0/blocks)*c.Density*c.Density)
		mean, v := moments(errors)
		near(t, "mean of the errors", mean, 0, 4/math.Sqrt(float64(len(errors))))
		near(t, "variance of the errors", v, 1, 4*math.Sqrt(2/float64(len(errors))))
	}
}

// Over many runs bias and scale have their standard deviations; within a run the bias wanders
// by that of its drift.
func TestGyroBias(t *testing.T) {
	c := GyroConfig{Period: 0.02, BiasStdDev: 0.02, DriftStdDev: 0.004, DriftTime: 10, ScaleStdDev: 0.1}
	const runs = 2000
	var biases, scales, drifts []float64
	for seed := range uint64(runs) {
		g, other := NewGyro(c, Stream(seed, "gyro")), NewGyro(c, Stream(seed, "gyro"))
		at := func(g *Gyro, s float64, rate float64) float64 {
			m, _ := g.Tick(num.Nanoseconds(s), PlantState{YawRate: rate})
			return m.Rate
		}
		at(g, 0, 0)
		at(other, 0, 1)
		still := at(g, 0.02, 0)
		biases = append(biases, still)
		drifts = append(drifts, at(g, 100, 0)-still)
		scales = append(scales, at(other, 0.02, 1)-still)
	}
	share := 4 * math.Sqrt(2.0/runs)
	_, v := moments(biases)
	want := c.BiasStdDev*c.BiasStdDev + c.DriftStdDev*c.DriftStdDev
	near(t, "variance of the bias", v, want, share*want)
	_, v = moments(drifts)
	want = 2 * c.DriftStdDev * c.DriftStdDev // 10 correlation times apart
	near(t, "variance of the drift", v, want, share*want)
	mean, v := moments(scales)
	near(t, "mean scale", mean, 1, 4*c.ScaleStdDev/math.Sqrt(runs))
	near(t, "variance of the scale", v, c.ScaleStdDev*c.ScaleStdDev, share*c.ScaleStdDev*c.ScaleStdDev)
}
