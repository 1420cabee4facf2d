package main

import (
	"fmt"
	"strings"

	"ugp_explorer/msgs/internal/idl"
)

// codec writes the four methods that turn a message into CDR and back.
func (f *file) codec(name string, m *idl.Message) {
	var write, read strings.Builder
	directive := ""
	for _, fd := range m.Fields {
		w, r := f.field("m."+goName(fd.Name), fd.Type)
		write.WriteString(w + "\n")
		read.WriteString(r + "\n")
		if fd.Type.Kind != idl.Single && isNumber(fd.Type) {
			// Inlined into another package, calls of cdr's generic functions would lose what the compiler knows of them, and every Writer and Reader would move to
			// the heap.
			directive = "//\n//go:noinline\n"
		}
	}
	if len(m.Fields) == 0 {
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

`, name, m.Name, directive, write.String(), read.String())
}

// isNumber reports whether t, or its elements, are numbers.
func isNumber(t idl.Type) bool { return t.Primitive() && t.Base != "string" && t.Base != "bool" }

// goBase returns the Go type of a primitive.
func goBase(base string) string {
	if base == "byte" || base == "char" {
		return "uint8"
	}
	return base
}

// bound spells a bound in Go.
func bound(n int) string {
	if n == idl.Unbounded {
		return "cdr.Unbounded"
	}
	return fmt.Sprint(n)
}

// single returns the statements that write and read v, one value of the base of t.
func single(v string, t idl.Type) (write, read string) {
	switch {
	case !t.Primitive():
		return v + ".MarshalCDR(w)", v + ".DecodeCDR(r)"
	case t.Base == "string":
		return fmt.Sprintf("w.String(%s, %s)", v, bound(t.StringBound)), fmt.Sprintf("r.String(&%s, %s)", v, bound(t.StringBound))
	}
	method := goBase(t.Base)
	method = strings.ToUpper(method[:1]) + method[1:]
	return fmt.Sprintf("w.%s(%s)", method, v), fmt.Sprintf("%s = r.%s()", v, method)
}

// field returns the statements that write and read v, a field of type t.
func (f *file) field(v string, t idl.Type) (write, read string) {
	switch {
	case t.Kind == idl.Single:
		return single(v, t)
	case isNumber(t) && t.Kind == idl.Array:
		return fmt.Sprintf("cdr.WriteArray(w, %s[:])", v), fmt.Sprintf("cdr.ReadArray(r, %s[:])", v)
	case isNumber(t):
		return fmt.Sprintf("cdr.WriteSequence(w, %s, %s)", v, bound(t.Size)), fmt.Sprintf("%[1]s = cdr.ReadSequence(r, %[1]s, %[2]s)", v, bound(t.Size))
	}
	write, read = single(v+"[i]", t)
	write, read = fmt.Sprintf("for i := range %s {\n%s\n}", v, write), fmt.Sprintf("for i := range %s {\n%s\n}", v, read)
	if t.Kind != idl.Array {
		write = fmt.Sprintf("w.Length(len(%s), %s)\n", v, bound(t.Size)) + write
		read = fmt.Sprintf("%[1]s = cdr.Resize(%[1]s, r.Length(%[2]d, %[3]s))\n", v, f.leastSize(t.Base), bound(t.Size)) + read
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
	m := f.lib.Messages[base]
	if len(m.Fields) == 0 {
		return 1
	}
	size := 0
	for _, fd := range m.Fields {
		switch fd.Type.Kind {
		case idl.Single:
			size += f.leastSize(fd.Type.Base)
		case idl.Array:
			size += fd.Type.Size * f.leastSize(fd.Type.Base)
		default:
			size += 4
		}
	}
	return size
}
