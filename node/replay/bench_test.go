// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
)

// BenchmarkReplay replays 24 minutes of a robot that mows with the parameters' defaults, record and report
// included; and feeding alone, without a model.
func BenchmarkReplay(b *testing.B) {
	for _, feed := range []bool{false, true} {
		b.Run(map[bool]string{false: "whole", true: "feeding"}[feed], func(b *testing.B) {
			real, before := 0.0, processorTime(b)
			for b.Loop() {
				cfg := DefaultConfig()
				e := &cfg.Explorer
				e.Reading.StdDev, e.Reading.Delay, e.Matcher.Probe.X = 0.02, 0.2, -0.4
				if e.OutputDir = filepath.Join(b.TempDir(), "out"); feed {
					e.OutputDir, e.Path.Length, e.Path.Time = "", 0, 0
				}
				src, err := Open(b.Context(), bags+"lawnmower_mcap_zstd")
				must.OK(b, err)
				r, err := New(src, &cfg, Options{})
				must.OK(b, err)
				must.OK(b, r.Run(b.Context()))
				real += r.Source().To - r.Source().From
				_, _ = r.Close(), src.Close()
			}
			b.ReportMetric(real/b.Elapsed().Seconds(), "x-real-time")
			b.ReportMetric(real/(processorTime(b)-before).Seconds(), "x-processor-time")
		})
	}
}

// processorTime returns what this process has used of the processors, which other work on the machine does
// not change as much as the wall time.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	must.OK(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
