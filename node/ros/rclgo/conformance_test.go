// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/conformance"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/ros"
)

// missing are the tests that rclgo cannot pass, and why.
var missing = conformance.Without{
	"message information": "rclgo publishes with the system's time, and does not tell who published nor a message's number",
	"garbage requests":    "rcl takes typed requests: what is none is refused by Send",

	conformance.ServiceEvents: "Humble has no types of events",
}

// TestMain keeps the tests to this machine, and to a domain that other runs hardly
// have.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{
		"ROS_DOMAIN_ID": fmt.Sprint(1 + os.Getpid()%100), "ROS_LOCALHOST_ONLY": "1",
		// Loopback may have no multicast, and each test has several participants.
		"CYCLONEDDS_URI": "<General><AllowMulticast>false</AllowMulticast></General><Discovery><ParticipantIndex>auto</ParticipantIndex>" +
			"<MaxAutoParticipantIndex>100</MaxAutoParticipantIndex><Peers><Peer address='127.0.0.1'/></Peers></Discovery>",
	} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

func join(t testing.TB) *Transport {
	t.Helper()
	tr, err := New("/")
	must.OK(t, err)
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
	return tr
}

func open(t *testing.T) func() ros.Transport {
	return func() ros.Transport { return join(t) }
}

// The suite with the middleware that the environment names.
func TestConformance(t *testing.T) { conformance.Run(t, open, missing) }

func TestConformanceOfActions(t *testing.T) {
	needLibrary(t, "libnav2_msgs__rosidl_typesupport_c.so")
	conformance.Actions(t, open)
}

// The suite with the other middlewares of ROS 2's own that are installed, each in a
// process of its own, since a process has one.
func TestConformanceOfMiddlewares(t *testing.T) {
	for _, rmw := range []string{"rmw_fastrtps_cpp", "rmw_cyclonedds_cpp"} {
		if rmw == cmp.Or(os.Getenv("RMW_IMPLEMENTATION"), "rmw_fastrtps_cpp") {
			continue
		}
		t.Run(rmw, func(t *testing.T) {
			t.Parallel()
			needLibrary(t, "lib"+rmw+".so")
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestConformance(OfActions)?$", "-test.v")
			cmd.Env = append(os.Environ(), "RMW_IMPLEMENTATION="+rmw)
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "--- PASS: TestConformance") {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}

// needLibrary skips the test where the ROS 2 that is sourced has no such library.
func needLibrary(t *testing.T, name string) {
	t.Helper()
	for _, prefix := range filepath.SplitList(os.Getenv("AMENT_PREFIX_PATH")) {
		if _, err := os.Stat(filepath.Join(prefix, "lib", name)); err == nil {
			return
		}
	}
	t.Skipf("AMENT_PREFIX_PATH has no lib/%s", name)
}
