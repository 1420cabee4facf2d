package main

import (
	"io"
	"math"
	"strings"

	"ugp_explorer/node/ros"
)

// shown writes texts that may come from a stranger's bag or node, such that they cannot steer the
// terminal: all control characters but line ends and tabs are escaped.
type shown struct{ w io.Writer }

// Write implements io.Writer. A character must not be split between two calls.
func (s shown) Write(b []byte) (int, error) {
	rest := string(b)
	for rest != "" {
		at := strings.IndexAny(rest, "\n\t")
		if at < 0 {
			at = len(rest)
		}
		if _, err := io.WriteString(s.w, ros.Printable(rest[:at], math.MaxInt)); err != nil {
			return 0, err
		}
		rest = rest[at:]
		if rest != "" {
			if _, err := io.WriteString(s.w, rest[:1]); err != nil {
				return 0, err
			}
			rest = rest[1:]
		}
	}
	return len(b), nil
}
