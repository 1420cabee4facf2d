package record

import (
	"fmt"
	"maps"
	"slices"
)

// Settings holds all parameters of a mission: node → parameter → value. A value is a
// boolean, an integer, a float, a string or a slice of those.
type Settings map[string]map[string]any

// Changes returns a node's changed parameters, except for some, as "name: was → is", sorted by
// name. The values are compared in their JSON form.
func Changes(was, is map[string]any, except ...string) (list []string) {
	text := func(of map[string]any, name string) string {
		v, there := of[name]
		if !there {
			return "none"
		}
		b, err := Marshal(v)
		if err != nil {
			return err.Error()
		}
		return string(b)
	}
	names := map[string]any{}
	maps.Copy(names, was)
	maps.Copy(names, is)
	for name := range names {
		if a, b := text(was, name), text(is, name); a != b && !slices.Contains(except, name) {
			list = append(list, fmt.Sprintf("%s: %s → %s", name, a, b))
		}
	}
	slices.Sort(list)
	return list
}
