package replay

import (
	"fmt"
	"testing"
	"time"

	"ugp_explorer/msgs/bag"
)

// Two bags of the most topics that MCAP has numbers for are put together at once. Comparing each
// topic with each took most of a minute.
func TestManyTopics(t *testing.T) {
	info := &bag.Info{Topics: make([]bag.Topic, 60_000)}
	for i := range info.Topics {
		info.Topics[i] = bag.Topic{Name: fmt.Sprint("/topic_", i), Type: "std_msgs/msg/String", Count: int64(i)}
	}
	begun := time.Now()
	s := &Source{}
	s.add(info)
	s.add(info)
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	for i, topic := range s.Topics {
		if topic.Name != info.Topics[i].Name || topic.Count != int64(2*i) {
			t.Fatalf("topic %d is %s with %d messages", i, topic.Name, topic.Count)
		}
	}
	if len(s.Topics) != len(info.Topics) {
		t.Errorf("there are %d topics", len(s.Topics))
	}
}
