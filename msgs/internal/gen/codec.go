// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
)

// codec writes the four methods that turn a message into CDR and back.
func (f *file) codec(name string, m *message) {
	var write, read strings.Builder
	directive := ""
	for _, fd := range m.fields {
		w, r := f.field("m."+goName(fd.name), fd.typ)
		write.WriteString(w + "\n")
		read.WriteString(r + "\n")
		if fd.typ.kind != single && isNumber(fd.typ) {
			// Inlined into another package, calls of cdr's generic functions would lose what the compiler knows of them, and every Writer and Reader would move to
			// the heap.
			directive = "//\n//go:noinline\n"
		}
	}
	if len(m.fields) == 0 {
		write.WriteString("w.Empty()\n")
		read.WriteString("r.Empty()\n")
	}
	f.printf(`// AppendCDR appends m as CDR with its encapsulation header to dst.
func (m *%[1]s) AppendCDR(dst []byte) []byte {
	w := cdr.NewWriter(dst)
	m.MarshalCDR(&w)
	return w.Bytes()
}

// UnmarshalCDR sets m from CDR with its encapsulation header.
func (m *%[1]s) UnmarshalCDR(src []byte) error {
	r := cdr.NewReader(src)
	m.DecodeCDR(&r)
	return r.Finish(%[2]q)
}

// MarshalCDR writes m's fields.
%[3]sfunc (m *%[1]s) MarshalCDR(w *cdr.Writer) {
%[4]s}

// DecodeCDR reads m's fields.
%[3]sfunc (m *%[1]s) DecodeCDR(r *cdr.Reader) {
%[5]s}

`, name, m.name, directive, write.String(), read.String())
}

// isNumber reports whether t, or its elements, are numbers.
func isNumber(t typ) bool { return t.primitive() && t.base != "string" && t.base != "bool" }

// goBase returns the Go type of a primitive.
func goBase(base string) string {
	if base == "byte" || base == "char" {
		return "uint8"
	}
	return base
}

// bound spells a bound in Go.
func bound(n int) string {
	if n == unbounded {
		return "cdr.Unbounded"
	}
	return fmt.Sprint(n)
}

// element returns the statements that write and read v, one value of the base of t.
func element(v string, t typ) (write, read string) {
	switch {
	case !t.primitive():
		return v + ".MarshalCDR(w)", v + ".DecodeCDR(r)"
	case t.base == "string":
		return fmt.Sprintf("w.String(%s, %s)", v, bound(t.stringBound)), fmt.Sprintf("r.String(&%s, %s)", v, bound(t.stringBound))
	}
	method := goBase(t.base)
	method = strings.ToUpper(method[:1]) + method[1:]
	return fmt.Sprintf("w.%s(%s)", method, v), fmt.Sprintf("%s = r.%s()", v, method)
}

// field returns the statements that write and read v, a field of type t.
func (f *file) field(v string, t typ) (write, read string) {
	switch {
	case t.kind == single:
		return element(v, t)
	case isNumber(t) && t.kind == array:
		return fmt.Sprintf("cdr.WriteArray(w, %s[:])", v), fmt.Sprintf("cdr.ReadArray(r, %s[:])", v)
	case isNumber(t):
		return fmt.Sprintf("cdr.WriteSequence(w, %s, %s)", v, bound(t.size)), fmt.Sprintf("%[1]s = cdr.ReadSequence(r, %[1]s, %[2]s)", v, bound(t.size))
	}
	write, read = element(v+"[i]", t)
	write, read = fmt.Sprintf("for i := range %s {\n%s\n}", v, write), fmt.Sprintf("for i := range %s {\n%s\n}", v, read)
	if t.kind != array {
		write = fmt.Sprintf("w.Length(len(%s), %s)\n", v, bound(t.size)) + write
		read = fmt.Sprintf("%[1]s = cdr.Resize(%[1]s, r.Length(%[2]d, %[3]s))\n", v, f.leastSize(t.base), bound(t.size)) + read
	}
	return write, read
}

// leastSize returns a lower bound on the bytes of a primitive or a message: padding, and all that strings and sequences hold, left out.
func (f *file) leastSize(base string) int {
	switch base {
	case "bool", "byte", "char", "int8", "uint8":
		return 1
	case "int16", "uint16":
		return 2
	case "int32", "uint32", "float32", "string":
		return 4
	case "int64", "uint64", "float64":
		return 8
	}
	m := f.lib.messages[base]
	if len(m.fields) == 0 {
		return 1
	}
	size := 0
	for _, fd := range m.fields {
		switch fd.typ.kind {
		case single:
			size += f.leastSize(fd.typ.base)
		case array:
			size += fd.typ.size * f.leastSize(fd.typ.base)
		default:
			size += 4
		}
	}
	return size
}
