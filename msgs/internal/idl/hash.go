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
	s := l.Services[name]
	if s == nil {
		return "", fmt.Errorf("no definition of %s", name)
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
	return with.MessageHash(name)
}

func hash(description string) string {
	sum := sha256.Sum256([]byte(description))
	return "RIHS01_" + hex.EncodeToString(sum[:])
}

// description returns the canonical JSON.
func (l *Library) description(name string) (string, error) {
	deps, err := l.Dependencies(name)
	if err != nil {
		return "", err
	}
	slices.Sort(deps)
	var b strings.Builder
	b.WriteString(`{"type_description": `)
	l.Messages[name].describe(&b)
	b.WriteString(`, "referenced_type_descriptions": [`)
	for i, d := range deps {
		if i > 0 {
			b.WriteString(", ")
		}
		l.Messages[d].describe(&b)
	}
	b.WriteString("]}")
	return b.String(), nil
}

// describe writes an IndividualTypeDescription. Names are plain ASCII, so that no JSON escape is ever needed.
func (m *Message) describe(b *strings.Builder) {
	fmt.Fprintf(b, `{"type_name": "%s", "fields": [`, m.Name)
	fields := m.Fields
	if len(fields) == 0 {
		fields = []Field{{Name: "structure_needs_at_least_one_member", Type: Type{Base: "uint8"}}}
	}
	for i, f := range fields {
		if i > 0 {
			b.WriteString(", ")
		}
		nested := ""
		if !f.Type.Primitive() {
			nested = f.Type.Base
		}
		fmt.Fprintf(b, `{"name": "%s", "type": {"type_id": %d, "capacity": %d, "string_capacity": %d, "nested_type_name": "%s"}}`,
			f.Name, f.Type.code(), f.Type.Size, f.Type.StringBound, nested)
	}
	b.WriteString("]}")
}

// code returns the type_id.
func (t Type) code() int {
	c := nestedCode
	switch {
	case t.StringBound > 0:
		c = boundedStringCode
	case t.Primitive():
		c = primitives[t.Base]
	}
	return c + kindStep*int(t.Kind)
}
