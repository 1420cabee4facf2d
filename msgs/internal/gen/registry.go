package main

import "slices"

// registry writes the tables behind Lookup and LookupService.
func (f *file) registry() {
	f.printf("var messages = map[string]func() cdr.Message{\n")
	for _, name := range slices.Sorted(keys(f.lib.Messages)) {
		f.printf("\t%q: func() cdr.Message { return new(%s) },\n", name, f.goType(name))
	}
	f.printf("}\n\nvar services = map[string]cdr.Service{\n")
	for _, name := range slices.Sorted(keys(f.lib.Services)) {
		f.printf("\t%q: %s,\n", name, f.goType(name))
	}
	f.printf("}\n")
}
