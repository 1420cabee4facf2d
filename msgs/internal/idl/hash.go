package idl

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

// Hash returns the RIHS01 hash of a message or a service: the SHA-256 of the JSON form of its type description and of all descriptions it refers to, sorted
// by name, in the exact spelling of REP-2016. Comments, constants and defaults are no part of it.
func (l *Library) Hash(name string) (string, error) {
	d, err := l.description(name)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(d))
	return "RIHS01_" + hex.EncodeToString(sum[:]), nil
}

// withService returns l's messages with those that rosidl makes up for a service. To the hash a service is a message with three fields, the third the message
// of its events.
func (l *Library) withService(s *Service) *Library {
	bounded := func(typ string) Type { return Type{Base: typ, Kind: Bounded, Size: 1} }
	event := &Message{Name: s.Name + "_Event", Fields: []Field{
		{Name: "info", Type: Type{Base: eventInfo}}, {Name: "request", Type: bounded(s.Request.Name)}, {Name: "response", Type: bounded(s.Response.Name)},
	}}
	whole := &Message{Name: s.Name, Fields: []Field{
		{Name: "request_message", Type: Type{Base: s.Request.Name}}, {Name: "response_message", Type: Type{Base: s.Response.Name}},
		{Name: "event_message", Type: Type{Base: event.Name}},
	}}
	with := &Library{Messages: maps.Clone(l.Messages)}
	with.Messages[event.Name], with.Messages[whole.Name] = event, whole
	return with
}

// Closure returns a message or a service, as the message that it is to the hash, and then all messages that it contains, directly or not, sorted by name.
func (l *Library) Closure(name string) ([]*Message, error) {
	if s := l.Services[name]; s != nil {
		l = l.withService(s)
	}
	deps, err := l.Dependencies(name)
	if err != nil {
		return nil, err
	}
	slices.Sort(deps)
	all := []*Message{l.Messages[name]}
	for _, d := range deps {
		all = append(all, l.Messages[d])
	}
	return all, nil
}

// description returns the canonical JSON.
func (l *Library) description(name string) (string, error) {
	all, err := l.Closure(name)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(`{"type_description": `)
	all[0].describe(&b)
	b.WriteString(`, "referenced_type_descriptions": [`)
	for i, m := range all[1:] {
		if i > 0 {
			b.WriteString(", ")
		}
		m.describe(&b)
	}
	b.WriteString("]}")
	return b.String(), nil
}

// HashedFields returns the fields of m as the hash and a type description have them: a message without any has one that rosidl adds.
func (m *Message) HashedFields() []Field {
	if len(m.Fields) == 0 {
		return []Field{{Name: "structure_needs_at_least_one_member", Type: Type{Base: "uint8"}}}
	}
	return m.Fields
}

// describe writes an IndividualTypeDescription. Names are plain ASCII, so that no JSON escape is ever needed.
func (m *Message) describe(b *strings.Builder) {
	fmt.Fprintf(b, `{"type_name": "%s", "fields": [`, m.Name)
	for i, f := range m.HashedFields() {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, `{"name": "%s", "type": {"type_id": %d, "capacity": %d, "string_capacity": %d, "nested_type_name": "%s"}}`,
			f.Name, f.Type.Code(), f.Type.Size, f.Type.StringBound, f.Type.Nested())
	}
	b.WriteString("]}")
}

// Nested returns the full name of the message that t is, or of which its elements are, "" for a primitive.
func (t Type) Nested() string {
	if t.Primitive() {
		return ""
	}
	return t.Base
}

// Code returns the type_id of REP-2016.
func (t Type) Code() uint8 {
	c := nestedCode
	switch {
	case t.StringBound > 0:
		c = boundedStringCode
	case t.Primitive():
		c = primitives[t.Base]
	}
	return uint8(c + kindStep*int(t.Kind))
}
