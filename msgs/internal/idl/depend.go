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
		if open[n] {
			return fmt.Errorf("%s contains itself", n)
		}
		open[n] = true
		defer delete(open, n)
		for _, d := range m.direct() {
			if l.Messages[d] == nil {
				return fmt.Errorf("%s: no definition of %s", n, d)
			}
			if !open[d] && slices.Contains(order, d) {
				continue
			}
			if !open[d] {
				order = append(order, d)
			}
			if err := visit(d); err != nil {
				return err
			}
		}
		return nil
	}
	return order, visit(name)
}

// direct returns the messages that are types of m's fields, sorted.
func (m *Message) direct() []string {
	var names []string
	for _, f := range m.Fields {
		if !f.Type.Primitive() {
			names = append(names, f.Type.Base)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
