// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"slices"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
)

// The time that an observation waits for the disk: write and fsync.
func BenchmarkCommit(b *testing.B) {
	j, _, err := Open(OS{}, b.TempDir())
	must.OK(b, err)
	defer j.Close()
	must.OK(b, j.Start(begin(), run(), Start{}))
	var took []float64
	for n := 1; b.Loop(); n++ {
		began := time.Now()
		must.OK(b, j.Commit(observation(n)))
		took = append(took, float64(time.Since(began))/1e6)
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2], "ms-median")
	b.ReportMetric(took[len(took)*99/100], "ms-p99")
	b.ReportMetric(took[len(took)-1], "ms-max")
}
