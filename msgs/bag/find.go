// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/foxglove/mcap/go/mcap"
)

// extensions are the extensions of bag files: rosbag2 packs with .zstd, the program zstd with .zst.
var extensions = []string{".mcap", ".db3", ".mcap.zstd", ".db3.zstd", ".mcap.zst", ".db3.zst"}

// rosOneMagic begins the bags of ROS 1.
var rosOneMagic = []byte("#ROSBAG V")

// convertROS1 says how a bag of ROS 1 becomes one that is read.
const convertROS1 = "convert it with: pip install rosbags && rosbags-convert --src NAME.bag --dst NAME"

// isBagFile reports whether a file has the name of a bag's.
func isBagFile(e os.DirEntry) bool {
	return !e.IsDir() && slices.ContainsFunc(extensions, func(x string) bool { return strings.HasSuffix(e.Name(), x) })
}

// bagFolders returns the first folders among the entries of a folder that contain bag files.
func bagFolders(path string, entries []os.DirEntry) (folders []string) {
	const most = 10
	for _, e := range entries {
		if inside, err := os.ReadDir(filepath.Join(path, e.Name())); err == nil && len(folders) < most && slices.ContainsFunc(inside, isBagFile) {
			folders = append(folders, filepath.Join(path, e.Name()))
		}
	}
	return folders
}

// find returns the files of the bag at path and how many messages its metadata.yaml counts, -1 without one that can be read.
func find(path string) (files []string, count int64, problems []Problem, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, nil, err
	}
	if !info.IsDir() {
		if filepath.Base(path) != metadataName {
			return []string{path}, -1, nil, nil
		}
		path = filepath.Dir(path)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, 0, nil, err
	}
	for _, e := range entries {
		if isBagFile(e) {
			files = append(files, filepath.Join(path, e.Name()))
		}
	}
	// A writer that stops while it compresses a file leaves both.
	files = slices.DeleteFunc(files, func(f string) bool {
		plain, packed := strings.CutSuffix(strings.TrimSuffix(f, "d"), ".zst")
		return packed && slices.Contains(files, plain)
	})
	if len(files) == 0 {
		hint := ""
		if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasSuffix(e.Name(), ".bag") }) {
			hint = "; it has one of ROS 1, which ends in .bag: " + convertROS1
		} else if bags := bagFolders(path, entries); len(bags) > 0 {
			hint = "; there are bags in its folders: give one of " + strings.Join(bags, ", ")
		}
		return nil, 0, nil, fmt.Errorf("%s: the folder contains no bag file; bag files end in %s%s", path, strings.Join(extensions, ", "), hint)
	}
	count, listed, err := readMetadata(filepath.Join(path, metadataName))
	own, others := oneRecording(files, listed)
	for i := range others {
		others[i] = filepath.Base(others[i])
	}
	switch {
	case len(own) == 0:
		return nil, 0, nil, fmt.Errorf("%s: the folder has files of several recordings, %s: give one of them, or put those of one recording into a folder of their own", path, strings.Join(others, ", "))
	case len(others) > 0:
		problems = append(problems, Problem{Text: "the folder has files of other recordings than metadata.yaml, which are left out: " + strings.Join(others, ", ")})
	}
	switch {
	case errors.Is(err, os.ErrNotExist):
		problems = append(problems, Problem{Text: "metadata.yaml is missing, as after a recording that was killed"})
	case err != nil:
		problems = append(problems, Problem{File: metadataName, Text: err.Error()})
	}
	if lost := missing(own, listed); len(lost) > 0 {
		count = -1 // which says no more
		problems = append(problems, Problem{Text: "files of the recording are missing: " + strings.Join(lost, ", ")})
	}
	return own, count, problems, nil
}

// missing returns the names of the files of a recording that are not there: those that metadata.yaml lists, or else those whose numbers lie
// between others.
func missing(own, listed []string) (lost []string) {
	stem, _ := recording(own[0])
	var numbers []int
	for _, f := range own {
		if _, n := recording(f); n >= 0 {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	for _, name := range listed {
		if s, n := recording(name); s == stem && !slices.Contains(numbers, n) {
			lost = append(lost, filepath.Base(name))
		}
	}
	const most = 100 // in a row: larger steps are no numbers of files
	for i := 1; i < len(numbers) && len(listed) == 0; i++ {
		for n := numbers[i-1] + 1; n < numbers[i] && numbers[i]-numbers[i-1] <= most; n++ {
			lost = append(lost, fmt.Sprintf("%s%d", stem, n))
		}
	}
	return lost
}

// recording returns the name of a file without its number and extensions, and the number, -1 without one: rosbag2 numbers the files of a recording
// at the ends of their names.
func recording(file string) (stem string, number int) {
	name := filepath.Base(file)
	for _, x := range slices.Backward(extensions) {
		name = strings.TrimSuffix(name, x)
	}
	if stem = strings.TrimRight(name, "0123456789"); strings.HasSuffix(stem, "_") {
		if n, err := strconv.Atoi(name[len(stem):]); err == nil {
			return stem, n
		}
	}
	return name, -1
}

// oneRecording returns the files of the recording that metadata.yaml lists, or else of the only one. others are those of further recordings; all are, if nobody can tell which
// recording is meant.
func oneRecording(files, listed []string) (own, others []string) {
	of := func(file string) string {
		stem, _ := recording(file)
		return stem
	}
	if !slices.ContainsFunc(files, func(f string) bool { return of(f) != of(files[0]) }) {
		return files, nil
	}
	for _, f := range files {
		if len(listed) > 0 && of(f) == of(listed[0]) {
			own = append(own, f)
		} else {
			others = append(others, f)
		}
	}
	return own, others
}

// openFile opens one file of a bag. The file's contents decide its format, not its name. why says what is wrong with the file as a whole; the storage is nil if it is not a
// bag.
func openFile(ctx context.Context, path string, limit int) (s storage, why string, err error) {
	magic, err := firstBytes(path)
	if err != nil {
		return nil, "", err
	}
	if !bytes.HasPrefix(magic, zstdMagic) {
		return openPlain(ctx, path, magic, limit)
	}
	tmp, why, err := unpackFile(ctx, path, limit)
	if err != nil {
		return nil, "", err
	}
	if magic, err = firstBytes(tmp); err == nil {
		var more string
		s, more, err = openPlain(ctx, tmp, magic, limit)
		why = cmp.Or(why, more)
	}
	if s == nil {
		return nil, why, errors.Join(err, os.Remove(tmp))
	}
	return &unpacked{s, tmp}, why, err
}

// unpacked is a file that was unpacked to a temporary one.
type unpacked struct {
	storage
	tmp string
}

func (u *unpacked) close() error { return errors.Join(u.storage.close(), os.Remove(u.tmp)) }

// openPlain opens a file that is not compressed as a whole and begins with some bytes.
func openPlain(ctx context.Context, path string, magic []byte, limit int) (storage, string, error) {
	switch {
	case len(magic) == 0:
		return &mcapFile{}, "the file is empty, it has 0 bytes", nil
	case isMagic(magic, mcap.Magic):
		f, err := os.Open(path)
		if err != nil {
			return nil, "", err
		}
		info, err := f.Stat()
		if err != nil {
			return nil, "", errors.Join(err, f.Close())
		}
		m, err := openMCAP(ctx, f, info.Size(), limit)
		if err != nil {
			return nil, "", errors.Join(err, f.Close())
		}
		return m, "", nil
	case isMagic(magic, sqliteMagic):
		s, err := openSQLite(ctx, path, limit)
		if err != nil {
			return nil, "", err
		}
		return s, "", nil
	}
	if isMagic(magic, rosOneMagic) {
		return nil, "the file is a bag of ROS 1; " + convertROS1, nil
	}
	return nil, "the file is neither MCAP nor SQLite, nor one of them compressed once with zstd", nil
}

// firstBytes returns those that tell the formats apart, fewer of a shorter file.
func firstBytes(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	head := make([]byte, len(sqliteMagic))
	n, err := io.ReadFull(f, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return head[:n], errors.Join(err, f.Close())
}

// isMagic reports whether a file that begins with head has the magic, or is cut off in it.
func isMagic(head, magic []byte) bool {
	return bytes.HasPrefix(head, magic) || bytes.HasPrefix(magic, head)
}
