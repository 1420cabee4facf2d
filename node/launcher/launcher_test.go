// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package launcher_test

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/launcher"
)

// shell starts a shell script, and waits until it has said that it is ready.
func shell(t *testing.T, name, script string) *launcher.Process {
	t.Helper()
	r, w := io.Pipe()
	p, err := launcher.Start(launcher.Executable{Name: name, Path: "/bin/sh", Args: []string{"-c", script}, Log: w})
	must.OK(t, err)
	t.Cleanup(p.Kill)
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil || line != "ready\n" {
		t.Fatalf("%s says %q (%v)", name, line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, r) }()
	return p
}

const (
	obeys   = `trap 'exit 0' INT; echo ready; while :; do sleep 0.01; done`
	fails   = `trap 'echo it broke; exit 3' INT; echo ready; while :; do sleep 0.01; done`
	ignores = `trap '' INT; echo ready; while :; do sleep 0.01; done`
)

func TestStop(t *testing.T) {
	if err := launcher.Stop(time.Minute, shell(t, "one", obeys), shell(t, "two", obeys)); err != nil {
		t.Errorf("two that obey: %v", err)
	}
	good, bad := shell(t, "good", obeys), shell(t, "bad", fails)
	err := launcher.Stop(time.Minute, good, bad)
	if err == nil || !strings.Contains(err.Error(), "bad ended: exit status 3") || !strings.Contains(err.Error(), "it broke") || strings.Contains(err.Error(), "good") {
		t.Errorf("one that fails: %v", err)
	}
	if bad.Err() == nil || good.Err() != nil {
		t.Errorf("the errors are %v and %v", bad.Err(), good.Err())
	}
	err = launcher.Stop(50*time.Millisecond, shell(t, "deaf", ignores))
	if err == nil || !strings.Contains(err.Error(), "deaf did not end within 50ms") {
		t.Errorf("one that ignores the signal: %v", err)
	}
}

func TestEndsByItself(t *testing.T) {
	p := shell(t, "short", "echo ready; exit 7")
	<-p.Done()
	if err := p.Err(); err == nil || !strings.Contains(err.Error(), "short ended: exit status 7") {
		t.Errorf("the error is %v", err)
	}
	if _, err := launcher.Start(launcher.Executable{Name: "none", Path: "/no/such/program"}); err == nil || !strings.Contains(err.Error(), "cannot start none") {
		t.Errorf("a program that is not there: %v", err)
	}
}
