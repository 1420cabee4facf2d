package ros

import (
	"strings"

	ri "ugp_explorer/msgs/rcl_interfaces"
)

// serveParameters opens the six services of a node's parameters and publishes
// /parameter_events, the new ones first.
func (n *Node) serveParameters() error {
	set := n.parameters
	q := Parameters()
	var err error
	open := func(_ *Service, e error) {
		if err == nil {
			err = e
		}
	}
	open(serve(n, "~/describe_parameters", q, direct(set.describe)))
	open(serve(n, "~/get_parameters", q, direct(set.getMsgs)))
	open(serve(n, "~/get_parameter_types", q, direct(set.types)))
	open(serve(n, "~/list_parameters", q, direct(set.listMsg)))
	open(serve(n, "~/set_parameters", q, direct(set.setEach)))
	open(serve(n, "~/set_parameters_atomically", q, direct(set.setAll)))
	if err != nil {
		return err
	}
	events, err := Advertise[ri.ParameterEvent](n, "/parameter_events", ParameterEvents())
	if err != nil {
		return err
	}
	tell := func(e *ri.ParameterEvent) {
		e.Stamp, e.Node = TimeMsg(n.Now()), n.full
		if err := events.Publish(e); err != nil {
			n.log.Error("a parameter event cannot be published", "error", err.Error())
		}
	}
	set.changed = func(ps []*parameter) {
		if len(ps) > 0 && !n.closed {
			tell(&ri.ParameterEvent{ChangedParameters: paramMsgs(ps)})
		}
	}
	tell(n.ParametersMessage())
	return nil
}

// direct makes an answer at once one that may come later.
func direct[Req, Res any](fn func(*Req, *Res)) func(*Req, func(*Res)) {
	return func(req *Req, answer func(*Res)) {
		var res Res
		fn(req, &res)
		answer(&res)
	}
}

func paramMsgs(ps []*parameter) []ri.Parameter {
	msgs := make([]ri.Parameter, len(ps))
	for i, p := range ps {
		msgs[i] = ri.Parameter{Name: p.name, Value: p.get().Msg()}
	}
	return msgs
}

// describe answers with one descriptor a name; that of a name that is not
// declared says "not set".
func (s *ParameterSet) describe(req *ri.DescribeParametersRequest, res *ri.DescribeParametersResponse) {
	for _, name := range req.Names {
		d := ri.ParameterDescriptor{Name: name}
		if p := s.byName[name]; p != nil {
			d = p.descriptor()
		}
		res.Descriptors = append(res.Descriptors, d)
	}
}

func (s *ParameterSet) getMsgs(req *ri.GetParametersRequest, res *ri.GetParametersResponse) {
	for _, name := range req.Names {
		v, _ := s.Get(name)
		res.Values = append(res.Values, v.Msg())
	}
}

func (s *ParameterSet) types(req *ri.GetParameterTypesRequest, res *ri.GetParameterTypesResponse) {
	for _, name := range req.Names {
		v, _ := s.Get(name)
		res.Types = append(res.Types, v.Kind())
	}
}

// listMsg answers as rclcpp does (node_parameters.cpp, list_parameters): depth
// counts dots, of the whole name or of what follows a prefix; 0 is any number.
func (s *ParameterSet) listMsg(req *ri.ListParametersRequest, res *ri.ListParametersResponse) {
	within := func(name string) bool {
		return req.Depth == ri.ListParametersRequestDepthRecursive || uint64(strings.Count(name, ".")) < req.Depth
	}
	wanted := func(name string) bool {
		if len(req.Prefixes) == 0 {
			return within(name)
		}
		for _, prefix := range req.Prefixes {
			if name == prefix {
				return true
			}
			if rest, ok := strings.CutPrefix(name, prefix+"."); ok && within(rest) {
				return true
			}
		}
		return false
	}
	seen := map[string]bool{}
	for _, p := range s.list {
		if !wanted(p.name) {
			continue
		}
		res.Result.Names = append(res.Result.Names, p.name)
		if i := strings.LastIndexByte(p.name, '.'); i >= 0 && !seen[p.name[:i]] {
			seen[p.name[:i]] = true
			res.Result.Prefixes = append(res.Result.Prefixes, p.name[:i])
		}
	}
}

func (s *ParameterSet) setEach(req *ri.SetParametersRequest, res *ri.SetParametersResponse) {
	for i := range req.Parameters {
		res.Results = append(res.Results, s.result(s.Set(assignment(&req.Parameters[i]))))
	}
}

func (s *ParameterSet) setAll(req *ri.SetParametersAtomicallyRequest, res *ri.SetParametersAtomicallyResponse) {
	all := make([]Assignment, len(req.Parameters))
	for i := range req.Parameters {
		all[i] = assignment(&req.Parameters[i])
	}
	res.Result = s.result(s.Set(all...))
}

func assignment(p *ri.Parameter) Assignment {
	return Assignment{Name: p.Name, Value: ValueOf(&p.Value)}
}

func (s *ParameterSet) result(err error) ri.SetParametersResult {
	if err != nil {
		return ri.SetParametersResult{Reason: err.Error()}
	}
	return ri.SetParametersResult{Successful: true}
}
