// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package rclgo_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// Where Humble has one middleware, the linker finds that in place of rmw_implementation; where it has several, it finds
// ROS's own library alone.
func TestLibraryOfOneMiddleware(t *testing.T) {
	script, err := filepath.Abs("../../../.ci/rmw")
	must.OK(t, err)
	ros, other, folder := t.TempDir(), t.TempDir(), t.TempDir()
	file := func(path ...string) {
		t.Helper()
		name := filepath.Join(path...)
		must.OK(t, os.MkdirAll(filepath.Dir(name), 0o777))
		must.OK(t, os.WriteFile(name, nil, 0o666))
	}
	const index = "share/ament_index/resource_index/rmw_typesupport"
	file(ros, index, "rmw_implementation")
	file(other, index, "rmw_cyclonedds_cpp")
	file(other, "lib/librmw_cyclonedds_cpp.so")
	link := func() string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), "sh", script, folder, ros, other).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		text, err := os.ReadFile(filepath.Join(folder, "librmw_implementation.so"))
		if !os.IsNotExist(err) {
			must.OK(t, err)
		}
		return string(text)
	}
	if got, want := link(), "INPUT("+other+"/lib/librmw_cyclonedds_cpp.so)\n"; got != want {
		t.Errorf("the linker is told %q, want %q", got, want)
	}
	file(ros, "lib/librmw_implementation.so")
	if got := link(); got != "" {
		t.Errorf("the linker is told %q beside ROS's own library", got)
	}
}
