package replay

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// BenchmarkReplay replays 24 minutes of a robot that mows, in each storage, with the
// parameters' defaults, record and report included; and feeding alone, without a
// model. Beside the wall time's multiple of real time it says that of the
// processor's time, which other work on the machine does not change as much.
func BenchmarkReplay(b *testing.B) {
	for _, c := range []struct {
		name, bag string
		feed      bool
	}{
		{"mcap-chunk-zstd", "lawnmower_mcap_zstd", false},
		{"mcap-file-zstd", "lawnmower_mcap", false},
		{"sqlite-file-zstd", "lawnmower_sqlite3_zstd_file", false},
		{"sqlite-message-zstd", "lawnmower_sqlite3_zstd_message", false},
		{"feeding", "lawnmower_mcap_zstd", true},
	} {
		b.Run(c.name, func(b *testing.B) {
			real := 0.0
			before := processorTime(b)
			for b.Loop() {
				cfg := DefaultConfig()
				e := &cfg.Explorer
				e.Reading.StdDev, e.Reading.Delay, e.Matcher.Probe.X = 0.02, 0.2, -0.4
				e.OutputDir = filepath.Join(b.TempDir(), "out")
				if c.feed {
					e.OutputDir, e.Path.Length, e.Path.Time = "", 0, 0
				}
				src, err := Open(b.Context(), bags+c.bag)
				if err != nil {
					b.Fatal(err)
				}
				r, err := New(src, &cfg, Options{})
				if err != nil {
					b.Fatal(err)
				}
				if err := r.Run(b.Context()); err != nil {
					b.Fatal(err)
				}
				real += r.Source().To - r.Source().From
				if err := r.Close(); err != nil {
					b.Fatal(err)
				}
				if err := src.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(real/b.Elapsed().Seconds(), "x-real-time")
			b.ReportMetric(real/(processorTime(b)-before).Seconds(), "x-processor-time")
		})
	}
}

// processorTime returns what this process has used of the processors.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
