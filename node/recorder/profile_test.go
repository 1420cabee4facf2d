// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package recorder

import "testing"

// What there is no room for meanwhile is refused, but a single message never.
func TestQueueIsBounded(t *testing.T) {
	var q queue
	for i, size := range []int{queueBytes - 10, 10, 1} {
		if got, want := q.add(message{}, make([]byte, size)), i < 2; got != want {
			t.Errorf("message %d: %v", i, got)
		}
	}
	if q = (queue{}); !q.add(message{}, make([]byte, queueBytes+1)) {
		t.Error("a message larger than the queue")
	}
}
