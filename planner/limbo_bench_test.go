// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package planner_test

import (
	"math"
	"syscall"
	"testing"
	"time"

	"ugp_explorer/internal/num"
	"ugp_explorer/internal/testkit/must"
)

// BenchmarkLimbo is limbo's benchmark. Each iteration is a run with another seed;
// reported are medians of the runs: the error in 1e-9, wall time and processor
// time.
func BenchmarkLimbo(b *testing.B) {
	for _, f := range limboFunctions {
		b.Run(f.name, func(b *testing.B) {
			var off, wall, processor []float64
			for b.Loop() {
				begin, used := time.Now(), processorTime(b)
				found := f.minimise(b, uint64(1000+len(off))) // the settings were chosen on seeds below 50
				wall = append(wall, time.Since(begin).Seconds()*1e3)
				processor = append(processor, (processorTime(b)-used).Seconds()*1e3)
				off = append(off, math.Abs(found-f.at(f.optimum))*1e9)
			}
			b.ReportMetric(0, "ns/op") // a mean: left out
			b.ReportMetric(num.Median(off), "1e-9-error")
			b.ReportMetric(num.Median(wall), "ms")
			b.ReportMetric(num.Median(processor), "processor-ms")
		})
	}
}

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	must.OK(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
