// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"fmt"
	"strings"

	"ugp_explorer/msgs"
	"ugp_explorer/msgs/cdr"
)

// Service answers requests of one type under one name.
type Service struct{ *delivery }

// Serve answers requests to a service with fn. name is expanded and remapped. The request
// is reused for the next one; the response that fn gets is empty.
func Serve[Req, Res any, PReq MessagePtr[Req], PRes MessagePtr[Res]](n *Node, name string, fn func(*Req, *Res)) (*Service, error) {
	return serve[Req, Res, PReq, PRes](n, name, DefaultQoS(), direct(fn))
}

// direct adapts a function that answers at once to ServeLater's form.
func direct[Req, Res any](fn func(*Req, *Res)) func(*Req, func(*Res)) {
	return func(req *Req, answer func(*Res)) {
		var res Res
		fn(req, &res)
		answer(&res)
	}
}

// ServeLater is Serve for answers that take time: fn, or a later callback of the node,
// calls answer once. Further calls do nothing.
func ServeLater[Req, Res any, PReq MessagePtr[Req], PRes MessagePtr[Res]](n *Node, name string, fn func(req *Req, answer func(*Res))) (*Service, error) {
	return serve[Req, Res, PReq, PRes](n, name, DefaultQoS(), fn)
}

func serve[Req, Res any, PReq MessagePtr[Req], PRes MessagePtr[Res]](n *Node, name string, q QoS, fn func(req *Req, answer func(*Res))) (*Service, error) {
	req := PReq(new(Req))
	typ, hash, err := serviceType(req, PRes(new(Res)))
	if err != nil {
		return nil, err
	}
	var s *delivery
	var buf []byte
	s, err = n.receive(ServerEnd, name, typ, hash, q, func(m Message) {
		if err := req.UnmarshalCDR(m.CDR); err != nil {
			s.malformed(m.CDR, err)
			return
		}
		answered, id := false, m.ID
		fn((*Req)(req), func(res *Res) {
			if answered || s.closed {
				return
			}
			answered = true
			buf = PRes(res).AppendCDR(buf[:0])
			if _, err := s.end.Send(Message{CDR: buf, ID: id}); err != nil {
				s.quiet.Warn("a reply cannot be sent", "service", s.Name(), "error", err.Error())
			}
		})
	})
	if err != nil {
		return nil, err
	}
	return &Service{s}, nil
}

// serviceType returns the name and the hash of the service with this request and response.
func serviceType(req, res cdr.Message) (name, hash string, err error) {
	name, ok := strings.CutSuffix(req.TypeName(), "_Request")
	if !ok || res.TypeName() != name+"_Response" {
		return "", "", fmt.Errorf("ros: %s and %s are not the request and the response of one service", req.TypeName(), res.TypeName())
	}
	return name, msgs.TypeHash(name), nil
}
