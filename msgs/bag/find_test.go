// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

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

	"github.com/klauspost/compress/zstd"

	"ugp_explorer/internal/testkit/must"
)

// splitBag returns a bag of twelve files and what is in it.
func splitBag(t *testing.T, c compression) (string, []sample) {
	t.Helper()
	all := samples(1200)
	return form{inMCAP, c, "humble"}.write(t, sampleTopics(), slices.Values(all), int64(len(all)+11)/12), all
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
	must.OK(t, os.Remove(filepath.Join(dir, metadataName)))
	if got := paths(dir); len(got) != 12 || got[2] != "bag_2.mcap" || got[11] != "bag_11.mcap" {
		t.Error(got)
	}
	equal(t, read(t, openBag(t, dir), Query{}), all)
}

// A bag is not spoiled by what is missing of it, and says what is.
func TestFindMissing(t *testing.T) {
	dir, all := splitBag(t, fileZstd)
	seven := filepath.Join(dir, "bag_7.mcap.zstd")
	info, err := os.Stat(seven)
	must.OK(t, errors.Join(err, os.Remove(filepath.Join(dir, "bag_1.mcap.zstd")), os.WriteFile(filepath.Join(dir, "bag_5.mcap.zstd"), nil, 0o666),
		os.WriteFile(filepath.Join(dir, "bag_6.mcap.zstd"), []byte("a text that is no bag"), 0o666), os.Truncate(seven, info.Size()/2)))
	r := openBag(t, dir)
	checkProblems(t, r.Info(), lost+"bag_1.mcap.zstd", empty, notABag, cutOff, cutOff)
	got := read(t, r, Query{})
	if len(got) <= len(all)*8/12 || len(got) > len(all)*9/12 || int64(len(got)) != r.Info().Count {
		t.Errorf("%d of %d messages, %d by the info", len(got), len(all), r.Info().Count)
	}
}

// A file that is missing is named, by metadata.yaml or by the numbers of the others; files with other names are not missed.
func TestFindMissingNames(t *testing.T) {
	dir, all := splitBag(t, uncompressed)
	meta := filepath.Join(dir, metadataName)
	must.OK(t, errors.Join(os.Remove(filepath.Join(dir, "bag_4.mcap")), os.Remove(filepath.Join(dir, "bag_11.mcap"))))
	checkProblems(t, openBag(t, dir).Info(), lost+"bag_4.mcap, bag_11.mcap")
	must.OK(t, os.Remove(meta))
	checkProblems(t, openBag(t, dir).Info(), noMetadata, lost+"bag_4")

	whole, _ := splitBag(t, uncompressed)
	for n := range 12 {
		from := filepath.Join(whole, fmt.Sprintf("bag_%d.mcap", n))
		must.OK(t, os.Rename(from, strings.Replace(from, "bag_", "north_", 1)))
	}
	r := openBag(t, whole)
	checkProblems(t, r.Info())
	equal(t, read(t, r, Query{}), all)
}

// A crash between writing a compressed file and removing the plain one leaves both; their messages are read once.
func TestFindBoth(t *testing.T) {
	all := samples(20)
	dir := write(t, 0, chunkBytes, all)
	plain := filepath.Join(dir, "bag_0.mcap")
	b, err := os.ReadFile(plain)
	must.OK(t, err)
	packFile(t, plain)
	must.OK(t, os.WriteFile(plain, b, 0o666))
	for i := range 4 {
		switch i {
		case 2: // as the program zstd calls it
			must.OK(t, os.Rename(plain+".zstd", plain+".zst"))
		case 3:
			must.OK(t, os.Remove(plain))
		}
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
	bag, _ := splitBag(t, uncompressed)
	must.OK(t, os.Mkdir(filepath.Join(filepath.Dir(bag), "photos"), 0o777))
	if _, err := Open(t.Context(), filepath.Dir(bag)); err == nil || !strings.HasSuffix(err.Error(), "; there are bags in its folders: give one of "+bag) {
		t.Errorf("the folder above a bag: %v", err)
	}
	path := filepath.Join(t.TempDir(), "x.mcap")
	must.OK(t, os.WriteFile(path, []byte("neither the one nor the other"), 0o666))
	if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), "the file is neither MCAP nor SQLite") {
		t.Error(err)
	}
}

// The files of two recordings are not one bag: metadata.yaml says which are meant, or nobody does.
func TestTwoRecordings(t *testing.T) {
	dir, all := splitBag(t, uncompressed)
	b, err := os.ReadFile(filepath.Join(dir, "bag_3.mcap"))
	must.OK(t, err)
	must.OK(t, os.WriteFile(filepath.Join(dir, "evening_0.mcap"), b, 0o666))
	r := openBag(t, dir)
	checkProblems(t, r.Info(), "left out: evening_0.mcap")
	equal(t, read(t, r, Query{}), all)
	must.OK(t, os.Remove(filepath.Join(dir, metadataName)))
	if _, err := Open(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "files of several recordings") || !strings.Contains(err.Error(), "evening_0.mcap") {
		t.Error(err)
	}
	must.OK(t, os.Remove(filepath.Join(dir, "evening_0.mcap")))
	equal(t, read(t, openBag(t, dir), Query{}), all)
}

// A bag of ROS 1 is named as such, as a file and in a folder.
func TestROS1(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.bag")
	must.OK(t, os.WriteFile(path, []byte("#ROSBAG V2.0\nE\x00\x00\x00"), 0o666))
	for _, path := range []string{path, filepath.Dir(path)} {
		if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), "ROS 1") || !strings.Contains(err.Error(), "rosbags-convert --src") {
			t.Error(err)
		}
	}
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

// Open ends with its context: while it reads a file, unpacks one, or counts.
func TestOpenEnds(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	for _, name := range []string{"lawnmower_mcap_cut", "lawnmower_mcap_zstd", "lawnmower_sqlite3", "lawnmower_sqlite3_zstd_file"} {
		canceled, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Open(canceled, filepath.Join("testdata", name)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("%d unpacked files are left, %v", len(left), err)
	}
}

// Each layer of compression may be a thousand times smaller than what it holds, so there is one.
func TestPackedTwice(t *testing.T) {
	e, err := zstd.NewWriter(nil)
	must.OK(t, err)
	file := filepath.Join(t.TempDir(), "bomb.db3.zstd")
	must.OK(t, os.WriteFile(file, e.EncodeAll(e.EncodeAll(make([]byte, 1<<20), nil), nil), 0o666))
	t.Setenv("TMPDIR", t.TempDir())
	if _, err := Open(t.Context(), file); err == nil || !strings.Contains(err.Error(), "nor one of them compressed once with zstd") {
		t.Errorf("the error is %v", err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("files are left: %v, %v", left, err)
	}
}
