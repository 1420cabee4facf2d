package inbox

import (
	"testing"

	"ugp_explorer/node/ros"
)

// A queue is full by its bytes, too: many large messages do not fill the memory, and the newest
// one always waits.
func TestBytes(t *testing.T) {
	var q Queue[int]
	q.Init(ros.QoS{Depth: 1000})
	large := make([]byte, mostWaiting/4)
	for i := range 10 {
		if grew := q.Push(Message[int]{About: i}, large); grew != (i < 4) {
			t.Errorf("message %d: the queue grew: %v", i, grew)
		}
		if n, b := q.waiting.Len(), q.bytes; n > 4 || b != n*len(large) {
			t.Fatalf("%d messages of %d bytes wait, counted as %d bytes", n, len(large), b)
		}
	}
	if q.Push(Message[int]{About: 10}, make([]byte, mostWaiting+1)) {
		t.Error("the queue grew, although the message takes the place of all others")
	}
	q.Push(Message[int]{About: 11}, []byte{1})
	if m, left := q.Pop(nil); m.About != 11 || left != 0 || q.bytes != 0 || q.Dropped() != 11 {
		t.Errorf("message %d is left with %d others and %d bytes, %d were dropped; want 11, none, none and 11", m.About, left, q.bytes, q.Dropped())
	}
}
