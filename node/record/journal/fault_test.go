// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"errors"
	"os"
	"testing"

	"pgregory.net/rapid"

	"ugp_explorer/internal/testkit/must"
)

// flaky is a file on a disk that fails on demand.
type flaky struct {
	*os.File
	full   bool // writing fails after half of the bytes
	unsure bool // it cannot be synced
	stuck  bool // it cannot be truncated
}

var errDisk = errors.New("the disk fails")

func (f *flaky) WriteAt(b []byte, at int64) (int, error) {
	if f.full {
		n, err := f.File.WriteAt(b[:len(b)/2], at)
		return n, errors.Join(err, errDisk)
	}
	return f.File.WriteAt(b, at)
}

func (f *flaky) Sync() error {
	if f.unsure {
		return errDisk
	}
	return nil // quick
}

func (f *flaky) Truncate(n int64) error {
	if f.stuck {
		return errDisk
	}
	return f.File.Truncate(n)
}

// Whatever the disk does: what was committed is in the journal, once and in order; what was
// refused is not; and what was appended is there after the next successful Retry.
func TestFaults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "journal")
		must.OK(t, err)
		defer os.RemoveAll(dir)
		j, _, err := Open(OS{}, dir)
		must.OK(t, err)
		defer j.Close()
		f := &flaky{File: j.f.(named).File}
		j.mu.Lock()
		j.f = f
		j.mu.Unlock()
		must.OK(t, j.Start(begin()))
		next := 1
		var want []int // observations that were committed
		decided := 0
		check := func() {
			s, err := Read(dir)
			must.OK(t, err)
			if len(s.Observations) < len(want) {
				t.Fatalf("%d observations, want %v", len(s.Observations), want)
			}
			for i, n := range want {
				if s.Observations[i].Sequence != n {
					t.Fatalf("observation %d is number %d, want %d", i, s.Observations[i].Sequence, n)
				}
			}
			if j.Err() == nil && (len(s.Observations) != len(want) || s.Decided != decided || len(s.Problems) > 0) {
				t.Fatalf("%d observations and %d decisions, want %d and %d: %v", len(s.Observations), s.Decided, len(want), decided, s.Problems)
			}
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			switch rapid.IntRange(0, 6).Draw(t, "step") {
			case 0:
				f.full = !f.full
			case 1:
				f.unsure = !f.unsure
			case 2:
				f.stuck = !f.stuck
			case 3:
				if err := j.Commit(observation(next)); err == nil {
					want = append(want, next)
					next++
				} else if !errors.Is(err, errDisk) {
					t.Fatal(err)
				}
			case 4:
				decided++
				if err := j.Append(Decision{Number: decided}); err != nil && !errors.Is(err, errDisk) {
					t.Fatal(err)
				}
			case 5:
				if err := j.Retry(); err == nil && (f.full && len(j.tail) > 0 || f.unsure || f.stuck) {
					t.Fatal("all is said to be well")
				}
			case 6:
				j.syncTail()
			}
			check()
		}
		f.full, f.unsure, f.stuck = false, false, false
		must.OK(t, j.Retry())
		check()
	})
}
