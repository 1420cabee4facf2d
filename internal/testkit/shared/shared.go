// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package shared finds data that are not part of the repository, for tests and benchmarks.
package shared

import (
	"os"
	"path/filepath"
	"testing"
)

// File returns the path of a file or folder of data, and skips the test when it is not there. The folder of all data is
// UGP_SHARED_DATA, or shared/data beside the repository.
func File(tb testing.TB, name string) string {
	tb.Helper()
	dir := os.Getenv("UGP_SHARED_DATA")
	if dir == "" {
		dir = filepath.Join(root(tb), "..", "shared", "data")
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("needs %s, which is not shipped; point UGP_SHARED_DATA at its folder (%v)", name, err)
	}
	return path
}

// root returns the repository's folder: tests run in that of their package.
func root(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			tb.Fatal("no folder above has a go.mod")
		}
	}
}
