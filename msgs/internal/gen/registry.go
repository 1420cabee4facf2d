package main

import "slices"

// registry writes the table behind Lookup.
func (f *file) registry() {
	f.printf("var messages = map[string]func() cdr.Message{\n")
	for _, name := range slices.Sorted(keys(f.lib.Messages)) {
		f.printf("\t%q: func() cdr.Message { return new(%s) },\n", name, f.goType(name))
	}
	f.printf("}\n")
}
