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

// differs returns in what a topic's type has other fields than the type of that name in this program, whose code would then read its messages wrongly, or "".
// A bag that does not say, or says it in another language than ros2msg, is given the benefit of the doubt, as is a type that this program does not have.
func differs(t *Topic) string {
	f, ok := msgs.Lookup(t.Type)
	if !ok {
		return ""
	}
	own, ok := f().(cdr.Described)
	if !ok || t.Hash != "" && t.Hash == own.TypeHash() {
		return ""
	}
	recorded, ours := definitions(t.Type, t.Encoding, t.Definition), definitions(t.Type, "ros2msg", own.Definition())
	if recorded == nil {
		if strings.HasPrefix(t.Hash, "RIHS01_") && strings.Trim(t.Hash[len("RIHS01_"):], "0") != "" {
			return fmt.Sprintf("its type %s has the hash %s, and this program's %s", t.Type, t.Hash, own.TypeHash())
		}
		return ""
	}
	for _, name := range append([]string{t.Type}, slices.Sorted(maps.Keys(ours))...) {
		m, r := ours[name], recorded[name]
		if r == nil {
			return fmt.Sprintf("the definition of its type %s lacks %s", t.Type, name)
		}
		same := func(a, b idl.Field) bool { return a.Name == b.Name && a.Type == b.Type }
		if !slices.EqualFunc(m.Fields, r.Fields, same) {
			return fmt.Sprintf("%s, of which its type %s is or which it contains, has the fields %s, and in this program %s", name, t.Type, fields(r), fields(m))
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

// definitions parses a full definition in ros2msg by the types in it, or returns nil. The lines that name the types are "MSG: pkg/T" with rosbag2 and "MSG: pkg/msg/T"
// with others.
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
