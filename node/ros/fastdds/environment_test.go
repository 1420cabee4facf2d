//go:build fastdds

package fastdds_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

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
	file := profiles(t, noShortcut)
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
		{[]string{"ROS_DISCOVERY_SERVER", ";127.0.0.1:11811;UDPv4:[10.0.0.1]:1"}, func(*fastdds.Config) {}},
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
		{"ROS_STATIC_PEERS", "::1"},
		{"ROS_STATIC_PEERS", "127.0.0.1;no such host"},
		{"ROS_DISCOVERY_SERVER", "127.0.0.1:0"},
		{"ROS_DISCOVERY_SERVER", "127.0.0.1:70000"},
		{"ROS_DISCOVERY_SERVER", "a b"},
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

func TestConfigNamesWhatIsWrong(t *testing.T) {
	broken := profiles(t, "<dds><no end")
	for field, change := range map[string]func(*fastdds.Config){
		"Domain":              func(c *fastdds.Config) { c.Domain = 300 },
		"Range":               func(c *fastdds.Config) { c.Range = 9 },
		"Enclave":             func(c *fastdds.Config) { c.Enclave = "x" },
		"SocketBuffer":        func(c *fastdds.Config) { c.SocketBuffer = 1 },
		"Lease":               func(c *fastdds.Config) { c.Lease = 1 },
		"StaticPeers":         func(c *fastdds.Config) { c.StaticPeers = []string{"::1"} },
		"/no/such":            func(c *fastdds.Config) { c.Profiles = "/no/such" },
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

// Ranges find each other as they should: LOCALHOST without multicast, OFF nobody.
func TestRanges(t *testing.T) {
	loop := join(t)
	local := join(t, func(c *fastdds.Config) { c.Range = fastdds.Localhost })
	off := join(t, func(c *fastdds.Config) { c.Range = fastdds.Off })
	w, err := loop.NewWriter(topic("/a", "/t", latched), nothing)
	must(t, err)
	far, _ := listener()
	r, err := local.NewReader(topic("/b", "/t", latched), far)
	must(t, err)
	alone, err := off.NewReader(topic("/c", "/t", latched), far)
	must(t, err)
	eventually(t, "LOCALHOST and loopback to meet", func() bool { return w.Matched() == 1 && r.Matched() == 1 })
	if alone.Matched() != 0 {
		t.Error("OFF found somebody")
	}
}

func TestWarnings(t *testing.T) {
	if _, err := os.Stat("/proc/sys/net/core/rmem_max"); err != nil {
		t.Skip("no /proc")
	}
	tr := join(t, func(c *fastdds.Config) { c.SocketBuffer = 1 << 30 })
	if w := tr.Warnings(); len(w) == 0 || !has(w[0], "net.core.rmem_max", "1073741824") {
		t.Errorf("a receive buffer that the kernel does not grant: %q", w)
	}
	if w := join(t, func(c *fastdds.Config) { c.SocketBuffer = 1 << 16 }).Warnings(); len(w) != 0 {
		t.Errorf("a small receive buffer: %q", w)
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
