package recorder

import (
	"testing"

	"ugp_explorer/msgs/bag/bagwriter"
	"ugp_explorer/node/ros"
)

// Discovery over DDS tells how reliable a publisher is, but not how many messages it keeps.
func TestProfileOfUnknownDepth(t *testing.T) {
	for _, c := range []struct {
		q       ros.QoS
		history int
		depth   int
	}{
		{ros.QoS{Reliability: ros.BestEffort}, bagwriter.HistoryUnknown, 0},
		{ros.QoS{Depth: 5}, bagwriter.KeepLast, 5},
	} {
		if p := profile(c.q); p.History != c.history || p.Depth != c.depth || (p.Reliability == bagwriter.BestEffort) != (c.q.Reliability == ros.BestEffort) {
			t.Errorf("%v: %+v", c.q, p)
		}
	}
}

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
