package ros

import (
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"ugp_explorer/msgs/diagnostic_msgs"
)

// Sender is a publisher, of whatever type.
type Sender interface {
	Info() EndpointInfo
	Matched() int
}

// Output is what a Watch looks after that has to reach somebody: the topics of a
// thing that is published on several, of which one is enough.
type Output struct {
	Expect
	node    *Node
	senders []Sender
}

// Output has the watch look after publishers that say the same thing, each in its
// way: somebody has to listen to one of them.
func (w *Watch) Output(e Expect, senders ...Sender) *Output {
	o := &Output{Expect: e, node: w.node, senders: senders}
	w.add(&watched{name: e.Name, level: slog.LevelWarn, check: o.check, why: o.Why, values: o.values})
	return o
}

func (o *Output) check() int {
	for _, s := range o.senders {
		if s.Matched() > 0 {
			return 0
		}
	}
	if o.want() == WantNothing {
		return 0
	}
	return watchPatience
}

// Why returns why nobody hears what is published, in a sentence.
func (o *Output) Why() string {
	var topics, whys, named []string
	for _, s := range o.senders {
		info := s.Info()
		topics = append(topics, topicAndType(info))
		why := o.node.absence(info)
		whys, named = append(whys, why), append(named, info.Name+": "+why)
	}
	if whys = slices.Compact(whys); len(whys) > 1 {
		whys = named
	}
	return "nobody listens to " + o.What + " on " + strings.Join(topics, " or ") + ": " + strings.Join(whys, "; ")
}

func (o *Output) values() []diagnostic_msgs.KeyValue {
	var values []diagnostic_msgs.KeyValue
	for _, s := range o.senders {
		values = append(values, diagnostic_msgs.KeyValue{Key: "subscriptions to " + topicAndType(s.Info()), Value: strconv.Itoa(s.Matched())})
	}
	return values
}
