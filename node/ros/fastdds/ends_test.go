// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/fastdds"
)

var (
	latched = ros.Latched()
	nothing ros.Listener
)

func text(s string) []byte {
	n := len(s) + 1
	return append(append([]byte{0, 1, 0, 0, byte(n), byte(n >> 8), 0, 0}, s...), 0)
}

func publish(w ros.End, cdr []byte, stamp int64) error {
	_, err := w.Send(ros.Message{CDR: cdr, Info: ros.MessageInfo{Source: stamp}})
	return err
}

func reply(s ros.End, id ros.RequestID, cdr []byte) error {
	_, err := s.Send(ros.Message{CDR: cdr, ID: id})
	return err
}

// The definition that the other side announces is known, and a participant has one type on a topic.
func TestTypes(t *testing.T) {
	a, b := join(t), join(t)
	typed := topic("/b", "/u", latched)
	typed.TypeHash = "RIHS01_aa"
	_, err := a.Open(ros.PublisherEnd, typed, nothing)
	must.OK(t, err)
	must.Come(t, "the definition", func() bool {
		return slices.ContainsFunc(b.Endpoints("/u"), func(e ros.EndpointInfo) bool { return e.TypeHash == "RIHS01_aa" })
	})
	typed.Type = "std_msgs/msg/Bool"
	l, _ := listener()
	if _, err := a.Open(ros.SubscriptionEnd, typed, l); err == nil || !has(err.Error(), "rt/u", "String_", "Bool_") {
		t.Errorf("two types on a topic in one participant: %v", err)
	}
}

// A queue that is full drops the oldest and counts it, and messages that
// outlived their lifespan are counted too.
func TestDropped(t *testing.T) {
	a, b := join(t), join(t)
	q := ros.DefaultQoS().WithDepth(100)
	w, err := a.Open(ros.PublisherEnd, topic("/a", "/t", q), nothing)
	must.OK(t, err)
	l, _ := listener()
	r, err := b.Open(ros.SubscriptionEnd, topic("/b", "/t", q.WithDepth(3)), l)
	must.OK(t, err)
	must.Come(t, "a match", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
	for i := range 20 {
		must.OK(t, publish(w, text(fmt.Sprint(i)), int64(i)))
	}
	must.Come(t, "the loss of 17 messages", func() bool { return r.Dropped() == 17 })
	for want := 17; want < 20; want++ {
		left := r.Take(func(m ros.Message) {
			if !has(string(m.CDR), string(text(fmt.Sprint(want)))) {
				t.Errorf("message %d is % x", want, m.CDR)
			}
		})
		if left != 19-want {
			t.Errorf("%d messages are left after message %d", left, want)
		}
	}
	if r.Take(func(ros.Message) { t.Error("there is one more") }) >= 0 {
		t.Error("an empty queue has something")
	}
}

func TestLifespan(t *testing.T) {
	a, b := join(t), join(t)
	q := ros.DefaultQoS()
	q.Lifespan = time.Hour
	w, err := a.Open(ros.PublisherEnd, topic("/a", "/t", q), nothing)
	must.OK(t, err)
	l, ready := listener()
	tell, told := l.Ready, atomic.Int32{}
	l.Ready = func() {
		told.Add(1)
		tell()
	}
	var mu sync.Mutex
	now := int64(1e18) // the clock of the subscription's node
	l.Now = func() int64 {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	r, err := b.Open(ros.SubscriptionEnd, topic("/b", "/t", q), l)
	must.OK(t, err)
	must.Come(t, "a match", func() bool {
		known := slices.ContainsFunc(b.Endpoints("/t"), func(e ros.EndpointInfo) bool { return e.Kind == ros.PublisherEnd && e.QoS.Lifespan == time.Hour })
		return known && w.Matched() == 1 && r.Matched() == 1
	})
	must.OK(t, publish(w, text("old"), 5)) // a stamp of simulated time does not make it old
	next(t, "the message", ready, func() int {
		return r.Take(func(m ros.Message) {
			if m.Info.Received != 1e18 {
				t.Errorf("received at %d", m.Info.Received)
			}
		})
	})
	must.OK(t, publish(w, text("older"), 5))
	must.Come(t, "the second message", func() bool { return told.Load() == 2 })
	mu.Lock()
	now += int64(2 * time.Hour)
	mu.Unlock()
	if r.Take(func(ros.Message) { t.Error("a message came after its lifespan") }) >= 0 || r.Dropped() != 1 {
		t.Errorf("%d messages are dropped, want 1", r.Dropped())
	}
}

// What is too short for a message is refused here, and survived there.
func TestHostilePayloads(t *testing.T) {
	a, b := join(t), join(t)
	w, err := a.Open(ros.PublisherEnd, topic("/a", "/t", ros.DefaultQoS()), nothing)
	must.OK(t, err)
	l, ready := listener()
	r, err := b.Open(ros.SubscriptionEnd, topic("/b", "/t", ros.DefaultQoS()), l)
	must.OK(t, err)
	srv, err := b.Open(ros.ServerEnd, service("/b", "/s"), l)
	must.OK(t, err)
	must.Come(t, "a match", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
	for _, short := range [][]byte{nil, {}, {0}} {
		if err := publish(w, short, 0); err == nil {
			t.Errorf("%d bytes are published", len(short))
		}
	}
	for _, c := range []struct{ sent, want []byte }{
		{[]byte{0, 9}, []byte{0, 9, 0, 0}},
		{[]byte{0, 1, 0, 0}, []byte{0, 1, 0, 0}},
		{[]byte{255, 255, 255, 255, 1}, []byte{255, 255, 255, 255, 1}},
	} {
		must.OK(t, publish(w, c.sent, 0))
		next(t, "a short message", ready, func() int {
			return r.Take(func(m ros.Message) {
				if cdr := m.CDR; len(cdr) < len(c.want) || len(cdr) > len(c.want)+3 || !slices.Equal(cdr[:len(c.want)], c.want) {
					t.Errorf("% x comes as % x", c.sent, cdr)
				}
			})
		})
	}
	// Replies to nobody, and in a form that nobody used.
	must.OK(t, reply(srv, ros.RequestID{Form: 1, Sequence: 5}, text("x")))
	must.OK(t, reply(srv, ros.RequestID{Form: 77}, text("x")))
	must.OK(t, reply(srv, ros.RequestID{Sequence: 1}, text("x")))
	if err := reply(srv, ros.RequestID{}, []byte{0, 1}); err == nil {
		t.Error("a reply of 2 bytes is sent")
	}
	must.OK(t, srv.Close())
	if err := reply(srv, ros.RequestID{}, text("x")); !errors.Is(err, ros.ErrClosed) {
		t.Errorf("a reply on a closed service: %v", err)
	}
}

// Closing while others publish and messages come leaves nothing broken.
func TestCloseInTraffic(t *testing.T) {
	a, b := join(t), join(t)
	w, err := a.Open(ros.PublisherEnd, topic("/a", "/t", ros.DefaultQoS()), nothing)
	must.OK(t, err)
	l, ready := listener()
	r, err := b.Open(ros.SubscriptionEnd, topic("/b", "/t", ros.DefaultQoS()), l)
	must.OK(t, err)
	must.Come(t, "a match", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				if err := publish(w, text("word"), 1); errors.Is(err, ros.ErrClosed) {
					return
				} else if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	<-ready
	must.OK(t, r.Close())
	must.OK(t, b.Close())
	must.OK(t, a.Close())
	wg.Wait()
	if _, err := a.Open(ros.SubscriptionEnd, topic("/a", "/t", ros.DefaultQoS()), l); !errors.Is(err, ros.ErrClosed) {
		t.Errorf("a reader on a closed transport: %v", err)
	}
}

// Participants of one process come and leave at the same time, with their subscriptions, and nothing calls what is deleted.
func TestLeaveWhileOthersClose(t *testing.T) {
	apart := 61 + os.Getpid()%20 // a domain where no other tests are
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				tr := join(t, func(c *fastdds.Config) { c.Domain = apart })
				var ends []interface{ Close() error }
				for _, name := range []string{"/a", "/b", "/c", "/d"} {
					l, _ := listener()
					r, err := tr.Open(ros.SubscriptionEnd, topic("/n", name, ros.DefaultQoS()), l)
					must.OK(t, err)
					ends = append(ends, r)
				}
				for _, e := range ends {
					must.OK(t, e.Close())
				}
				must.OK(t, tr.Close())
			}
		})
	}
	wg.Wait()
}

// A callback that waits for a message to another endpoint gets it: callbacks do not hold up
// reception. Two executors on one transport get their messages, and run on when it is closed.
func TestExecutorsSleepInTransport(t *testing.T) {
	a, b := join(t), join(t)
	w, err := a.Open(ros.PublisherEnd, topic("/a", "/waited", ros.DefaultQoS()), nothing)
	must.OK(t, err)
	l, ready := listener()
	r, err := b.Open(ros.SubscriptionEnd, topic("/b", "/waited", ros.DefaultQoS()), l)
	must.OK(t, err)
	sender := rostest.Node(t, a, exec.NewRealTime(), "sender", ros.NodeOptions{})
	p, err := ros.AdvertiseRaw(sender, "word", "std_msgs/msg/String", "", ros.DefaultQoS())
	must.OK(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	var executors []*exec.RealTime
	var running sync.WaitGroup
	heard, done := make(chan string, 2), make(chan struct{}, 1)
	for _, name := range []string{"one", "two"} {
		ex := exec.NewRealTime()
		n := rostest.Node(t, b, ex, name, ros.NodeOptions{})
		_, err := ros.SubscribeRaw(n, "word", "std_msgs/msg/String", "", ros.DefaultQoS(), func([]byte, ros.MessageInfo) {
			if name == "two" { // neither executor sleeps meanwhile
				<-done
			} else {
				defer func() { done <- struct{}{} }()
				for range 10 {
					if err := publish(w, text("waited"), 1); err != nil {
						t.Error(err)
					}
					select {
					case <-ready:
					case <-time.After(patience):
						t.Error("a callback holds up reception")
					}
					r.Take(func(ros.Message) {})
				}
			}
			heard <- name
		})
		must.OK(t, err)
		executors = append(executors, ex)
	}
	must.Come(t, "the matches", func() bool { return p.Matched() == 2 && w.Matched() == 1 && r.Matched() == 1 })
	for _, ex := range executors {
		running.Go(func() {
			if err := ex.Run(ctx, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("Run returns %v", err)
			}
		})
	}
	wait := func(what string) {
		t.Helper()
		got := map[string]bool{}
		for len(got) < 2 {
			select {
			case name := <-heard:
				got[name] = true
			case <-time.After(patience):
				t.Fatalf("%s: only %v", what, got)
			}
		}
	}
	post := func() {
		for i, ex := range executors {
			ex.Post(func() { heard <- []string{"one", "two"}[i] })
		}
	}
	for i := range 20 {
		must.OK(t, p.Publish(text("word"), int64(i)))
		wait("a message to both executors")
		post()
		wait("callbacks between the messages")
	}
	must.OK(t, b.Close())
	post()
	wait("callbacks after the end of the transport")
	cancel()
	running.Wait()
}

// Publishing a message and taking it allocate nothing in Go, whatever the size, and its bytes are
// valid until the callback returns, though it closes the endpoint.
func TestPublishTake(t *testing.T) {
	w, err := join(t).Open(ros.PublisherEnd, topic("/a", "/t", ros.DefaultQoS()), nothing)
	must.OK(t, err)
	l, ready := listener()
	r, err := join(t).Open(ros.SubscriptionEnd, topic("/b", "/t", ros.DefaultQoS()), l)
	must.OK(t, err)
	must.Come(t, "a match", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
	const size = 100_000
	data, taken := bytes.Repeat([]byte{7}, size), 0
	copy(data, text(""))
	take := func(m ros.Message) {
		if bytes.Equal(m.CDR, data) {
			taken++
		}
	}
	const runs = 100
	round := func(fn func(ros.Message)) {
		must.OK(t, publish(w, data, 1))
		for r.Take(fn) < 0 {
			<-ready
		}
	}
	if n := testing.AllocsPerRun(runs, func() { round(take) }); n != 0 && !rostest.Race {
		t.Errorf("a message allocates %v times, want 0", n)
	}
	round(func(m ros.Message) {
		must.OK(t, r.Close())
		take(m)
	})
	if taken != runs+2 {
		t.Errorf("%d messages were taken, want %d", taken, runs+2)
	}
}
