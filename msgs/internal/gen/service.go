package main

import "ugp_explorer/msgs/internal/idl"

// service writes a service's variable and both of its halves.
func (f *file) service(s *idl.Service) error {
	name := f.goType(s.Name)
	hash, err := f.lib.ServiceHash(s.Name)
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
