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
	info     ros.EndpointInfo
	topic    string
	own      bool
	listener ros.Listener // of own ones
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
	old := g.byGUID[e.guid]
	if e.change < 0 {
		g.remove(e.guid)
		t.mu.Unlock()
		return
	}
	kind, name, typ, ok := ddsnames.Describe(e.topic, e.typ, e.writer)
	if !ok || old == nil && len(g.byGUID) >= mostEndpoints {
		t.mu.Unlock()
		return
	}
	info := ros.EndpointInfo{Kind: kind, GUID: e.guid, Endpoint: ros.Endpoint{Name: name, Type: typ, QoS: e.qos}}
	if kind == ros.PublisherEnd || kind == ros.SubscriptionEnd {
		info.TypeHash = userField(e.userData, "typehash")
	}
	if old != nil && old.topic == e.topic {
		same := old.info == info
		old.info = info
		if same {
			t.mu.Unlock()
			return
		}
	} else {
		g.remove(e.guid)
		old = g.add(&known{info: info, topic: e.topic})
	}
	calls := g.meet(old)
	t.mu.Unlock()
	for _, call := range calls {
		call()
	}
}

// tell takes up the owners of another participant's endpoints.
func (g *graph) tell(p prefix, owners map[ros.GUID]string) {
	if _, known := g.others[p]; !known && len(g.others) >= mostParticipants {
		return
	}
	g.others[p] = owners
}

func (g *graph) add(k *known) *known {
	g.byGUID[k.info.GUID] = k
	g.byTopic[k.topic] = append(g.byTopic[k.topic], k)
	return k
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

// meet returns the calls that report a mismatch between k and the own endpoints to both
// sides.
func (g *graph) meet(k *known) (calls []func()) {
	for _, o := range g.byTopic[k.topic] {
		if !k.own && !o.own || k.info.Kind == o.info.Kind {
			continue
		}
		why := mismatch(k.info, o.info)
		if why == nil {
			continue
		}
		for _, pair := range [][2]*known{{o, k}, {k, o}} {
			local, remote := pair[0], pair[1]
			if fn := local.listener.Trouble; fn != nil {
				tr := ros.Trouble{Local: local.info, Remote: g.named(remote), Reasons: why}
				calls = append(calls, func() { fn(tr) })
			}
		}
	}
	return calls
}

// mismatch returns why two endpoints of the same name cannot or should not match.
func mismatch(a, b ros.EndpointInfo) []string {
	why := ros.Mismatch(a, b)
	if why != nil && a.Type == b.Type && a.TypeHash != "" && b.TypeHash != "" && a.TypeHash != b.TypeHash {
		why[0] += "; DDS delivers, but what comes is something else"
	}
	return why
}

// named returns k with its node, if known.
func (g *graph) named(k *known) ros.EndpointInfo {
	info := k.info
	if !k.own {
		info.Node = g.others[prefixOf(info.GUID)][info.GUID]
	}
	return info
}

func (g *graph) list(name string) []ros.EndpointInfo {
	ends := append(slices.Clone(g.byTopic[ddsnames.Topic(name)]), g.byTopic[ddsnames.Request(name)]...)
	if name == "" {
		ends = slices.Collect(maps.Values(g.byGUID))
	}
	infos := make([]ros.EndpointInfo, 0, len(ends))
	for _, k := range ends {
		infos = append(infos, g.named(k))
	}
	return infos
}

// policies are DDS's names of the policies that ros.QoS does not have (DDS 1.4, 2.2.3). The
// others are seen in discovery, with the endpoint.
var policies = map[int]string{
	3: "presentation", 4: "deadline", 5: "latency budget", 6: "ownership", 8: "liveliness", 10: "partition", 17: "destination order", 23: "data representation",
}

// incompatible reports an incompatible policy. The library does not name the other endpoint.
func (t *Transport) incompatible(p *port, policy int) {
	name, ok := policies[policy]
	if !ok {
		return
	}
	t.mu.Lock()
	k := t.graph.byGUID[p.guid]
	t.mu.Unlock()
	if k == nil || k.listener.Trouble == nil {
		return
	}
	kind := k.info.Kind ^ 1 // the opposite: see ros.EndpointKind
	k.listener.Trouble(ros.Trouble{Local: k.info, Remote: ros.EndpointInfo{Kind: kind, Endpoint: ros.Endpoint{Name: k.info.Name, Type: k.info.Type}},
		Reasons: []string{name + ": one side offers less than the other asks for"}})
}
