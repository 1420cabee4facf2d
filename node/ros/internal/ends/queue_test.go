// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ends

import (
	"testing"

	"ugp_explorer/node/ros"
)

// loan counts how often it was returned.
type loan int

func (l *loan) Return() { *l++ }

// Memory on loan is not copied, and is returned once, whatever becomes of its message.
func TestLoans(t *testing.T) {
	q := Queue{Limit: 2}
	var loans [6]loan
	push := func(i int, expires int64) {
		q.Push(Message{Message: ros.Message{CDR: []byte{byte(i)}}, Expires: expires, Loan: &loans[i]})
	}
	want := func(what string, returned ...loan) {
		t.Helper()
		if got := loans; got != [6]loan(returned) {
			t.Errorf("%s: the loans were returned %v times, want %v", what, got, returned)
		}
	}
	push(0, 0)
	push(1, 1)
	push(2, 0)
	want("a full queue drops the oldest", 1, 0, 0, 0, 0, 0)
	now := func() int64 { return 2 }
	if left := q.Take(now, func(m Message) {
		if m.CDR[0] != 2 {
			t.Errorf("message %d was taken, want 2", m.CDR[0])
		}
		want("one expired, one is in use", 1, 1, 0, 0, 0, 0)
	}); left != 0 {
		t.Errorf("%d messages are left", left)
	}
	want("after its use", 1, 1, 1, 0, 0, 0)
	push(3, 0)
	push(4, 0)
	q.Take(now, func(Message) { q.Close() })
	want("closed while one is in use and one waits", 1, 1, 1, 1, 1, 0)
	push(5, 0)
	want("pushed after the end", 1, 1, 1, 1, 1, 1)
}

// A queue is full by its bytes, too: many large messages do not fill the memory, and the newest
// one always waits.
func TestBytes(t *testing.T) {
	q := Queue{Limit: 1000}
	push := func(number int, cdr []byte) (grew bool) {
		return q.Push(Message{Message: ros.Message{CDR: cdr}, Expires: int64(number)})
	}
	large := make([]byte, mostWaiting/4)
	for i := range 10 {
		if grew := push(i, large); grew != (i < 4) {
			t.Errorf("message %d: the queue grew: %v", i, grew)
		}
		if n, b := q.waiting.Len(), q.bytes; n > 4 || b != n*len(large) {
			t.Fatalf("%d messages of %d bytes wait, counted as %d bytes", n, len(large), b)
		}
	}
	if push(10, make([]byte, mostWaiting+1)) {
		t.Error("the queue grew, although the message takes the place of all others")
	}
	push(11, []byte{1})
	now := func() int64 { return 0 }
	left := q.Take(now, func(m Message) {
		if m.Expires != 11 {
			t.Errorf("message %d is left, want 11", m.Expires)
		}
	})
	if left != 0 || q.bytes != 0 || q.Dropped() != 11 {
		t.Errorf("%d others are left with %d bytes, %d were dropped; want none, none and 11", left, q.bytes, q.Dropped())
	}
}
