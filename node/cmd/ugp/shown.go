// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"

	"ugp_explorer/node/ros"
)

// shown writes texts that may come from a stranger's bag or node, such that they cannot steer the
// terminal: all control characters but line ends are escaped.
type shown struct{ w io.Writer }

// Write implements io.Writer. A character must not be split between two calls.
func (s shown) Write(b []byte) (int, error) {
	_, err := io.WriteString(s.w, ros.PrintableLines(string(b)))
	return len(b), err
}
