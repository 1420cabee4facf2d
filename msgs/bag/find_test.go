package bag

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// splitBag returns a bag of twelve files and what is in it.
func splitBag(t *testing.T, c compression) (string, []sample) {
	t.Helper()
	all := samples(1200)
	return form{inMCAP, c, "humble"}.write(t, sampleTopics(), slices.Values(all), int64(len(all)+11)/12), all
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func TestFindParts(t *testing.T) {
	dir, all := splitBag(t, uncompressed)
	paths := func(path string) (names []string) {
		r := openBag(t, path)
		for _, f := range r.files {
			names = append(names, f.name)
		}
		return names
	}
	if got := paths(dir); len(got) != 12 || got[2] != "bag_2.mcap" || got[11] != "bag_11.mcap" {
		t.Error(got)
	}
	if got := paths(filepath.Join(dir, metadataName)); len(got) != 12 {
		t.Error(got)
	}
	if got := paths(filepath.Join(dir, "bag_3.mcap")); len(got) != 1 {
		t.Error(got)
	}
	if err := os.Remove(filepath.Join(dir, metadataName)); err != nil {
		t.Fatal(err)
	}
	if got := paths(dir); len(got) != 12 || got[2] != "bag_2.mcap" || got[11] != "bag_11.mcap" {
		t.Error(got)
	}
	equal(t, read(t, openBag(t, dir), Query{}), all)
}

// From Lyrical on the number of a part comes first, and the time at which it began last. The parts of a recorder that was killed are told apart by it.
func TestFindDatedParts(t *testing.T) {
	dir, all := splitBag(t, uncompressed)
	for i := range 12 {
		rename(t, filepath.Join(dir, fmt.Sprintf("bag_%d.mcap", i)), filepath.Join(dir, fmt.Sprintf("%d_bag_2026_05_01-10_30_%02d.mcap", i, i)))
	}
	if err := os.Remove(filepath.Join(dir, metadataName)); err != nil {
		t.Fatal(err)
	}
	r := openBag(t, dir)
	for i, f := range r.files {
		if !strings.HasPrefix(f.name, fmt.Sprintf("%d_bag_", i)) {
			t.Errorf("part %d is %s", i, f.name)
		}
	}
	if len(r.files) != 12 {
		t.Errorf("%d files", len(r.files))
	}
	equal(t, read(t, r, Query{}), all)
}

// A bag is not spoiled by what is missing of it, and says what is.
func TestFindMissing(t *testing.T) {
	dir, all := splitBag(t, fileZstd)
	rename(t, filepath.Join(dir, "bag_1.mcap.zstd"), filepath.Join(dir, "other_1.mcap.zstd"))
	if err := os.WriteFile(filepath.Join(dir, "bag_5.mcap.zstd"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bag_6.mcap.zstd"), []byte("a text that is no bag"), 0o666); err != nil {
		t.Fatal(err)
	}
	seven := filepath.Join(dir, "bag_7.mcap.zstd")
	info, err := os.Stat(seven)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(seven, info.Size()/2); err != nil {
		t.Fatal(err)
	}
	r := openBag(t, dir)
	checkProblems(t, r.Info(), missingFile, unlisted, empty, notABag, cutOff, noIndex, cutOff, otherCount)
	got := read(t, r, Query{})
	if len(got) <= len(all)*8/12 || len(got) > len(all)*9/12 || int64(len(got)) != r.Info().Count {
		t.Errorf("%d of %d messages, %d by the info", len(got), len(all), r.Info().Count)
	}
}

// A crash between writing a compressed file and removing the plain one leaves both; their messages are read once.
func TestFindBoth(t *testing.T) {
	all := samples(20)
	dir := write(t, 0, chunkBytes, all)
	plain := filepath.Join(dir, "bag_0.mcap")
	b, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	packFile(t, plain)
	if err := os.WriteFile(plain, b, 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		equal(t, read(t, openBag(t, dir), Query{}), all)
		os.Remove(filepath.Join(dir, metadataName)) // which names the plain one
	}
}

func TestOpenErrors(t *testing.T) {
	if _, err := Open(t.Context(), filepath.Join(t.TempDir(), "nothing")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Open(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), ".mcap") {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "x.mcap")
	if err := os.WriteFile(path, []byte("neither the one nor the other"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), "the file is neither MCAP nor SQLite") {
		t.Error(err)
	}
}

// A bag that a crash left before its first byte can still be opened.
func TestEmptyFile(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"x_0.mcap", "x_0.db3"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r := openBag(t, dir)
	if got := read(t, r, Query{}); got != nil || r.Info().Lost() != 0 {
		t.Error(got)
	}
	checkProblems(t, r.Info(), noMetadata, empty, empty)
}

// The folder can be copied with a file renamed, as with all of a bag's names in metadata.yaml of version 2, which have the folder's name in front.
func TestOldPaths(t *testing.T) {
	all := samples(20)
	dir := write(t, 0, chunkBytes, all)
	path := filepath.Join(dir, metadataName)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := strings.Replace(string(b), "- bag_0.mcap", "- some/where/bag_0.mcap", 1)
	s = strings.Replace(s, "storage_identifier: mcap", `storage_identifier: ""`, 1) // as after a reindex
	if err := os.WriteFile(path, []byte(s), 0o666); err != nil {
		t.Fatal(err)
	}
	r := openBag(t, dir)
	checkProblems(t, r.Info())
	equal(t, read(t, r, Query{}), all)
}

func TestStamps(t *testing.T) {
	all := samples(20)
	for i := range all {
		all[i].log -= epoch
	}
	for storage, dir := range map[string]string{inMCAP: write(t, 0, chunkBytes, all), inSQLite: form{inSQLite, uncompressed, "humble"}.of(t, all)} {
		r := openBag(t, dir)
		checkProblems(t, r.Info(), noClock)
		if r.Info().Start != 0 || r.Info().Count != int64(len(all)) {
			t.Error(storage, r.Info())
		}
		equal(t, read(t, r, Query{}), byTime(all))
	}
}

// ending ends when it was asked a number of times.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// Open ends with its context: while it reads an index or a whole file, unpacks one, or counts.
func TestOpenEnds(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	for _, name := range []string{"lawnmower_mcap", "lawnmower_mcap_cut", "lawnmower_sqlite3", "lawnmower_sqlite3_zstd_file"} {
		path := filepath.Join("testdata", name)
		for n := range 3 {
			if _, err := Open(&ending{t.Context(), n}, path); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, ended after %d questions: %v", name, n, err)
			}
		}
		canceled, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Open(canceled, path); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, ended before: %v", name, err)
		}
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("%d unpacked files are left, %v", len(left), err)
	}
}
