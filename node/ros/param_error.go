package ros

import (
	"fmt"
	"strings"
)

// ParameterError says which parameter was given what it cannot have.
type ParameterError struct {
	File       string // that it stands in, or "command line"; "" when neither
	Line       int    // in File, from 1; 0 when not known
	Node       string // full name, "" when not known
	Name       string
	Given      string // as one would write it, "" when it does not matter
	Allowed    string // "" when it does not matter
	Reason     string // what is wrong, "" when Given and Allowed say it
	Suggestion string // the name that was meant, perhaps
}

func (e *ParameterError) Error() string {
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

// nearest returns the name among names that a typing error might have turned
// into name, or "". Of several as near, the first.
func nearest(name string, names []string) string {
	best, at := "", 1+max(2, len(name)/3)
	for _, n := range names {
		if d := editDistance(strings.ToLower(name), strings.ToLower(n), at); d < at {
			best, at = n, d
		}
	}
	return best
}

// editDistance returns the number of letters to insert, delete, replace or swap
// with their neighbour (optimal string alignment), or limit when it is not less.
func editDistance(a, b string, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+b2i(a[i-1] != b[j-1]))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return min(row[len(b)], limit)
}
