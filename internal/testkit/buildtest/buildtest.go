// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package buildtest builds the programs that tests start.
package buildtest

import (
	"fmt"
	"os/exec"
	"runtime/debug"
)

// Programs builds packages into out, a file or a folder with a slash at its end. They have the build tags of the test, so that
// they are of the same Fast DDS and little is compiled anew. args are further flags of go build, and the packages.
func Programs(out string, args ...string) error {
	info, _ := debug.ReadBuildInfo()
	for _, s := range info.Settings {
		if s.Key == "-tags" {
			args = append([]string{"-tags", s.Value}, args...)
		}
	}
	if text, err := exec.Command("go", append([]string{"build", "-ldflags=-s -w", "-o", out}, args...)...).CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, text)
	}
	return nil
}
