// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package interop

import (
	"fmt"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/internal/testkit/securitytest"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/fastdds"
	"ugp_explorer/node/ros/security"
)

// keystore makes one with the enclaves of the party and of the peer in Cyclone DDS, each with
// what it needs.
func keystore(t *testing.T) *securitytest.Keystore {
	t.Helper()
	k := securitytest.New(t, domain())
	k.Enclave(securitytest.OfNode("/party", "ping", "pong cyclone_latched", "our_service", "our_service cyclone_service"))
	k.Enclave(securitytest.OfNode("/cyclone_peer", "pong cyclone_latched", "ping", "cyclone_service", "our_service"))
	return k
}

// secured makes the party one of the keystore's.
func secured(k *securitytest.Keystore) func(*fastdds.Config) {
	return func(c *fastdds.Config) {
		c.Enclave, c.Security = "/party", security.Settings{Enabled: true, Enforce: true, Keystore: k.Folder}
	}
}

// enclave returns the environment of a program in C that is secured.
func enclave(k *securitytest.Keystore, name string) []string {
	return []string{"ENCLAVE_FOLDER=" + k.Of(name)}
}

// What TestPeer does, encrypted.
func TestSecuredPeer(t *testing.T) {
	needCyclone(t)
	k := keystore(t)
	talk(t, newParty(t, secured(k)), enclave(k, "/cyclone_peer"), "peer.c", "endpoints.c")
}

// The same with a peer that sends the end of the handshake behind a secured message, as Cyclone DDS
// does on a loaded machine.
func TestSecuredPeerLate(t *testing.T) {
	needCyclone(t)
	k := keystore(t)
	talk(t, newParty(t, secured(k)), enclave(k, "/cyclone_peer"), "peer.c", "endpoints.c", "late.c")
}

// A peer in Cyclone DDS is kept out without a certificate, with one of another authority, and
// without permission; the log says so where the library tells.
func TestSecuredPeerKeptOut(t *testing.T) {
	needCyclone(t)
	program := buildCyclone(t, "16", "peer.c", "endpoints.c")
	for _, c := range []struct {
		name string
		env  func(t *testing.T, k *securitytest.Keystore) []string
		log  string // of the party
	}{
		{"no certificate", func(*testing.T, *securitytest.Keystore) []string { return nil }, "a participant without a certificate is kept out"},
		{"another authority", func(t *testing.T, _ *securitytest.Keystore) []string {
			other := securitytest.New(t, domain())
			other.Enclave(securitytest.Everything("/cyclone_peer"))
			return enclave(other, "/cyclone_peer")
		}, "a participant is kept out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := keystore(t)
			p := newParty(t, secured(k))
			heard := 0
			latched, err := ros.Subscribe(p.N, "/cyclone_latched", ros.Latched(), func(*std_msgs.String, ros.MessageInfo) { heard++ })
			must.OK(t, err)
			ping := rostest.Publisher[std_msgs.String](t, p.N, "/ping", ros.Latched().WithDepth(10))
			must.OK(t, ping.Publish(&std_msgs.String{Data: "a secret"}))
			stranger := startWith(t, c.env(t, k), program, fmt.Sprint(domain()), "1")
			p.Wait("the log", func() bool { return strings.Contains(p.Log.String(), c.log) })
			// Another one of the same kind meets the party meanwhile.
			friend := startWith(t, enclave(k, "/cyclone_peer"), program, fmt.Sprint(domain()), "0")
			p.Wait("the word of the friend", func() bool { return heard == 1 && ping.Matched() > 0 })
			if latched.Matched() != 1 || ping.Matched() != 1 {
				t.Errorf("%d publishers and %d subscriptions are matched, want the friend's", latched.Matched(), ping.Matched())
			}
			must.OK(t, ping.Publish(&std_msgs.String{Data: "end"})) // ends each peer that hears it
			friend.succeed(t, stranger)
			t.Log(p.Log.String())
		})
	}
}

// A peer whose permissions lack what it wants ends, because its own DDS refuses: Cyclone DDS
// reads our form of permissions.
func TestSecuredPeerWithoutPermission(t *testing.T) {
	needCyclone(t)
	k := keystore(t)
	k.Enclave(securitytest.OfNode("/cyclone_peer", "cyclone_latched", "ping", "cyclone_service", "our_service")) // not pong
	peer := startWith(t, enclave(k, "/cyclone_peer"), buildCyclone(t, "16", "peer.c", "endpoints.c"), fmt.Sprint(domain()), "0")
	<-peer.done
	if peer.end == nil || !strings.Contains(peer.err.String(), "rt/pong") {
		t.Errorf("the peer ends with %v: %s", peer.end, peer.err.String())
	}
}
