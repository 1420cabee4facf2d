package record

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Settings holds all parameters of a mission: node → parameter → value. A value is a
// boolean, an integer, a float, a string or a slice of those.
type Settings map[string]map[string]any

// Changes returns a node's changed parameters, except for some, as "name: was → is", sorted by
// name. The values are compared in their JSON form.
func Changes(was, is map[string]any, except ...string) (list []string) {
	text := func(v any, there bool) string {
		if !there {
			return "none"
		}
		b, err := json.Marshal(plain(v))
		if err != nil {
			return err.Error()
		}
		return string(b)
	}
	names := map[string]bool{}
	for name := range was {
		names[name] = true
	}
	for name := range is {
		names[name] = true
	}
	for name := range names {
		before, there := was[name]
		now, here := is[name]
		if a, b := text(before, there), text(now, here); a != b && !slices.Contains(except, name) {
			list = append(list, fmt.Sprintf("%s: %s → %s", name, a, b))
		}
	}
	slices.Sort(list)
	return list
}

// plain converts a value to the form that decoding its JSON gives; non-finite numbers
// become nil.
func plain(v any) any {
	b, err := Marshal(v)
	if err != nil {
		return v
	}
	var out any
	if err := json.Unmarshal(b, &out); err != nil {
		return v
	}
	return out
}
