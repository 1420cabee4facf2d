// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"bytes"
	"errors"
	"os"
	"reflect"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/ros"
)

// message is a ParticipantEntitiesInfo written by hand from the definitions of
// rmw_dds_common: one node /ns/n with one reader and no writer. pad follows each
// Gid.
func handMade(pad []byte) []byte {
	b := []byte{0, 1, 0, 0}
	b = append(append(b, "0123456789abPPPP"...), pad...)
	b = append(b, 1, 0, 0, 0)
	b = append(b, 4, 0, 0, 0, '/', 'n', 's', 0)
	b = append(b, 2, 0, 0, 0, 'n', 0, 0, 0)
	b = append(b, 1, 0, 0, 0)
	b = append(append(b, "0123456789abRRRR"...), pad...)
	return append(b, 0, 0, 0, 0)
}

func TestNodeInfoLayouts(t *testing.T) {
	who, reader := ros.GUID([]byte("0123456789abPPPP")), ros.GUID([]byte("0123456789abRRRR"))
	want := []entities{{namespace: "/ns", name: "n", readers: []ros.GUID{reader}, writers: []ros.GUID{}}}
	for _, c := range []struct {
		length int
		data   []byte
	}{{gidIron, handMade(nil)}, {gidHumble, handMade(make([]byte, 8))}} {
		if got := appendNodeInfo(nil, who, want, c.length); !bytes.Equal(got, c.data) {
			t.Errorf("Gids of %d bytes: % x, want % x", c.length, got, c.data)
		}
		for padding := range 4 { // DDS may leave up to 3 bytes
			gotWho, got, length, err := parseNodeInfo(append(bytes.Clone(c.data), make([]byte, padding)...))
			if err != nil || gotWho != who || length != c.length || !reflect.DeepEqual(got, want) {
				t.Errorf("Gids of %d bytes and %d of padding: %q %+v, length %d, %v", c.length, padding, gotWho[:], got, length, err)
			}
		}
		for n := range c.data {
			if c.length == gidHumble && n >= 24 && n < 28 {
				continue // the beginning happens to be one of Iron without a node
			}
			if _, _, _, err := parseNodeInfo(c.data[:n]); err == nil {
				t.Errorf("Gids of %d bytes: the first %d of %d bytes are taken for a message", c.length, n, len(c.data))
			}
		}
	}
}

func FuzzNodeInfo(f *testing.F) {
	f.Add(handMade(nil))
	f.Add(handMade(make([]byte, 8)))
	f.Fuzz(func(t *testing.T, data []byte) {
		who, nodes, length, err := parseNodeInfo(data)
		if err != nil {
			return
		}
		again, nodes2, _, err := parseNodeInfo(appendNodeInfo(nil, who, nodes, length))
		if err != nil || again != who || !reflect.DeepEqual(nodes, nodes2) {
			t.Errorf("%+v comes back as %+v: %v", nodes, nodes2, err)
		}
	})
}

func joinAs(t *testing.T, distro string) *Transport {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Domain, cfg.Range, cfg.Distro = 1+os.Getpid()%20, Loopback, distro
	tr, err := New(cfg)
	must.OK(t, err)
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
	return tr
}

// length returns how long the Gids are that tr sends.
func (t *Transport) length() int {
	t.info.mu.Lock()
	defer t.info.mu.Unlock()
	return t.info.gidLength
}

// seen reports whether tr has the publisher of /t by its node's name.
func seen(tr *Transport, node string) bool {
	for _, e := range tr.Endpoints("/t") {
		if e.Kind == ros.PublisherEnd && e.Node == node {
			return true
		}
	}
	return false
}

func publisher(t *testing.T, tr *Transport, node string) {
	t.Helper()
	must.OK(t, tr.AddNode(node))
	if _, err := tr.Open(ros.PublisherEnd, ros.Endpoint{Node: node, Name: "/t", Type: "std_msgs/msg/String", QoS: ros.DefaultQoS()}, ros.Listener{}); err != nil {
		t.Fatal(err)
	}
}

// A participant that is not told the distribution speaks as Iron until it hears
// Humble; one that is told does not change.
func TestDistributionIsDetected(t *testing.T) {
	open, iron := joinAs(t, ""), joinAs(t, "jazzy")
	publisher(t, open, "/ns/open")
	publisher(t, iron, "/iron")
	must.Come(t, "each other's names", func() bool { return seen(open, "/iron") && seen(iron, "/ns/open") })
	if n := open.length(); n != gidIron {
		t.Errorf("among Iron's participants Gids have %d bytes", n)
	}
	humble := joinAs(t, "humble")
	publisher(t, humble, "/humble")
	must.Come(t, "the change", func() bool { return open.length() == gidHumble })
	must.Come(t, "the names", func() bool { return seen(open, "/humble") && seen(humble, "/ns/open") })
	if n := iron.length(); n != gidIron {
		t.Errorf("one that knows its distribution changes to Gids of %d bytes", n)
	}
}

// What is no message of the type is passed over, and so is one in the name of
// ourselves.
func TestHostileNodeInfo(t *testing.T) {
	victim, hostile := joinAs(t, ""), joinAs(t, "jazzy")
	publisher(t, victim, "/victim")
	publisher(t, hostile, "/hostile")
	must.Come(t, "the names", func() bool { return seen(hostile, "/victim") && seen(victim, "/hostile") })
	count := handMade(nil)
	copy(count[20:], "\xff\xff\xff\xff") // nodes
	own := appendNodeInfo(nil, victim.guid, nil, gidIron)
	for _, data := range [][]byte{{0, 0}, {9, 9, 9, 9}, {0, 1, 0, 0}, count, bytes.Repeat([]byte{0xff}, 1000), handMade(nil)[:50], own} {
		if _, err := hostile.info.w.send(data, -1, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	publisher(t, hostile, "/after")
	must.Come(t, "the name after garbage", func() bool { return seen(victim, "/after") })
	if !seen(victim, "/victim") || victim.length() != gidIron {
		t.Error("garbage changed what a participant knows of itself")
	}
}

// announced returns the user data of the writer and of the reader of a DDS topic, which tr
// has, as another participant receives them.
func announced(t *testing.T, tr *Transport, topic string) map[bool]string {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Domain, cfg.Range = 1+os.Getpid()%20, Loopback
	peers, err := cfg.peers()
	must.OK(t, err)
	watcher, _, err := newParticipant(&cfg, peers, nil)
	must.OK(t, err)
	found := map[bool]string{}
	var e event
	must.Come(t, "the announcement of both ends of "+topic, func() bool {
		for watcher.next(&e) >= 0 {
			if e.kind == evEndpoint && e.change > 0 && e.topic == topic && prefixOf(e.guid) == prefixOf(tr.guid) {
				found[e.writer] = e.userData
			}
		}
		return len(found) == 2
	})
	if err := errors.Join(watcher.mute(), watcher.delete()); err != nil {
		t.Error(err)
	}
	return found
}

// From Iron on, endpoints announce the hash of their type (REP-2016), and rmw_cyclonedds_cpp
// warns of each endpoint with empty user data: those of ros_discovery_info count, too. The
// hash is that of Jazzy's rosidl. Humble has another definition and no hashes.
func TestNodeInfoAnnouncesTypeHash(t *testing.T) {
	for distro, want := range map[string]string{
		"jazzy":  "typehash=RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e;",
		"":       "typehash=RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e;",
		"humble": "",
	} {
		if got := announced(t, joinAs(t, distro), "ros_discovery_info"); got[true] != want || got[false] != want {
			t.Errorf("ROS_DISTRO %q: user data of the writer %q, of the reader %q, want %q", distro, got[true], got[false], want)
		}
	}
}

// An action's client subscribes to feedback without a hash, since it reads that of later
// distributions, too.
func TestUnknownTypeHashLeavesUserData(t *testing.T) {
	tr := joinAs(t, "jazzy")
	e := ros.Endpoint{Node: "/n", Name: "/a/_action/feedback", Type: "nav2_msgs/action/NavigateToPose_FeedbackMessage", QoS: ros.DefaultQoS()}
	if _, err := tr.Open(ros.SubscriptionEnd, e, ros.Listener{Now: func() int64 { return 0 }}); err != nil {
		t.Fatal(err)
	}
	if _, err := tr.Open(ros.PublisherEnd, e, ros.Listener{}); err != nil {
		t.Fatal(err)
	}
	if got := announced(t, tr, "rt/a/_action/feedback"); got[true] != ";" || got[false] != ";" {
		t.Errorf("user data of the writer %q, of the reader %q, want %q", got[true], got[false], ";")
	}
}
