package bag

import (
	"fmt"
	"strings"

	"ugp_explorer/msgs"
	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/internal/idl"
)

// differs says that the fields of a topic's type are not those of the same type in this program, which would decode its messages wrongly, or returns "". It returns "" for a
// type that this program does not have, and for a bag with neither a definition in ros2msg nor a hash.
func differs(t *Topic) string {
	f, ok := msgs.Lookup(t.Type)
	if !ok {
		return ""
	}
	hash, err := definedHash(t)
	if err != nil {
		return fmt.Sprintf("the definition of the type %s in the bag: %v", t.Type, err)
	}
	if hash == "" && strings.Trim(strings.TrimPrefix(t.hash, "RIHS01_"), "0") != "" { // distributions before Iron have zeros
		hash = t.hash
	}
	if own := f().(cdr.Described).TypeHash(); hash != "" && hash != own {
		return fmt.Sprintf("the type %s has other fields in the bag than in this program: its hash is %s, and here %s", t.Type, hash, own)
	}
	return ""
}

// definedHash returns the hash of the definition that the bag has of a topic's type, "" if there is none that can be read. The lines that name the types in it are
// "MSG: pkg/T" in bags of rosbag2 and "MSG: pkg/msg/T" in others.
func definedHash(t *Topic) (string, error) {
	if t.encoding != "ros2msg" && t.encoding != "" || t.definition == "" || !strings.Contains(t.Type, "/msg/") {
		return "", nil
	}
	l := idl.NewLibrary()
	name := t.Type
	for i, section := range strings.Split(t.definition, strings.Repeat("=", 80)+"\n") {
		if i > 0 {
			header, rest, _ := strings.Cut(section, "\n")
			name, section = strings.TrimSpace(strings.TrimPrefix(header, "MSG:")), rest
			if pkg, short, ok := strings.Cut(name, "/"); ok && !strings.Contains(short, "/") {
				name = pkg + "/msg/" + short
			}
		}
		if l.Add(name, section) != nil {
			return "", nil
		}
	}
	return l.Hash(t.Type)
}
