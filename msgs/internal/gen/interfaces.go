// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

// action writes an action's messages and services.
func (f *file) action(a *action) {
	_, name := split(a.name)
	f.comment("", append([]string{name + " is the name of the action " + a.name + "."}, a.comment...))
	f.printf("const %s = %q\n\n", name, a.name)
	for _, m := range a.messages {
		f.message(m)
	}
	for _, s := range a.services {
		f.service(s)
	}
}

// service writes both halves of a service.
func (f *file) service(s *service) {
	f.message(s.request)
	f.message(s.response)
}
