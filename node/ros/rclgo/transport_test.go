// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/std_srvs"
	"ugp_explorer/node/ros"
)

func now() int64 { return time.Now().UnixNano() }

func text(node, name string) ros.Endpoint {
	return ros.Endpoint{Node: node, Name: name, Type: "std_msgs/msg/String", QoS: ros.DefaultQoS()}
}

func toggle(node, name string) ros.Endpoint {
	return ros.Endpoint{Node: node, Name: name, Type: "std_srvs/srv/SetBool", QoS: ros.DefaultQoS()}
}

func TestErrorsNameWhatIsWrong(t *testing.T) {
	tr := join(t)
	must.OK(t, tr.AddNode("/a"))
	bad := text("/a", "/t")
	bad.QoS.Depth = 0
	other := text("/a", "/t")
	other.Type = "no_such_msgs/msg/One"
	for name, c := range map[string]struct {
		do   func() error
		want []string
	}{
		"node twice":      {func() error { return tr.AddNode("/a") }, []string{"/a exists already"}},
		"node's name":     {func() error { return tr.AddNode("a") }, []string{`"a"`}},
		"endpoint's node": {func() error { _, err := tr.Open(ros.PublisherEnd, text("/b", "/t"), ros.Listener{}); return err }, []string{"/t", "no node /b"}},
		"endpoint's name": {func() error { _, err := tr.Open(ros.PublisherEnd, text("/a", "/1"), ros.Listener{}); return err }, []string{"/1"}},
		"QoS":             {func() error { _, err := tr.Open(ros.SubscriptionEnd, bad, ros.Listener{Now: now}); return err }, []string{"/t", "Depth is 0"}},
		"type":            {func() error { _, err := tr.Open(ros.SubscriptionEnd, other, ros.Listener{Now: now}); return err }, []string{"/t", "no_such_msgs"}},
		"service's type":  {func() error { _, err := tr.Open(ros.ServerEnd, text("/a", "/s"), ros.Listener{}); return err }, []string{"/s", "std_msgs/msg/String"}},
	} {
		err := c.do()
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "goroutine") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v, want %q in one line", name, err, want)
			}
		}
	}
}

func TestOtherDistributions(t *testing.T) {
	t.Setenv("ROS_DISTRO", "jazzy")
	if tr, err := New("/"); err == nil || !strings.Contains(err.Error(), `ROS_DISTRO is "jazzy"`) {
		if err == nil {
			must.OK(t, tr.Close())
		}
		t.Errorf("joined as of another distribution: %v", err)
	}
}

// A request or reply that is none is refused by who sends it, and who waits continues.
func TestGarbageIsNotSent(t *testing.T) {
	tr := join(t)
	must.OK(t, tr.AddNode("/a"))
	requests, replies := make(chan struct{}, 10), make(chan struct{}, 10)
	server, err := tr.Open(ros.ServerEnd, toggle("/a", "/s"), ros.Listener{Ready: func() { requests <- struct{}{} }})
	must.OK(t, err)
	client, err := tr.Open(ros.ClientEnd, toggle("/a", "/s"), ros.Listener{Ready: func() { replies <- struct{}{} }})
	must.OK(t, err)
	must.Come(t, "a match", func() bool { return server.Matched() == 1 && client.Matched() == 1 })
	for _, cdr := range [][]byte{nil, {0, 1}, {0, 1, 0, 0}} {
		if _, err := client.Send(ros.Message{CDR: cdr}); err == nil || !strings.Contains(err.Error(), "/s") || !strings.Contains(err.Error(), "SetBool_Request") {
			t.Errorf("sending % x: %v", cdr, err)
		}
	}
	first, err := client.Send(ros.Message{CDR: (&std_srvs.SetBoolRequest{Data: true}).AppendCDR(nil)})
	must.OK(t, err)
	<-requests
	var id ros.RequestID
	server.Take(func(m ros.Message) { id = m.ID })
	reply := func(cdr []byte) error {
		_, err := server.Send(ros.Message{CDR: cdr, ID: id})
		return err
	}
	if err := reply([]byte{0, 1, 0, 0}); err == nil || !strings.Contains(err.Error(), "SetBool_Response") {
		t.Errorf("replying with nothing: %v", err)
	}
	must.OK(t, reply((&std_srvs.SetBoolResponse{Message: "late"}).AppendCDR(nil)))
	if err := reply((&std_srvs.SetBoolResponse{}).AppendCDR(nil)); err == nil {
		t.Error("a request was answered twice")
	}
	<-replies
	var res std_srvs.SetBoolResponse
	client.Take(func(m ros.Message) {
		if must.OK(t, res.UnmarshalCDR(m.CDR)); m.ID.Sequence != first || res.Message != "late" {
			t.Errorf("request %d is answered by %+v, want %d", m.ID.Sequence, res, first)
		}
	})
}

// A transport is closed while messages and requests are on their way; nothing is
// called back after, and nothing of it stays.
func TestCloseInTheMidst(t *testing.T) {
	files := func() int {
		names, err := os.ReadDir("/proc/self/fd")
		must.OK(t, err)
		return len(names)
	}
	var before int
	for round := range 5 {
		tr := join(t)
		must.OK(t, tr.AddNode("/a"))
		var mu sync.Mutex
		closed := false
		came := make(chan struct{}, 1)
		l := ros.Listener{Now: now, Ready: func() {
			mu.Lock()
			defer mu.Unlock()
			if closed {
				t.Error("a listener is called after Close")
			}
			select {
			case came <- struct{}{}:
			default:
			}
		}}
		w, err := tr.Open(ros.PublisherEnd, text("/a", "/t"), l)
		must.OK(t, err)
		_, err = tr.Open(ros.SubscriptionEnd, text("/a", "/t"), l)
		must.OK(t, err)
		_, err = tr.Open(ros.ServerEnd, toggle("/a", "/s"), l)
		must.OK(t, err)
		c, err := tr.Open(ros.ClientEnd, toggle("/a", "/s"), l)
		must.OK(t, err)
		var senders sync.WaitGroup
		until := func(send func() error) {
			senders.Go(func() {
				for {
					if err := send(); err != nil {
						if !errors.Is(err, ros.ErrClosed) {
							t.Error(err)
						}
						return
					}
				}
			})
		}
		for end, m := range map[ros.End]interface{ AppendCDR([]byte) []byte }{w: &std_msgs.String{Data: "x"}, c: &std_srvs.SetBoolRequest{}} {
			until(func() error {
				_, err := end.Send(ros.Message{CDR: m.AppendCDR(nil)})
				return err
			})
		}
		<-came
		must.OK(t, tr.Close())
		mu.Lock()
		closed = true
		mu.Unlock()
		senders.Wait()
		if round == 0 {
			before = files() // what the middleware opens once stays
		}
	}
	if after := files(); after > before {
		t.Errorf("%d files are open after four transports more, %d before", after, before)
	}
}
