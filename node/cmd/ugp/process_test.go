package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/node/record"
	"ugp_explorer/sim/rig/killtest"
)

// build builds the program as a user would, with more variables in the environment.
func build(t *testing.T, environment ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ugp")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	cmd := exec.Command("go", "build", "-o", path, ".")
	cmd.Env = append(os.Environ(), environment...)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, text)
	}
	return path
}

// TestProcess runs the real program: a mission to its end, one that is
// interrupted by the signal that Ctrl-C sends, and one that cannot begin.
func TestProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := build(t)
	exitCode := func(err error) int {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		return 0
	}

	t.Run("demo", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "out")
		text, err := killtest.Command(program, "demo", "--samples", "4", "--out", dir).CombinedOutput()
		if code := exitCode(err); code != 0 {
			t.Fatalf("exit code %d:\n%s", code, text)
		}
		if got := names(t, dir); !slices.Equal(got, results) {
			t.Errorf("it left %q, want %q", got, results)
		}
		if m, err := record.ReadMission(filepath.Join(dir, "mission.json")); err != nil || len(m.Observations) != 4 {
			t.Errorf("%v; want a record of 4 samples", err)
		}
	})

	t.Run("interrupt", func(t *testing.T) {
		if runtime.GOOS == "windows" {
			t.Skip("no signals to other processes")
		}
		dir := filepath.Join(t.TempDir(), "out")
		// So many samples take minutes.
		cmd := killtest.Command(program, "demo", "--samples", "5000", "--out", dir)
		var out bytes.Buffer
		cmd.Stdout = &out
		errs, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Process.Kill()
		lines := bufio.NewReader(errs)
		first, err := lines.ReadString('\n')
		if err != nil || !strings.Contains(first, " of 5000 samples, ") {
			t.Fatalf("the first line of progress is %q (%v)", first, err)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		rest, err := io.ReadAll(lines)
		if err != nil {
			t.Fatal(err)
		}
		if code := exitCode(cmd.Wait()); code != exitInterrupted {
			t.Fatalf("exit code %d, want %d:\n%s%s", code, exitInterrupted, out.String(), rest)
		}
		if !strings.Contains(out.String(), "Interrupted: the robot is stopped.") || !strings.Contains(out.String(), filepath.Join(dir, "mission.json")) {
			t.Errorf("it says %q, want that it was interrupted and where it saved", out.String())
		}
		if got := names(t, dir); !slices.Equal(got, results) {
			t.Errorf("it left %q, want %q", got, results)
		}
		m, err := record.ReadMission(filepath.Join(dir, "mission.json"))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(m.Observations); n == 0 || n == 5000 {
			t.Errorf("%d samples are saved, want some of 5000", n)
		}
	})

	t.Run("bad input", func(t *testing.T) {
		text, err := killtest.Command(program, "demo", "--survey", "no-such-file", "--out", filepath.Join(t.TempDir(), "out")).CombinedOutput()
		if code := exitCode(err); code != exitBadInput || !strings.Contains(string(text), "no-such-file") {
			t.Errorf("exit code %d, %q; want %d and the name of the file", code, text, exitBadInput)
		}
	})
}
