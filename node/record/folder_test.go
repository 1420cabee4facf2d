// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/recordtest"
	"ugp_explorer/node/record"
)

func TestWriteReplacesWhole(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out", "demo")
	path := filepath.Join(dir, record.MissionFile)
	long := &record.Mission{Version: record.Version, Outcome: strings.Repeat("long ", 1000)}
	short := &record.Mission{Version: record.Version, Outcome: "short"}
	for _, m := range []*record.Mission{long, short} {
		must.OK(t, m.WriteJSON(path))
		got, err := record.ReadMission(path)
		must.OK(t, err)
		if got.Outcome != m.Outcome {
			t.Errorf("outcome %.20q, want %.20q", got.Outcome, m.Outcome)
		}
	}
	if got := recordtest.Names(t, dir); !slices.Equal(got, []string{record.MissionFile}) {
		t.Errorf("the folder holds %q", got)
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must.OK(t, os.WriteFile(file, nil, 0o600))
	// A file stands where the folder would be: refused to everyone, root too.
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		err := (&record.Mission{Version: record.Version}).WriteJSON(filepath.Join(dir, record.MissionFile))
		if err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "choose another folder") {
			t.Errorf("%s: error %v; want one that names the folder and what to do", dir, err)
		}
	}
}

func TestFailedRenameLeavesNoTemporaryFile(t *testing.T) {
	dir := t.TempDir()
	// A folder under the file's own name cannot be replaced by a file.
	must.OK(t, os.MkdirAll(filepath.Join(dir, record.MissionFile, "inside"), 0o700))
	if err := (&record.Mission{Version: record.Version}).WriteJSON(filepath.Join(dir, record.MissionFile)); err == nil {
		t.Fatal("no error")
	}
	if got := recordtest.Names(t, dir); !slices.Equal(got, []string{record.MissionFile}) {
		t.Errorf("the folder holds %q", got)
	}
}

// Files appear and stale ones go when all is written; a file that fails before leaves
// the folder as it was.
func TestWriteFiles(t *testing.T) {
	dir := t.TempDir()
	must.OK(t, record.WriteFiles(dir, []record.File{{Name: "a", Data: []byte("1")}, {Name: "b", Data: []byte("2")}}))
	if err := record.WriteFiles(dir, []record.File{{Name: "a", Data: []byte("3")}, {Name: "none/c", Data: nil}}, "b"); err == nil {
		t.Fatal("a file outside the folder was written")
	}
	if got := recordtest.Names(t, dir); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("after an error the folder holds %q", got)
	}
	must.OK(t, record.WriteFiles(dir, []record.File{{Name: "c", Data: []byte("4")}}, "b", "d"))
	if got := recordtest.Names(t, dir); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("the folder holds %q", got)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "a")); err != nil || string(data) != "1" {
		t.Errorf("a has %q after an error: %v", data, err)
	}
}
