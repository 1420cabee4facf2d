package names

import (
	"fmt"
	"strings"
)

// Lengths of the longest names that fit a DDS topic of 256 characters, as in rmw
// (rmw/validate_full_topic_name.h, validate_namespace.h, validate_node_name.h).
const (
	MaxTopic     = 247
	MaxNamespace = 245
	MaxNode      = 255
)

// Error is an error in a name.
type Error struct {
	Kind   string // "node name", "namespace", "topic or service name"
	Name   string // as given
	Index  int    // byte position of the error, from 0
	Reason string
}

func (e *Error) Error() string {
	if e.Index < len(e.Name) {
		return fmt.Sprintf("ros: %s %q: %s (character %q at position %d)",
			e.Kind, e.Name, e.Reason, e.Name[e.Index], e.Index)
	}
	return fmt.Sprintf("ros: %s %q: %s", e.Kind, e.Name, e.Reason)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWord(c byte) bool {
	return isDigit(c) || c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// ValidParameter reports whether name consists of parts joined by dots, each of
// letters, digits and underscores and not beginning with a digit.
func ValidParameter(name string) bool {
	start := true
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '.' && !start:
			start = true
		case !isWord(c) || start && isDigit(c):
			return false
		default:
			start = false
		}
	}
	return !start
}

// ValidateNode returns a *Error unless name is one token of letters,
// digits and underscores that does not begin with a digit.
func ValidateNode(name string) error {
	fail := func(i int, reason string) error { return &Error{"node name", name, i, reason} }
	if name == "" {
		return fail(0, "must not be empty")
	}
	for i := 0; i < len(name); i++ {
		if !isWord(name[i]) {
			return fail(i, "may hold only letters, digits and underscores")
		}
	}
	if isDigit(name[0]) {
		return fail(0, "must not begin with a digit")
	}
	if len(name) > MaxNode {
		return fail(len(name), fmt.Sprintf("is %d characters long, at most %d are allowed", len(name), MaxNode))
	}
	return nil
}

// ValidateNamespace returns a *Error unless ns is "/" or a fully qualified
// name such as "/robot1/left".
func ValidateNamespace(ns string) error {
	if ns == "/" {
		return nil
	}
	return validateFull("namespace", ns, MaxNamespace)
}

// ValidateFull returns a *Error unless name is a fully qualified topic
// or service name: absolute, no "~", no braces, no empty token.
func ValidateFull(name string) error {
	return validateFull("topic or service name", name, MaxTopic)
}

func validateFull(kind, name string, longest int) error {
	fail := func(i int, reason string) error { return &Error{kind, name, i, reason} }
	switch {
	case name == "":
		return fail(0, "must not be empty")
	case name[0] != '/':
		return fail(0, "must begin with a slash")
	case name[len(name)-1] == '/':
		return fail(len(name)-1, "must not end with a slash")
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c != '/' && !isWord(c):
			return fail(i, "may hold only letters, digits, underscores and slashes")
		case i > 0 && c == '/' && name[i-1] == '/':
			return fail(i, "must not hold two slashes in a row")
		case i > 0 && isDigit(c) && name[i-1] == '/':
			return fail(i, "no part may begin with a digit")
		}
	}
	if len(name) > longest {
		return fail(len(name), fmt.Sprintf("is %d characters long, at most %d are allowed", len(name), longest))
	}
	return nil
}

// Validate returns a *Error unless a program may use name for a topic or a
// service: absolute, relative or private ("~", "~/x"), with the substitutions {node}, {ns}
// and {namespace}. Repeated slashes are found after the expansion, by [Expand].
func Validate(name string) error {
	fail := func(i int, reason string) error { return &Error{"topic or service name", name, i, reason} }
	switch {
	case name == "":
		return fail(0, "must not be empty")
	case isDigit(name[0]):
		return fail(0, "must not begin with a digit")
	case name[len(name)-1] == '/':
		return fail(len(name)-1, "must not end with a slash")
	}
	brace := -1 // start of the substitution that is open
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case brace >= 0 && c == '}':
			if i == brace+1 {
				return fail(i, "empty substitution")
			}
			brace = -1
		case brace >= 0 && !isWord(c):
			return fail(i, "a substitution may hold only letters, digits and underscores")
		case brace >= 0 && i == brace+1 && isDigit(c):
			return fail(i, "a substitution must not begin with a digit")
		case brace >= 0 || isWord(c) && !(i > 0 && name[i-1] == '/' && isDigit(c)):
		case c == '{':
			brace = i
		case c == '}':
			return fail(i, "closing brace without an opening brace")
		case c == '~' && i > 0:
			return fail(i, "a tilde may stand only at the beginning")
		case c == '~' && len(name) > 1 && name[1] != '/':
			return fail(1, "a tilde must be followed by a slash")
		case c == '~' || c == '/':
		case isDigit(c):
			return fail(i, "no part may begin with a digit")
		default:
			return fail(i, "may hold only letters, digits, underscores, slashes, a tilde in front and {substitutions}")
		}
	}
	if brace >= 0 {
		return fail(brace, "opening brace without a closing brace")
	}
	return nil
}

// Expand returns the fully qualified form of name for a node: ns is put in front of
// relative names, "~" becomes the full name of the node, and {node}, {ns} and {namespace}
// are replaced. It does not remap, see [Remaps].
func Expand(name, ns, node string) (string, error) {
	if err := Validate(name); err != nil {
		return "", err
	}
	if err := ValidateNode(node); err != nil {
		return "", err
	}
	if err := ValidateNamespace(ns); err != nil {
		return "", err
	}
	full, err := substitute(name, ns, node)
	if err != nil {
		return "", err
	}
	switch {
	case full[0] == '~':
		full = Join(ns, node) + full[1:]
	case full[0] != '/':
		full = Join(ns, full)
	}
	if err := ValidateFull(full); err != nil {
		return "", fmt.Errorf("ros: %q in namespace %q: %w", name, ns, err)
	}
	return full, nil
}

// Join returns ns and name with one slash between them.
func Join(ns, name string) string {
	if strings.HasSuffix(ns, "/") {
		return ns + name
	}
	return ns + "/" + name
}

// Split returns the namespace and the last part of a fully qualified name:
// "/a/b" is "/a" and "b", "/b" is "/" and "b".
func Split(full string) (ns, base string) {
	i := strings.LastIndexByte(full, '/')
	if i <= 0 {
		return "/", full[i+1:]
	}
	return full[:i], full[i+1:]
}

func substitute(name, ns, node string) (string, error) {
	if !strings.Contains(name, "{") {
		return name, nil
	}
	var out strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] != '{' {
			out.WriteByte(name[i])
			continue
		}
		end := i + strings.IndexByte(name[i:], '}')
		switch key := name[i+1 : end]; key {
		case "node":
			out.WriteString(node)
		case "ns", "namespace":
			out.WriteString(ns)
		default:
			return "", &Error{"topic or service name", name, i + 1,
				fmt.Sprintf("unknown substitution {%s}; {node}, {ns} and {namespace} are known", key)}
		}
		i = end
	}
	return out.String(), nil
}
