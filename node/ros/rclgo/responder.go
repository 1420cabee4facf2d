// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/tiiuae/rclgo/pkg/rclgo"
	"github.com/tiiuae/rclgo/pkg/rclgo/types"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/internal/ends"
)

// responder is the server of a service.
type responder struct {
	*end
	service *rclgo.Service
	out     outgoing

	mu      sync.Mutex // over what follows, and while a reply is sent
	closed  bool
	waiting map[ros.RequestID]rclgo.ServiceResponseSender // requests taken and not answered yet
	order   []ros.RequestID
}

// waitingLimit is the largest number of unanswered requests; the oldest is dropped first.
const waitingLimit = 1000

var _ ros.End = (*responder)(nil)

func newResponder(x *end, typ *serviceType) (ros.End, error) {
	t := x.t
	s := &responder{end: x, out: outgoing{messageType: typ.response}, waiting: map[ros.RequestID]rclgo.ServiceResponseSender{}}
	x.before = func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.closed, s.waiting, s.order = true, nil, nil
		return nil
	}
	x.close = func() error {
		t.wait.set.Services = slices.DeleteFunc(t.wait.set.Services, func(o *rclgo.Service) bool { return o == s.service })
		return s.service.Close()
	}
	if err := x.open(func(n *rclgo.Node) (err error) {
		both := serviceEnd{serviceType: typ, request: typ.request, response: &s.out}
		if s.service, err = n.NewService(x.Own.Name, both, &rclgo.ServiceOptions{Qos: profile(x.Own.QoS)}, s.receive); err == nil {
			t.wait.set.AddServices(s.service)
		}
		return err
	}); err != nil {
		return nil, err
	}
	return s, nil
}

// receive queues a request. It runs on the waiter's thread.
func (s *responder) receive(info *rclgo.ServiceInfo, request types.Message, sender rclgo.ServiceResponseSender) {
	b := request.(*body)
	if b.err != nil {
		s.Drop()
		return
	}
	id := ros.RequestID{Sequence: info.RequestID.SequenceNumber}
	for i, v := range info.RequestID.WriterGUID {
		id.Client[i] = byte(v)
	}
	if s.Push(ends.Message{Message: ros.Message{CDR: b.cdr, ID: id}, Sender: sender}) {
		s.Ready()
	}
}

// Take implements ros.End.
func (s *responder) Take(fn func(ros.Message)) int {
	return s.Queue.Take(nil, func(m ends.Message) {
		s.remember(m.ID, m.Sender.(rclgo.ServiceResponseSender))
		fn(m.Message)
	})
}

func (s *responder) remember(id ros.RequestID, sender rclgo.ServiceResponseSender) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	if len(s.order) == waitingLimit {
		delete(s.waiting, s.order[0])
		s.order = slices.Delete(s.order, 0, 1)
	}
	s.waiting[id] = sender
	s.order = append(s.order, id)
}

// Send implements ros.End: it replies. It may block until the client can receive the reply, with
// ROS 2's own middlewares for at most a tenth of a second.
func (s *responder) Send(m ros.Message) (int64, error) {
	id := m.ID
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, fmt.Errorf("%s: %w", s.Own.Name, ros.ErrClosed)
	}
	sender := s.waiting[id]
	if sender == nil {
		return 0, fmt.Errorf("ros/rclgo: %s: no reply is expected for request %d of %v", s.Own.Name, id.Sequence, id.Client)
	}
	if _, err := s.out.hand(m.CDR); err != nil {
		return 0, fmt.Errorf("%s: %w", s.Own.Name, err)
	}
	delete(s.waiting, id)
	s.order = slices.DeleteFunc(s.order, func(o ros.RequestID) bool { return o == id })
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := sender.SendResponse(&body{}); err != nil {
		return 0, plain("a reply of "+s.Own.Name, err)
	}
	return 0, nil
}

// Matched implements ros.End.
func (s *responder) Matched() int { return s.t.across(s.Own) }
