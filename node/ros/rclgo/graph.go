//go:build rclgo

package rclgo

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"ugp_explorer/node/ros"
)

// Endpoints implements ros.Transport, in the order of their kinds.
func (t *Transport) Endpoints(name string) []ros.EndpointInfo {
	infos := t.ask(func(n *rclgo.Node) (infos []ros.EndpointInfo) {
		if name != "" {
			return append(topicEnds(n, name), serviceEnds(n, name)...)
		}
		topics, err := n.GetTopicNamesAndTypes(true)
		if err != nil {
			lastError()
		}
		for topic := range topics {
			infos = append(infos, topicEnds(n, topic)...)
		}
		return append(infos, serviceEnds(n, "")...)
	})
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range infos {
		if e := t.own(infos[i]); e != nil {
			infos[i] = e.info
		}
	}
	return infos
}

// own returns the endpoint of the transport's that the graph shows as info, nil
// for others'. t.mu is held.
func (t *Transport) own(info ros.EndpointInfo) *end {
	for _, e := range t.ends {
		if e.info.GUID == info.GUID || isService(info.Kind) && e.info.Kind == info.Kind && e.info.Node == info.Node && e.info.Name == info.Name && e.info.Type == info.Type {
			return e
		}
	}
	return nil
}

// ask has fn ask one of the transport's nodes about the graph; with none, nothing
// is known.
func (t *Transport) ask(fn func(*rclgo.Node) []ros.EndpointInfo) []ros.EndpointInfo {
	t.nodesMu.RLock()
	defer t.nodesMu.RUnlock()
	if len(t.nodes) == 0 {
		return nil
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return fn(t.nodes[0].Node)
}

// topicEnds returns both ends of a topic.
func topicEnds(n *rclgo.Node, name string) (infos []ros.EndpointInfo) {
	for kind, get := range map[ros.EndpointKind]func(string, bool) ([]rclgo.TopicEndpointInfo, error){
		ros.PublisherEnd: n.GetPublishersInfoByTopic, ros.SubscriptionEnd: n.GetSubscriptionsInfoByTopic,
	} {
		found, err := get(name, true)
		if err != nil {
			lastError() // no name of a topic, or the context is gone
			continue
		}
		for _, f := range found {
			infos = append(infos, ros.EndpointInfo{Kind: kind, GUID: ros.GUID(f.EndpointGID[:16]), Endpoint: ros.Endpoint{
				Node: fullName(f.NodeNamespace, f.NodeName), Name: name, Type: f.TopicType, QoS: qosOf(f.QosProfile),
			}})
		}
	}
	slices.SortStableFunc(infos, func(a, b ros.EndpointInfo) int { return int(a.Kind) - int(b.Kind) })
	return infos
}

// serviceEnds returns the servers and clients of a service, or of all. ROS 2 tells
// of them by node, and neither their QoS nor how many of a node there are.
func serviceEnds(n *rclgo.Node, name string) (infos []ros.EndpointInfo) {
	names, namespaces, err := n.GetNodeNames()
	if err != nil {
		lastError()
		return nil
	}
	for i := range names {
		node := fullName(namespaces[i], names[i])
		for kind, get := range map[ros.EndpointKind]func(string, string) (map[string][]string, error){
			ros.ServerEnd: n.GetServiceNamesAndTypesByNode, ros.ClientEnd: n.GetClientNamesAndTypesByNode,
		} {
			found, err := get(names[i], namespaces[i])
			if err != nil {
				lastError() // it has gone
				continue
			}
			for service, types := range found {
				if name != "" && service != name {
					continue
				}
				for _, typ := range types {
					e := ros.Endpoint{Node: node, Name: service, Type: typ, QoS: ros.Services()}
					infos = append(infos, ros.EndpointInfo{Kind: kind, GUID: serviceGUID(kind, e), Endpoint: e})
				}
			}
		}
	}
	return infos
}

func isService(k ros.EndpointKind) bool { return k == ros.ServerEnd || k == ros.ClientEnd }

// serviceGUID is a name for another's endpoint of a service, as ROS 2 does not
// tell its own. Those of one node, name, type and kind are one.
func serviceGUID(kind ros.EndpointKind, e ros.Endpoint) ros.GUID {
	sum := sha256.Sum256([]byte(strings.Join([]string{kind.String(), e.Node, e.Name, e.Type}, "\x00")))
	return ros.GUID(sum[:16])
}

// fullName joins a node's name, which may not be known yet.
func fullName(namespace, name string) string {
	if name == "" || strings.HasPrefix(name, "_NODE_NAME_UNKNOWN_") {
		return ""
	}
	return strings.TrimSuffix(namespace, "/") + "/" + name
}

// across returns how many nodes have the other end of a service.
func (t *Transport) across(info ros.EndpointInfo) (count int) {
	for _, o := range t.ask(func(n *rclgo.Node) []ros.EndpointInfo { return serviceEnds(n, info.Name) }) {
		if o.Kind == info.Kind^1 && o.Type == info.Type {
			count++
		}
	}
	return count
}

const (
	// guidPatience is how long a new endpoint is looked for in the graph. It is there
	// at once or some milliseconds after.
	guidPatience = 250 * time.Millisecond
	guidPeriod   = time.Millisecond
)

// guidOf returns the GUID of an endpoint that was just opened: that which the
// graph shows for its node and is no other endpoint's of ours. One that does not
// show in time, and one of a service, gets a name that no other has.
func (t *Transport) guidOf(info ros.EndpointInfo) ros.GUID {
	for begin := time.Now(); !isService(info.Kind) && time.Since(begin) < guidPatience; time.Sleep(guidPeriod) {
		for _, o := range t.ask(func(n *rclgo.Node) []ros.EndpointInfo { return topicEnds(n, info.Name) }) {
			t.mu.Lock()
			fresh := o.Kind == info.Kind && o.Node == info.Node && t.own(o) == nil
			t.mu.Unlock()
			if fresh {
				return o.GUID
			}
		}
	}
	var g ros.GUID
	binary.LittleEndian.PutUint64(g[:], rand.Uint64())
	binary.LittleEndian.PutUint64(g[8:], rand.Uint64())
	return g
}

// watchPeriod is how often the graph is looked at for endpoints that do not fit
// ours: rclgo does not say when it changes.
const watchPeriod = time.Second

// watch reports what has the name of an own topic and cannot be matched.
func (t *Transport) watch() {
	ticker := time.NewTicker(watchPeriod)
	defer ticker.Stop()
	told := map[[2]ros.GUID]bool{}
	for {
		select {
		case <-t.look:
			return
		case <-ticker.C:
			told = t.report(told)
		}
	}
}

// report reports each pair of endpoints that was not told before, and returns those
// that there are.
func (t *Transport) report(told map[[2]ros.GUID]bool) map[[2]ros.GUID]bool {
	there := map[[2]ros.GUID]bool{}
	t.mu.Lock()
	ends := slices.Clone(t.ends)
	t.mu.Unlock()
	for _, e := range ends {
		if e.listener.Trouble == nil || isService(e.info.Kind) {
			continue
		}
		for _, o := range t.Endpoints(e.info.Name) {
			if o.Kind != e.info.Kind^1 {
				continue
			}
			if why := ros.Mismatch(e.info, o); why != nil {
				pair := [2]ros.GUID{e.info.GUID, o.GUID}
				if there[pair] = true; !told[pair] {
					e.listener.Trouble(ros.Trouble{Local: e.info, Remote: o, Reasons: why})
				}
			}
		}
	}
	return there
}
