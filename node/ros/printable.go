// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MostText is the longest text from outside that a log line or a diagnostic quotes, bytes.
const MostText = 4096

// Printable returns text such that it stays on one line of a log and cannot steer a terminal:
// control and formatting characters and line separators become escapes as in Go's strings,
// invalid UTF-8 the replacement character. A text longer than most bytes is cut, and its length is
// added. Other texts are returned unchanged.
func Printable(text string, most int) string {
	whole := len(text)
	if whole > most {
		cut := most
		for cut > most-utf8.UTFMax && cut > 0 && !utf8.RuneStart(text[cut]) { // no character is cut in two
			cut--
		}
		text = text[:cut]
	}
	text = strings.ToValidUTF8(text, "\ufffd")
	if strings.ContainsFunc(text, steers) {
		var b strings.Builder
		for _, r := range text {
			if steers(r) {
				quoted := strconv.QuoteRuneToASCII(r)
				b.WriteString(quoted[1 : len(quoted)-1])
			} else {
				b.WriteRune(r)
			}
		}
		text = b.String()
	}
	if whole > most {
		text += fmt.Sprintf("… (%d bytes)", whole)
	}
	return text
}

// PrintableLines is Printable for each line of a text of several, such as joined errors.
func PrintableLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Printable(line, MostText)
	}
	return strings.Join(lines, "\n")
}

// steers reports whether r moves a cursor, ends a line, or changes the direction of writing.
func steers(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7f
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
