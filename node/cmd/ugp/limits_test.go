// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// constants returns the constants of a package that need no other package.
func constants(t *testing.T, dir string) *types.Scope {
	t.Helper()
	set := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	must.OK(t, err)
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, 0)
		must.OK(t, err)
		files = append(files, f)
	}
	conf := types.Config{IgnoreFuncBodies: true, Error: func(error) {}} // for what it needs of others
	p, _ := conf.Check(dir, set, files, nil)
	return p.Scope()
}

// spellings returns how the table may write a number.
func spellings(v constant.Value) []string {
	n, exact := constant.Int64Val(constant.ToInt(v))
	if !exact {
		f, _ := constant.Float64Val(v)
		return []string{strings.Replace(fmt.Sprintf("%g", f), "e+", "e", 1)}
	}
	plain := fmt.Sprint(n)
	commas := plain
	for at := len(commas) - 3; at > 0; at -= 3 {
		commas = commas[:at] + "," + commas[at:]
	}
	all := []string{plain, commas}
	for i, unit := range []string{"KiB", "MiB", "GiB"} {
		if size := int64(1) << (10 * (i + 1)); n%size == 0 && n/size < 1024 {
			all = append(all, fmt.Sprintf("%d %s", n/size, unit))
		}
	}
	return all
}

// limits names the constants of each row of the table.
var limits = map[string]string{
	"outline, `field.file`":                                                      "planner/field.maxFieldFile planner/field.maxCorners planner/field.maxBends",
	"outline: coordinates; width and height, m":                                  "planner/field.maxReach planner/field.maxExtent",
	"recording of an outline: points of an open ring, corners, its file":         "planner/field/outline.maxPoints planner/field/outline.maxCorners node/explorer/host.mostBytes",
	"earlier samples, `earlier.file`":                                            "node/export/samples.MostBytes node/export/samples.mostRows planner/table.mostColumns",
	"parameter file":                                                             "node/ros/param.mostFile",
	"parameters: length of a text, elements of an array, parameters per request": "node/ros/param.mostString node/ros/param.mostElements node/ros/param.mostAsked",
	"bag: a chunk or message":                                                    "msgs/bag.maxChunk",
	"`mission.json`; a line of the journal":                                      "node/record.mostFile node/record/journal.mostLine",
	"any message; all messages waiting on a topic":                               "node/ros.MostMessage",
	"poses: covariance; readings: value, variance":                               "localization.overflow",
	"`/tf`":                   "node/tf.mostFrames node/tf.mostName node/tf.mostEntries",
	"`plan` for the follower": "planner/pursuit.maxPoints",
	"commands":                "node/web.CommandRate node/web.CommandBurst",
	"team: mates, their observations, their distance":                      "node/explorer/settings.MostMates node/explorer/team.mostOfMates node/explorer/team.mateFields",
	"page: request, connections, connections from one address, live views": "node/web.mostBody node/web.mostConnections node/web.mostConnectionsEach node/web.mostClients",
	"page: token":                                     "node/web.shortestToken node/web.longestToken",
	"a text from outside in a log":                    "node/ros.MostText",
	"cells of maps, of `~/keepout`, of exported maps": "node/explorer/show.mostCells node/explorer/ground.mostKeepoutCells node/export.mostCells",
}

// The table of limits has the values of the code.
func TestTableOfLimits(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	must.OK(t, err)
	_, section, _ := strings.Cut(string(text), "\n## Limits\n")
	section, _, _ = strings.Cut(section, "\n## ")
	read := map[string]*types.Scope{}
	for row, names := range limits {
		_, limit, ok := strings.Cut(section, "\n| "+row+" | ")
		if !ok {
			t.Errorf("the table has no row %q", row)
			continue
		}
		limit, _, _ = strings.Cut(limit, " |\n")
		for cited := range strings.FieldsSeq(names) {
			dir, name, _ := strings.Cut(cited, ".")
			if read[dir] == nil {
				read[dir] = constants(t, filepath.Join("../../..", dir))
			}
			c, ok := read[dir].Lookup(name).(*types.Const)
			if !ok || c.Val().Kind() == constant.Unknown {
				t.Errorf("there is no constant %s in %s", name, dir)
				continue
			}
			v := c.Val()
			found := false
			for _, s := range spellings(v) {
				found = found || regexp.MustCompile(`(^|[^0-9,.])`+regexp.QuoteMeta(s)+`($|[^0-9,.]|[,.]($|[^0-9]))`).MatchString(limit)
			}
			if !found {
				t.Errorf("%s is %v (%s), and the table says %q", cited, v, strings.Join(spellings(v), " or "), limit)
			}
		}
	}
}
