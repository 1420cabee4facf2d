// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package sockets reads the kernel's limits for the sockets of a transport.
package sockets

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Wanted is the size of socket buffers that large maps need, bytes.
const Wanted = 4 << 20

// Limit is the largest socket buffer that the kernel grants.
type Limit struct {
	Setting string // name for sysctl: "net.core.rmem_max" or "net.core.wmem_max"
	Bytes   int
	Err     error // the kernel's text is no number
}

// Limits returns the limits for receiving and for sending, in this order, as they are in the
// kernel's files. read is os.ReadFile. A file that cannot be read, as on other systems than
// Linux, is left out: nothing can be said.
func Limits(read func(file string) ([]byte, error)) (limits []Limit) {
	for _, name := range []string{"rmem_max", "wmem_max"} {
		text, err := read("/proc/sys/net/core/" + name)
		if err != nil {
			continue
		}
		l := Limit{Setting: "net.core." + name}
		if l.Bytes, err = strconv.Atoi(strings.TrimSpace(string(text))); err != nil {
			l.Err = fmt.Errorf("%s is %q, want a number", l.Setting, text)
		}
		limits = append(limits, l)
	}
	return limits
}

// Warnings returns messages for the user if the kernel limits socket buffers to less than wanted.
func Warnings() (warnings []string) {
	for _, l := range Limits(os.ReadFile) {
		if l.Err == nil && l.Bytes < Wanted {
			warnings = append(warnings, fmt.Sprintf("%s is %d bytes, less than the requested %d: large messages may be lost; run %s", l.Setting, l.Bytes, Wanted, l.Remedy()))
		}
	}
	return warnings
}

// Remedy returns the command that raises the limit to Wanted.
func (l Limit) Remedy() string { return fmt.Sprintf("sysctl -w %s=%d", l.Setting, Wanted) }
