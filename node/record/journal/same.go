package journal

import (
	"fmt"
	"strings"

	"ugp_explorer/node/record"
)

// CheckSame returns an error that names the first setting of b, without which its mission cannot
// continue, that is another in now.
func (b *Begin) CheckSame(now *Begin) error {
	was, is := b, now
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
