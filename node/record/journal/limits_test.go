// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// The folder of a mission may have come from somebody else: what stands there instead of a
// journal is neither read without end nor overwritten.
func TestStrangeJournals(t *testing.T) {
	precious := filepath.Join(t.TempDir(), "precious")
	must.OK(t, os.WriteFile(precious, []byte("keep this\n"), 0o666))
	for name, c := range map[string]struct {
		make func(path string) error
		want string
	}{
		"link":          {func(path string) error { return os.Symlink(precious, path) }, "is not a file but a symbolic link"},
		"dangling link": {func(path string) error { return os.Symlink(filepath.Join(filepath.Dir(precious), "new"), path) }, "is not a file but a symbolic link"},
		"folder":        {func(path string) error { return os.Mkdir(path, 0o777) }, "is not a file but a folder"},
		"device":        {func(path string) error { return os.Symlink("/dev/zero", path) }, "is not a file but"},
		"endless line": {func(path string) error {
			if err := os.WriteFile(path, nil, 0o666); err != nil {
				return err
			}
			return os.Truncate(path, 1<<40) // sparse
		}, "line 1: it is longer than 16 MiB: it is not a line of a journal"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := c.make(filepath.Join(dir, FileName)); err != nil {
				t.Skip(err)
			}
			j, _, err := Open(OS{}, dir)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %q", err, c.want)
			}
			if err == nil {
				_ = j.Close()
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(precious), "new")); err == nil {
				t.Error("a file was made where the link points to")
			}
			if got, err := os.ReadFile(precious); err != nil || string(got) != "keep this\n" {
				t.Errorf("the file that a link pointed to is now %q, %v", got, err)
			}
		})
	}
}

// A journal that cannot be written is refused, and the error names the file and the next step. Nobody can make files in /sys, which every
// Linux has.
func TestNotWritable(t *testing.T) {
	const dir = "/sys/kernel"
	if _, err := os.Stat(dir); err != nil {
		t.Skip(err)
	}
	_, _, err := Open(OS{}, dir)
	if err == nil || !strings.Contains(err.Error(), dir+"/"+FileName) || !strings.Contains(err.Error(), "let this user write there, or choose another folder") {
		t.Errorf("error %v", err)
	}
}

// A mission may last as long as it wants: its journal is read part by part, in memory that does
// not grow with the file, and whatever stands in a line.
func TestLargeJournal(t *testing.T) {
	const before, damaged, length = 4000, 20, 8 << 20
	data, _ := written(t, before)
	last, err := appendLine(nil, 3+before+damaged+1, observation(before+1))
	must.OK(t, err)
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, FileName))
	must.OK(t, err)
	write := func(b []byte, at int) {
		if _, err := f.WriteAt(b, int64(at)); err != nil {
			t.Fatal(err)
		}
	}
	write(data, 0)
	for k := range damaged { // lines of zeros, sparse: 160 MiB
		write([]byte{'\n'}, len(data)+(k+1)*length-1)
	}
	write(last, len(data)+damaged*length)
	must.OK(t, f.Close())

	var at, then runtime.MemStats
	runtime.ReadMemStats(&at)
	j, s, err := Open(OS{}, dir)
	runtime.ReadMemStats(&then)
	must.OK(t, err)
	if len(s.Observations) != before+1 || len(s.Problems) != 1 || s.Problems[0] != "lines 4004 to 4023 are ignored; of the first, its checksum is wrong" {
		t.Errorf("%d observations, want %d; problems %q", len(s.Observations), before+1, s.Problems)
	}
	for i, o := range s.Observations {
		if o.Sequence != i+1 {
			t.Fatalf("observation %d has the number %d", i+1, o.Sequence)
		}
	}
	if used := then.TotalAlloc - at.TotalAlloc; used > 128<<20 {
		t.Errorf("%d MiB of memory were asked for", used>>20)
	}
	must.OK(t, j.Commit(observation(before+2)))
	must.OK(t, j.Close())
	if s, err := Read(dir); err != nil || len(s.Observations) != before+2 {
		t.Errorf("after another observation: %v", err)
	}
}

// What could not be read again is not written.
func TestLongLine(t *testing.T) {
	dir := t.TempDir()
	j := started(t, dir)
	if err := j.Commit(Goal{ID: strings.Repeat("a", mostLine)}); err == nil || !strings.Contains(err.Error(), "goal: it is longer than 16 MiB") {
		t.Errorf("the error is %v", err)
	}
	if err := j.Commit(Goal{ID: strings.Repeat("a", mostLine-100)}); err != nil {
		t.Error(err)
	}
	if err := j.Commit(observation(1)); err != nil {
		t.Error(err)
	}
	must.OK(t, j.Close())
	if s, err := Read(dir); err != nil || len(s.Observations) != 1 || len(s.Goal) != mostLine-100 || len(s.Problems) > 0 {
		t.Errorf("%v", err)
	}
}
