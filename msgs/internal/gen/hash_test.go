// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"
	"testing/fstest"

	"ugp_explorer/internal/testkit/must"
)

// The text is REP-2016's form with the values that rosidl_generator_type_description 4.x writes: type ids of type_description_interfaces/msg/FieldType, a
// comma or colon followed by one space, the referenced types sorted.
func TestDescription(t *testing.T) {
	lib, err := load(fstest.MapFS{
		"definitions/p/msg/M.msg": {Data: []byte("int8 A=1\nfloat64 x 3\nE e\np/D[2] d\nstring<=7[<=3] s\nchar[] c\nbyte b")},
		"definitions/p/msg/D.msg": {Data: []byte("bool[4] f\np/msg/E e")}, "definitions/p/msg/E.msg": {},
	})
	must.OK(t, err)
	field := func(name, numbers, nested string) string {
		return `{"name": "` + name + `", "type": {` + numbers + `, "nested_type_name": "` + nested + `"}}`
	}
	want := `{"type_description": {"type_name": "p/msg/M", "fields": [` +
		field("x", `"type_id": 11, "capacity": 0, "string_capacity": 0`, "") + ", " +
		field("e", `"type_id": 1, "capacity": 0, "string_capacity": 0`, "p/msg/E") + ", " +
		field("d", `"type_id": 49, "capacity": 2, "string_capacity": 0`, "p/msg/D") + ", " +
		field("s", `"type_id": 117, "capacity": 3, "string_capacity": 7`, "") + ", " +
		field("c", `"type_id": 147, "capacity": 0, "string_capacity": 0`, "") + ", " +
		field("b", `"type_id": 16, "capacity": 0, "string_capacity": 0`, "") +
		`]}, "referenced_type_descriptions": [{"type_name": "p/msg/D", "fields": [` +
		field("f", `"type_id": 63, "capacity": 4, "string_capacity": 0`, "") + ", " +
		field("e", `"type_id": 1, "capacity": 0, "string_capacity": 0`, "p/msg/E") +
		`]}, {"type_name": "p/msg/E", "fields": [` +
		field("structure_needs_at_least_one_member", `"type_id": 3, "capacity": 0, "string_capacity": 0`, "") + `]}]}`
	got, err := lib.description("p/msg/M")
	if err != nil || got != want {
		t.Errorf("%v, got\n%s, want\n%s", err, got, want)
	}
}

// Field types by number, from type_description_interfaces/msg/FieldType.
func TestTypeCodes(t *testing.T) {
	for typ, want := range map[string]int{
		"int8": 2, "uint8": 3, "int16": 4, "uint16": 5, "int32": 6, "uint32": 7, "int64": 8, "uint64": 9, "float32": 10, "float64": 11, "bool": 15, "byte": 16,
		"string": 17, "string<=9": 21, "T": 1, "int8[2]": 50, "T[2]": 49, "string[3]": 65, "string<=9[3]": 69, "T[<=2]": 97, "float64[<=2]": 107, "string[<=2]": 113,
		"T[]": 145, "uint8[]": 147, "float32[]": 154, "bool[]": 159, "byte[]": 160, "string[]": 161, "string<=9[]": 165,
	} {
		parsed, err := parseType("p", typ)
		if got := parsed.code(); err != nil || got != want {
			t.Errorf("%s: %d, %v, want %d", typ, got, err, want)
		}
	}
}
