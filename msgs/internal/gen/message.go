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
	hash, err := f.lib.Hash(m.Name)
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
	if len(m.Constants) > 0 {
		f.printf("// Constants of %s.\nconst (\n", m.Name)
		for _, c := range m.Constants {
			f.comment("\t", c.Above)
			value := c.Value
			if c.Type == "string" {
				value = strconv.Quote(value)
			}
			f.printf("\t%s%s %s = %s%s\n", name, camel(c.Name), goBase(c.Type), value, beside(c.Beside))
		}
		f.printf(")\n\n")
	}
	f.printf("// TypeName returns %q.\nfunc (*%s) TypeName() string { return %[1]q }\n\n", m.Name, name)
	f.printf("// TypeHash returns the RIHS01 hash.\nfunc (*%s) TypeHash() string {\n\treturn %q\n}\n\n", name, hash)
	f.printf("// OwnDefinition returns the definition of %s alone.\nfunc (*%s) OwnDefinition() string { return text%[2]s }\n\n", m.Name, name)
	f.printf("// Definition returns the definition with those that it needs.\nfunc (m *%s) Definition() string {\n\treturn cdr.Definition(m", name)
	deps, err := f.lib.Dependencies(m.Name)
	if err != nil {
		return err
	}
	for _, d := range deps {
		f.printf(",\n\t\t(*%s)(nil)", f.goType(d))
	}
	f.printf(")\n}\n\n")
	f.codec(name, m)
	quoted := "`" + m.Text + "`"
	if strings.ContainsAny(m.Text, "`\r") {
		quoted = strconv.Quote(m.Text)
	}
	f.printf("const text%s = %s\n\n", name, quoted)
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
	base := goBase(t.Base)
	if !t.Primitive() {
		base = f.goType(t.Base)
	}
	switch t.Kind {
	case idl.Single:
		return base
	case idl.Array:
		return fmt.Sprintf("[%d]%s", t.Size, base)
	}
	return "[]" + base
}
