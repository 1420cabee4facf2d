package idl

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// primitives maps the language's own types to the type codes of REP-2016 (type_description_interfaces/msg/FieldType) for a single element. char is an
// unsigned byte in ROS 2, but its code is uint8's: rosidl turns it into uint8 before it hashes.
var primitives = map[string]int{
	"int8": 2, "uint8": 3, "char": 3, "int16": 4, "uint16": 5, "int32": 6, "uint32": 7, "int64": 8, "uint64": 9,
	"float32": 10, "float64": 11, "bool": 15, "byte": 16, "string": 17,
}

var (
	packagePattern  = regexp.MustCompile(`^[a-z](_?[a-z0-9]+)*$`)
	messagePattern  = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	fieldPattern    = regexp.MustCompile(`^[a-z](_?[a-z0-9]+)*$`)
	constantPattern = regexp.MustCompile(`^[A-Z](_?[A-Z0-9]+)*$`)
	arrayPattern    = regexp.MustCompile(`^(.*)\[(<=)?(\d*)\]$`)
	boundedString   = regexp.MustCompile(`^string<=(\d+)$`)
)

// folders are where a package has its interfaces.
var folders = []string{"msg", "srv", "action"}

func splitName(name string) (pkg, dir string, err error) {
	parts := strings.Split(name, "/")
	if len(parts) != 3 || !packagePattern.MatchString(parts[0]) || !slices.Contains(folders, parts[1]) || !messagePattern.MatchString(parts[2]) {
		return "", "", fmt.Errorf("interface name %q is not of the form package/msg/Type, package/srv/Type or package/action/Type", name)
	}
	return parts[0], parts[1], nil
}

// divide splits a definition at its lines of ---, which must be one fewer than there are parts.
func divide(name, text string, parts ...string) ([]string, error) {
	texts := []string{""}
	for i, l := range strings.SplitAfter(text, "\n") {
		if strings.TrimSpace(l) != "---" {
			texts[len(texts)-1] += l
			continue
		}
		if texts = append(texts, ""); len(texts) > len(parts) {
			return nil, fmt.Errorf("%s:%d: one line of --- too many, want %d", name, i+1, len(parts)-1)
		}
	}
	if n := len(texts); n < len(parts) {
		return nil, fmt.Errorf("%s: no line of --- between %s and %s", name, parts[n-1], parts[n])
	}
	return texts, nil
}

func parseService(pkg, name, text string) (*Service, error) {
	s := &Service{Name: name}
	parts, err := divide(name, text, "request", "response")
	if err != nil {
		return nil, err
	}
	if s.Request, err = parseMessage(pkg, name+"_Request", parts[0]); err != nil {
		return nil, err
	}
	if s.Response, err = parseMessage(pkg, name+"_Response", parts[1]); err != nil {
		return nil, err
	}
	s.Comment, s.Request.Comment = s.Request.Comment, nil
	return s, nil
}

// parseMessage parses text. The comment lines that it begins with, up to the first other line, are the message's own; later ones belong to the field or constant
// that follows at once.
func parseMessage(pkg, name, text string) (*Message, error) {
	m := &Message{Name: name, Text: text}
	names := map[string]bool{}
	var above []string
	top := true
	for i, line := range strings.Split(text, "\n") {
		code, comment := splitComment(line)
		switch {
		case code == "" && comment != "" && top:
			m.Comment = append(m.Comment, comment)
			continue
		case code == "" && comment != "":
			above = append(above, comment)
			continue
		case code == "":
			above, top = nil, top && len(m.Comment) == 0
			continue
		}
		top = false
		if err := m.add(pkg, code, above, comment, names); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		above = nil
	}
	return m, nil
}

// add parses one line without its comment.
func (m *Message) add(pkg, code string, above []string, beside string, names map[string]bool) error {
	typ, rest := cut(code)
	name, value := cut(rest)
	if eq := strings.IndexByte(rest, '='); eq >= 0 && constantPattern.MatchString(strings.TrimSpace(rest[:eq])) {
		c := Constant{Name: strings.TrimSpace(rest[:eq]), Type: typ, Value: literal(typ, strings.TrimSpace(rest[eq+1:])), Above: above, Beside: beside}
		if names[c.Name] {
			return fmt.Errorf("%s is defined twice", c.Name)
		}
		names[c.Name] = true
		m.Constants = append(m.Constants, c)
		return nil
	}
	t, err := parseType(pkg, typ)
	if err != nil {
		return err
	}
	if !fieldPattern.MatchString(name) {
		return fmt.Errorf("field name %q: want lower-case letters, digits and single underscores, a letter first", name)
	}
	if names[name] {
		return fmt.Errorf("%s is defined twice", name)
	}
	names[name] = true
	m.Fields = append(m.Fields, Field{Name: name, Type: t, Default: value, Above: above, Beside: beside})
	return nil
}

func parseType(pkg, s string) (Type, error) {
	var t Type
	if p := arrayPattern.FindStringSubmatch(s); p != nil {
		s = p[1]
		switch {
		case p[3] == "" && p[2] == "":
			t.Kind = Sequence
		case p[3] == "":
			return t, fmt.Errorf("type %q has no bound after <=", p[0])
		default:
			n, err := strconv.ParseUint(p[3], 10, 31)
			if err != nil || n == 0 {
				return t, fmt.Errorf("type %q: array size must be from 1 to 2147483647", p[0])
			}
			t.Size, t.Kind = int(n), Array
			if p[2] != "" {
				t.Kind = Bounded
			}
		}
	}
	if p := boundedString.FindStringSubmatch(s); p != nil {
		n, err := strconv.ParseUint(p[1], 10, 31)
		if err != nil || n == 0 {
			return t, fmt.Errorf("type %q: string bound must be from 1 to 2147483647", s)
		}
		t.Base, t.StringBound = "string", int(n)
		return t, nil
	}
	if _, ok := primitives[s]; ok {
		t.Base = s
		return t, nil
	}
	if s == "wstring" {
		return t, fmt.Errorf("type wstring is not supported")
	}
	parts := strings.Split(s, "/")
	switch {
	case len(parts) == 1:
		parts = []string{pkg, "msg", parts[0]}
	case len(parts) == 2:
		parts = []string{parts[0], "msg", parts[1]}
	}
	t.Base = strings.Join(parts, "/")
	if _, dir, err := splitName(t.Base); err != nil || dir != "msg" {
		return t, fmt.Errorf("type %q is neither primitive nor the name of a message", s)
	}
	return t, nil
}

// literal returns a constant in Go's spelling, a string without its quotes. Whether it is of its type, the compiler of the generated code says.
func literal(typ, s string) string {
	switch {
	case typ == "bool":
		return strings.ToLower(s)
	case typ == "string" && len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0]:
		return s[1 : len(s)-1]
	}
	return s
}

// splitComment returns a line's code and its comment, both trimmed. A # inside quotes begins no comment.
func splitComment(line string) (code, comment string) {
	var quote rune
	for i, c := range line {
		switch {
		case c == quote:
			quote = 0
		case quote != 0:
		case c == '"' || c == '\'':
			quote = c
		case c == '#':
			return strings.TrimSpace(line[:i]), strings.TrimSpace(line[i+1:])
		}
	}
	return strings.TrimSpace(line), ""
}

// cut splits s at its first run of white space.
func cut(s string) (first, rest string) {
	i := strings.IndexAny(s, " \t")
	if i < 0 {
		return s, ""
	}
	return s[:i], strings.TrimSpace(s[i:])
}
