// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build !fastdds

package process

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
)

// asTalker makes TestLogNotRead the program whose log is not read.
const asTalker = "UGP_TEST_TALKER"

// said is how many lines the talker logs at once: more than may wait.
const said = mostBacklog + 500

// talker logs lines, tells on its standard output that it got that far, logs a last line when it is
// told to end, and exits with 7.
func talker() {
	ctx, log, end := lasting(os.Stderr)
	for i := range said {
		fmt.Fprintln(log, "line", i)
	}
	fmt.Println("said")
	select {
	case <-ctx.Done():
	case <-time.After(time.Minute):
		os.Exit(1)
	}
	fmt.Fprintln(log, "the end")
	end()
	os.Exit(7)
}

// full returns a pipe that takes no more bytes, and how many it has.
func full(t *testing.T) (read, write *os.File, n int) {
	t.Helper()
	read, write, err := os.Pipe()
	must.OK(t, err)
	t.Cleanup(func() { _, _ = read.Close(), write.Close() })
	raw, err := write.SyscallConn()
	must.OK(t, err)
	must.OK(t, raw.Write(func(fd uintptr) bool { // it does not block
		for err == nil || err == syscall.EINTR {
			var k int
			k, err = syscall.Write(int(fd), []byte("."))
			n += max(0, k)
		}
		return true
	}))
	if err != syscall.EAGAIN {
		t.Fatal(err)
	}
	return read, write, n
}

// A program whose log is open and not read continues, and ends when it is told to. When the log is read
// again it has the lines that waited, how many were lost, and the last line.
func TestLogNotRead(t *testing.T) {
	if os.Getenv(asTalker) != "" {
		talker()
	}
	for _, again := range []bool{false, true} {
		t.Run(fmt.Sprintf("read again %v", again), func(t *testing.T) {
			read, write, n := full(t)
			cmd := exec.Command(os.Args[0], "-test.run", "^TestLogNotRead$")
			cmd.Env, cmd.Stderr = append(os.Environ(), asTalker+"=1"), write
			out, err := cmd.StdoutPipe()
			must.OK(t, err)
			must.OK(t, cmd.Start())
			stuck := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
			defer stuck.Stop()
			if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
				t.Errorf("the program did not go on: %q, %v", line, err)
			}
			must.OK(t, write.Close())
			lines := bufio.NewReader(read)
			if again {
				_, err := io.CopyN(io.Discard, lines, int64(n))
				must.OK(t, err)
				var line string
				waited := 0
				for ; ; waited++ {
					line, err = lines.ReadString('\n')
					must.OK(t, err)
					if line != fmt.Sprintln("line", waited) {
						break
					}
				}
				want := fmt.Sprintf("%d lines of the log were lost: nothing read the output\n", said-waited)
				if line != want || waited < mostBacklog {
					t.Errorf("%d lines are followed by %q, want %q", waited, line, want)
				}
			}
			must.OK(t, cmd.Process.Signal(syscall.SIGTERM))
			if again {
				if rest, err := io.ReadAll(lines); string(rest) != "the end\n" {
					t.Errorf("the log ends with %q, %v", rest, err)
				}
			}
			if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 7 {
				t.Errorf("the program ended with %v, want 7", err)
			}
		})
	}
}
