// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package process

import (
	"os"
	"strconv"
	"strings"
)

// used returns the resident memory of this process, bytes, and the number of its open files.
func used() (bytes, files int64, ok bool) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, 0, false
	}
	fields := strings.Fields(string(text)) // proc(5): size, resident, ..., in pages
	if len(fields) < 2 {
		return 0, 0, false
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0, 0, false
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0, 0, false
	}
	return pages * int64(os.Getpagesize()), int64(len(open)) - 1, true // one is the folder itself
}
