package ros

import "ugp_explorer/node/ros/param"

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
