package main

import "ugp_explorer/msgs/internal/idl"

// action writes an action's messages and services.
func (f *file) action(a *idl.Action) error {
	_, name := split(a.Name)
	f.comment("", append([]string{name + " is the name of the action " + a.Name + "."}, a.Comment...))
	f.printf("const %s = %q\n\n", name, a.Name)
	for _, m := range a.Messages {
		if err := f.message(m); err != nil {
			return err
		}
	}
	for _, s := range a.Services {
		if err := f.service(s); err != nil {
			return err
		}
	}
	return nil
}

// service writes a service's variable and both of its halves.
func (f *file) service(s *idl.Service) error {
	name := f.goType(s.Name)
	hash, err := f.lib.Hash(s.Name)
	if err != nil {
		return err
	}
	f.comment("", append([]string{name + " is the service " + s.Name + "."}, s.Comment...))
	f.printf(`var %[1]s = cdr.Service{
	TypeName: %[2]q,
	TypeHash: %[3]q,
	NewRequest: func() cdr.ServiceMessage { return new(%[1]sRequest) },
	NewResponse: func() cdr.ServiceMessage { return new(%[1]sResponse) },
}

`, name, s.Name, hash)
	for _, m := range []*idl.Message{s.Request, s.Response} {
		if err := f.message(m); err != nil {
			return err
		}
		f.printf("// ServiceType returns %s.\nfunc (*%s) ServiceType() cdr.Service { return %[1]s }\n\n", name, f.goType(m.Name))
	}
	return nil
}
