// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package killtest kills a program while it writes, for tests of the files that are left. The program is the test's own executable, started
// again; its TestMain calls Main:
//
//	func TestMain(m *testing.M) { killtest.Main(m, writeForEver) }
package killtest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
)

// victim is set in the environment of the program that is killed.
const victim = "UGP_KILLTEST_VICTIM"

// Main runs the tests, or in the program that is killed write, with the arguments
// given to Kill. write prints a number, and nothing else, as soon as the entry with that
// number must survive; it returns only when it fails.
func Main(m *testing.M, write func(args []string) error) {
	if os.Getenv(victim) != "" {
		fmt.Println(write(os.Args[1:]))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// emulator is set in the environment of tests for another processor than this machine's, to the program that runs theirs.
const emulator = "UGP_TEST_EMULATOR"

// Emulated reports whether the tests run for another processor than this machine's.
func Emulated() bool { return os.Getenv(emulator) != "" }

// Command returns the command that starts a program built for the processor of this test: by the emulator that
// UGP_TEST_EMULATOR names, where the kernel cannot start it.
func Command(program string, args ...string) *exec.Cmd {
	return CommandContext(context.Background(), program, args...)
}

// CommandContext returns the same command, which is killed when ctx ends.
func CommandContext(ctx context.Context, program string, args ...string) *exec.Cmd {
	if e := os.Getenv(emulator); e != "" {
		return exec.CommandContext(ctx, e, append([]string{program}, args...)...)
	}
	return exec.CommandContext(ctx, program, args...)
}

// Kill runs the writer until it has printed that many numbers and a little longer, and
// kills it with SIGKILL. It returns the last number, and whether there is one.
func Kill(tb testing.TB, times int, longer time.Duration, args ...string) (last int, ok bool) {
	tb.Helper()
	cmd := Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), victim+"=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	must.OK(tb, err)
	must.OK(tb, cmd.Start())
	lines := bufio.NewScanner(out)
	number := func() bool {
		if !lines.Scan() {
			return false
		}
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			tb.Errorf("the writer says: %s", lines.Text())
			return false
		}
		last, ok = n, true
		return true
	}
	for range times {
		if !number() {
			break
		}
	}
	timer := time.AfterFunc(longer, func() { _ = cmd.Process.Kill() }) // in the middle of something
	for number() {
	}
	timer.Stop()
	_ = cmd.Process.Kill() // it may have ended
	_ = cmd.Wait()         // says that it was killed
	if stderr.Len() > 0 {
		tb.Errorf("the writer says: %s", stderr.String())
	}
	return last, ok
}

// Times returns how often to kill: what the environment's variable says, or else
// usual.
func Times(tb testing.TB, variable string, usual int) int {
	tb.Helper()
	s := os.Getenv(variable)
	if s == "" {
		return usual
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		tb.Fatalf("%s is %q, want a number of kills", variable, s)
	}
	return n
}
