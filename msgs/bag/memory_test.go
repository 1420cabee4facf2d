// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"bufio"
	"encoding/binary"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// allocated returns how many bytes were ever allocated.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// heapBytes returns how many bytes are in use on Go's heap.
func heapBytes() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// generated are about as many bytes of messages as size says, of two topics: messages of 700 bytes and 16 KiB that compress by half. Their data are valid until the
// next one.
func generated(size int) iter.Seq[sample] {
	return func(yield func(sample) bool) {
		rng := rand.New(rand.NewPCG(15, 16))
		data := make([]byte, 16<<10)
		for written, i := 0, int64(0); written < size; i++ {
			topic, n := "/odometry/filtered", 700
			if i%20 == 0 {
				topic, n = "/reading", len(data)
			}
			for k := 8; k < n; k += 16 {
				binary.LittleEndian.PutUint64(data[k:], rng.Uint64())
			}
			if t := epoch + i*1e6; !yield(sample{topic, t, data[:n]}) {
				return
			}
			written += n
		}
	}
}

// generate writes a bag of generated messages and returns how many there are.
func generate(tb testing.TB, f form, size int) (dir string, messages int) {
	tb.Helper()
	for range generated(size) {
		messages++
	}
	if f != ours {
		return f.write(tb, sampleTopics(), generated(size), 0), messages
	}
	dir = filepath.Join(tb.TempDir(), "bag")
	w := begin(tb, dir, 0)
	for s := range generated(size) {
		must.OK(tb, w.write(s))
	}
	must.OK(tb, w.Close())
	return dir, messages
}

// maxHeap is what reading a bag of small chunks may hold: pieces, the places of their messages, and what the garbage collector has not come to.
const maxHeap = 32 << 20

// However large a bag is, little of it is in memory. With UGP_BAG_MB=2000 the bags have 2 GB, and the process's memory is measured too.
func TestMemory(t *testing.T) {
	size := 48 << 20
	if s := os.Getenv("UGP_BAG_MB"); s != "" {
		n, err := strconv.Atoi(s)
		must.OK(t, err)
		size = n << 20
	}
	for _, f := range append(forms(), ours) {
		if size == 48<<20 && (f.compression != uncompressed || f.distro != "humble") {
			continue // they take long
		}
		t.Run(f.String(), func(t *testing.T) {
			dir, messages := generate(t, f, size)
			for _, metadata := range []bool{true, false} {
				if !metadata { // and, for inMCAP, no index
					spoil(t, dir)
				}
				runtime.GC()
				before := heapBytes()
				resetPeak()
				r := openBag(t, dir)
				var peak uint64
				n, bytes := 0, 0
				for m, err := range r.Messages(Query{}) {
					must.OK(t, err)
					if n++; n%1000 == 0 {
						peak = max(peak, heapBytes())
					}
					bytes += len(m.Data)
				}
				if n != messages || bytes < size {
					t.Errorf("%d messages of %d bytes, want %d", n, bytes, messages)
				}
				if peak > before+maxHeap {
					t.Errorf("%d MB on the heap, %d before", peak>>20, before>>20)
				}
				t.Logf("%d MB in %d messages: heap %d MB, before %d MB; process at most %s", bytes>>20, n, peak>>20, before>>20, peakRSS())
			}
		})
	}
}

// spoil takes metadata.yaml away, and the end of an MCAP file.
func spoil(t *testing.T, dir string) {
	t.Helper()
	must.OK(t, os.Remove(filepath.Join(dir, metadataName)))
	path := filepath.Join(dir, "bag_0.mcap")
	if info, err := os.Stat(path); err == nil {
		must.OK(t, os.Truncate(path, info.Size()-8))
	}
}

// resetPeak makes Linux start again with VmHWM.
func resetPeak() { os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// peakRSS returns the process's largest resident size since resetPeak, where Linux tells.
func peakRSS() string {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return "unknown"
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if rest, ok := strings.CutPrefix(s.Text(), "VmHWM:"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return "unknown"
}
