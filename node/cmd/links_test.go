// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package cmd_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// What a program must not link, as patterns of import paths, and why.
var (
	support    = rule{`^ugp_explorer/(internal/testkit/.*|.*test$|msgs/internal/gen$)`, "is for tests and developers"}
	rigs       = rule{`^ugp_explorer/node/simulation(/|$)`, "runs whole missions, and belongs to ugp"}
	simulator  = rule{`^ugp_explorer/sim$`, "is the simulated world: a robot has a real one"}
	research   = rule{`^ugp_explorer/sim/`, "compares methods, and belongs to ugp"}
	bagReading = rule{`^(ugp_explorer/msgs/bag|ugp_explorer/node/replay|github\.com/foxglove/mcap/.*|modernc\.org/.*|database/sql)$`, "reads bags: a robot writes them"}
	templates  = rule{`^(text|html)/template$`, "calls methods by their names, so that the linker keeps every exported method of every type: 6 MB of the explorer"}
	testing_   = rule{`^(testing(/.*)?|net/http/httptest|github\.com/stretchr/testify/.*|github\.com/google/go-cmp/.*|pgregory\.net/rapid)$`, "is for tests"}
)

type rule struct{ pattern, why string }

// forbidden has the rules of each program. For ugp the library that reads MCAP brings testify.
var forbidden = map[string][]rule{
	"explorer": {support, rigs, simulator, research, bagReading, templates, testing_},
	"ekf":      {support, rigs, simulator, research, bagReading, templates, testing_},
	"follower": {support, rigs, simulator, research, bagReading, templates, testing_},
	"guard":    {support, rigs, simulator, research, bagReading, templates, testing_},
	"fieldsim": {support, rigs, research, bagReading, templates, testing_},
	"ugp":      {support},
}

// Programs link only what they need: see forbidden.
func TestLinks(t *testing.T) {
	look(t)
	programs, err := filepath.Glob("*/main.go")
	if err != nil || len(programs) != len(forbidden) {
		t.Errorf("there are the programs %q (%v), and rules for %d", programs, err, len(forbidden))
	}
	for _, tag := range []string{"none", "fastdds", "rclgo"} {
		for program, rules := range forbidden {
			list := links(t, "-tags", tag, "./"+program)
			for _, r := range rules {
				if bad := r.broken(list); len(bad) > 0 {
					t.Errorf("%s with the tag %s links %s, which %s", program, tag, strings.Join(bad, ", "), r.why)
				}
			}
		}
	}
}

// An existing package breaks each rule, so that no rule outlives a package that was moved.
func TestRules(t *testing.T) {
	look(t)
	all := links(t, "-test", "../...", "../../internal/testkit/...", "../../msgs/internal/gen")
	for _, rules := range forbidden {
		for _, r := range rules {
			if len(r.broken(all)) == 0 {
				t.Errorf("no package matches %s", r.pattern)
			}
		}
	}
}

// broken returns the packages that the rule forbids.
func (r rule) broken(list []string) []string {
	pattern := regexp.MustCompile(r.pattern)
	return slices.DeleteFunc(slices.Clone(list), func(path string) bool { return !pattern.MatchString(path) })
}

// links lists the packages that are linked with others, themselves included.
func links(t *testing.T, of ...string) []string {
	t.Helper()
	list := exec.Command("go", append([]string{"list", "-deps"}, of...)...)
	list.Env = append(os.Environ(), "CGO_ENABLED=1") // as the transports over DDS need it; nothing is compiled
	out, err := list.Output()
	must.OK(t, err)
	return strings.Fields(string(out))
}

// look looks at all files of the module, so that go test runs the test again when one has changed.
func look(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".go" {
			_, err = os.Stat(path)
		}
		return err
	})
	must.OK(t, err)
}
