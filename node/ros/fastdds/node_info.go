// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"slices"
	"strings"
	"sync"

	"ugp_explorer/msgs"
	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/rmw_dds_common"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/names"
)

// nodeInfo is the participant's part in ros_discovery_info, the topic on which participants
// publish their nodes and the endpoints of each node.
type nodeInfo struct {
	w, r *port

	mu        sync.Mutex // serialises announcements, so that the newest is sent last
	gidLength int
	detect    bool // gidLength follows the messages of others
	buf       []byte
}

// Length of a Gid up to Humble and from Iron on, bytes.
const (
	gidHumble = 24
	gidIron   = 16
)

// gidLength returns the length of Gids in a distribution and whether the distribution is
// known.
func gidLength(distro string) (n int, ok bool) {
	switch distro {
	case "dashing", "eloquent", "foxy", "galactic", "humble":
		return gidHumble, true
	case "iron", "jazzy", "kilted", "lyrical", "rolling":
		return gidIron, true
	}
	return gidIron, false
}

func (n *nodeInfo) open(t *Transport, distro string) error {
	var known bool
	n.gidLength, known = gidLength(distro)
	n.detect = !known
	const topic, typ = "ros_discovery_info", "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_"
	// From Iron on, rmw_cyclonedds_cpp warns of every endpoint whose user data are empty.
	userData := ""
	if n.gidLength == gidIron {
		userData = typeHash(msgs.TypeHash((*rmw_dds_common.ParticipantEntitiesInfo)(nil).TypeName()))
	}
	n.w = &port{t: t, name: topic, topic: topic, typ: typ, userData: userData, writer: true}
	n.r = &port{t: t, name: topic, topic: topic, typ: typ, userData: userData, sample: func(s *sample) bool {
		t.take(s)
		return false
	}}
	if err := n.w.open(ros.Latched()); err != nil {
		return err
	}
	if err := n.r.open(ros.Latched().WithDepth(mostParticipants)); err != nil {
		return err
	}
	return t.announce()
}

// announce publishes all nodes of this participant.
func (t *Transport) announce() error {
	n := &t.info
	n.mu.Lock()
	defer n.mu.Unlock()
	t.mu.Lock()
	nodes := t.entities()
	t.mu.Unlock()
	n.buf = appendNodeInfo(n.buf[:0], t.guid, nodes, n.gidLength)
	_, err := n.w.send(n.buf, -1, nil, 0)
	return err
}

// entities is a node with its endpoints.
type entities struct {
	namespace, name  string
	readers, writers []ros.GUID
}

// entities returns the own nodes. t.mu is held.
func (t *Transport) entities() []entities {
	ports := make([]*port, 0, len(t.ports))
	for _, p := range t.ports {
		if p.node != "" && p.guid != (ros.GUID{}) {
			ports = append(ports, p)
		}
	}
	slices.SortFunc(ports, func(a, b *port) int { return int(a.id) - int(b.id) })
	nodes := make([]entities, 0, len(t.graph.nodes))
	for _, full := range t.graph.nodes {
		i := strings.LastIndexByte(full, '/')
		e := entities{namespace: full[:max(i, 1)], name: full[i+1:]}
		for _, p := range ports {
			switch {
			case p.node != full:
			case p.writer:
				e.writers = append(e.writers, p.guid)
			default:
				e.readers = append(e.readers, p.guid)
			}
		}
		nodes = append(nodes, e)
	}
	return nodes
}

// take reads another participant's nodes. Each message replaces the previous one.
// Unreadable messages are dropped.
func (t *Transport) take(s *sample) {
	who, nodes, length, err := parseNodeInfo(s.data)
	if err != nil || prefixOf(who) == prefixOf(t.guid) {
		return
	}
	owners := map[ros.GUID]string{}
	for _, n := range nodes {
		full := names.Join(n.namespace, n.name)
		if names.ValidateFull(full) != nil {
			continue // it would stand in logs
		}
		for _, gids := range [][]ros.GUID{n.readers, n.writers} {
			for _, g := range gids {
				if len(owners) < mostEndpoints {
					owners[g] = full
				}
			}
		}
	}
	t.mu.Lock()
	t.graph.tell(prefixOf(who), owners)
	t.mu.Unlock()
	n := &t.info
	n.mu.Lock()
	// Ours and Iron's are 16 bytes; a participant that sends 24 can read only 24.
	change := n.detect && length == gidHumble && n.gidLength != gidHumble
	if change {
		n.gidLength = gidHumble
	}
	n.mu.Unlock()
	if change {
		_ = t.announce() // it fails only while the transport closes; then nobody reads it
	}
}

// appendNodeInfo appends an rmw_dds_common/msg/ParticipantEntitiesInfo with Gids
// of length bytes to dst.
func appendNodeInfo(dst []byte, who ros.GUID, nodes []entities, length int) []byte {
	var pad [gidHumble - gidIron]byte
	w := cdr.NewWriter(dst)
	gid := func(g ros.GUID) {
		cdr.WriteArray(&w, g[:])
		cdr.WriteArray(&w, pad[:length-gidIron])
	}
	gid(who)
	w.Length(len(nodes), cdr.Unbounded)
	for _, n := range nodes {
		w.String(n.namespace, cdr.Unbounded)
		w.String(n.name, cdr.Unbounded)
		for _, gids := range [][]ros.GUID{n.readers, n.writers} {
			w.Length(len(gids), cdr.Unbounded)
			for _, g := range gids {
				gid(g)
			}
		}
	}
	return w.Bytes()
}

// parseNodeInfo reads a ParticipantEntitiesInfo of either layout: it uses the one that
// consumes the message exactly. It returns the length of the Gids.
func parseNodeInfo(src []byte) (who ros.GUID, nodes []entities, length int, err error) {
	for _, length = range []int{gidIron, gidHumble} {
		if who, nodes, err = parseNodes(src, length); err == nil {
			return who, nodes, length, nil
		}
	}
	return who, nil, 0, err
}

func parseNodes(src []byte, length int) (who ros.GUID, nodes []entities, err error) {
	const nameLimit = 256 // from the message definition
	var pad [gidHumble - gidIron]byte
	r := cdr.NewReader(src)
	gid := func() (g ros.GUID) {
		cdr.ReadArray(&r, g[:])
		cdr.ReadArray(&r, pad[:length-gidIron])
		return g
	}
	who = gid()
	for range r.Length(16, cdr.Unbounded) {
		var n entities
		r.String(&n.namespace, nameLimit)
		r.String(&n.name, nameLimit)
		for _, gids := range []*[]ros.GUID{&n.readers, &n.writers} {
			*gids = make([]ros.GUID, r.Length(length, cdr.Unbounded))
			for i := range *gids {
				(*gids)[i] = gid()
			}
		}
		nodes = append(nodes, n)
	}
	return who, nodes, r.Finish("rmw_dds_common/msg/ParticipantEntitiesInfo")
}
