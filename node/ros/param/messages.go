// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param

import (
	"fmt"
	"strings"

	ri "ugp_explorer/msgs/rcl_interfaces"
)

// Messages returns all parameters with their present values as messages, in the order
// of their declaration.
func (s *Set) Messages() []ri.Parameter { return messages(s.list) }

func messages(ps []*parameter) []ri.Parameter {
	msgs := make([]ri.Parameter, len(ps))
	for i, p := range ps {
		msgs[i] = ri.Parameter{Name: p.name, Value: p.told().Msg()}
	}
	return msgs
}

// first returns the part of a request that is answered: all, up to mostAsked.
func first[T any](asked []T) []T { return asked[:min(len(asked), mostAsked)] }

// DescribeParameters answers the service describe_parameters with one descriptor per
// name. The type of a parameter that is not declared is "not set".
func (s *Set) DescribeParameters(req *ri.DescribeParametersRequest, res *ri.DescribeParametersResponse) {
	for _, name := range first(req.Names) {
		d := ri.ParameterDescriptor{Name: name}
		if p := s.byName[name]; p != nil {
			d = p.descriptor()
		}
		res.Descriptors = append(res.Descriptors, d)
	}
}

// GetParameters answers the service get_parameters.
func (s *Set) GetParameters(req *ri.GetParametersRequest, res *ri.GetParametersResponse) {
	for _, name := range first(req.Names) {
		v, _ := s.Get(name)
		res.Values = append(res.Values, v.Msg())
	}
}

// GetParameterTypes answers the service get_parameter_types.
func (s *Set) GetParameterTypes(req *ri.GetParameterTypesRequest, res *ri.GetParameterTypesResponse) {
	for _, name := range first(req.Names) {
		v, _ := s.Get(name)
		res.Types = append(res.Types, v.kind())
	}
}

// ListParameters answers the service list_parameters as rclcpp does
// (node_parameters.cpp, list_parameters): the depth counts dots, of the whole name or of
// the part after a prefix; 0 means any number.
func (s *Set) ListParameters(req *ri.ListParametersRequest, res *ri.ListParametersResponse) {
	within := func(name string) bool {
		return req.Depth == ri.ListParametersRequestDepthRecursive || uint64(strings.Count(name, ".")) < req.Depth
	}
	wanted := func(name string) bool {
		if len(req.Prefixes) == 0 {
			return within(name)
		}
		for _, prefix := range first(req.Prefixes) {
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

// SetParameters answers the service set_parameters: each parameter is set on its own.
func (s *Set) SetParameters(req *ri.SetParametersRequest, res *ri.SetParametersResponse) {
	for i := range first(req.Parameters) {
		res.Results = append(res.Results, setResult(s.Set(assignment(&req.Parameters[i]))))
	}
}

// SetParametersAtomically answers the service set_parameters_atomically: all parameters
// are set, or none.
func (s *Set) SetParametersAtomically(req *ri.SetParametersAtomicallyRequest, res *ri.SetParametersAtomicallyResponse) {
	if n := len(req.Parameters); n > mostAsked {
		res.Result.Reason = fmt.Sprintf("the request has %d parameters, at most %d are allowed", n, mostAsked)
		return
	}
	all := make([]Assignment, len(req.Parameters))
	for i := range req.Parameters {
		all[i] = assignment(&req.Parameters[i])
	}
	res.Result = setResult(s.Set(all...))
}

func assignment(p *ri.Parameter) Assignment {
	return Assignment{Name: p.Name, Value: ValueOf(&p.Value)}
}

func setResult(err error) ri.SetParametersResult {
	if err != nil {
		return ri.SetParametersResult{Reason: err.Error()}
	}
	return ri.SetParametersResult{Successful: true}
}
