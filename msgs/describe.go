package msgs

import (
	"fmt"
	"strings"
	"sync"

	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/internal/idl"
	"ugp_explorer/msgs/type_description_interfaces"
)

// TypeHash returns the RIHS01 hash of the message or the service with the given full name, as in "std_srvs/srv/Trigger", and whether it is known.
func TypeHash(name string) (hash string, known bool) {
	if f, ok := Lookup(name); ok {
		return f().(cdr.Described).TypeHash(), true
	}
	if f, ok := Lookup(name + "_Request"); ok {
		return f().(cdr.ServiceMessage).ServiceType().TypeHash, true
	}
	return "", false
}

// Describe returns the type description of REP-2016 of the message or the service with the given full name, and the definitions from which it and every type in it come,
// in the same order. Comments in the definitions are those of this package. Describe is safe for concurrent use.
func Describe(name string) (d type_description_interfaces.TypeDescription, sources []type_description_interfaces.TypeSource, err error) {
	lib, err := library()
	if err != nil {
		return d, nil, err
	}
	types, err := lib.Closure(name)
	if err != nil {
		return d, nil, err
	}
	d.TypeDescription = individual(types[0])
	for _, m := range types[1:] {
		d.ReferencedTypeDescriptions = append(d.ReferencedTypeDescriptions, individual(m))
	}
	for _, m := range types {
		s := type_description_interfaces.TypeSource{TypeName_: m.Name, Encoding: "implicit"} // made up by rosidl, for a service or an action
		if strings.Contains(m.Name, "/msg/") {
			s.Encoding, s.RawFileContents = "msg", m.Text
		} else if service := lib.Services[m.Name]; service != nil && strings.Contains(m.Name, "/srv/") {
			s.Encoding, s.RawFileContents = "srv", service.Request.Text+"---\n"+service.Response.Text
		}
		sources = append(sources, s)
	}
	return d, sources, nil
}

// library returns the definitions of all types. They are parsed once, when somebody asks.
var library = sync.OnceValues(func() (*idl.Library, error) {
	lib := idl.NewLibrary()
	text := func(name string) string { return messages[name]().(cdr.Described).OwnDefinition() }
	for name := range messages {
		var err error
		if strings.Contains(name, "/msg/") {
			err = lib.Add(name, text(name))
		} else if srv, ok := strings.CutSuffix(name, "_Request"); ok && strings.Contains(name, "/srv/") {
			err = lib.Add(srv, text(name)+"---\n"+text(srv+"_Response"))
		} else if action, ok := strings.CutSuffix(name, "_Goal"); ok {
			err = lib.Add(action, text(name)+"---\n"+text(action+"_Result")+"---\n"+text(action+"_Feedback"))
		}
		if err != nil {
			return nil, fmt.Errorf("msgs: %w", err)
		}
	}
	return lib, lib.Check()
})

// individual returns the description of one type alone.
func individual(m *idl.Message) type_description_interfaces.IndividualTypeDescription {
	d := type_description_interfaces.IndividualTypeDescription{TypeName_: m.Name}
	for _, f := range m.HashedFields() {
		d.Fields = append(d.Fields, type_description_interfaces.Field{
			Name: f.Name, DefaultValue: defaultText(f),
			Type: type_description_interfaces.FieldType{
				TypeID: f.Type.Code(), Capacity: uint64(f.Type.Size), StringCapacity: uint64(f.Type.StringBound), NestedTypeName: f.Type.Nested(),
			},
		})
	}
	return d
}

// defaultText returns the default of a field as rosidl writes it: as a literal of Python.
func defaultText(f idl.Field) string {
	switch text := f.Default; {
	case text == "true", text == "false":
		return strings.ToUpper(text[:1]) + text[1:]
	case text != "" && strings.HasPrefix(f.Type.Base, "float") && !strings.ContainsAny(text, ".eEnN"):
		return text + ".0"
	default:
		return text
	}
}
