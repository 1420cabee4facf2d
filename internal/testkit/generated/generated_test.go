// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package generated

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// failing notes how a test would have ended.
type failing struct {
	*testing.T
	with string
}

func (f *failing) Fatal(args ...any) { f.with = fmt.Sprint(args...) }

// A file that differs is named with its lines and the command that writes it, and is written only when asked for.
func TestCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "list.txt")
	must.OK(t, os.WriteFile(file, []byte("one\ntwo\n"), 0o644))
	t.Setenv(variable, "")
	for _, c := range []struct{ want, tells string }{
		{"one\ntwo\n", ""}, {"one\nthree\n", "- two\n+ three"}, {"two\none\n", "another order"}, {strings.Repeat("more of the same\n", 3), "+ more of the same"},
		{strings.Repeat("curve ", 1000), "+ " + strings.Repeat("curve ", 33) + "cu"},
	} {
		f := &failing{T: t}
		Check(f, file, c.want, Command("./folder", "Test"))
		if f.with == "" != (c.tells == "") || !strings.Contains(f.with, c.tells) || c.tells != "" && !strings.Contains(f.with, "UPDATE_GENERATED=1 go test ./folder -run Test") {
			t.Errorf("%q: %q, want %q", c.want, f.with, c.tells)
		}
		if len(f.with) > 1000 {
			t.Errorf("the difference has %d characters", len(f.with))
		}
	}
	t.Setenv(variable, "1")
	Check(t, file, "three\n", "")
	if now, err := os.ReadFile(file); err != nil || string(now) != "three\n" {
		t.Errorf("the file is now %q, %v", now, err)
	}
}
