package main

import (
	"fmt"
	"strconv"
	"strings"

	"ugp_explorer/msgs/internal/idl"
)

// reserved are the names of generated methods, which no field may have.
var reserved = map[string]bool{
	"TypeName": true, "AppendCDR": true, "UnmarshalCDR": true, "MarshalCDR": true, "DecodeCDR": true,
	"OwnDefinition": true, "Definition": true, "TypeHash": true, "ServiceType": true,
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
func (f *file) message(m *idl.Message) error {
	name := f.goType(m.Name)
	hash, err := f.lib.MessageHash(m.Name)
	if err != nil {
		return err
	}
	f.comment("", append([]string{name + " is " + m.Name + "."}, m.Comment...))
	f.printf("type %s struct {\n", name)
	for _, fd := range m.Fields {
		f.comment("\t", fd.Above)
		f.printf("\t%s %s%s\n", goName(fd.Name), f.fieldType(fd.Type), beside(fd.Beside))
	}
	f.printf("}\n\n")
	f.constants(name, m)
	f.defaults(name, m)
	f.methods(name, m, hash)
	f.codec(name, m)
	f.text(name, m)
	return nil
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
func (f *file) fieldType(t idl.Type) string {
	base := t.Base
	switch {
	case !t.Primitive():
		base = f.goType(t.Base)
	case base == "byte" || base == "char":
		base = "uint8"
	}
	switch t.Kind {
	case idl.Single:
		return base
	case idl.Array:
		return fmt.Sprintf("[%d]%s", t.Size, base)
	}
	return "[]" + base
}

func (f *file) constants(name string, m *idl.Message) {
	if len(m.Constants) == 0 {
		return
	}
	f.printf("// Constants of %s.\nconst (\n", m.Name)
	for _, c := range m.Constants {
		f.comment("\t", c.Above)
		f.printf("\t%s%s %s = %s%s\n", name, camel(c.Name), f.fieldType(idl.Type{Base: c.Type}), literal(c.Type, c.Value), beside(c.Beside))
	}
	f.printf(")\n\n")
}

func literal(typ, value string) string {
	if typ == "string" {
		return strconv.Quote(value)
	}
	return value
}

// defaults writes New<name> if the message, or one inside of it, has a default other than zero.
func (f *file) defaults(name string, m *idl.Message) {
	if !f.hasDefaults(m) {
		return
	}
	f.printf("// New%s returns a %s with the defaults of its definition.\n", name, m.Name)
	f.printf("func New%s() %s {\n\tvar m %[1]s\n", name, name)
	for _, fd := range m.Fields {
		field := "m." + goName(fd.Name)
		switch {
		case isZero(fd) && f.nestedDefaults(fd.Type) && fd.Type.Kind == idl.Single:
			f.printf("\t%s = %s()\n", field, f.constructor(fd.Type.Base))
		case isZero(fd) && f.nestedDefaults(fd.Type):
			f.printf("\tfor i := range %[1]s {\n\t\t%[1]s[i] = %[2]s()\n\t}\n", field, f.constructor(fd.Type.Base))
		case isZero(fd):
		case fd.Type.Kind == idl.Single:
			f.printf("\t%s = %s\n", field, literal(fd.Type.Base, fd.Default[0]))
		default:
			values := make([]string, len(fd.Default))
			for i, v := range fd.Default {
				values[i] = literal(fd.Type.Base, v)
			}
			f.printf("\t%s = %s{%s}\n", field, f.fieldType(fd.Type), strings.Join(values, ", "))
		}
	}
	f.printf("\treturn m\n}\n\n")
}

// constructor returns the name of the New function of a message, qualified if need be.
func (f *file) constructor(message string) string {
	t := f.goType(message)
	if dot := strings.IndexByte(t, '.'); dot >= 0 {
		return t[:dot+1] + "New" + t[dot+1:]
	}
	return "New" + t
}

func (f *file) hasDefaults(m *idl.Message) bool {
	for _, fd := range m.Fields {
		if !isZero(fd) || f.nestedDefaults(fd.Type) {
			return true
		}
	}
	return false
}

// nestedDefaults reports whether a field of type t is made of messages with defaults. A sequence begins empty.
func (f *file) nestedDefaults(t idl.Type) bool {
	return !t.Primitive() && (t.Kind == idl.Single || t.Kind == idl.Array) && f.hasDefaults(f.lib.Messages[t.Base])
}

// isZero reports whether a field begins as Go's zero value as far as its own default goes.
func isZero(fd idl.Field) bool {
	if len(fd.Default) == 0 {
		return true
	}
	if fd.Type.Kind != idl.Single {
		return false
	}
	v, err := strconv.ParseFloat(fd.Default[0], 64)
	return fd.Default[0] == "false" || fd.Default[0] == "" || fd.Type.Base != "string" && err == nil && v == 0
}

// methods writes what cdr.Described asks for, but for the codec.
func (f *file) methods(name string, m *idl.Message, hash string) {
	f.printf("// TypeName returns %q.\nfunc (*%s) TypeName() string { return %[1]q }\n\n", m.Name, name)
	f.printf("// TypeHash returns the RIHS01 hash.\nfunc (*%s) TypeHash() string {\n\treturn %q\n}\n\n", name, hash)
	f.printf("// OwnDefinition returns the definition of %s alone.\nfunc (*%s) OwnDefinition() string { return text%[2]s }\n\n", m.Name, name)
	f.printf("// Definition returns the definition with those that it needs.\nfunc (m *%s) Definition() string {\n\treturn cdr.Definition(m", name)
	deps, err := f.lib.Dependencies(m.Name)
	if err != nil {
		panic(err) // the library has been checked
	}
	for _, d := range deps {
		f.printf(",\n\t\t(*%s)(nil)", f.goType(d))
	}
	f.printf(")\n}\n\n")
}

// text writes the constant with the definition.
func (f *file) text(name string, m *idl.Message) {
	quoted := "`" + m.Text + "`"
	if strings.ContainsAny(m.Text, "`\r") {
		quoted = strconv.Quote(m.Text)
	}
	f.printf("const text%s = %s\n\n", name, quoted)
}
