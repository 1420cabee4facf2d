// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"testing"

	"ugp_explorer/internal/testkit/killtest"
	"ugp_explorer/internal/testkit/must"
)

// With ROS_DISCOVERY_SERVER, participants find each other by the server: all that
// TestProcesses does, in a process that has the variable.
func TestDiscoveryServer(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("fast-discovery-server"); err != nil {
		t.Skip("fast-discovery-server is missing: apt-get install fastdds-tools")
	}
	free, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.OK(t, err)
	port := free.LocalAddr().(*net.UDPAddr).Port
	must.OK(t, free.Close())
	server := exec.Command("fast-discovery-server", "-i", "0", "-l", "127.0.0.1", "-p", fmt.Sprint(port))
	must.OK(t, server.Start())
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}()
	cmd := killtest.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProcesses$", "-test.v")
	cmd.Env = append(os.Environ(), fmt.Sprintf("ROS_DISCOVERY_SERVER=127.0.0.1:%d", port))
	out, err := cmd.CombinedOutput()
	if err != nil || !has(string(out), "--- PASS: TestProcesses") {
		t.Fatalf("%v\n%s", err, out)
	}
}
