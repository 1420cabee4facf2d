// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package recorder

import "syscall"

// freeBytes returns the free space on a folder's disk for this user, bytes.
func freeBytes(dir string) (free int64, known bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return int64(min(s.Bavail, 1<<50/uint64(max(s.Bsize, 1)))) * int64(s.Bsize), true
}
