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
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/std_srvs"
	"ugp_explorer/node/ros"
)

// Topics both ways, reliable and latched, and services in rmw_cyclonedds' form, as
// server and as client, while a client in rmw_fastrtps' form asks the same server.
func TestPeer(t *testing.T) {
	needCyclone(t)
	talk(t, newParty(t), nil, "peer.c", "endpoints.c")
}

// talk has a party and a peer of those sources talk about everything. env is for the peer.
func talk(t *testing.T, p *rostest.Party, env []string, sources ...string) {
	t.Helper()
	program := buildCyclone(t, "16", sources...)
	answers := 0
	_, err := ros.Serve(p.N, "/our_service", func(req *std_srvs.SetBoolRequest, res *std_srvs.SetBoolResponse) {
		answers++
		res.Success, res.Message = req.Data, fmt.Sprint("answer ", answers)
	})
	must.OK(t, err)
	heard, pongs := "", []string(nil)
	rostest.Hear(t, p.N, "/cyclone_latched", ros.Latched(), func(m *std_msgs.String) { heard = strings.Clone(m.Data) })
	rostest.Hear(t, p.N, "/pong", ros.DefaultQoS(), func(m *std_msgs.String) { pongs = append(pongs, strings.Clone(m.Data)) })
	ping := rostest.Publisher[std_msgs.String](t, p.N, "/ping", ros.Latched().WithDepth(10))
	must.OK(t, ping.Publish(&std_msgs.String{Data: "latched by us"}))
	service, err := ros.NewClient[std_srvs.SetBoolRequest, std_srvs.SetBoolResponse](p.N, "/cyclone_service")
	must.OK(t, err)

	const calls = 20
	peer := startWith(t, env, program, fmt.Sprint(domain()), fmt.Sprint(calls))
	p.Wait("what Cyclone latched, and our word back", func() bool { return heard == "latched by Cyclone" && len(pongs) == 1 })
	if pongs[0] != "latched by us" {
		t.Errorf("Cyclone heard %q", pongs[0])
	}
	for i := range 10 {
		if m := p.Call(service); m != "Cyclone heard 1" {
			t.Errorf("call %d: Cyclone answers %q", i, m)
		}
	}
	p.Wait("Cyclone's calls", func() bool { return answers == calls })
	fast, err := ros.NewClient[std_srvs.SetBoolRequest, std_srvs.SetBoolResponse](p.N, "/our_service")
	must.OK(t, err)
	if m := p.Call(fast); m != fmt.Sprint("answer ", calls+1) {
		t.Errorf("a client of the other form hears %q", m)
	}
	big := strings.Repeat("0123456789abcdef", 1<<17)
	must.OK(t, ping.Publish(&std_msgs.String{Data: big}))
	p.Wait("2 MB and back", func() bool { return len(pongs) == 2 })
	if pongs[1] != big {
		t.Errorf("2 MB come back as %d other bytes", len(pongs[1]))
	}
	for _, e := range p.N.Endpoints("/cyclone_service") {
		if e.Kind == ros.ServerEnd && (e.Type != "std_srvs/srv/SetBool" || e.Node != "/cyclone_peer") {
			t.Errorf("Cyclone's server is %+v", e)
		}
	}
	must.OK(t, ping.Publish(&std_msgs.String{Data: "end"}))
	peer.succeed(t)
}
