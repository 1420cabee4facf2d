package bag

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ugp_explorer/msgs"
	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/internal/idl"
)

// differs describes how the fields of a topic's type differ from those of the same type in this program, or returns "". This program would decode messages of such a topic
// wrongly. It returns "" for a type that this program does not have, and for a bag without a definition in ros2msg.
func differs(t *Topic) string {
	f, ok := msgs.Lookup(t.Type)
	if !ok {
		return ""
	}
	own, ok := f().(cdr.Described)
	if !ok || t.hash != "" && t.hash == own.TypeHash() {
		return ""
	}
	recorded, ours := definitions(t.Type, t.encoding, t.definition), definitions(t.Type, "ros2msg", own.Definition())
	if recorded == nil {
		if strings.HasPrefix(t.hash, "RIHS01_") && strings.Trim(t.hash[len("RIHS01_"):], "0") != "" {
			return fmt.Sprintf("the type %s has the hash %s in the bag and %s in this program", t.Type, t.hash, own.TypeHash())
		}
		return ""
	}
	for _, name := range append([]string{t.Type}, slices.Sorted(maps.Keys(ours))...) {
		m, r := ours[name], recorded[name]
		if r == nil {
			return fmt.Sprintf("the definition of the type %s in the bag lacks %s", t.Type, name)
		}
		same := func(a, b idl.Field) bool { return a.Name == b.Name && a.Type == b.Type }
		if !slices.EqualFunc(m.Fields, r.Fields, same) {
			return fmt.Sprintf("the type %s: %s has the fields %s in the bag and %s in this program", t.Type, name, fields(r), fields(m))
		}
	}
	return ""
}

func fields(m *idl.Message) string {
	var s []string
	for _, f := range m.Fields {
		s = append(s, f.Type.Base+" "+f.Name)
	}
	return "(" + strings.Join(s, ", ") + ")"
}

// definitions parses a full definition in ros2msg and returns the types in it by name, or nil. The lines that name the types are "MSG: pkg/T" in bags of rosbag2 and
// "MSG: pkg/msg/T" in others.
func definitions(root, encoding, text string) map[string]*idl.Message {
	if encoding != "ros2msg" && encoding != "" || text == "" || !strings.Contains(root, "/msg/") {
		return nil
	}
	l := idl.NewLibrary()
	name := root
	for _, section := range strings.Split(text, strings.Repeat("=", 80)+"\n") {
		if name == "" {
			header, rest, _ := strings.Cut(section, "\n")
			name, section = strings.TrimSpace(strings.TrimPrefix(header, "MSG:")), rest
			if pkg, short, ok := strings.Cut(name, "/"); ok && !strings.Contains(short, "/") {
				name = pkg + "/msg/" + short
			}
		}
		if l.Add(name, section) != nil {
			return nil
		}
		name = ""
	}
	return l.Messages
}
