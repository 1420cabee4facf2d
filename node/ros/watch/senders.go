// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package watch

import (
	"log/slog"
	"slices"
	"strings"

	"ugp_explorer/node/ros"
)

// Sensor is what a node treats as one sensor: the description of its messages, and their topics.
type Sensor struct {
	What   string
	Topics []*ros.Subscription
}

// OneSender hears one publisher of each topic while it is there, and adds a check that at most one node sends the messages of one sensor. The
// result names the senders, "" for one or none. A node that was killed and started again counts once.
func (w *Watch) OneSender(sensors ...Sensor) func() string {
	for _, s := range sensors {
		for _, topic := range s.Topics {
			topic.OneSender()
		}
	}
	check := func() string {
		var all []string
		for _, s := range sensors {
			if text := w.crowd(&s); text != "" {
				all = append(all, text)
			}
		}
		return strings.Join(all, "; ")
	}
	w.Condition("senders", slog.LevelWarn, check)
	return check
}

func (w *Watch) crowd(s *Sensor) string {
	var senders, on []string
	for _, topic := range s.Topics {
		if topic.Matched() > 0 {
			found, _, _ := facing(w.node, topic.Info())
			senders, on = append(senders, found...), append(on, topic.Info().Name)
		}
	}
	slices.Sort(senders)
	if senders = slices.Compact(senders); len(senders) < 2 {
		return ""
	}
	for _, topic := range s.Topics {
		if one := topic.Chosen(); len(on) == 1 && slices.Contains(senders, one) {
			return enumerate(senders) + " send " + s.What + " on " + on[0] + ", and only those of " + one + " are used while it is there: let only one of them publish there"
		}
	}
	return enumerate(senders) + " send " + s.What + " on " + strings.Join(on, " and ") + ", which are treated as those of one sensor: where they disagree, it is unknown " +
		"where the robot is; let only one of them publish there"
}
