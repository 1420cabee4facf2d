// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package names

import (
	"fmt"
	"strings"
	"testing"
)

// The examples of the design ("Topic and Service name mapping to DDS", ROS 2 Name Examples), and
// the cases of rcl's test_validate_topic_name.cpp and rmw's test_validate_full_topic_name.cpp,
// test_validate_namespace.cpp and test_validate_node_name.cpp.
func TestValidate(t *testing.T) {
	long := "/" + strings.Repeat("a", maxTopic-1)
	for _, c := range []struct {
		validate  func(string) error
		good, bad []string
	}{
		{validate, []string{
			"foo", "abc123", "_foo", "Foo", "BAR", "~", "foo/bar", "~/foo", "{foo}_bar", "foo/{ping}/bar", "foo/_bar", "foo_/bar", "foo_",
			"/foo", "/bar/baz", "/_private/thing", "/public_namespace/_private/thing", "{foo1}", "{foo_bar}", "{_bar}",
		}, []string{
			"123abc", "123", " ", "foo bar", "/~", "~foo", "foo~", "foo~/bar", "foo/~bar", "foo/~/bar", "foo/", "", "foo/123bar", "foo/bar}/baz",
			"foo/{bar", "{$}", "{{bar}_baz}", "foo/{bar/baz}", "{1foo}", "foo/{}", "/", "foo//bar", "foo\n", "foo\n/bar",
		}},
		{ValidateFull, []string{"/some/topic", "/_a", "/a__b", long}, []string{
			long + "a", "", "invalid/topic", "/invalid/topic/", "/invalid topic", "/~", "/{a}", "/invalid//topic", "/9invalid", "/invalid/9topic", "/",
		}},
		{ValidateNamespace, []string{"/", "/my_ns", "/a/b"}, []string{"", "my_ns", "/my_ns/"}},
		{ValidateNode, []string{"nodename", "node_name", "_node", "node1", strings.Repeat("a", maxNode)}, []string{
			"", "node/name", "1node", "node name", "node-name", strings.Repeat("a", maxNode+1),
		}},
	} {
		for _, name := range c.good {
			if err := c.validate(name); err != nil {
				t.Errorf("%q should be valid: %v", name, err)
			}
		}
		for _, name := range c.bad {
			if err := c.validate(name); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", name)) {
				t.Errorf("%q should be refused by name: %v", name, err)
			}
		}
	}
}

// rcl's test_expand_topic_name.cpp and the design's table of private names.
func TestExpandName(t *testing.T) {
	for _, c := range []struct{ name, node, ns, want string }{
		{"/chatter", "my_node", "/my_ns", "/chatter"},
		{"chatter", "my_node", "/my_ns", "/my_ns/chatter"},
		{"{node}/chatter", "my_node", "/my_ns", "/my_ns/my_node/chatter"},
		{"/{node}", "my_node", "/my_ns", "/my_node"},
		{"{node}", "my_node", "/my_ns", "/my_ns/my_node"},
		{"{ns}", "my_node", "/my_ns", "/my_ns"},
		{"{namespace}", "my_node", "/my_ns", "/my_ns"},
		{"{namespace}/{node}/chatter", "my_node", "/my_ns", "/my_ns/my_node/chatter"},
		{"ping", "my_node", "/", "/ping"},
		{"ping", "my_node", "/my_ns", "/my_ns/ping"},
		{"/ping", "my_node", "/", "/ping"},
		{"~", "my_node", "/", "/my_node"},
		{"~", "my_node", "/my_ns", "/my_ns/my_node"},
		{"~/ping", "my_node", "/", "/my_node/ping"},
		{"~/ping", "my_node", "/my_ns", "/my_ns/my_node/ping"},
	} {
		got, err := expand(c.name, c.ns, c.node)
		if err != nil || got != c.want {
			t.Errorf("ExpandName(%q, %q, %q) = %q, %v, want %q", c.name, c.ns, c.node, got, err, c.want)
		}
	}
	for _, c := range []struct{ name, node, ns, says string }{
		{"/foo/{namespace}", "my_node", "/my_ns", `"/foo//my_ns"`}, // found after the expansion
		{"{doesnotexist}", "my_node", "/my_ns", "{doesnotexist}"},
		{"white space", "my_node", "/my_ns", `"white space"`},
		{"chatter", "/invalid_node", "/my_ns", "node name"},
		{"chatter", "my_node", "white space", "namespace"},
	} {
		got, err := expand(c.name, c.ns, c.node)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("ExpandName(%q, %q, %q) = %q, %v, want an error with %q", c.name, c.ns, c.node, got, err, c.says)
		}
	}
}

func TestSplitName(t *testing.T) {
	for _, c := range []struct{ full, ns, base string }{
		{"/foo/bar/baz", "/foo/bar", "baz"}, // the design, Namespaces
		{"/foo", "/", "foo"},
	} {
		if ns, base := Split(c.full); ns != c.ns || base != c.base {
			t.Errorf("SplitName(%q) = %q, %q, want %q, %q", c.full, ns, base, c.ns, c.base)
		}
		if full := Join(c.ns, c.base); full != c.full {
			t.Errorf("JoinName(%q, %q) = %q, want %q", c.ns, c.base, full, c.full)
		}
	}
}
