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
// control and formatting characters, line separators and invalid UTF-8 become escapes as in Go's
// strings, and what is longer than most bytes is cut and says how long it was. Most texts are
// returned as they are.
func Printable(text string, most int) string {
	if len(text) <= most && isPrintable(text) {
		return text
	}
	whole := len(text)
	if whole > most {
		cut := most
		for cut > most-utf8.UTFMax && cut > 0 && !utf8.RuneStart(text[cut]) { // no character is cut in two
			cut--
		}
		text = text[:cut]
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case invalid(text[i:], r):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case steers(r):
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
	}
	if whole > most {
		fmt.Fprintf(&b, "… (%d bytes)", whole)
	}
	return b.String()
}

// PrintableLines is Printable for each line of a text of several, such as joined errors.
func PrintableLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Printable(line, MostText)
	}
	return strings.Join(lines, "\n")
}

func isPrintable(text string) bool {
	for i, r := range text {
		if steers(r) || invalid(text[i:], r) {
			return false
		}
	}
	return true
}

// invalid reports whether text, whose first rune was read as r, begins with invalid UTF-8.
func invalid(text string, r rune) bool {
	if r != utf8.RuneError {
		return false
	}
	_, size := utf8.DecodeRuneInString(text)
	return size == 1
}

// steers reports whether r moves a cursor, ends a line, or changes the direction of writing.
func steers(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7f
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
