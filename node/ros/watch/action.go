// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package watch

import (
	"log/slog"
	"strconv"
	"strings"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/nav2_msgs"
	"ugp_explorer/node/ros"
)

// Action adds a client of an action, which must have a server. values, which may be nil,
// returns more values for /diagnostics.
func (w *Watch) Action(c *ros.ActionClient, e Expect, values func() []diagnostic_msgs.KeyValue) {
	w.add(&watched{
		name: e.Name, level: slog.LevelWarn,
		check: func() int {
			if c.Matched() > 0 || e.want() == WantNothing {
				return 0
			}
			return patience
		},
		why: func() string { return Unserved(w.node, c, e.What) },
		values: func() []diagnostic_msgs.KeyValue {
			all := []diagnostic_msgs.KeyValue{{Key: "servers of " + c.Name() + " [" + nav2_msgs.NavigateToPose + "]", Value: strconv.Itoa(c.Matched())}}
			if values != nil {
				all = append(all, values()...)
			}
			return all
		},
	})
}

// Unserved returns a sentence that explains why an action of node n has no server. what
// is the thing that is sent to it, as in "the goal".
func Unserved(n *ros.Node, c *ros.ActionClient, what string) string {
	return "nothing serves " + what + " on the action " + c.Name() + " [" + nav2_msgs.NavigateToPose + "]: " + ofAction.Replace(absence(n, c.Info(), Any))
}

// ofAction turns the names of an action's send_goal service into those of the action.
var ofAction = strings.NewReplacer("/_action/send_goal", "", "_SendGoal", "")
