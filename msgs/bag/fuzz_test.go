// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// fuzzAllocated is what an input of a few kilobytes may cost with a limit of 1 MiB: a chunk as read and uncompressed, its entries, decoders, and the same again
// for each chunk that follows.
const fuzzAllocated = 512 << 20

// Any file is read without a panic, in bounded memory, and what is counted is what is read.
func FuzzMCAP(f *testing.F) {
	all := samples(3)
	for _, c := range []compression{uncompressed, chunkZstd, chunkLZ4} {
		b := mcapBytes(f, c, all)
		f.Add(b)
		f.Add(b[:len(b)*2/3])
	}
	f.Add(looseMCAP(f, all))
	f.Fuzz(func(t *testing.T, b []byte) {
		before := allocated()
		m, got, problems := readMCAP(t, b, 1<<20)
		if used := allocated() - before; used > fuzzAllocated {
			t.Fatalf("%d bytes allocated for %d of input", used, len(b))
		}
		if m.c.count != int64(len(got)) && len(problems) == 0 {
			t.Fatalf("%d messages counted and %d read", m.c.count, len(got))
		}
		if !slices.IsSortedFunc(got, func(a, b sample) int { return int(min(max(a.log/2-b.log/2, math.MinInt32), math.MaxInt32)) }) {
			t.Fatal("not in the order of time")
		}
	})
}

// A database is fuzzed by its first pages, which hold the schema and the trees' roots.
func FuzzSQLite(f *testing.F) {
	for _, distro := range []string{"humble", "jazzy"} {
		b, err := os.ReadFile(filepath.Join(form{inSQLite, messageZstd, distro}.of(f, samples(3)), "bag_0.db3"))
		must.OK(f, err)
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
	path := filepath.Join(f.TempDir(), "x_0.db3")
	f.Fuzz(func(t *testing.T, b []byte) {
		if !bytes.HasPrefix(b, sqliteMagic) {
			b = append(bytes.Clone(sqliteMagic), b...)
		}
		before := allocated()
		drain(t, b, path)
		if used := allocated() - before; used > fuzzAllocated {
			t.Fatalf("%d bytes allocated for %d of input", used, len(b))
		}
	})
}
