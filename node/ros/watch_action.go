package ros

import (
	"log/slog"
	"strconv"
	"strings"

	"ugp_explorer/msgs/diagnostic_msgs"
)

// Asker is a client of an action, of whatever type.
type Asker interface {
	Name() string
	Type() string
	Info() EndpointInfo
	Matched() int
}

// Action has the watch look after a client of an action: somebody has to serve it.
// values, which may be nil, are added to those on /diagnostics.
func (w *Watch) Action(c Asker, e Expect, values func() []diagnostic_msgs.KeyValue) {
	w.add(&watched{
		name: e.Name, level: slog.LevelWarn,
		check: func() int {
			if c.Matched() > 0 || e.want() == WantNothing {
				return 0
			}
			return watchPatience
		},
		why: func() string { return w.node.Unserved(c, e.What) },
		values: func() []diagnostic_msgs.KeyValue {
			all := []diagnostic_msgs.KeyValue{{Key: "servers of " + c.Name() + " [" + c.Type() + "]", Value: strconv.Itoa(c.Matched())}}
			if values != nil {
				all = append(all, values()...)
			}
			return all
		},
	})
}

// Unserved says, in a sentence, why nobody serves what is sent to an action.
func (n *Node) Unserved(c Asker, what string) string {
	return "nobody serves " + what + " on the action " + c.Name() + " [" + c.Type() + "]: " + ofAction.Replace(n.absence(c.Info()))
}

// ofAction turns the names of an action's service into the action's.
var ofAction = strings.NewReplacer("/_action/send_goal", "", "_SendGoal", "")
