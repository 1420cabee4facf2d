// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds_test

import (
	"net"
	"os"
	"testing"

	"ugp_explorer/internal/testkit/killtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/securitytest"
	"ugp_explorer/node/ros/fastdds"
)

// ownUDP has a transport of the user.
const ownUDP = `<?xml version="1.0" encoding="UTF-8"?>
<dds xmlns="http://www.eprosima.com/XMLSchemas/fastRTPS_Profiles"><profiles>
  <transport_descriptors><transport_descriptor><transport_id>own</transport_id><type>UDPv4</type></transport_descriptor></transport_descriptors>
  <participant profile_name="own" is_default_profile="true"><rtps>
    <userTransports><transport_id>own</transport_id></userTransports><useBuiltinTransports>false</useBuiltinTransports>
  </rtps></participant>
</profiles></dds>`

// sendStatisticsFirst sends the participants of a domain on loopback the statistics of Fast DDS
// and something after them. A library that asserts ends its process when it reads this.
func sendStatisticsFirst(t *testing.T, domain int) {
	t.Helper()
	const size = 56 // sizeof(StatisticsSubmessageData)
	m := []byte("RTPS\x02\x03\x01\x0fhostile host")
	m = append(m, 0x80, 0x01, size, 0)
	m = append(m, make([]byte, size)...)
	m = append(m, 0x01, 0x01, 0, 0) // PAD
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.OK(t, err)
	defer conn.Close()
	for i := range 10 { // RTPS 2.3, 9.6.1.1: where the first participants of a host listen
		_, err := conn.WriteTo(m, &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7400 + 250*domain + 10 + 2*i})
		must.OK(t, err)
	}
}

// A node drops, and reports, a message that would end it. Without the filter this test ends with
// the library's assertion.
func TestStatisticsThatAreNotLast(t *testing.T) {
	own := domain() + 100 // no other process should get the message
	run := func(t *testing.T, change func(*fastdds.Config)) {
		p := newParent(t, func(c *fastdds.Config) { c.Domain = own }, change)
		sendStatisticsFirst(t, own)
		p.Wait("the report", func() bool {
			return has(p.Log.String(), "a hostile UDP message was dropped", "address=127.0.0.1")
		})
	}
	t.Run("plain", func(t *testing.T) { run(t, func(*fastdds.Config) {}) })
	t.Run("DDS Security", func(t *testing.T) {
		k := securitytest.New(t, own)
		k.Enclave(securitytest.Everything("/parent"))
		run(t, secured(k, "/parent"))
	})
	t.Run("profile", func(t *testing.T) {
		cmd := killtest.CommandContext(t.Context(), os.Args[0], "-test.run=^TestStatisticsThatAreNotLast$/^plain$", "-test.v")
		cmd.Env = append(os.Environ(), "FASTRTPS_DEFAULT_PROFILES_FILE="+profiles(t, ownUDP))
		if out, err := cmd.CombinedOutput(); err != nil || !has(string(out), "--- PASS: TestStatisticsThatAreNotLast/plain") {
			t.Fatalf("%v\n%s", err, out)
		}
	})
}
