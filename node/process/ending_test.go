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
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
)

// asChild makes TestEnding the program whose end is tested.
const asChild = "UGP_TEST_ENDING"

// child logs until its context is canceled, and then exits with 7.
func child() {
	ctx, log, end := lasting(os.Stderr)
	for limit := time.Now().Add(time.Minute); time.Now().Before(limit); time.Sleep(time.Millisecond) {
		fmt.Fprintln(log, "driving")
		if ctx.Err() != nil {
			end()
			os.Exit(7)
		}
	}
	os.Exit(1)
}

// A node ends in order, so that it can stop the robot, when its terminal is closed and when whoever
// reads its log has ended. One that was started by nohup outlives its terminal.
func TestEnding(t *testing.T) {
	if os.Getenv(asChild) != "" {
		child()
	}
	// Tests that are started by nohup ignore SIGHUP, and so would their children. Children get the
	// default of a signal that is caught here.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	defer signal.Stop(caught)
	for _, c := range []struct {
		name   string
		prefix string // of the shell's command
		end    func(t *testing.T, p *os.Process, log *os.File, lines *bufio.Reader)
	}{
		{"terminated", "", func(t *testing.T, p *os.Process, _ *os.File, _ *bufio.Reader) {
			must.OK(t, p.Signal(syscall.SIGTERM))
		}},
		{"terminal closed", "", func(t *testing.T, p *os.Process, _ *os.File, _ *bufio.Reader) {
			must.OK(t, p.Signal(syscall.SIGHUP))
		}},
		{"log not read", "", func(t *testing.T, _ *os.Process, log *os.File, _ *bufio.Reader) {
			must.OK(t, log.Close())
		}},
		{"started by nohup", "trap '' HUP; ", func(t *testing.T, p *os.Process, _ *os.File, lines *bufio.Reader) {
			must.OK(t, p.Signal(syscall.SIGHUP))
			for range 200 { // more than it logs before the signal arrives
				_, err := lines.ReadString('\n')
				must.OK(t, err)
			}
			must.OK(t, p.Signal(syscall.SIGTERM))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			read, write, err := os.Pipe()
			must.OK(t, err)
			defer read.Close()
			cmd := exec.Command("sh", "-c", c.prefix+`exec "$0" -test.run '^TestEnding$'`, os.Args[0])
			cmd.Env = append(os.Environ(), asChild+"=1")
			cmd.Stderr = write
			must.OK(t, cmd.Start())
			must.OK(t, write.Close())
			lines := bufio.NewReader(read)
			if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, "driving") {
				t.Fatalf("the log has %q: %v", line, err)
			}
			c.end(t, cmd.Process, read, lines)
			go io.Copy(io.Discard, lines) // or a program that continues would wait for its log to be read
			if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 7 {
				t.Errorf("the program ended with %v, want 7", err)
			}
		})
	}
}
