// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package version

import (
	"encoding/xml"
	"fmt"
	"os"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/generated"
	"ugp_explorer/internal/testkit/must"
)

// TestGeneratedNumber keeps number.go equal to the version in package.xml.
func TestGeneratedNumber(t *testing.T) {
	text, err := os.ReadFile("../../package.xml")
	must.OK(t, err)
	var ros struct {
		Version string `xml:"version"`
	}
	must.OK(t, xml.Unmarshal(text, &ros))
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(ros.Version) {
		t.Fatalf("the version in package.xml is %q, want three numbers as in 1.0.0 (REP-127)", ros.Version)
	}
	text = fmt.Appendf([]byte(Header), "// Code generated from package.xml. DO NOT EDIT.\n\npackage version\n\n// Number is the version of all programs.\nconst Number = %q\n", ros.Version)
	generated.Check(t, "number.go", string(text), generated.Command("./internal/version", "Generated"))
}

// The first version of the changelog is the present one, or what comes next (REP-132).
func TestChangelog(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.rst")
	must.OK(t, err)
	heading := regexp.MustCompile(`(?m)^(Forthcoming|\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\))\n(-+)$`)
	found := heading.FindAllStringSubmatch(string(text), -1)
	if len(found) == 0 {
		t.Fatal("CHANGELOG.rst has no heading such as 1.0.0 (2026-11-27)")
	}
	released := false
	for _, h := range found {
		if len(h[1]) != len(h[2]) {
			t.Errorf("the line below %q has %d dashes, want %d", h[1], len(h[2]), len(h[1]))
		}
		released = released || strings.HasPrefix(h[1], Number+" ")
	}
	if !released {
		t.Errorf("CHANGELOG.rst has nothing about %s, the version in package.xml", Number)
	}
}

func TestText(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.26.0", Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc123"}, {Key: "vcs.modified", Value: "true"}}}
	info.Main.Version = "(devel)"
	if got, want := text("guard", info), "guard "+Number+" of ugp_explorer, commit abc123 with changes, go1.26.0"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := text("ugp", &debug.BuildInfo{}), "ugp "+Number+" of ugp_explorer"; got != want {
		t.Errorf("without build information %q, want %q", got, want)
	}
	if got := Text("ugp"); !strings.HasPrefix(got, "ugp "+Number) {
		t.Errorf("this program is %q", got)
	}
}
