// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// mostFile is the largest record that is read, bytes: that of a month of driving with 10,000
// observations a day.
const mostFile = 256 << 20

// ReadFile reads a file up to a largest size, bytes. The error names it.
func ReadFile(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > most { // without reading it
		return nil, tooLarge(path, most)
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = tooLarge(path, most)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// SplitName splits a file's name from that of a part of it, which stands behind the last #, as in farm.geojson#North. A file that is
// called so as a whole has no part.
func SplitName(name string) (file, part string) {
	i := strings.LastIndexByte(name, '#')
	if i < 0 {
		return name, ""
	}
	if _, err := os.Stat(name); err == nil {
		return name, ""
	}
	return name[:i], name[i+1:]
}

func tooLarge(path string, most int64) error {
	return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it is larger than %d MiB, the limit for reading", most>>20)}
}
