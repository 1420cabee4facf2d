package names_test

import (
	"errors"
	"strings"
	"testing"

	"ugp_explorer/node/ros/names"
)

// The examples of the design ("Topic and Service name mapping to DDS", ROS 2
// Name Examples) and the further cases of rcl's test_validate_topic_name.cpp,
// with the position that rcl reports; -1 is a valid name.
func TestValidateName(t *testing.T) {
	for _, c := range []struct {
		name  string
		index int
	}{
		{"foo", -1}, {"abc123", -1}, {"_foo", -1}, {"Foo", -1}, {"BAR", -1}, {"~", -1}, {"foo/bar", -1},
		{"~/foo", -1}, {"{foo}_bar", -1}, {"foo/{ping}/bar", -1}, {"foo/_bar", -1}, {"foo_/bar", -1}, {"foo_", -1},
		{"/foo", -1}, {"/bar/baz", -1}, {"/_private/thing", -1}, {"/public_namespace/_private/thing", -1},
		{"{foo1}", -1}, {"{foo_bar}", -1}, {"{_bar}", -1},
		{"123abc", 0}, {"123", 0}, {" ", 0}, {"foo bar", 3}, {"/~", 1}, {"~foo", 1}, {"foo~", 3}, {"foo~/bar", 3},
		{"foo/~bar", 4}, {"foo/~/bar", 4}, {"foo/", 3}, {"", 0}, {"foo/123bar", 4}, {"foo/bar}/baz", 7},
		{"foo/{bar", 4}, {"{$}", 1}, {"{{bar}_baz}", 1}, {"foo/{bar/baz}", 8}, {"{1foo}", 1},
		{"foo/{}", 5}, // the design: a substitution must not be empty
	} {
		checkName(t, names.Validate(c.name), c.name, c.index)
	}
}

// rmw's test_validate_full_topic_name.cpp and test_validate_namespace.cpp.
func TestValidateFullName(t *testing.T) {
	long := "/" + strings.Repeat("a", names.MaxTopic-1)
	for _, c := range []struct {
		name  string
		index int
	}{
		{"/some/topic", -1}, {"/_a", -1}, {"/a__b", -1}, {long, -1}, {long + "a", len(long) + 1},
		{"", 0}, {"invalid/topic", 0}, {"/invalid/topic/", 14}, {"/invalid topic", 8}, {"/~", 1}, {"/{a}", 1},
		{"/invalid//topic", 9}, {"/9invalid", 1}, {"/invalid/9topic", 9}, {"/", 0},
	} {
		checkName(t, names.ValidateFull(c.name), c.name, c.index)
	}
	for _, c := range []struct {
		name  string
		index int
	}{{"/", -1}, {"/my_ns", -1}, {"/a/b", -1}, {"", 0}, {"my_ns", 0}, {"/my_ns/", 6}} {
		checkName(t, names.ValidateNamespace(c.name), c.name, c.index)
	}
}

// rmw's test_validate_node_name.cpp.
func TestValidateNodeName(t *testing.T) {
	for _, c := range []struct {
		name  string
		index int
	}{
		{"nodename", -1}, {"node_name", -1}, {"_node", -1}, {"node1", -1}, {strings.Repeat("a", names.MaxNode), -1},
		{"", 0}, {"node/name", 4}, {"1node", 0}, {"node name", 4}, {"node-name", 4},
		{strings.Repeat("a", names.MaxNode+1), names.MaxNode + 1},
	} {
		checkName(t, names.ValidateNode(c.name), c.name, c.index)
	}
}

func checkName(t *testing.T, err error, name string, index int) {
	t.Helper()
	var ne *names.Error
	switch {
	case index < 0 && err != nil:
		t.Errorf("%q should be valid: %v", name, err)
	case index >= 0 && !errors.As(err, &ne):
		t.Errorf("%q should be refused at %d, got %v", name, index, err)
	case index >= 0 && ne.Index != index:
		t.Errorf("%q should be refused at %d, not at %d: %v", name, index, ne.Index, err)
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
		got, err := names.Expand(c.name, c.ns, c.node)
		if err != nil || got != c.want {
			t.Errorf("ExpandName(%q, %q, %q) = %q, %v, want %q", c.name, c.ns, c.node, got, err, c.want)
		}
	}
	for _, c := range []struct{ name, node, ns, says string }{
		{"/foo/{namespace}", "my_node", "/my_ns", "two slashes"}, // found after the expansion
		{"foo//bar", "my_node", "/my_ns", "two slashes"},
		{"{doesnotexist}", "my_node", "/my_ns", "unknown substitution {doesnotexist}"},
		{"white space", "my_node", "/my_ns", `character ' ' at position 5`},
		{"chatter", "/invalid_node", "/my_ns", "node name"},
		{"chatter", "my_node", "white space", "namespace"},
	} {
		got, err := names.Expand(c.name, c.ns, c.node)
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
		if ns, base := names.Split(c.full); ns != c.ns || base != c.base {
			t.Errorf("SplitName(%q) = %q, %q, want %q, %q", c.full, ns, base, c.ns, c.base)
		}
		if full := names.Join(c.ns, c.base); full != c.full {
			t.Errorf("JoinName(%q, %q) = %q, want %q", c.ns, c.base, full, c.full)
		}
	}
}
