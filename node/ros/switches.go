package ros

import (
	"errors"

	"ugp_explorer/node/ros/param"
)

// declareSwitch declares a parameter that every node of ROS has, unless the set has it.
func declareSwitch(set *param.Set, name string, on bool, opts ...param.Option) {
	if _, ok := set.Get(name); !ok {
		set.Bool(&on, name, opts...)
	}
}

// switched returns the value of such a parameter.
func (n *Node) switched(name string) bool {
	v, _ := n.parameters.Get(name)
	return v.Any() == true
}

// unlessUnknown returns err, but nil if the transport does not know a type: a service that the node
// offers on its own account does not exist in older distributions.
func (n *Node) unlessUnknown(err error) error {
	if !errors.Is(err, ErrUnknownType) {
		return err
	}
	n.log.Debug("a service is not offered", "error", err.Error())
	return nil
}
