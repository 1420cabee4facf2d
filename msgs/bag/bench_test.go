// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/foxglove/mcap/go/mcap"

	"ugp_explorer/internal/testkit/must"
)

// benchBytes is the size of the bags that benchmarks read: messages of 700 bytes, and of 16 KiB every twentieth.
const benchBytes = 100 << 20

// BenchmarkRead reads whole bags in the order of time beside others' readers of the same files, and reports both rates and their ratio (1 is as fast).
func BenchmarkRead(b *testing.B) {
	for _, c := range []struct {
		name  string
		form  form
		other func(b *testing.B, dir string) int
	}{
		{"mcap", form{inMCAP, uncompressed, "humble"}, readFoxglove},
		{"mcap-zstd", ours, readFoxglove},
		{"mcap-lz4", form{inMCAP, chunkLZ4, "humble"}, readFoxglove},
		{"sqlite", form{inSQLite, uncompressed, "humble"}, readShell},
		{"sqlite-message-zstd", form{inSQLite, messageZstd, "humble"}, nil},
	} {
		b.Run(c.name, func(b *testing.B) {
			dir, messages := generate(b, c.form, benchBytes)
			var own, other time.Duration
			b.ReportAllocs()
			for b.Loop() {
				start := time.Now()
				r := openBag(b, dir)
				n := 0
				for _, err := range r.Messages(Query{}) {
					must.OK(b, err)
					n++
				}
				own += time.Since(start)
				if n != messages {
					b.Fatalf("%d messages, want %d", n, messages)
				}
				if c.other == nil {
					continue
				}
				b.StopTimer()
				start = time.Now()
				if n := c.other(b, dir); n != messages && n >= 0 {
					b.Fatalf("%d messages, want %d", n, messages)
				}
				other += time.Since(start)
				b.StartTimer()
			}
			rate := func(d time.Duration) float64 { return float64(b.N) * benchBytes / 1e6 / d.Seconds() }
			b.ReportMetric(rate(own), "MB/s")
			if other > 0 {
				b.ReportMetric(rate(other), "MB/s-other")
				b.ReportMetric(other.Seconds()/own.Seconds(), "ratio")
			}
		})
	}
}

func readFoxglove(b *testing.B, dir string) (n int) {
	f, err := os.Open(filepath.Join(dir, "bag_0.mcap"))
	must.OK(b, err)
	defer f.Close()
	r, err := mcap.NewReader(f)
	must.OK(b, err)
	defer r.Close()
	it, err := r.Messages(mcap.InOrder(mcap.LogTimeOrder))
	must.OK(b, err)
	var m mcap.Message
	for {
		_, _, _, err := it.NextInto(&m)
		if errors.Is(err, io.EOF) {
			return n
		}
		must.OK(b, err)
		n++
	}
}

// readShell has SQLite's shell print every message, which makes it read them; of CDR it prints nothing, as it begins with a zero.
func readShell(b *testing.B, dir string) int {
	shell, err := exec.LookPath("sqlite3")
	if err != nil {
		b.Skip("there is no sqlite3 to compare with")
	}
	cmd := exec.Command(shell, filepath.Join(dir, "bag_0.db3"), "SELECT topic_id, timestamp, data FROM messages ORDER BY timestamp, id")
	if err := cmd.Run(); err != nil { // its output goes nowhere
		b.Fatal(err)
	}
	return -1
}
