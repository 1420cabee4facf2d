// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bytes"
	"os"
	"syscall"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// queued writes to a file, as the log of a node does.
type queued struct {
	bytes.Buffer
	file *os.File
}

func (q *queued) Fd() uintptr { return q.file.Fd() }

// The QR code is drawn in a terminal's colours also where a node writes to it through a queue.
func TestIsTerminal(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("there are no pseudo-terminals here: ", err)
	}
	defer terminal.Close()
	file, err := os.Create(t.TempDir() + "/log")
	must.OK(t, err)
	defer file.Close()
	if !isTerminal(terminal) || !isTerminal(&queued{file: terminal}) {
		t.Error("a terminal is not known as one")
	}
	if isTerminal(file) || isTerminal(&queued{file: file}) || isTerminal(new(bytes.Buffer)) {
		t.Error("what is no terminal is taken for one")
	}
}
