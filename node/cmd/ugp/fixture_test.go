// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
)

// result is what a run of the program came to.
type result struct {
	code     int
	out, err string
}

// ugp runs the program in this process, in a wall time in which every look at
// the clock takes a millisecond.
func ugp(t *testing.T, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(terminal{ctx: t.Context(), out: &out, err: &errs, now: ticking(time.Millisecond)}, args)
	return result{code, out.String(), errs.String()}
}

// succeeds is ugp that must end with the exit code 0.
func succeeds(t *testing.T, args ...string) result {
	t.Helper()
	r := ugp(t, args...)
	if r.code != 0 {
		t.Fatalf("exit code %d: %s", r.code, r.err)
	}
	return r
}

// ticking returns a clock that moves on by step whenever it is looked at.
func ticking(step time.Duration) func() time.Time {
	var now time.Time
	return func() time.Time { now = now.Add(step); return now }
}

// write puts a file into a folder of the test's own and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.OK(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

// names returns the names of what is in a folder, none when it is not there.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// trigger is a writer that calls off once something has been written to it.
type trigger struct {
	bytes.Buffer
	word   string
	cancel context.CancelFunc
}

func (w *trigger) Write(p []byte) (int, error) {
	if strings.Contains(string(p), w.word) {
		w.cancel()
	}
	return w.Buffer.Write(p)
}
