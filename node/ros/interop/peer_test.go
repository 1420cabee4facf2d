//go:build fastdds

package interop

import (
	"fmt"
	"strings"
	"testing"

	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/std_srvs"
	"ugp_explorer/node/ros"
	"ugp_explorer/sim/rig/must"
	"ugp_explorer/sim/rig/rostest"
)

type caller = ros.Client[std_srvs.SetBoolRequest, std_srvs.SetBoolResponse, *std_srvs.SetBoolRequest, *std_srvs.SetBoolResponse]

func (p *party) call(c *caller) (message string) {
	p.t.Helper()
	p.wait("the service", func() bool { return c.Matched() == 1 })
	done := false
	must.OK(p.t, c.Call(&std_srvs.SetBoolRequest{Data: true}, patience, func(res *std_srvs.SetBoolResponse, err error) {
		must.OK(p.t, err)
		done, message = true, strings.Clone(res.Message)
	}))
	p.wait("the answer", func() bool { return done })
	return message
}

// Topics both ways, reliable and latched, and services in rmw_cyclonedds' form, as
// server and as client, while a client in rmw_fastrtps' form asks the same server.
func TestPeer(t *testing.T) {
	needCyclone(t)
	talk(t, newParty(t), nil)
}

// talk has a party and the peer talk about everything. env is for the peer.
func talk(t *testing.T, p *party, env []string) {
	t.Helper()
	program := buildCyclone(t, "16", "peer.c", "endpoints.c")
	answers := 0
	_, err := ros.Serve(p.n, "/our_service", func(req *std_srvs.SetBoolRequest, res *std_srvs.SetBoolResponse) {
		answers++
		res.Success, res.Message = req.Data, fmt.Sprint("answer ", answers)
	})
	must.OK(t, err)
	heard, pongs := "", []string(nil)
	rostest.Hear(t, p.n, "/cyclone_latched", ros.Latched(), func(m *std_msgs.String) { heard = strings.Clone(m.Data) })
	rostest.Hear(t, p.n, "/pong", ros.DefaultQoS(), func(m *std_msgs.String) { pongs = append(pongs, strings.Clone(m.Data)) })
	ping := rostest.Publisher[std_msgs.String](t, p.n, "/ping", ros.Latched().WithDepth(10))
	must.OK(t, ping.Publish(&std_msgs.String{Data: "latched by us"}))
	service, err := ros.NewClient[std_srvs.SetBoolRequest, std_srvs.SetBoolResponse](p.n, "/cyclone_service")
	must.OK(t, err)

	const calls = 20
	peer := startWith(t, env, program, fmt.Sprint(domain()), fmt.Sprint(calls))
	p.wait("what Cyclone latched, and our word back", func() bool { return heard == "latched by Cyclone" && len(pongs) == 1 })
	if pongs[0] != "latched by us" {
		t.Errorf("Cyclone heard %q", pongs[0])
	}
	for i := range 10 {
		if m := p.call(service); m != "Cyclone heard 1" {
			t.Errorf("call %d: Cyclone answers %q", i, m)
		}
	}
	p.wait("Cyclone's calls", func() bool { return answers == calls })
	fast, err := ros.NewClient[std_srvs.SetBoolRequest, std_srvs.SetBoolResponse](p.n, "/our_service")
	must.OK(t, err)
	if m := p.call(fast); m != fmt.Sprint("answer ", calls+1) {
		t.Errorf("a client of the other form hears %q", m)
	}
	big := strings.Repeat("0123456789abcdef", 1<<17)
	must.OK(t, ping.Publish(&std_msgs.String{Data: big}))
	p.wait("2 MB and back", func() bool { return len(pongs) == 2 })
	if pongs[1] != big {
		t.Errorf("2 MB come back as %d other bytes", len(pongs[1]))
	}
	for _, e := range p.n.Endpoints("/cyclone_service") {
		if e.Kind == ros.ServerEnd && (e.Type != "std_srvs/srv/SetBool" || e.Node != "/cyclone_peer") {
			t.Errorf("Cyclone's server is %+v", e)
		}
	}
	must.OK(t, ping.Publish(&std_msgs.String{Data: "end"}))
	peer.succeed(t)
}
