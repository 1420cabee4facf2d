// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ugp_explorer/msgs"
)

// differs says that the fields of a topic's type are not those of the same type in this program, which would decode its messages wrongly, or returns "". It returns "" for a
// type that this program does not have, and for a bag with neither a definition in ros2msg nor a hash.
func differs(t *Topic) string {
	own := msgs.TypeHash(t.Type)
	if own == "" {
		return ""
	}
	if t.definition == "" || t.encoding != "ros2msg" && t.encoding != "" || !strings.Contains(t.Type, "/msg/") {
		known := strings.Trim(strings.TrimPrefix(t.hash, "RIHS01_"), "0") != "" // distributions before Iron have zeros
		if known && t.hash != own {
			return fmt.Sprintf("the type %s has other fields in the bag than in this program: its hash is %s, and here %s", t.Type, t.hash, own)
		}
		return ""
	}
	there, here := fields(t.Type, t.definition), fields(t.Type, msgs.Definition(t.Type))
	for _, name := range append([]string{strings.Replace(t.Type, "/msg/", "/", 1)}, slices.Sorted(maps.Keys(here))...) {
		switch fields, ok := there[name]; {
		case !ok:
			return fmt.Sprintf("the definition of the type %s in the bag has no definition of %s", t.Type, name)
		case !slices.Equal(fields, here[name]):
			return fmt.Sprintf("the type %s has other fields in the bag than in this program: %s is %q, and here %q", t.Type, name, fields, here[name])
		}
	}
	return ""
}

// fields returns the fields of each type in a definition in ros2msg, as "type name" without defaults, by the names of the types. The lines that name the types in it are
// "MSG: pkg/T" in bags of rosbag2 and "MSG: pkg/msg/T" in others.
func fields(name, definition string) map[string][]string {
	all := map[string][]string{}
	for i, section := range strings.Split(definition, strings.Repeat("=", 80)+"\n") {
		if i > 0 {
			header, rest, _ := strings.Cut(section, "\n")
			name, section = strings.TrimSpace(strings.TrimPrefix(header, "MSG:")), rest
		}
		name = strings.Replace(name, "/msg/", "/", 1)
		pkg, _, _ := strings.Cut(name, "/")
		list := []string{}
		for line := range strings.Lines(section) {
			code, _, _ := strings.Cut(line, "#")
			words := strings.Fields(code)
			if len(words) < 2 || strings.Contains(words[1], "=") || len(words) > 2 && words[2][0] == '=' { // a constant
				continue
			}
			of := strings.Replace(words[0], "/msg/", "/", 1)
			if !strings.Contains(of, "/") && of[0] >= 'A' && of[0] <= 'Z' { // a type of the same package
				of = pkg + "/" + of
			}
			list = append(list, of+" "+words[1])
		}
		all[name] = list
	}
	return all
}
