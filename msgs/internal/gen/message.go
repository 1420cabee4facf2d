// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import "fmt"

// reserved are the names of generated methods, which no field may have.
var reserved = map[string]bool{
	"TypeName": true, "AppendCDR": true, "UnmarshalCDR": true, "MarshalCDR": true, "DecodeCDR": true,
}

// goName gives a field's name in Go. One that a method has gets an underscore.
func goName(field string) string {
	name := camel(field)
	if reserved[name] {
		name += "_"
	}
	return name
}

// message writes a message type with all that belongs to it.
func (f *file) message(m *message) {
	name := f.goType(m.name)
	f.comment("", append([]string{name + " is " + m.name + "."}, m.comment...))
	f.printf("type %s struct {\n", name)
	for _, fd := range m.fields {
		f.comment("\t", fd.above)
		f.printf("\t%s %s%s\n", goName(fd.name), f.fieldType(fd.typ), beside(fd.beside))
	}
	f.printf("}\n\n")
	if len(m.constants) > 0 {
		f.printf("// Constants of %s.\nconst (\n", m.name)
		for _, c := range m.constants {
			f.comment("\t", c.above)
			f.printf("\t%s%s %s = %s%s\n", name, camel(c.name), goBase(c.typ.base), c.value, beside(c.beside))
		}
		f.printf(")\n\n")
	}
	f.printf("// TypeName returns %q.\nfunc (*%s) TypeName() string { return %[1]q }\n\n", m.name, name)
	f.codec(name, m)
}

// comment writes lines as one // comment.
func (f *file) comment(indent string, lines []string) {
	for _, l := range lines {
		f.printf("%s// %s\n", indent, l)
	}
}

// beside spells the comment at the end of a line.
func beside(comment string) string {
	if comment == "" {
		return ""
	}
	return " // " + comment
}

// fieldType returns a field's type in Go.
func (f *file) fieldType(t typ) string {
	base := goBase(t.base)
	if !t.primitive() {
		base = f.goType(t.base)
	}
	switch t.kind {
	case single:
		return base
	case array:
		return fmt.Sprintf("[%d]%s", t.size, base)
	}
	return "[]" + base
}
