// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds_test

import (
	"path/filepath"
	"reflect"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/fastdds"
)

var variables = []string{
	"ROS_DOMAIN_ID", "ROS_LOCALHOST_ONLY", "ROS_AUTOMATIC_DISCOVERY_RANGE", "ROS_STATIC_PEERS", "ROS_DISTRO",
	"ROS_DISCOVERY_SERVER", "FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE", "FASTDDS_BUILTIN_TRANSPORTS",
}

// set empties the variables and then sets some of them.
func set(t *testing.T, kv ...string) {
	t.Helper()
	for _, v := range variables {
		t.Setenv(v, "")
	}
	for i := 0; i < len(kv); i += 2 {
		t.Setenv(kv[i], kv[i+1])
	}
}

func TestFromEnvironment(t *testing.T) {
	file := profiles(t, ownUDP)
	for _, c := range []struct {
		kv   []string
		want func(*fastdds.Config)
	}{
		{nil, func(*fastdds.Config) {}},
		{[]string{"ROS_DOMAIN_ID", "42", "ROS_DISTRO", "humble"}, func(c *fastdds.Config) { c.Domain, c.Distro = 42, "humble" }},
		{[]string{"ROS_LOCALHOST_ONLY", "0"}, func(*fastdds.Config) {}},
		{[]string{"ROS_LOCALHOST_ONLY", "1", "ROS_AUTOMATIC_DISCOVERY_RANGE", "SUBNET"}, func(c *fastdds.Config) { c.Range = fastdds.Loopback }},
		{[]string{"ROS_LOCALHOST_ONLY", "1", "ROS_DISTRO", "humble"}, func(c *fastdds.Config) { c.Range, c.Distro = fastdds.Loopback, "humble" }},
		{[]string{"ROS_LOCALHOST_ONLY", "1", "ROS_DISTRO", "jazzy", "ROS_STATIC_PEERS", "127.0.0.2"}, func(c *fastdds.Config) { c.Range, c.Distro = fastdds.Localhost, "jazzy" }},
		{[]string{"ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST"}, func(c *fastdds.Config) { c.Range = fastdds.Localhost }},
		{[]string{"ROS_AUTOMATIC_DISCOVERY_RANGE", "OFF"}, func(c *fastdds.Config) { c.Range = fastdds.Off }},
		{[]string{"ROS_AUTOMATIC_DISCOVERY_RANGE", "SYSTEM_DEFAULT"}, func(c *fastdds.Config) { c.Range = fastdds.SystemDefault }},
		{[]string{"ROS_STATIC_PEERS", "127.0.0.1; localhost;"}, func(c *fastdds.Config) { c.StaticPeers = []string{"127.0.0.1", "localhost"} }},
		{[]string{"FASTRTPS_DEFAULT_PROFILES_FILE", file}, func(c *fastdds.Config) { c.Profiles = file }},
		{[]string{"FASTDDS_BUILTIN_TRANSPORTS", "SHM"}, func(c *fastdds.Config) { c.SharedMemory = true }},
	} {
		set(t, c.kv...)
		want := fastdds.DefaultConfig()
		c.want(&want)
		if got, err := fastdds.FromEnvironment(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %+v, %v, want %+v", c.kv, got, err, want)
		}
	}
}

func TestFromEnvironmentNamesWhatIsWrong(t *testing.T) {
	for _, c := range [][]string{
		{"ROS_DOMAIN_ID", "233"},
		{"ROS_DOMAIN_ID", "-1"},
		{"ROS_DOMAIN_ID", "one"},
		{"ROS_LOCALHOST_ONLY", "yes"},
		{"ROS_AUTOMATIC_DISCOVERY_RANGE", "subnet"},
		{"FASTRTPS_DEFAULT_PROFILES_FILE", "/no/such/file.xml"},
		{"FASTDDS_DEFAULT_PROFILES_FILE", "/no/such/file.xml"},
	} {
		set(t, c...)
		if _, err := fastdds.FromEnvironment(); err == nil || !has(err.Error(), c[0], c[1]) {
			t.Errorf("%v: %v, want an error with both", c, err)
		}
	}
	set(t, "ROS_DOMAIN_ID", "x", "ROS_LOCALHOST_ONLY", "2")
	if _, err := fastdds.FromEnvironment(); err == nil || !has(err.Error(), "ROS_DOMAIN_ID", "ROS_LOCALHOST_ONLY") {
		t.Errorf("two bad variables: %v", err)
	}
}

func TestNewNamesWhatIsWrong(t *testing.T) {
	broken := profiles(t, "<dds><no end")
	for field, change := range map[string]func(*fastdds.Config){
		`"::1"`:               func(c *fastdds.Config) { c.StaticPeers = []string{"::1"} },
		`"no such host"`:      func(c *fastdds.Config) { c.StaticPeers = []string{"127.0.0.1", "no such host"} },
		filepath.Base(broken): func(c *fastdds.Config) { c.Profiles = broken },
	} {
		cfg := fastdds.DefaultConfig()
		cfg.Range = fastdds.Loopback
		change(&cfg)
		tr, err := fastdds.New(cfg)
		if err == nil {
			tr.Close()
		}
		if err == nil || !has(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// With LOCALHOST participants find each other without multicast, with OFF nobody does. (LOCALHOST and loopback only
// do not meet: the library does not send from 127.0.0.1 to the address of another interface.)
func TestRanges(t *testing.T) {
	open := func(r fastdds.Range, kind ros.EndpointKind, name string) ros.End {
		l, _ := listener()
		end, err := join(t, func(c *fastdds.Config) { c.Range = r }).Open(kind, topic(name, "/t", latched), l)
		must.OK(t, err)
		return end
	}
	w, r := open(fastdds.Localhost, ros.PublisherEnd, "/a"), open(fastdds.Localhost, ros.SubscriptionEnd, "/b")
	alone := open(fastdds.Off, ros.SubscriptionEnd, "/c")
	must.Come(t, "two with LOCALHOST to meet", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
	if alone.Matched() != 0 {
		t.Error("OFF found somebody")
	}
}

func TestUnusedStaticPeersAreAWarning(t *testing.T) {
	for r, used := range map[fastdds.Range]bool{fastdds.Localhost: true, fastdds.Loopback: false} {
		tr := join(t, func(c *fastdds.Config) { c.Range, c.StaticPeers = r, []string{"127.0.0.2"} })
		warned := false
		for _, w := range tr.Warnings() {
			warned = warned || has(w, "127.0.0.2", r.String())
		}
		if warned == used {
			t.Errorf("%s: %q", r, tr.Warnings())
		}
	}
}
