// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package must has what almost every test needs.
package must

import (
	"fmt"
	"time"
)

// Test is a test, a benchmark or a property.
type Test interface {
	Helper()
	Fatal(args ...any)
}

// OK ends the test if there is an error.
func OK(t Test, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

// patience is the longest time that Come waits.
const patience = 20 * time.Second

// Come waits until a condition holds, and ends the test when it does not in time.
func Come(t Test, what string, cond func() bool) {
	t.Helper()
	for limit := time.Now().Add(patience); !cond(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal(fmt.Sprintf("waited %v for %s", patience, what))
		}
	}
}
