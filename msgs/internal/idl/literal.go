package idl

import (
	"fmt"
	"strconv"
	"strings"
)

// parseDefault returns the literals of a field's default: one, or one for each element in brackets.
func parseDefault(t Type, s string) ([]string, error) {
	if !t.Primitive() {
		return nil, fmt.Errorf("%s is a message and takes none", t.Base)
	}
	if t.Kind == Single {
		v, err := parseLiteral(t.Base, s)
		if err == nil && t.StringBound > 0 && len(v) > t.StringBound {
			err = fmt.Errorf("%q is longer than %d bytes", v, t.StringBound)
		}
		return []string{v}, err
	}
	if !strings.HasPrefix(s, "[") || !strings.HasSuffix(s, "]") {
		return nil, fmt.Errorf("%q is not a list in brackets", s)
	}
	var values []string
	for _, item := range splitList(s[1 : len(s)-1]) {
		v, err := parseLiteral(t.Base, item)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	if t.Kind == Array && len(values) != t.Size || t.Kind == Bounded && len(values) > t.Size {
		return nil, fmt.Errorf("%d values for %d elements", len(values), t.Size)
	}
	return values, nil
}

// splitList splits at commas outside quotes.
func splitList(s string) []string {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	var items []string
	for i := unquoted(s, ','); i >= 0; i = unquoted(s, ',') {
		items = append(items, strings.TrimSpace(s[:i]))
		s = s[i+1:]
	}
	return append(items, strings.TrimSpace(s))
}

// unquoted returns the index of the first mark in s outside quotes, -1 if there is none.
func unquoted(s string, mark byte) int {
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == mark:
			return i
		}
	}
	return -1
}

// parseLiteral checks s against the primitive type and returns it in Go's spelling; strings lose their quotes.
func parseLiteral(typ, s string) (string, error) {
	var err error
	switch typ {
	case "bool":
		switch s {
		case "true", "True", "1":
			return "true", nil
		case "false", "False", "0":
			return "false", nil
		}
		return "", fmt.Errorf("%q is no bool", s)
	case "string":
		return unquote(s)
	case "float32":
		_, err = strconv.ParseFloat(s, 32)
	case "float64":
		_, err = strconv.ParseFloat(s, 64)
	case "byte", "char":
		_, err = strconv.ParseUint(s, 0, 8)
	case "int8", "int16", "int32", "int64":
		bits, _ := strconv.Atoi(typ[3:])
		_, err = strconv.ParseInt(s, 0, bits)
	case "uint8", "uint16", "uint32", "uint64":
		bits, _ := strconv.Atoi(typ[4:])
		_, err = strconv.ParseUint(s, 0, bits)
	default:
		return "", fmt.Errorf("%s takes no literal", typ)
	}
	if err != nil {
		return "", fmt.Errorf("%q is no %s", s, typ)
	}
	return s, nil
}

// unquote takes the quotes from a string, single or double, and resolves \ before a quote and before another \.
func unquote(s string) (string, error) {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return s, nil
	}
	quote := s[0]
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == quote && i == len(s)-1:
			return b.String(), nil
		case c == quote:
			return "", fmt.Errorf("something follows the closing quote in %s", s)
		case c == '\\' && i+1 < len(s) && (s[i+1] == '\\' || s[i+1] == '"' || s[i+1] == '\''):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", fmt.Errorf("no closing quote in %s", s)
}
