package explorer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
)

// checkSame returns an error that names the first setting that a mission cannot continue
// without and that has changed.
func checkSame(was, is journal.Begin) error {
	for _, c := range []struct{ name, was, is string }{
		{"passive", fmt.Sprint(was.Passive), fmt.Sprint(is.Passive)},
		{"frame_id", was.Frame, is.Frame},
		{"quantity", was.Quantity, is.Quantity},
		{"units", was.Units, is.Units},
		{"reading.transform", string(was.Transform), string(is.Transform)},
		{"reading.type", was.Reading, is.Reading},
		{"the field's outline", ring(was.Field.Boundary, is.Field.Boundary), ring(is.Field.Boundary, was.Field.Boundary)},
		{"the field's keep-outs", keepOuts(was.Field, is.Field), keepOuts(is.Field, was.Field)},
	} {
		if c.was != c.is {
			return fmt.Errorf("%s was %s and is now %s: a mission cannot continue with another value; restore the old one or use another output_dir", c.name, quoted(c.was), quoted(c.is))
		}
	}
	return nil
}

func quoted(s string) string {
	if strings.HasPrefix(s, "(") || strings.HasPrefix(s, "of ") {
		return s
	}
	return fmt.Sprintf("%q", s)
}

// ring describes the first difference of a polygon from another; "" if there is none.
func ring(p, other [][]record.Place) string {
	if len(p) != len(other) {
		return fmt.Sprintf("of %d rings", len(p))
	}
	for i := range p {
		if len(p[i]) != len(other[i]) {
			return fmt.Sprintf("of %d corners in ring %d", len(p[i]), i+1)
		}
		for k := range p[i] {
			if p[i][k] != other[i][k] {
				return fmt.Sprintf("(%.10g, %.10g) m at corner %d of ring %d", p[i][k][0], p[i][k][1], k+1, i+1)
			}
		}
	}
	return ""
}

func keepOuts(f, other record.Field) string {
	if len(f.KeepOuts) != len(other.KeepOuts) {
		return fmt.Sprintf("of %d areas", len(f.KeepOuts))
	}
	for i := range f.KeepOuts {
		if text := ring(f.KeepOuts[i], other.KeepOuts[i]); text != "" {
			return text
		}
	}
	return ""
}

// unremarked are parameters whose changes between runs are not reported.
var unremarked = []string{"output_dir", "existing_mission", "auto_start", "auto_resume"}

// changes returns a node's changed parameters as "name: was → is", sorted by name. The
// values are compared in their JSON form.
func changes(was, is map[string]any) (list []string) {
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
		if a, b := text(before, there), text(now, here); a != b && !slices.Contains(unremarked, name) {
			list = append(list, fmt.Sprintf("%s: %s → %s", name, a, b))
		}
	}
	slices.Sort(list)
	return list
}

// plain converts a value to the form that decoding its JSON gives; non-finite numbers
// become nil.
func plain(v any) any {
	b, err := record.Marshal(v)
	if err != nil {
		return v
	}
	var out any
	if err := json.Unmarshal(b, &out); err != nil {
		return v
	}
	return out
}
