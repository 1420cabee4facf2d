// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package simulation

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ugp_explorer/msgs"
)

// needPackage returns where the package is installed, as colcon does. It skips the
// test where the ROS 2 that is sourced does not have the package with its
// programs; an interface package of the same name does not count.
func needPackage(t *testing.T) (prefix string) {
	t.Helper()
	needLaunch(t)
	for _, prefix := range filepath.SplitList(os.Getenv("AMENT_PREFIX_PATH")) {
		if _, err := os.Stat(filepath.Join(prefix, "share", "ament_index", "resource_index", "packages", "ugp_explorer")); err != nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(prefix, "lib", "ugp_explorer", "explorer")); err == nil {
			return prefix
		}
		break // ROS 2 takes the first
	}
	t.Skip("no workspace is sourced in which colcon has built ugp_explorer")
	return ""
}

// ros2 returns what a ros2 command prints.
func ros2(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("ros2", args...)
	cmd.Env = append(os.Environ(), launchEnv(t)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ros2 %q: %v", args, err)
	}
	return string(out)
}

// TestPackageInterfaces has ROS 2 know our messages as our nodes do: by the same
// names, fields and comments, and by the same hash where there are hashes.
func TestPackageInterfaces(t *testing.T) {
	prefix := needPackage(t)
	listed := ros2(t, "interface", "package", "ugp_explorer")
	hash := regexp.MustCompile(`"hash_string": *"(RIHS01_[0-9a-f]{64})"`)
	for _, name := range named(t, repository+"msgs/msg/*.msg", ".msg") {
		typ := "ugp_explorer/msg/" + name
		if !strings.Contains("\n"+listed, "\n"+typ+"\n") {
			t.Errorf("ros2 interface package does not list %s:\n%s", typ, listed)
		}
		defined, _, _ := strings.Cut(msgs.Definition(typ), "\n===")
		var own []string // lines, without those of nested types
		for line := range strings.Lines(ros2(t, "interface", "show", typ)) {
			if !strings.HasPrefix(line, "\t") {
				own = append(own, line)
			}
		}
		if got := strings.Join(own, ""); strings.TrimSpace(got) != strings.TrimSpace(defined) {
			t.Errorf("ros2 interface show %s prints\n%s\nwant\n%s", typ, got, defined)
		}
		// From Iron on rosidl writes the hash beside the message.
		description, err := os.ReadFile(filepath.Join(prefix, "share", "ugp_explorer", "msg", name+".json"))
		if os.IsNotExist(err) {
			continue
		}
		if m := hash.FindSubmatch(description); err != nil || m == nil || string(m[1]) != msgs.TypeHash(typ) {
			t.Errorf("%s has the hash %q by rosidl (%v), want %s", typ, m, err, msgs.TypeHash(typ))
		}
	}
}

// TestPackagePrograms has ROS 2 list and run the package's own programs.
func TestPackagePrograms(t *testing.T) {
	needPackage(t)
	listed := ros2(t, "pkg", "executables", "ugp_explorer")
	for _, program := range named(t, repository+"node/cmd/*", "") {
		if !strings.Contains("\n"+listed, "\nugp_explorer "+program+"\n") {
			t.Errorf("ros2 pkg executables does not list %s:\n%s", program, listed)
		}
	}
	if help := ros2(t, "run", "ugp_explorer", "explorer", "--help"); !strings.Contains(help, "budget.samples") {
		t.Errorf("the explorer's help is %q", help)
	}
}
