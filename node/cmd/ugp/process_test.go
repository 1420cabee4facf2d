// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/buildtest"
	"ugp_explorer/internal/testkit/killtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/record"
)

// TestProcess interrupts the real program by the signal that Ctrl-C sends. Other ends of a mission are
// tested without a process.
func TestProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := filepath.Join(t.TempDir(), "ugp")
	must.OK(t, buildtest.Programs(program, "."))
	if runtime.GOOS == "windows" {
		t.Skip("no signals to other processes")
	}
	dir := filepath.Join(t.TempDir(), "out")
	// So many samples take minutes.
	cmd := killtest.Command(program, "demo", "--samples", "5000", "--out", dir)
	var out bytes.Buffer
	cmd.Stdout = &out
	errs, err := cmd.StderrPipe()
	must.OK(t, err)
	must.OK(t, cmd.Start())
	defer cmd.Process.Kill()
	lines := bufio.NewReader(errs)
	for line := ""; !strings.Contains(line, " of 5000 samples, ") || strings.Contains(line, ": 0 of"); {
		if line, err = lines.ReadString('\n'); err != nil {
			t.Fatalf("the progress ends with %q: %v", line, err)
		}
	}
	must.OK(t, cmd.Process.Signal(os.Interrupt))
	rest, err := io.ReadAll(lines)
	must.OK(t, err)
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitInterrupted {
		t.Fatalf("%v, want exit code %d:\n%s%s", err, exitInterrupted, out.String(), rest)
	}
	if !strings.Contains(out.String(), "Interrupted: the robot is stopped.") || !strings.Contains(out.String(), filepath.Join(dir, "mission.json")) {
		t.Errorf("it says %q, want that it was interrupted and where it saved", out.String())
	}
	if got := names(t, dir); !slices.Equal(got, results) {
		t.Errorf("it left %q, want %q", got, results)
	}
	m, err := record.ReadMission(filepath.Join(dir, "mission.json"))
	must.OK(t, err)
	if n := len(m.Observations); n == 0 || n == 5000 {
		t.Errorf("%d samples are saved, want some of 5000", n)
	}
}
