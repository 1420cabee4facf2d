// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package watch

import (
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/ros"
)

// Sender is a publisher of any type.
type Sender interface {
	Info() ros.EndpointInfo
	Matched() int
}

// Output is a set of publishers that a Watch checks. At least one of them must have a
// subscription.
type Output struct {
	Expect
	node    *ros.Node
	senders []Sender
}

// Output adds publishers of the same thing in different forms. At least one of them must
// have a subscription.
func (w *Watch) Output(e Expect, senders ...Sender) *Output {
	o := &Output{Expect: e, node: w.node, senders: senders}
	w.add(&watched{name: e.Name, level: slog.LevelWarn, check: o.check, why: o.Why, values: o.values})
	return o
}

// Unheard reports whether nothing subscribes to the messages.
func (o *Output) Unheard() bool {
	return !slices.ContainsFunc(o.senders, func(s Sender) bool { return s.Matched() > 0 })
}

func (o *Output) check() int {
	if !o.Unheard() || o.want() == WantNothing {
		return 0
	}
	return patience
}

// Why returns a sentence that explains why nothing receives the messages.
func (o *Output) Why() string {
	var topics, whys, named []string
	for _, s := range o.senders {
		info := s.Info()
		topics = append(topics, topicAndType(info))
		why := absence(o.node, info, o.offers())
		whys, named = append(whys, why), append(named, info.Name+": "+why)
	}
	if whys = slices.Compact(whys); len(whys) > 1 {
		whys = named
	}
	return "nothing subscribes to " + o.What + " on " + strings.Join(topics, " or ") + ": " + strings.Join(whys, "; ")
}

func (o *Output) values() []diagnostic_msgs.KeyValue {
	var values []diagnostic_msgs.KeyValue
	for _, s := range o.senders {
		values = append(values, diagnostic_msgs.KeyValue{Key: "subscriptions to " + topicAndType(s.Info()), Value: strconv.Itoa(s.Matched())})
	}
	return values
}

// Others returns the other senders on the topic or the action of own.
func Others(n *ros.Node, own Sender) (ends []ros.EndpointInfo) {
	info := own.Info()
	for _, o := range n.Endpoints(info.Name) {
		if o.Kind == info.Kind && o.GUID != info.GUID {
			ends = append(ends, o)
		}
	}
	return ends
}
