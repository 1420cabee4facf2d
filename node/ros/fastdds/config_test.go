// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"strings"
	"testing"
)

// As in ROS 2 from Iron on: rcl_init ignores static peers with ROS_LOCALHOST_ONLY=1, the
// middlewares do with OFF and SYSTEM_DEFAULT.
func TestPeers(t *testing.T) {
	for r, want := range map[Range]string{
		subnetRange:    "127.0.0.2",
		localhostRange: "127.0.0.1;127.0.0.2",
		offRange:       "",
		systemDefault:  "",
		Loopback:       "127.0.0.1",
	} {
		c := Config{Range: r, StaticPeers: []string{"127.0.0.2"}}
		if got, err := c.peers(); got != want || err != nil {
			t.Errorf("%s: %q, %v, want %q", r, got, err, want)
		}
	}
}

// A name of the system's is one of its addresses; one that nobody has is refused by its name.
func TestPeerNames(t *testing.T) {
	c := Config{StaticPeers: []string{"localhost"}}
	if got, err := c.peers(); got != "127.0.0.1" || err != nil {
		t.Errorf("%q, %v, want 127.0.0.1", got, err)
	}
	c.StaticPeers = []string{"robot.invalid"}
	if _, err := c.peers(); err == nil || !strings.Contains(err.Error(), `"robot.invalid"`) {
		t.Errorf("the error is %v, want one that names robot.invalid", err)
	}
}
