// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

// action writes an action's messages and services.
func (f *file) action(a *action) error {
	_, name := split(a.name)
	f.comment("", append([]string{name + " is the name of the action " + a.name + "."}, a.comment...))
	f.printf("const %s = %q\n\n", name, a.name)
	for _, m := range a.messages {
		if err := f.message(m); err != nil {
			return err
		}
	}
	for _, s := range a.services {
		if err := f.service(s); err != nil {
			return err
		}
	}
	return nil
}

// service writes a service's variable and both of its halves.
func (f *file) service(s *service) error {
	name := f.goType(s.name)
	hash, err := f.lib.hash(s.name)
	if err != nil {
		return err
	}
	f.comment("", append([]string{name + " is the service " + s.name + "."}, s.comment...))
	f.printf(`var %[1]s = cdr.Service{
	TypeName: %[2]q,
	TypeHash: %[3]q,
}

`, name, s.name, hash)
	for _, m := range []*message{s.request, s.response} {
		if err := f.message(m); err != nil {
			return err
		}
		f.printf("// ServiceType returns %s.\nfunc (*%s) ServiceType() cdr.Service { return %[1]s }\n\n", name, f.goType(m.name))
	}
	return nil
}
