// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	ri "ugp_explorer/msgs/rcl_interfaces"
)

// serveParameters opens the six parameter services of the node and publishes its
// parameters on /parameter_events.
func (n *Node) serveParameters() error {
	set := n.parameters
	var err error
	open := func(_ *Service, e error) {
		if err == nil {
			err = e
		}
	}
	open(serve(n, "~/describe_parameters", Parameters(), direct(set.DescribeParameters)))
	open(serve(n, "~/get_parameters", Parameters(), direct(set.GetParameters)))
	open(serve(n, "~/get_parameter_types", Parameters(), direct(set.GetParameterTypes)))
	open(serve(n, "~/list_parameters", Parameters(), direct(set.ListParameters)))
	open(serve(n, "~/set_parameters", Parameters(), direct(set.SetParameters)))
	open(serve(n, "~/set_parameters_atomically", Parameters(), direct(set.SetParametersAtomically)))
	if err != nil {
		return err
	}
	events, err := Advertise[ri.ParameterEvent](n, "/parameter_events", Parameters())
	if err != nil {
		return err
	}
	tell := func(e *ri.ParameterEvent) {
		e.Stamp, e.Node = n.Stamp(), n.full
		if err := events.Publish(e); err != nil {
			n.log.Error("a parameter event cannot be published", "error", err.Error())
		}
	}
	set.Notify(func(changed []ri.Parameter) {
		if len(changed) > 0 && !n.closed {
			tell(&ri.ParameterEvent{ChangedParameters: changed})
		}
	})
	tell(n.ParametersMessage())
	return nil
}

// ParametersMessage returns all parameters of the node with their present values, in
// the form in which the node published them on /parameter_events when it started.
func (n *Node) ParametersMessage() *ri.ParameterEvent {
	return &ri.ParameterEvent{Stamp: n.Stamp(), Node: n.full, NewParameters: n.parameters.Messages()}
}
