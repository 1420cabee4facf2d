// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/std_srvs"
	"ugp_explorer/node/ros"
)

type boolClient = ros.Client[std_srvs.SetBoolRequest, std_srvs.SetBoolResponse, *std_srvs.SetBoolRequest, *std_srvs.SetBoolResponse]

func newBoolClient(g *graph, n *ros.Node, name string) *boolClient {
	g.t.Helper()
	c, err := ros.NewClient[std_srvs.SetBoolRequest, std_srvs.SetBoolResponse](n, name)
	must.OK(g.t, err)
	return c
}

func services(t *testing.T, g *graph) {
	a, b := g.node("server", ros.NodeOptions{Namespace: "/ns"}), g.node("client", ros.NodeOptions{})
	asked := 0
	srv, err := ros.Serve(a, "~/switch", func(req *std_srvs.SetBoolRequest, res *std_srvs.SetBoolResponse) {
		asked++
		if *res != (std_srvs.SetBoolResponse{}) {
			t.Errorf("the response is %+v before it is written", *res)
		}
		res.Success, res.Message = req.Data, fmt.Sprintf("answer %d", asked)
	})
	must.OK(t, err)
	if srv.Name() != "/ns/server/switch" {
		t.Errorf("the service is called %s", srv.Name())
	}
	one, two := newBoolClient(g, b, "/ns/server/switch"), newBoolClient(g, b, "/ns/server/switch")
	g.matched(one, two)
	answers, mine := 0, map[string]bool{}
	const each = 5
	for i := range each {
		for _, c := range []*boolClient{one, two} {
			want := (i%2 == 0) == (c == one)
			must.OK(t, c.Call(&std_srvs.SetBoolRequest{Data: want}, Patience, func(res *std_srvs.SetBoolResponse, err error) {
				answers++
				must.OK(t, err)
				if res.Success != want {
					t.Errorf("a call with %v got the answer to another", want)
				}
				mine[res.Message] = true
			}))
		}
	}
	g.wait("all answers", func() bool { return answers == 2*each })
	if len(mine) != 2*each || asked != 2*each {
		t.Errorf("%d different answers to %d requests, want %d", len(mine), asked, 2*each)
	}
}

func answersLater(t *testing.T, g *graph) {
	a, b := g.node("server", ros.NodeOptions{}), g.node("client", ros.NodeOptions{})
	var held []func(*std_srvs.SetBoolResponse)
	_, err := ros.ServeLater(a, "later", func(_ *std_srvs.SetBoolRequest, answer func(*std_srvs.SetBoolResponse)) {
		held = append(held, answer)
	})
	must.OK(t, err)
	c := newBoolClient(g, b, "later")
	g.matched(c)
	got := make([]string, 3)
	for i := range got {
		must.OK(t, c.Call(&std_srvs.SetBoolRequest{}, Patience, func(res *std_srvs.SetBoolResponse, err error) {
			must.OK(t, err)
			got[i] = strings.Clone(res.Message)
		}))
		g.wait("the request", func() bool { return len(held) == i+1 })
	}
	for i := len(held) - 1; i >= 0; i-- {
		held[i](&std_srvs.SetBoolResponse{Message: fmt.Sprint(i)})
		held[i](&std_srvs.SetBoolResponse{Message: "again"}) // has no effect
	}
	g.wait("the answers", func() bool { return got[0] != "" && got[1] != "" && got[2] != "" })
	if got[0] != "0" || got[1] != "1" || got[2] != "2" {
		t.Errorf("the answers are %v, want [0 1 2]", got)
	}
}

func noServer(t *testing.T, g *graph) {
	n := g.node("client", ros.NodeOptions{})
	c := newBoolClient(g, n, "nobody")
	if c.Matched() != 0 {
		t.Errorf("matched %d servers", c.Matched())
	}
	var got error
	must.OK(t, c.Call(&std_srvs.SetBoolRequest{}, 5*time.Millisecond, func(res *std_srvs.SetBoolResponse, err error) {
		if res != nil {
			t.Errorf("answered with %+v", res)
		}
		got = err
	}))
	g.wait("the end of the call", func() bool { return got != nil })
	if !errors.Is(got, ros.ErrTimeout) || !strings.Contains(got.Error(), "/nobody") {
		t.Errorf("the call ended with %v, want a timeout that names the service", got)
	}
}

func closedClient(t *testing.T, g *graph) {
	n := g.node("client", ros.NodeOptions{})
	c := newBoolClient(g, n, "nobody")
	var got []error
	for range 3 {
		must.OK(t, c.Call(&std_srvs.SetBoolRequest{}, Patience, func(_ *std_srvs.SetBoolResponse, err error) { got = append(got, err) }))
	}
	must.OK(t, c.Close())
	if len(got) != 3 || !errors.Is(errors.Join(got...), ros.ErrClosed) {
		t.Errorf("the calls ended with %v, want ErrClosed three times", got)
	}
	if err := c.Call(&std_srvs.SetBoolRequest{}, Patience, nil); !errors.Is(err, ros.ErrClosed) {
		t.Errorf("calling on a closed client: %v, want ErrClosed", err)
	}
}

func garbageRequest(t *testing.T, g *graph) {
	n := g.node("server", ros.NodeOptions{})
	srv, err := ros.Serve(n, "switch", func(req *std_srvs.SetBoolRequest, res *std_srvs.SetBoolResponse) { res.Success = true })
	must.OK(t, err)
	tr := g.join()
	t.Cleanup(func() { must.OK(t, tr.Close()) })
	must.OK(t, tr.AddNode("/hostile"))
	raw, err := tr.Open(ros.ClientEnd, ros.Endpoint{
		Node: "/hostile", Name: "/switch", Type: "std_srvs/srv/SetBool", QoS: ros.DefaultQoS(),
	}, ros.Listener{})
	must.OK(t, err)
	g.matched(srv, raw)
	_, err = raw.Send(ros.Message{CDR: []byte{0, 1, 0, 0}})
	must.OK(t, err)
	_, err = raw.Send(ros.Message{CDR: []byte{0, 9}})
	must.OK(t, err)
	c := newBoolClient(g, n, "switch")
	g.matched(c)
	answered := false
	must.OK(t, c.Call(&std_srvs.SetBoolRequest{Data: true}, Patience, func(res *std_srvs.SetBoolResponse, err error) {
		must.OK(t, err)
		answered = res.Success
	}))
	g.wait("an answer after garbage", func() bool { return answered && srv.Malformed() == 2 })
	if raw.Take(func(ros.Message) {}) >= 0 {
		t.Error("garbage was answered")
	}
}
