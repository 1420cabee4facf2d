package journal

import (
	"slices"
	"testing"
	"time"
)

// The time that an observation waits for the disk: write and fsync.
func BenchmarkCommit(b *testing.B) {
	j, _, err := Open(OS{}, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	if err := j.Start(begin(), run(), Start{}); err != nil {
		b.Fatal(err)
	}
	var took []float64
	for n := 1; b.Loop(); n++ {
		began := time.Now()
		if err := j.Commit(observation(n)); err != nil {
			b.Fatal(err)
		}
		took = append(took, float64(time.Since(began))/1e6)
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2], "ms-median")
	b.ReportMetric(took[len(took)*99/100], "ms-p99")
	b.ReportMetric(took[len(took)-1], "ms-max")
}
