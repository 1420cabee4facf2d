// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/builtin_interfaces"
	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/service_msgs"
	"ugp_explorer/msgs/std_srvs"
	"ugp_explorer/node/ros"
)

// serviceEvents calls a service whose server also publishes events, as services of rclcpp with
// introspection do from Iron on: on a hidden topic beside the service, with a type that is in no
// .msg file.
func serviceEvents(t *testing.T, g *graph) {
	const topic, typ = "/a/toggle/_service_event", "std_srvs/srv/SetBool_Event"
	a, b := g.node("a", ros.NodeOptions{}), g.node("b", ros.NodeOptions{})
	_, err := ros.Serve(a, "~/toggle", func(req *std_srvs.SetBoolRequest, res *std_srvs.SetBoolResponse) { res.Success = req.Data })
	must.OK(t, err)
	events, err := ros.AdvertiseRaw(a, topic, typ, "", ros.DefaultQoS())
	must.OK(t, err)
	heard := 0
	sub, err := ros.SubscribeRaw(b, topic, typ, "", ros.DefaultQoS(), func(cdr []byte, _ ros.MessageInfo) { heard++ })
	must.OK(t, err)
	client, err := ros.NewClient[std_srvs.SetBoolRequest, std_srvs.SetBoolResponse](b, "/a/toggle")
	must.OK(t, err)
	g.matched(client, events, sub)
	w := cdr.NewWriter(nil) // info, and no request and no response
	info := service_msgs.ServiceEventInfo{EventType: service_msgs.ServiceEventInfoRequestSent, Stamp: builtin_interfaces.Time{Sec: 1}, SequenceNumber: 1}
	info.MarshalCDR(&w)
	w.Length(0, 1)
	w.Length(0, 1)
	answered := false
	must.OK(t, client.Call(&std_srvs.SetBoolRequest{Data: true}, Patience, func(r *std_srvs.SetBoolResponse, err error) {
		must.OK(t, err)
		answered = r.Success
	}))
	must.OK(t, events.Publish(w.Bytes(), time.Now().UnixNano()))
	g.wait("the answer and the event", func() bool { return answered && heard == 1 })
	g.wait("the event topic in the graph", func() bool {
		return slices.ContainsFunc(b.Endpoints(""), func(e ros.EndpointInfo) bool {
			return e.Kind == ros.PublisherEnd && e.Name == topic && e.Type == typ && e.Node == "/a"
		})
	})
	for _, e := range b.Endpoints("/a/toggle") { // the topic is no end of the service
		if e.Kind != ros.ServerEnd && e.Kind != ros.ClientEnd || e.Type != "std_srvs/srv/SetBool" {
			t.Errorf("the service has the end %+v", e)
		}
	}
	if log := g.log.String(); strings.Contains(log, "level=WARN") || strings.Contains(log, "level=ERROR") {
		t.Errorf("the nodes logged:\n%s", log)
	}
}
