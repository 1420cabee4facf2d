// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/fastdds"
)

// patience is how long a test waits for what must happen.
const patience = time.Minute

// domain is one that other runs of the tests on this machine hardly have, and other packages never.
func domain() int { return 1 + os.Getpid()%20 }

// join joins the graph of this run of the tests, on loopback alone.
func join(t testing.TB, change ...func(*fastdds.Config)) *fastdds.Transport {
	t.Helper()
	cfg := fastdds.DefaultConfig()
	cfg.Domain, cfg.Range = domain(), fastdds.Loopback
	for _, f := range change {
		f(&cfg)
	}
	tr, err := fastdds.New(cfg)
	must.OK(t, err)
	t.Cleanup(func() { must.OK(t, tr.Close()) })
	return tr
}

// listener returns one that sends on what it returns, beside, when something is
// ready.
func listener() (ros.Listener, chan struct{}) {
	ready := make(chan struct{}, 1)
	return ros.Listener{Now: func() int64 { return time.Now().UnixNano() }, Ready: func() {
		select {
		case ready <- struct{}{}:
		default:
		}
	}}, ready
}

// next waits for something to take with take, which returns a negative number
// when there is nothing.
func next(t testing.TB, what string, ready chan struct{}, take func() int) {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for take() < 0 {
		select {
		case <-ready:
		case <-deadline.C:
			t.Fatalf("waited %v for %s", patience, what)
		}
	}
}

func profiles(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "profiles.xml")
	must.OK(t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

func has(s string, words ...string) bool {
	for _, w := range words {
		if !strings.Contains(s, w) {
			return false
		}
	}
	return true
}

func topic(node, name string, q ros.QoS) ros.Endpoint {
	return ros.Endpoint{Node: node, Name: name, Type: "std_msgs/msg/String", QoS: q}
}

func service(node, name string) ros.Endpoint {
	return ros.Endpoint{Node: node, Name: name, Type: "std_srvs/srv/SetBool", QoS: ros.DefaultQoS()}
}

func odometryAt(x float64) (p geometry_msgs.PoseWithCovariance) {
	p.Pose.Position.X = x
	return p
}
