package idl

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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

// MessageHash returns the RIHS01 hash of a message: the SHA-256 of the JSON form of its type description and of all descriptions it refers to, sorted
// by name, in the exact spelling of REP-2016. Comments, constants and defaults are no part of it.
func (l *Library) MessageHash(name string) (string, error) {
	d, err := l.description(name)
	if err != nil {
		return "", err
	}
	return hash(d), nil
}

// ServiceHash returns the RIHS01 hash of a service. To the hash a service is a type with three fields, the third an event message that rosidl makes up.
func (l *Library) ServiceHash(name string) (string, error) {
	with, err := l.withService(name)
	if err != nil {
		return "", err
	}
	return with.MessageHash(name)
}

// withService returns l's messages with those that rosidl makes up for a service: the service itself as a message, and the message of its events.
func (l *Library) withService(name string) (*Library, error) {
	s := l.Services[name]
	if s == nil {
		return nil, fmt.Errorf("no definition of %s", name)
	}
	one := func(typ string, kind Kind, field string) Field {
		t := Type{Base: typ, Kind: kind}
		if kind == Bounded {
			t.Size = 1
		}
		return Field{Name: field, Type: t}
	}
	event := &Message{Name: name + "_Event", Fields: []Field{
		one(eventInfo, Single, "info"), one(s.Request.Name, Bounded, "request"), one(s.Response.Name, Bounded, "response"),
	}}
	whole := &Message{Name: name, Fields: []Field{
		one(s.Request.Name, Single, "request_message"), one(s.Response.Name, Single, "response_message"), one(event.Name, Single, "event_message"),
	}}
	with := NewLibrary()
	for _, m := range l.Messages {
		with.Messages[m.Name] = m
	}
	with.Messages[event.Name], with.Messages[whole.Name] = event, whole
	return with, nil
}

func hash(description string) string {
	sum := sha256.Sum256([]byte(description))
	return "RIHS01_" + hex.EncodeToString(sum[:])
}

// Closure returns a message or a service, as the message that it is to the hash, and then all messages that it contains, directly or not, sorted by name.
func (l *Library) Closure(name string) ([]*Message, error) {
	if l.Services[name] != nil {
		with, err := l.withService(name)
		if err != nil {
			return nil, err
		}
		l = with
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
