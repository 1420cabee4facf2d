// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

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
	"ugp_explorer/node/ros/internal/ddsnames"
)

// Endpoints implements ros.Transport, in the order of their kinds.
func (t *Transport) Endpoints(name string) []ros.EndpointInfo {
	infos := t.ask(func(n *rclgo.Node) (infos []ros.EndpointInfo) {
		if name != "" {
			if infos = topicEnds(n, name); infos == nil {
				infos = serviceEnds(n, name)
			}
			return infos
		}
		topics, err := n.GetTopicNamesAndTypes(true)
		if err != nil {
			lastError() // the context is gone
		}
		for topic := range topics {
			infos = append(infos, topicEnds(n, topic)...)
		}
		for service := range serviceNames(n) {
			infos = append(infos, serviceEnds(n, service)...)
		}
		return infos
	})
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range infos {
		if e := t.own(infos[i].GUID); e != nil {
			infos[i] = e.Own
		}
	}
	return infos
}

// own returns the transport's endpoint with a GUID; nil if it is another's.
// t.mu is held.
func (t *Transport) own(g ros.GUID) *end {
	i := slices.IndexFunc(t.ends, func(e *end) bool { return e.Own.GUID == g })
	if i < 0 {
		return nil
	}
	return t.ends[i]
}

// ask calls fn with one of the transport's nodes to query the graph. Without a node it does
// nothing.
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
func topicEnds(n *rclgo.Node, name string) []ros.EndpointInfo {
	return onTopic(n, name, true, func(f rclgo.TopicEndpointInfo, writer bool) (ros.EndpointKind, string, string, bool) {
		if writer {
			return ros.PublisherEnd, name, f.TopicType, true
		}
		return ros.SubscriptionEnd, name, f.TopicType, true
	})
}

// onTopic returns the endpoints on a topic that describe knows, writers first. mangle means
// that the topic has a ROS name rather than a middleware name.
func onTopic(n *rclgo.Node, topic string, mangle bool, describe func(f rclgo.TopicEndpointInfo, writer bool) (kind ros.EndpointKind, name, typ string, ok bool)) (infos []ros.EndpointInfo) {
	for i, get := range []func(string, bool) ([]rclgo.TopicEndpointInfo, error){n.GetPublishersInfoByTopic, n.GetSubscriptionsInfoByTopic} {
		found, err := get(topic, mangle)
		if err != nil {
			lastError() // not a topic name, or the context is gone
		}
		for _, f := range found {
			if kind, name, typ, ok := describe(f, i == 0); ok {
				infos = append(infos, ros.EndpointInfo{Kind: kind, GUID: ros.GUID(f.EndpointGID[:16]), Endpoint: ros.Endpoint{
					Node: fullName(f.NodeNamespace, f.NodeName), Name: name, Type: typ, QoS: qosOf(f.QosProfile),
				}})
			}
		}
	}
	return infos
}

// serviceEnds returns the servers and clients of a service. With DDS they are the endpoints
// on the topic of its requests; with other middlewares ROS 2 lists services by node.
func serviceEnds(n *rclgo.Node, name string) []ros.EndpointInfo {
	requests := ddsnames.Request(name)
	infos := onTopic(n, requests, false, func(f rclgo.TopicEndpointInfo, writer bool) (ros.EndpointKind, string, string, bool) {
		return ddsnames.Describe(requests, f.TopicType, writer)
	})
	if infos == nil {
		infos = serviceEndsByNode(n, name)
	}
	return infos
}

func serviceEndsByNode(n *rclgo.Node, name string) (infos []ros.EndpointInfo) {
	eachService(n, func(kind ros.EndpointKind, node, service string, types []string) {
		for _, typ := range types {
			if service == name {
				e := ros.Endpoint{Node: node, Name: service, Type: typ, QoS: ros.DefaultQoS()}
				infos = append(infos, ros.EndpointInfo{Kind: kind, GUID: serviceGUID(kind, e), Endpoint: e})
			}
		}
	})
	return infos
}

func serviceNames(n *rclgo.Node) map[string]bool {
	names := map[string]bool{}
	eachService(n, func(_ ros.EndpointKind, _, service string, _ []string) { names[service] = true })
	return names
}

// eachService calls fn with the services that each node offers or calls.
func eachService(n *rclgo.Node, fn func(kind ros.EndpointKind, node, service string, types []string)) {
	names, namespaces, err := n.GetNodeNames()
	if err != nil {
		lastError()
	}
	for i := range names {
		for kind, get := range map[ros.EndpointKind]func(string, string) (map[string][]string, error){
			ros.ServerEnd: n.GetServiceNamesAndTypesByNode, ros.ClientEnd: n.GetClientNamesAndTypesByNode,
		} {
			found, err := get(names[i], namespaces[i])
			if err != nil {
				lastError() // the node is gone
			}
			for service, types := range found {
				fn(kind, fullName(namespaces[i], names[i]), service, types)
			}
		}
	}
}

// serviceGUID makes a GUID for an endpoint of a service whose own GUID ROS 2 does not give.
// Endpoints with the same node, name, type and kind get the same one.
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

// across returns the number of endpoints at the other end of a service.
func (t *Transport) across(info ros.EndpointInfo) (count int) {
	for _, o := range t.ask(func(n *rclgo.Node) []ros.EndpointInfo { return serviceEnds(n, info.Name) }) {
		if o.Kind == info.Kind^1 && o.Type == info.Type {
			count++
		}
	}
	return count
}

const (
	// guidPatience is the time for which a new endpoint is looked for in the graph. It
	// appears at once or after some milliseconds.
	guidPatience = 250 * time.Millisecond
	guidPeriod   = time.Millisecond
)

// guidOf returns the GUID of an endpoint that was just opened: the one that the graph shows
// for its node and that none of our other endpoints has. If it does not appear in time, a
// unique GUID is made up.
func (t *Transport) guidOf(info ros.EndpointInfo) (g ros.GUID) {
	look := topicEnds
	if info.Kind == ros.ServerEnd || info.Kind == ros.ClientEnd {
		look = serviceEnds
	}
	for begin := time.Now(); time.Since(begin) < guidPatience; time.Sleep(guidPeriod) {
		for _, o := range t.ask(func(n *rclgo.Node) []ros.EndpointInfo { return look(n, info.Name) }) {
			t.mu.Lock()
			fresh := o.Kind == info.Kind && o.Node == info.Node && t.own(o.GUID) == nil
			t.mu.Unlock()
			if fresh {
				return o.GUID
			}
		}
	}
	binary.LittleEndian.PutUint64(g[:], rand.Uint64())
	binary.LittleEndian.PutUint64(g[8:], rand.Uint64())
	return g
}
