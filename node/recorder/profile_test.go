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
		history bagwriter.History
		depth   int
	}{
		{ros.QoS{Reliability: ros.BestEffort}, bagwriter.HistoryUnknown, 0},
		{ros.QoS{Depth: 5}, bagwriter.KeepLast, 5},
		{ros.QoS{History: ros.KeepAll}, bagwriter.KeepAll, 0},
	} {
		if p := profile(c.q); p.History != c.history || p.Depth != c.depth || (p.Reliability == bagwriter.BestEffort) != (c.q.Reliability == ros.BestEffort) {
			t.Errorf("%v: %+v", c.q, p)
		}
	}
}
