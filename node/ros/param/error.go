// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param

import (
	"fmt"
	"strings"
)

// paramError is a value that a parameter cannot have.
type paramError struct {
	File       string // source of the value, or "command line"; "" for neither
	Line       int    // in File, from 1; 0 if unknown
	Node       string // full name; "" if unknown
	Name       string
	Given      string // the value as written in YAML; "" if irrelevant
	Allowed    string // description of the allowed values; "" if irrelevant
	Reason     string // "" if Given and Allowed explain the error
	Suggestion string // a similar name that exists, or ""
}

func (e *paramError) Error() string {
	var text strings.Builder
	if e.File != "" {
		text.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&text, ":%d", e.Line)
		}
		text.WriteString(": ")
	}
	if e.Node != "" {
		fmt.Fprintf(&text, "node %s: ", e.Node)
	}
	fmt.Fprintf(&text, "parameter %q", e.Name)
	sep := ": "
	for _, part := range []struct{ before, text string }{
		{"", e.Reason}, {"given ", e.Given}, {"allowed is ", e.Allowed},
	} {
		if part.text != "" {
			text.WriteString(sep + part.before + part.text)
			sep = ", "
		}
	}
	if e.Suggestion != "" {
		fmt.Fprintf(&text, "; did you mean %q?", e.Suggestion)
	}
	return text.String()
}
