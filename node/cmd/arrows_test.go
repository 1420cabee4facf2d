// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package cmd_test

import (
	"os/exec"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// floors are the folders from the lowest to the highest, each with what is below it and not named itself. A package
// imports packages of lower floors, and of its own folder. So the algorithms, which come first, know no message, and no
// node knows who runs it.
var floors = [][]string{
	{"internal/num", "internal/version"},
	{"gp", "localization", "planner/covariate", "planner/field/geojson", "planner/internal"},
	{"planner/earth"},
	{"planner/table"},
	{"localization/filter", "planner/field", "planner/guard", "planner/mission", "planner/pursuit", "planner/surface"},
	{"planner/acquire", "planner/execution", "sim"},
	{"planner"},
	{"sim/experiment"},
	{"msgs"},
	{"node/chart", "node/record", "node/ros"},
	{"node/convert", "node/explorer/ground", "node/painter", "node/process", "node/record/journal", "node/tf"},
	{"node/ekf", "node/explorer/drive", "node/export/samples", "node/fieldsim", "node/follower", "node/recorder", "node/sense", "node/web"},
	{"node/covariate", "node/guard"},
	{"node/explorer/settings", "node/export"},
	{"node/explorer/heading", "node/explorer/show", "node/explorer/truth", "node/report"},
	{"node/explorer/edge", "node/explorer/logbook", "node/explorer/team"},
	{"node/explorer/gather", "node/explorer/learn", "node/explorer/pilot"},
	{"node/explorer/decide"},
	{"node/explorer/parts"},
	{"node/explorer"},
	{"node/explorer/host", "node/replay"},
	{"node/doctor", "node/simulation"},
	{"node/launcher"},
	{"node/cmd"},
}

// outside are folders that no program links: what tests and developers need.
var outside = []string{"internal/testkit", "msgs/all", "node/ros/interop"}

// within returns the longest of the folders that has a package.
func within(path string, folders []string) (longest string) {
	for _, f := range folders {
		if (path == f || strings.HasPrefix(path, f+"/")) && len(f) > len(longest) {
			longest = f
		}
	}
	return longest
}

// Imports point downwards: see floors.
func TestArrows(t *testing.T) {
	floorOf, unused, all := map[string]int{}, map[string]bool{}, outside
	for i, floor := range floors {
		for _, f := range floor {
			floorOf[f], unused[f], all = i, true, append(all, f)
		}
	}
	look(t)
	list, err := exec.Command("go", "list", "-f", `{{$of := .ImportPath}}{{range .Imports}}{{$of}} {{.}}{{"\n"}}{{end}}`, "ugp_explorer/...").Output()
	must.OK(t, err)
	for arrow := range strings.Lines(string(list)) {
		from, to, _ := strings.Cut(strings.TrimSpace(arrow), " ")
		to, ours := strings.CutPrefix(to, "ugp_explorer/")
		from = within(strings.TrimPrefix(from, "ugp_explorer/"), all)
		of, named := floorOf[from]
		unused[from] = false
		if !named || !ours {
			continue
		}
		if at, named := floorOf[within(to, all)]; !named || within(to, all) != from && at >= of {
			t.Errorf("%s imports %s, which is not on a lower floor", from, to)
		}
	}
	for f, without := range unused {
		if without {
			t.Errorf("no package is in %s", f)
		}
	}
}
