// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/ros"
)

// services are the units of the Debian package and the nodes that they start.
var services = map[string]string{
	"guard": guard.DefaultName, "ekf": ekf.DefaultName, "follower": follower.DefaultName, "explorer": explorer.DefaultName,
}

// TestServices starts each node on the arguments that its unit passes from the shipped robot.conf, and
// checks that these make one robot: the same field, and velocities that only the guard passes on.
func TestServices(t *testing.T) {
	conf, err := os.ReadFile(launchFolder + "debian/robot.conf")
	must.OK(t, err)
	set := map[string]string{} // as systemd reads an environment file, as far as ours goes
	for _, m := range regexp.MustCompile(`(?m)^([A-Z_]+)=("[^"]*"|.*)$`).FindAllStringSubmatch(string(conf), -1) {
		set[m[1]] = strings.Trim(m[2], `"`)
	}
	used := map[string]bool{"ROS_DOMAIN_ID": true} // by every program
	commands := map[string][2]string{
		"guard": {"cmd_vel", "/cmd_vel"}, "follower": {"cmd_vel", "/cmd_vel_in"}, // where a name leads to
	}
	for unit, name := range services {
		text, err := os.ReadFile(launchFolder + "debian/ugp-" + unit + ".service")
		must.OK(t, err)
		start := regexp.MustCompile(`(?m)^ExecStart=/usr/lib/ugp-explorer/(\S+) (.*)$`).FindStringSubmatch(string(text))
		if start == nil || start[1] != unit {
			t.Fatalf("ugp-%s.service starts %q", unit, start)
		}
		line := os.Expand(start[2], func(v string) string { used[v] = true; return set[v] })
		args, rest, err := ros.ParseArgs(strings.Fields(line))
		if err != nil || len(rest) > 0 {
			t.Fatalf("ugp-%s.service: %v, arguments that no node has: %q", unit, err, rest)
		}
		options, err := args.NodeOptions(nil)
		if err != nil {
			t.Fatalf("ugp-%s.service: %v", unit, err)
		}
		own := ownDefaults()
		for _, p := range own.Parameters() {
			if p.Node != name {
				continue
			}
			err := p.Set.Override("/"+name, options.Overrides)
			if doubts := options.Overrides.Doubts([]string{"/" + name}, p.Set); err != nil || len(doubts) > 0 {
				t.Errorf("ugp-%s.service: parameters %v, %v", unit, err, doubts)
			}
		}
		if c, ok := commands[unit]; ok {
			if got, err := options.Remaps.Resolve(c[0], "/", name); err != nil || got != c[1] {
				t.Errorf("ugp-%s.service: %s leads to %s, want %s; %v", unit, c[0], got, c[1], err)
			}
		}
		if unit != "explorer" {
			continue
		}
		if f := own.Explorer.Field; f.File != set["FIELD"] || len(f.Datum) != 2 {
			t.Errorf("the explorer has the field %q with the datum %v, want that of robot.conf", f.File, f.Datum)
		}
	}
	common, err := os.ReadFile(launchFolder + "debian/common.conf")
	must.OK(t, err)
	for _, key := range []string{"Wants", "After"} {
		if !regexp.MustCompile(`(?m)^` + key + `=.*\btime-sync\.target\b`).Match(common) {
			t.Errorf("common.conf has no %s=time-sync.target: services would not wait for the clock", key)
		}
	}
	for _, v := range slices.Sorted(maps.Keys(set)) {
		if !used[v] {
			t.Errorf("robot.conf sets %s, which no service uses", v)
		}
	}
}
