package idl

import (
	"fmt"
	"slices"
)

// Dependencies returns the full names of all messages that name contains, directly or not, each once, depth first in the order of their names: the
// order in which rosbag2 writes them.
func (l *Library) Dependencies(name string) ([]string, error) {
	var order []string
	open := map[string]bool{}
	var visit func(string) error
	visit = func(n string) error {
		m := l.Messages[n]
		if m == nil {
			return fmt.Errorf("no definition of %s", n)
		}
		open[n] = true
		defer delete(open, n)
		var direct []string
		for _, f := range m.Fields {
			if !f.Type.Primitive() {
				direct = append(direct, f.Type.Base)
			}
		}
		slices.Sort(direct)
		for _, d := range slices.Compact(direct) {
			if open[d] {
				return fmt.Errorf("%s contains itself", d)
			}
			if slices.Contains(order, d) {
				continue
			}
			order = append(order, d)
			if err := visit(d); err != nil {
				return fmt.Errorf("%s: %w", n, err)
			}
		}
		return nil
	}
	return order, visit(name)
}
