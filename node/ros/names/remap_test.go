// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package names_test

import (
	"testing"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/node/ros/names"
)

// rcl's test_remap.cpp and test_remap_integration.cpp, and the examples of the
// design "Remapping Names".
func TestResolve(t *testing.T) {
	five := []string{"Node1:/foo:=/foo/bar", "Node2:/foo:=/this_one", "Node3:/foo:=/bar/foo", "/Node4:/foo:=/bar/foo", "/ns1/Node5:/foo:=/bar/foo"}
	for _, c := range []struct {
		rules          []string
		name, node, ns string
		want           string
	}{
		{[]string{"/bar/foo:=/foo/bar"}, "/bar/foo", "NodeName", "/", "/foo/bar"},
		{[]string{"/bar/foo:=/foo/bar"}, "/foo/bar", "NodeName", "/", "/foo/bar"},
		{[]string{"foo:=bar"}, "foo", "NodeName", "/ns", "/ns/bar"},
		{[]string{"foo:=bar"}, "/ns/foo", "NodeName", "/ns", "/ns/bar"},
		{[]string{"__ns:=/namespace", "__node:=remap_name", "/foobar:=/foo/bar"}, "/foobar", "NodeName", "/", "/foo/bar"},
		{five, "/foo", "Node1", "/", "/foo/bar"},
		{five, "/foo", "Node2", "/", "/this_one"},
		{five, "/foo", "Node3", "/", "/bar/foo"},
		{five, "/foo", "Node4", "/", "/bar/foo"},
		{five, "/foo", "Node5", "/ns1", "/bar/foo"},
		{five, "/foo", "Node5", "/ns2", "/foo"},
		{five, "/foo", "Node6", "/", "/foo"},
		// Exact relative name replacement.
		{[]string{"foo:=/foo/bar"}, "foo", "n", "/ns", "/foo/bar"},
		{[]string{"/foo/bar:=foo"}, "/foo/bar", "n", "/ns", "/ns/foo"},
		{[]string{"/ns/bar:=/ns/foo"}, "barista", "n", "/ns", "/ns/barista"},
		{[]string{"~/foo:=~/bar"}, "~/foo", "n", "/ns", "/ns/n/bar"},
		// The leftmost rule wins, node-specific or not (design "ROS Command
		// Line Arguments", Precedence), and a name is remapped once.
		{[]string{"my_topic:=first", "my_topic:=second"}, "my_topic", "my_node", "/", "/first"},
		{[]string{"my_node:t:=first", "t:=second"}, "t", "my_node", "/", "/first"},
		{[]string{"t:=first", "my_node:t:=second"}, "t", "my_node", "/", "/first"},
		{[]string{"a:=b", "b:=c"}, "a", "n", "/", "/b"},
	} {
		got, err := rostest.Remaps(t, c.rules...).Resolve(c.name, c.ns, c.node)
		if err != nil || got != c.want {
			t.Errorf("%v: topic %q of %s in %s is %q, %v, want %q", c.rules, c.name, c.node, c.ns, got, err, c.want)
		}
	}
}

// rcl's test_remap.cpp: global_nodename_replacement and its neighbours.
func TestRemapNode(t *testing.T) {
	rs := rostest.Remaps(t, "/foobar:=/foo/bar", "Node1:__ns:=/foo/bar", "Node2:__ns:=/this_one", "Old:__node:=New", "New:__ns:=/moved", "/a/Two:__node:=Three")
	for _, c := range []struct{ name, ns, wantName, wantNS string }{
		{"Node1", "/", "Node1", "/foo/bar"},
		{"Node2", "/x", "Node2", "/this_one"},
		{"Node3", "/x", "Node3", "/x"},
		// The name first; everything after it goes by the new one (rcl_node_init).
		{"Old", "/", "New", "/moved"},
		{"Two", "/a", "Three", "/a"},
		{"Two", "/b", "Two", "/b"},
	} {
		name := rs.NodeName(c.ns, c.name)
		if ns := rs.Namespace(c.ns, name); name != c.wantName || ns != c.wantNS {
			t.Errorf("node %s in %s became %s in %s, want %s in %s", c.name, c.ns, name, ns, c.wantName, c.wantNS)
		}
	}
	if got := rostest.Remaps(t, "__node:=globalname").NodeName("/", "NodeName"); got != "globalname" {
		t.Errorf("__node gives %q, want globalname", got)
	}
}

// rcl's test_arguments.cpp: check_known_vs_unknown_args, check_valid_vs_invalid_args.
func TestParseRemap(t *testing.T) {
	for _, rule := range []string{
		"__node:=node_name", "old_name:__node:=node_name", "old_name:__node:=nodename123", "__ns:=/foo/bar", "__ns:=/",
		"_:=kq", "nodename:__ns:=/foobar", "foo:=bar", "~/foo:=~/bar", "/foo/bar:=bar", "foo:=/bar", "/foo123:=/bar123",
		"node:/foo123:=/bar123", "rostopic:=/foo/bar", "rosservice:=baz",
	} {
		r, err := names.ParseRemap(rule)
		if err != nil || r.String() != rule {
			t.Errorf("ParseRemap(%q) = %v, %v", rule, r, err)
		}
	}
	for _, rule := range []string{
		":=", "foo:=", ":=bar", "__ns:=", "__node:=", "__node:=/foo/bar", "__ns:=foo", ":__node:=nodename", "~:__node:=nodename",
		"}foo:=/bar", "f oo:=/bar", "foo:=/b ar", "f{oo:=/bar", "foo:=/b}ar", "rostopic:///foo/bar:=baz", "rostopic::=rosservice",
		"foo", "/foo/*:=/bar", `/**/foo:=\1/bar`,
	} {
		if r, err := names.ParseRemap(rule); err == nil {
			t.Errorf("ParseRemap(%q) = %v, want an error", rule, r)
		}
	}
}
