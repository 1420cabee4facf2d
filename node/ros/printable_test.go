// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/node/ros"
)

func TestPrintable(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain", "potassium 3.2 ± 0.1 mg/l at (1, 2)", "potassium 3.2 ± 0.1 mg/l at (1, 2)"},
		{"a space that does not break", "3 mg\u00a0K", "3 mg\u00a0K"},
		{"line end", "a\nb\r\n", `a\nb\r\n`},
		{"escape sequence", "\x1b[2Jgone\x07", `\x1b[2Jgone\a`},
		{"escape sequence in one character, C1", "\u009b2J", `\u009b2J`},
		{"direction of writing", "a\u202eb", `a\u202eb`},
		{"line separator", "a\u2028b", `a\u2028b`},
		{"NUL", "a\x00b", `a\x00b`},
		{"invalid UTF-8", "a\xff\xfeb", "a\ufffdb"},
		{"the replacement character itself", "a\ufffdb", "a\ufffdb"},
		{"long", strings.Repeat("é", 30), strings.Repeat("é", 20) + "… (60 bytes)"},
		{"long and invalid", strings.Repeat("\x80", 60), "\ufffd… (60 bytes)"},
	} {
		if got := ros.Printable(c.text, 41); got != c.want {
			t.Errorf("%s: %q became %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

// A text from outside, such as the frame of a pose, can neither forge a line of the log nor
// steer the terminal, and /rosout stays valid UTF-8, without which other nodes cannot read it.
func TestLogsKeepToTheirLines(t *testing.T) {
	var console bytes.Buffer
	ex, n := rostest.Simulated(t, "n", ros.NodeOptions{LogHandler: ros.NewConsole(&console)})
	var heard []string
	if _, err := ros.Subscribe(n, "/rosout", ros.RosoutQoS(), func(m *rcl_interfaces.Log, _ ros.MessageInfo) { heard = append(heard, m.Msg) }); err != nil {
		t.Fatal(err)
	}
	hostile := "map\n[FATAL] [0000000001.000000000] [ugp_explorer]: stop the robot\x1b[2J\xff" + strings.Repeat("x", 1<<20)
	n.Logger().Warn("a pose is in another frame and is not used", "frame_id", hostile)
	n.Logger().With("frame_id", hostile).Warn(hostile)
	must.OK(t, ex.RunTo(t.Context(), 1e9))
	if lines := strings.Count(console.String(), "\n"); lines != 2 || strings.ContainsAny(console.String(), "\x1b\r") {
		t.Errorf("the terminal got %d lines, want 2 without escape sequences: %.300q", lines, console.String())
	}
	if len(heard) != 2 {
		t.Fatalf("/rosout had %d messages, want 2", len(heard))
	}
	for _, text := range heard {
		if !utf8.ValidString(text) || strings.ContainsAny(text, "\n\x1b") || len(text) > 2*ros.MostText+200 {
			t.Errorf("/rosout had %d bytes, valid UTF-8: %v: %.200q", len(text), utf8.ValidString(text), text)
		}
	}
}
