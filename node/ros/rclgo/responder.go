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

var _ ros.Responder = (*responder)(nil)

// NewResponder implements ros.Transport.
func (t *Transport) NewResponder(e ros.Endpoint, l ros.Listener) (ros.Responder, error) {
	x, err := t.newEnd(ros.ServerEnd, e, l)
	if err != nil {
		return nil, err
	}
	typ, err := serviceOf(e.Type)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
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
		if s.service, err = n.NewService(e.Name, both, &rclgo.ServiceOptions{Qos: profile(e.QoS)}, s.receive); err == nil {
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
	if s.Push(ends.Message{ID: id, Sender: sender}, b.cdr) {
		s.Ready()
	}
}

// Take implements ros.Responder.
func (s *responder) Take(fn func(cdr []byte, id ros.RequestID)) int {
	return s.Queue.Take(nil, func(m ends.Message) {
		s.remember(m.ID, m.Sender.(rclgo.ServiceResponseSender))
		fn(m.Data, m.ID)
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

// Reply implements ros.Responder. It may block until the client can receive the reply, with
// ROS 2's own middlewares for at most a tenth of a second.
func (s *responder) Reply(id ros.RequestID, cdr []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return fmt.Errorf("%s: %w", s.Own.Name, ros.ErrClosed)
	}
	sender := s.waiting[id]
	if sender == nil {
		return fmt.Errorf("ros/rclgo: %s: no reply is expected for request %d of %v", s.Own.Name, id.Sequence, id.Client)
	}
	if _, err := s.out.hand(cdr); err != nil {
		return fmt.Errorf("%s: %w", s.Own.Name, err)
	}
	delete(s.waiting, id)
	s.order = slices.DeleteFunc(s.order, func(o ros.RequestID) bool { return o == id })
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := sender.SendResponse(&body{}); err != nil {
		return plain("a reply of "+s.Own.Name, err)
	}
	return nil
}

// Matched implements ros.Responder.
func (s *responder) Matched() int { return s.t.across(s.Own) }

// Close implements ros.Responder.
func (s *responder) Close() error { return s.shut() }
