package ros

import (
	"fmt"
	"strings"

	"ugp_explorer/msgs/cdr"
)

// Service answers requests of one type under one name.
type Service struct {
	*delivery
	r Responder
}

// Serve answers requests to a service with fn. name is expanded and remapped. The request
// is reused for the next one; the response that fn gets is empty.
func Serve[Req, Res any, PReq MessagePtr[Req], PRes MessagePtr[Res]](n *Node, name string, fn func(*Req, *Res)) (*Service, error) {
	return ServeLater[Req, Res, PReq, PRes](n, name, func(req *Req, answer func(*Res)) {
		var res Res
		fn(req, &res)
		answer(&res)
	})
}

// ServeLater is Serve for answers that take time: fn, or a later callback of the node,
// calls answer once. Further calls do nothing.
func ServeLater[Req, Res any, PReq MessagePtr[Req], PRes MessagePtr[Res]](n *Node, name string, fn func(req *Req, answer func(*Res))) (*Service, error) {
	return serve[Req, Res, PReq, PRes](n, name, Services(), fn)
}

func serve[Req, Res any, PReq MessagePtr[Req], PRes MessagePtr[Res]](n *Node, name string, q QoS, fn func(req *Req, answer func(*Res))) (*Service, error) {
	req := PReq(new(Req))
	typ, hash, err := serviceType(req, PRes(new(Res)))
	if err != nil {
		return nil, err
	}
	full, err := n.ResolveService(name)
	if err != nil {
		return nil, err
	}
	s := &Service{delivery: newDelivery(n, q)}
	var buf []byte
	take := func(data []byte, id RequestID) {
		if s.tooLarge("service", full, data) {
			return
		}
		if err := req.UnmarshalCDR(data); err != nil {
			s.malformed("service", full, len(data), err)
			return
		}
		answered := false
		fn((*Req)(req), func(res *Res) {
			if answered || s.closed {
				return
			}
			answered = true
			buf = PRes(res).AppendCDR(buf[:0])
			if err := s.r.Reply(id, buf); err != nil {
				s.quiet.Warn("a reply cannot be sent", "service", full, "error", err.Error())
			}
		})
	}
	s.take = func() int { return s.r.Take(take) }
	s.r, err = n.tr.NewResponder(n.endpoint(full, typ, hash, q), n.listener(s.ready))
	if err != nil {
		return nil, err
	}
	n.endpoints = append(n.endpoints, s)
	return s, nil
}

// serviceType returns the name and the hash of the service with this request and response.
func serviceType(req, res cdr.Message) (name, hash string, err error) {
	name, ok := strings.CutSuffix(req.TypeName(), "_Request")
	if !ok || res.TypeName() != name+"_Response" {
		return "", "", fmt.Errorf("ros: %s and %s are not the request and the response of one service", req.TypeName(), res.TypeName())
	}
	if s, ok := req.(interface{ ServiceType() cdr.Service }); ok {
		hash = s.ServiceType().TypeHash
	}
	return name, hash, nil
}

// Name returns the full name of the service.
func (s *Service) Name() string { return s.r.Info().Name }

// Matched returns the number of clients matched.
func (s *Service) Matched() int { return s.r.Matched() }

// Malformed returns the number of requests that could not be decoded.
func (s *Service) Malformed() uint64 { return s.bad }

// Close removes the service from the graph. The node's Close does the same.
func (s *Service) Close() error {
	s.closed = true
	return s.r.Close()
}
