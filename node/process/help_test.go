// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package process

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/ros/param"
)

// The help of each node has all parameters in groups, and fits into the terminal.
func TestHelp(t *testing.T) {
	e, f, g, k, s := settings.DefaultConfig(), follower.DefaultConfig(), guard.DefaultConfig(), ekf.DefaultConfig(), fieldsim.DefaultConfig()
	for name, set := range map[string]*param.Set{"explorer": e.Parameters(), "follower": f.Parameters(), "guard": g.Parameters(), "ekf": k.Parameters(), "fieldsim": s.Parameters()} {
		for _, width := range []int{60, 80, 132} {
			var out bytes.Buffer
			Program{Name: name, Summary: "does what this test is not about, in a sentence that is longer than a line of a terminal is", Parameters: set}.help(&out, name, width)
			widest := 0
			for line := range strings.Lines(out.String()) {
				widest = max(widest, utf8.RuneCountInString(strings.TrimRight(line, "\n")))
			}
			if widest > width || widest < width-8 {
				t.Errorf("%s: the longest line of %d columns has %d letters:\n%s", name, width, widest, &out)
			}
			for _, r := range set.Rows() {
				about := strings.Join(strings.Fields("; default "+r.Default+" "+r.Description), " ")
				if text := strings.Join(strings.Fields(out.String()), " "); r.Group == "" || !strings.Contains(text, about) || strings.Count(out.String(), "\n"+r.Group+":\n") != 1 {
					t.Errorf("%s, %d columns: %s of %q is not there as it should be", name, width, r.Name, r.Group)
				}
			}
		}
	}
}

// The width is that of the environment, else of the terminal, else 80.
func TestColumns(t *testing.T) {
	file, err := os.Open(os.DevNull)
	must.OK(t, err)
	defer file.Close()
	t.Setenv("COLUMNS", "")
	if n := columns(file); n != 80 {
		t.Errorf("%d columns without a terminal, want 80", n)
	}
	t.Setenv("COLUMNS", "52")
	if n := columns(file); n != 52 {
		t.Errorf("%d columns, want 52", n)
	}
}
