// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

// Tests of the four nodes as processes of a DDS graph over loopback: a mission,
// what can disturb it, and its end.
package process_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"ugp_explorer/internal/testkit/buildtest"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/follower"
)

// executables are the nodes' programs by the nodes' names, in the order in which
// they start.
var executables = []struct{ node, command string }{
	{fieldsim.DefaultName, "fieldsim"},
	{ekf.DefaultName, "ekf"},
	{follower.DefaultName, "follower"},
	{explorer.DefaultName, "explorer"},
}

// binaries is the folder with the programs.
var binaries string

func TestMain(m *testing.M) {
	// The surroundings are not to decide which graph the tests are in.
	for _, name := range []string{
		"ROS_DOMAIN_ID", "ROS_LOCALHOST_ONLY", "ROS_AUTOMATIC_DISCOVERY_RANGE", "ROS_STATIC_PEERS", "ROS_DISCOVERY_SERVER",
		"FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE", "FASTDDS_BUILTIN_TRANSPORTS",
	} {
		must(os.Unsetenv(name))
	}
	if v := os.Getenv(listenTo); v != "" {
		must(listen(v))
		return
	}
	os.Exit(run(m))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run builds the nodes as make ros does, and runs the tests with them. Where UGP_TEST_COVERDIR names a folder, the nodes write there
// which of their statements they have executed.
func run(m *testing.M) (code int) {
	var err error
	binaries, err = os.MkdirTemp("", "ugp_nodes")
	must(err)
	defer os.RemoveAll(binaries)
	var args []string
	if dir := os.Getenv("UGP_TEST_COVERDIR"); dir != "" {
		must(os.Setenv("GOCOVERDIR", dir))
		args = append(args, "-cover", "-coverpkg=ugp_explorer/node/process,ugp_explorer/node/cmd/...")
	}
	for _, e := range executables {
		args = append(args, "ugp_explorer/node/cmd/"+e.command)
	}
	args = append(args, "ugp_explorer/node/cmd/guard", "ugp_explorer/node/cmd/ugp") // which draws the report
	if err := buildtest.Programs(binaries+"/", args...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

func program(command string) string { return filepath.Join(binaries, command) }
