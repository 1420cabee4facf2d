// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package watch

import (
	"slices"
	"time"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/ros"
)

// reasons is what other nodes say on /diagnostics is wrong with them. A node that sends nothing, such as a filter without usable
// odometry, says there why. The subscription is opened when such a node is first silent: in most missions none is.
type reasons struct {
	sub  *ros.Subscription
	said map[ros.GUID]reason
}

// reason is the first problem of a publisher's last message; "": none.
type reason struct {
	text string
	at   int64 // ns, node's time
}

// reasonLasts is how long a reason is valid, ns: nodes repeat it each second.
const reasonLasts = int64(5 * time.Second)

// listen begins to listen to the nodes on /diagnostics.
func (r *reasons) listen(n *ros.Node) {
	if r.said != nil {
		return
	}
	r.said = map[ros.GUID]reason{}
	var err error
	r.sub, err = ros.Subscribe(n, "/diagnostics", ros.DefaultQoS(), func(m *diagnostic_msgs.DiagnosticArray, info ros.MessageInfo) {
		wrong := slices.IndexFunc(m.Status, func(s diagnostic_msgs.DiagnosticStatus) bool { return s.Level > diagnostic_msgs.DiagnosticStatusOK })
		said := reason{at: n.Now()}
		if wrong >= 0 {
			said.text = m.Status[wrong].Message
		}
		r.said[info.Publisher] = said
	})
	if err != nil {
		n.Logger().Warn("the reasons of other nodes cannot be read", "error", err.Error())
	}
}

// of returns what a node says is wrong with it, "" for nothing.
func (r *reasons) of(n *ros.Node, sender string) string {
	if r.sub == nil {
		return ""
	}
	for _, e := range n.Endpoints(r.sub.Info().Name) {
		if said := r.said[e.GUID]; e.Node == sender && said.text != "" && n.Now()-said.at < reasonLasts {
			return said.text
		}
	}
	return ""
}
