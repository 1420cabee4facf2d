package report

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// names returns what is in a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestWriteReplacesWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, MissionFile)
	long := &Mission{Version: Version, Outcome: strings.Repeat("long ", 1000)}
	short := &Mission{Version: Version, Outcome: "short"}
	for _, m := range []*Mission{long, short} {
		if err := m.WriteJSON(path); err != nil {
			t.Fatal(err)
		}
		got, err := ReadMission(path)
		if err != nil {
			t.Fatal(err)
		}
		if got.Outcome != m.Outcome {
			t.Errorf("outcome %.20q, want %.20q", got.Outcome, m.Outcome)
		}
	}
	if got := names(t, dir); !slices.Equal(got, []string{MissionFile}) {
		t.Errorf("the folder holds %q", got)
	}
}

func TestFolderIsMade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out", "demo", MissionFile)
	if err := (&Mission{Version: Version}).WriteJSON(path); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadMission(path); err != nil {
		t.Error(err)
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	// A file stands where the folder would be: refused to everyone, root too.
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		err := WriteAll(dir, &Mission{Version: Version}, nil, nil)
		if err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "choose another folder") {
			t.Errorf("%s: error %v; want one that names the folder and what to do", dir, err)
		}
	}
}

func TestFailedRenameLeavesNoTemporaryFile(t *testing.T) {
	dir := t.TempDir()
	// A folder under the file's own name cannot be replaced by a file.
	if err := os.MkdirAll(filepath.Join(dir, MissionFile, "inside"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := (&Mission{Version: Version}).WriteJSON(filepath.Join(dir, MissionFile)); err == nil {
		t.Fatal("no error")
	}
	if got := names(t, dir); !slices.Equal(got, []string{MissionFile}) {
		t.Errorf("the folder holds %q", got)
	}
}
