// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"maps"
	"slices"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/internal/ddsnames"
)

// graph holds the known endpoints and nodes of this and other participants. The transport's
// lock guards it.
type graph struct {
	nodes   []string                       // own nodes in the order of their addition
	byGUID  map[ros.GUID]*known            // all ROS endpoints
	byTopic map[string][]*known            // by DDS topic, in order of appearance
	others  map[prefix]map[ros.GUID]string // other participants' nodes by endpoint
}

// known is an endpoint of the graph.
type known struct {
	info  ros.EndpointInfo
	topic string
	own   bool
}

// Limits of what the graph remembers of other participants, which can claim anything: more than
// those of a hundred robots. DDS itself delivers to endpoints beyond them, too.
const (
	mostEndpoints    = 20_000
	mostParticipants = 1000
)

func newGraph() graph {
	return graph{byGUID: map[ros.GUID]*known{}, byTopic: map[string][]*known{}, others: map[prefix]map[ros.GUID]string{}}
}

// endpoint updates the graph after another participant's endpoint appeared, changed or
// disappeared.
func (g *graph) endpoint(t *Transport, e *event) {
	if prefixOf(e.guid) == prefixOf(t.guid) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	old := g.byGUID[e.guid]
	if e.change < 0 {
		g.remove(e.guid)
		return
	}
	kind, name, typ, ok := ddsnames.Describe(e.topic, e.typ, e.writer)
	if !ok || old == nil && len(g.byGUID) >= mostEndpoints {
		return
	}
	info := ros.EndpointInfo{Kind: kind, GUID: e.guid, Endpoint: ros.Endpoint{Name: name, Type: typ, QoS: e.qos}}
	if kind == ros.PublisherEnd || kind == ros.SubscriptionEnd {
		info.TypeHash = userField(e.userData, "typehash")
	}
	if old != nil && old.topic == e.topic {
		old.info = info
		return
	}
	g.remove(e.guid)
	g.add(&known{info: info, topic: e.topic})
}

// tell stores the owners of another participant's endpoints.
func (g *graph) tell(p prefix, owners map[ros.GUID]string) {
	if _, known := g.others[p]; !known && len(g.others) >= mostParticipants {
		return
	}
	g.others[p] = owners
}

func (g *graph) add(k *known) {
	g.byGUID[k.info.GUID] = k
	g.byTopic[k.topic] = append(g.byTopic[k.topic], k)
}

func (g *graph) remove(guid ros.GUID) {
	k := g.byGUID[guid]
	if k == nil {
		return
	}
	delete(g.byGUID, guid)
	rest := slices.DeleteFunc(g.byTopic[k.topic], func(o *known) bool { return o == k })
	if g.byTopic[k.topic] = rest; len(rest) == 0 {
		delete(g.byTopic, k.topic)
	}
}

// forget removes all endpoints and nodes of a participant.
func (g *graph) forget(p prefix) {
	delete(g.others, p)
	for guid := range g.byGUID {
		if prefixOf(guid) == p {
			g.remove(guid)
		}
	}
}

// list returns the ends of a topic or of a service, or all for an empty name, with their nodes as far as they are known.
func (g *graph) list(name string) []ros.EndpointInfo {
	ends := append(slices.Clone(g.byTopic[ddsnames.Topic(name)]), g.byTopic[ddsnames.Request(name)]...)
	if name == "" {
		ends = slices.Collect(maps.Values(g.byGUID))
	}
	infos := make([]ros.EndpointInfo, 0, len(ends))
	for _, k := range ends {
		info := k.info
		if !k.own {
			info.Node = g.others[prefixOf(info.GUID)][info.GUID]
		}
		infos = append(infos, info)
	}
	return infos
}

// policies are DDS's names of the policies that ros.QoS does not have (DDS 1.4, 2.2.3). The
// others are seen in discovery, with the endpoint.
var policies = map[int]string{
	3: "presentation", 4: "deadline", 5: "latency budget", 6: "ownership", 8: "liveliness", 10: "partition", 17: "destination order", 23: "data representation",
}

// incompatible reports a policy by which an endpoint of another participant does not match. The
// library does not name that endpoint.
func (t *Transport) incompatible(p *port, policy int) {
	if name, ok := policies[policy]; ok {
		t.reports.say("an endpoint of the same name does not match", "name", p.name, "reason", name+": the publisher does not offer what the subscription requires")
	}
}
