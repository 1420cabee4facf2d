package main

import (
	"fmt"

	"ugp_explorer/msgs/internal/idl"
)

// codec writes the four methods that turn a message into CDR and back.
func (f *file) codec(name string, m *idl.Message) {
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
`, name, m.Name, outOfLine(m))
	for _, fd := range m.Fields {
		f.encode(fd)
	}
	if len(m.Fields) == 0 {
		f.printf("\tw.Empty()\n")
	}
	f.printf("}\n\n// DecodeCDR reads m's fields.\n%sfunc (m *%s) DecodeCDR(r *cdr.Reader) {\n", outOfLine(m), name)
	for _, fd := range m.Fields {
		f.decode(fd)
	}
	if len(m.Fields) == 0 {
		f.printf("\tr.Empty()\n")
	}
	f.printf("}\n\n")
}

// outOfLine returns a directive for the methods of a message that has fields of many numbers. Inlined into another package, their calls of cdr's generic functions
// would lose what the compiler knows of them, and every Writer and Reader would move to the heap.
func outOfLine(m *idl.Message) string {
	for _, fd := range m.Fields {
		if array, _ := helpers(fd.Type.Base); fd.Type.Primitive() && fd.Type.Kind != idl.Single && array == "Array" {
			return "//\n//go:noinline\n"
		}
	}
	return ""
}

// methodOf returns the name of Writer's and Reader's method for a primitive, as in "Float64".
func methodOf(base string) string {
	if base == "byte" || base == "char" {
		return "Uint8"
	}
	return map[string]string{
		"bool": "Bool", "string": "String", "float32": "Float32", "float64": "Float64",
		"int8": "Int8", "uint8": "Uint8", "int16": "Int16", "uint16": "Uint16",
		"int32": "Int32", "uint32": "Uint32", "int64": "Int64", "uint64": "Uint64",
	}[base]
}

// helpers returns the parts of the names of cdr's functions for many elements of a primitive: for an array and for a sequence.
func helpers(base string) (array, sequence string) {
	switch base {
	case "bool":
		return "BoolArray", "Bools"
	case "string":
		return "StringArray", "Strings"
	}
	return "Array", "Sequence"
}

// bound spells a bound in Go.
func bound(n int) string {
	if n == idl.Unbounded {
		return "cdr.Unbounded"
	}
	return fmt.Sprint(n)
}

// stringBound is the further argument that strings take.
func stringBound(t idl.Type) string {
	if t.Base != "string" {
		return ""
	}
	return ", " + bound(t.StringBound)
}

// sequenceBound spells a sequence's bound in Go.
func sequenceBound(t idl.Type) string {
	if t.Kind == idl.Bounded {
		return fmt.Sprint(t.Size)
	}
	return bound(idl.Unbounded)
}

func (f *file) encode(fd idl.Field) {
	v, t := "m."+goName(fd.Name), fd.Type
	array, sequence := helpers(t.Base)
	many := t.Kind == idl.Bounded || t.Kind == idl.Sequence
	switch {
	case t.Primitive() && t.Kind == idl.Single:
		f.printf("\tw.%s(%s%s)\n", methodOf(t.Base), v, stringBound(t))
	case t.Primitive() && t.Kind == idl.Array:
		f.printf("\tcdr.Write%s(w, %s[:]%s)\n", array, v, stringBound(t))
	case t.Primitive():
		f.printf("\tcdr.Write%s(w, %s, %s%s)\n", sequence, v, sequenceBound(t), stringBound(t))
	case t.Kind == idl.Single:
		f.printf("\t%s.MarshalCDR(w)\n", v)
	default:
		if many {
			f.printf("\tw.Length(len(%s), %s)\n", v, sequenceBound(t))
		}
		f.printf("\tfor i := range %s {\n\t\t%[1]s[i].MarshalCDR(w)\n\t}\n", v)
	}
}

func (f *file) decode(fd idl.Field) {
	v, t := "m."+goName(fd.Name), fd.Type
	array, sequence := helpers(t.Base)
	many := t.Kind == idl.Bounded || t.Kind == idl.Sequence
	switch {
	case t.Base == "string" && t.Kind == idl.Single:
		f.printf("\tr.String(&%s%s)\n", v, stringBound(t))
	case t.Primitive() && t.Kind == idl.Single:
		f.printf("\t%s = r.%s()\n", v, methodOf(t.Base))
	case t.Primitive() && t.Kind == idl.Array:
		f.printf("\tcdr.Read%s(r, %s[:]%s)\n", array, v, stringBound(t))
	case t.Primitive():
		f.printf("\t%[1]s = cdr.Read%[2]s(r, %[1]s, %[3]s%[4]s)\n", v, sequence, sequenceBound(t), stringBound(t))
	case t.Kind == idl.Single:
		f.printf("\t%s.DecodeCDR(r)\n", v)
	default:
		if many {
			f.printf("\t%[1]s = cdr.Resize(%[1]s, r.Length(%[2]d, %[3]s))\n", v, f.leastSize(t.Base), sequenceBound(t))
		}
		f.printf("\tfor i := range %s {\n\t\t%[1]s[i].DecodeCDR(r)\n\t}\n", v)
	}
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
