// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
)

const (
	nestedCode        = 1  // FIELD_TYPE_NESTED_TYPE
	boundedStringCode = 21 // FIELD_TYPE_BOUNDED_STRING
	kindStep          = 48 // from a type to its array, bounded sequence, and sequence
)

// eventInfo is the type of the first field of every service's event message.
const eventInfo = "service_msgs/msg/ServiceEventInfo"

// hash returns the RIHS01 hash of a message or a service: the SHA-256 of the JSON form of its type description and of all descriptions it refers to, sorted
// by name, in the exact spelling of REP-2016. Comments, constants and defaults are no part of it.
func (l *library) hash(name string) (string, error) {
	d, err := l.description(name)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(d))
	return "RIHS01_" + hex.EncodeToString(sum[:]), nil
}

// withService returns l's messages with those that rosidl makes up for a service. To the hash a service is a message with three fields, the third the message
// of its events.
func (l *library) withService(s *service) *library {
	half := func(of *message) typ { return typ{base: of.name, kind: bounded, size: 1} }
	event := &message{name: s.name + "_Event", fields: []entry{
		{name: "info", typ: typ{base: eventInfo}}, {name: "request", typ: half(s.request)}, {name: "response", typ: half(s.response)},
	}}
	whole := &message{name: s.name, fields: []entry{
		{name: "request_message", typ: typ{base: s.request.name}}, {name: "response_message", typ: typ{base: s.response.name}},
		{name: "event_message", typ: typ{base: event.name}},
	}}
	with := &library{messages: maps.Clone(l.messages)}
	with.messages[event.name], with.messages[whole.name] = event, whole
	return with
}

// description returns the canonical JSON of a message or a service.
func (l *library) description(name string) (string, error) {
	if s := l.services[name]; s != nil {
		l = l.withService(s)
	}
	deps, err := l.dependencies(name)
	if err != nil {
		return "", err
	}
	slices.Sort(deps)
	var referenced []string
	for _, d := range deps {
		referenced = append(referenced, l.messages[d].description())
	}
	return fmt.Sprintf(`{"type_description": %s, "referenced_type_descriptions": [%s]}`, l.messages[name].description(), strings.Join(referenced, ", ")), nil
}

// description returns an IndividualTypeDescription. Names are plain ASCII, so that no JSON escape is ever needed. A message without fields has one that rosidl adds.
func (m *message) description() string {
	fields := m.fields
	if len(fields) == 0 {
		fields = []entry{{name: "structure_needs_at_least_one_member", typ: typ{base: "uint8"}}}
	}
	var list []string
	for _, f := range fields {
		nested := f.typ.base
		if f.typ.primitive() {
			nested = ""
		}
		list = append(list, fmt.Sprintf(`{"name": "%s", "type": {"type_id": %d, "capacity": %d, "string_capacity": %d, "nested_type_name": "%s"}}`,
			f.name, f.typ.code(), f.typ.size, f.typ.stringBound, nested))
	}
	return fmt.Sprintf(`{"type_name": "%s", "fields": [%s]}`, m.name, strings.Join(list, ", "))
}

// code returns the type_id of REP-2016.
func (t typ) code() int {
	c := nestedCode
	switch {
	case t.stringBound > 0:
		c = boundedStringCode
	case t.primitive():
		c = primitives[t.base]
	}
	return c + kindStep*int(t.kind)
}
