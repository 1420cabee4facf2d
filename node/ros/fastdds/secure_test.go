// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/internal/testkit/securitytest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/std_srvs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/fastdds"
	"ugp_explorer/node/ros/security"
)

// Environment variables of processes of the test binary.
const (
	strangerOf = "FASTDDS_TEST_STRANGER" // makes one a stranger: its domain
	enclaveOf  = "FASTDDS_TEST_ENCLAVE"  // the enclave of a child or stranger
)

// secure takes the settings of the environment.
func secure(cfg *fastdds.Config) (err error) {
	if v := os.Getenv(enclaveOf); v != "" {
		cfg.Enclave = v
	}
	cfg.Security, err = security.FromEnvironment(os.Getenv)
	return err
}

// stranger does what it can to drive the robot, and to hear what it says, until its standard
// input ends. Then it prints what came of it.
func stranger(settings string) error {
	cfg := fastdds.DefaultConfig()
	cfg.Range = fastdds.Loopback
	if _, err := fmt.Sscan(settings, &cfg.Domain); err != nil {
		return err
	}
	p, err := openPeer(cfg, "stranger", ros.NewConsole(os.Stderr))
	if err != nil {
		return err
	}
	n := p.n
	goals, err := ros.Advertise[geometry_msgs.PoseStamped](n, "goal_pose", ros.DefaultQoS())
	if err != nil {
		fmt.Println("goals refused:", err)
	}
	commands, err := ros.Advertise[std_msgs.String](n, "/ugp_explorer/command", ros.DefaultQoS())
	if err != nil {
		fmt.Println("commands refused:", err)
	}
	heard := 0
	secrets, err := ros.Subscribe(n, "secret", ros.Latched(), func(*std_msgs.String, ros.MessageInfo) { heard++ })
	if err != nil {
		fmt.Println("secrets refused:", err)
	}
	asked, err := ros.NewClient[std_srvs.SetBoolRequest, std_srvs.SetBoolResponse](n, "/parent/switch")
	if err != nil {
		fmt.Println("calls refused:", err)
	}
	if _, err := n.NewTimer(10*time.Millisecond, func() {
		if goals != nil {
			_ = goals.Publish(&geometry_msgs.PoseStamped{})
		}
		if commands != nil {
			_ = commands.Publish(&std_msgs.String{Data: "start"})
		}
		if asked != nil {
			_ = asked.Call(&std_srvs.SetBoolRequest{}, time.Second, func(*std_srvs.SetBoolResponse, error) {})
		}
	}); err != nil {
		return err
	}
	if err := p.untilStdinEnds(); err != nil {
		return err
	}
	matched := 0
	if goals != nil {
		matched += goals.Matched()
	}
	if commands != nil {
		matched += commands.Matched()
	}
	if secrets != nil {
		matched += secrets.Matched()
	}
	if asked != nil {
		matched += asked.Matched()
	}
	fmt.Printf("matched %d heard %d\n", matched, heard)
	return p.close()
}

// keystore makes one with the enclaves of parent and child, each with what its node needs.
func keystore(t *testing.T) *securitytest.Keystore {
	t.Helper()
	k := securitytest.New(t, domain())
	k.Enclave(securitytest.OfNode("/parent", "ping map secret", "pong back said goal_pose /ugp_explorer/command", "~/switch", "/child/switch"))
	k.Enclave(securitytest.OfNode("/child", "pong back said", "ping map", "~/switch", "/parent/switch"))
	return k
}

// secured makes a participant one of the keystore's.
func secured(k *securitytest.Keystore, enclave string) func(*fastdds.Config) {
	return func(c *fastdds.Config) {
		c.Enclave, c.Security = enclave, security.Settings{Enabled: true, Enforce: true, Keystore: k.Folder}
	}
}

// guarded is a secured node that a stranger may not drive.
type guarded struct {
	*rostest.Party
	k               *securitytest.Keystore
	goals, commands *ros.Subscription
	secret          *ros.Publisher[std_msgs.String, *std_msgs.String]
	ping            *ros.Publisher[nav_msgs.Odometry, *nav_msgs.Odometry]
	client          *rostest.Switch
	heard           int // from a stranger
	asked, pongs    int // by the child
}

func newGuarded(t *testing.T) *guarded {
	t.Helper()
	k := keystore(t)
	g := &guarded{k: k, Party: newParent(t, secured(k, "/parent"))}
	var err error
	g.goals, err = ros.Subscribe(g.N, "goal_pose", ros.DefaultQoS(), func(*geometry_msgs.PoseStamped, ros.MessageInfo) { g.heard++ })
	must.OK(t, err)
	g.commands, err = ros.Subscribe(g.N, "/ugp_explorer/command", ros.DefaultQoS(), func(*std_msgs.String, ros.MessageInfo) { g.heard++ })
	must.OK(t, err)
	g.secret = rostest.Publisher[std_msgs.String](t, g.N, "secret", ros.Latched())
	must.OK(t, g.secret.Publish(&std_msgs.String{Data: "not for strangers"}))
	_, err = ros.Serve(g.N, "~/switch", func(req *std_srvs.SetBoolRequest, res *std_srvs.SetBoolResponse) {
		g.asked++
		res.Success, res.Message = req.Data, "yes"
	})
	must.OK(t, err)
	g.client, err = ros.NewClient[std_srvs.SetBoolRequest, std_srvs.SetBoolResponse](g.N, "/child/switch")
	must.OK(t, err)
	g.ping = rostest.Publisher[nav_msgs.Odometry](t, g.N, "ping", ros.DefaultQoS())
	_, err = ros.Subscribe(g.N, "pong", ros.DefaultQoS(), func(*nav_msgs.Odometry, ros.MessageInfo) { g.pongs++ })
	must.OK(t, err)
	return g
}

// meet starts the child of the keystore, talks with it, and ends it. A stranger that was there
// before had the time in which they got to know each other.
func (g *guarded) meet() {
	g.T.Helper()
	before, pongs := g.asked, g.pongs
	other := start(g.T, 10*patience, append(g.k.Environment("Enforce"), enclaveOf+"=/child")...)
	if m := g.Call(g.client); m != "child heard yes" || g.asked != before+1 {
		g.T.Errorf("the child answers %q after %d questions", m, g.asked-before)
	}
	g.Wait("the child's subscription", func() bool { return g.ping.Matched() == 1 })
	must.OK(g.T, g.ping.Publish(&nav_msgs.Odometry{}))
	g.Wait("the pong", func() bool { return g.pongs > pongs })
	other.stop(g.T)
	g.Wait("the child to go", func() bool { return g.ping.Matched() == 0 })
}

// Two secured processes exchange topics and services, and nobody is kept out, at least not for
// long. So it is not parallel to tests with unsecured participants in the domain.
func TestSecuredProcesses(t *testing.T) {
	g := newGuarded(t)
	g.meet()
	if s := g.Log.String(); strings.Count(s, "is kept out") > strings.Count(s, "is let in") || strings.Contains(s, "refuses") {
		t.Error("somebody is kept out")
	}
}

// Whoever has no certificate, another authority's, or no permission is kept out, and the log
// says who, as far as the library tells: later ones than 2.9 describe a participant only after
// it has proved its identity.
func TestStrangers(t *testing.T) {
	type stranger struct {
		name    string
		env     func(t *testing.T, k *securitytest.Keystore) []string
		log     []string // in the parent's log
		refused bool     // by its own library
		said    string   // by the stranger
	}
	strangers := []stranger{
		{"no certificate", func(*testing.T, *securitytest.Keystore) []string { return nil },
			[]string{"a participant without a certificate is kept out", "address=127.0.0.1", "enclave=/"}, false, "set ROS_SECURITY_ENABLE"},
		{"another authority", func(t *testing.T, k *securitytest.Keystore) []string {
			other := securitytest.New(t, domain())
			other.Enclave(securitytest.Everything("/stranger"))
			return append(other.Environment("Enforce"), enclaveOf+"=/stranger")
		}, []string{"a participant is kept out: ", "enclave=/stranger"}, false, "does not accept its certificate"},
		{"permissions elsewhere", func(t *testing.T, k *securitytest.Keystore) []string {
			k.EnclaveElsewhere(securitytest.OfNode("/stranger", "", "", "", ""), securitytest.OfNode("/stranger", "goal_pose /ugp_explorer/command", "secret", "", "/parent/switch"))
			return append(k.Environment("Enforce"), enclaveOf+"=/stranger")
		}, []string{"do not let it publish this topic", "topic=/goal_pose", "topic=/ugp_explorer/command", "enclave=/stranger"}, false, ""},
		{"no permissions", func(t *testing.T, k *securitytest.Keystore) []string {
			k.Enclave(securitytest.OfNode("/stranger", "", "", "", ""))
			return append(k.Environment("Enforce"), enclaveOf+"=/stranger")
		}, nil, true, ""},
	}
	if v := fastdds.LibraryVersion(); !strings.HasPrefix(v, "2.9.") && v != "2.11.2" { // these are older than the fix of CVE-2023-50257
		strangers[0].log = []string{"a participant is kept out: DDS Security does not accept its certificate", "participant="}
		strangers[1].log = nil
	}
	if strings.HasPrefix(fastdds.LibraryVersion(), "3.") {
		strangers[0].said = "" // it does not learn that others use DDS Security
	}
	for _, c := range strangers {
		t.Run(c.name, func(t *testing.T) {
			g := newGuarded(t)
			other := startAs(t, append(c.env(t, g.k), fmt.Sprintf("%s=%d", strangerOf, domain()))...)
			g.Wait("the log of "+c.name, func() bool { return has(g.Log.String(), c.log...) })
			g.meet()
			if n := g.goals.Matched() + g.commands.Matched() + g.secret.Matched(); n != 0 || g.heard != 0 {
				t.Errorf("%d endpoints of the stranger are matched, %d messages heard", n, g.heard)
			}
			other.stop(t)
			out := other.out.String()
			if !strings.Contains(out, "matched 0 heard 0\n") {
				t.Errorf("the stranger says %q", out)
			}
			for _, what := range []string{"goals", "commands", "secrets", "calls"} {
				if strings.Contains(out, what+" refused") != c.refused {
					t.Errorf("%s: the stranger says %q", what, out)
				}
			}
			if !strings.Contains(other.err.String(), c.said) {
				t.Errorf("the stranger's log has not %q: %s", c.said, other.err.String())
			}
			if c.refused && !strings.Contains(out, "goals refused: ros/fastdds: /goal_pose: the permissions of the enclave /stranger in "+g.k.Of("/stranger")+" do not let it publish rt/goal_pose") {
				t.Errorf("the stranger's own library refuses with %q", out)
			}
			t.Logf("log: %s\nout: %s\nerr: %s", g.Log.String(), out, other.err.String())
		})
	}
}

// Without the files of the enclave a node does not start, or starts unsecured and says so.
func TestSecurityFilesMissing(t *testing.T) {
	k := keystore(t)
	must.OK(t, os.Remove(filepath.Join(k.Of("/child"), "permissions.p7s")))
	cfg := fastdds.DefaultConfig()
	cfg.Domain, cfg.Range = domain(), fastdds.Loopback
	for _, c := range []struct {
		keystore, enclave string
		want              string
	}{
		{"", "/parent", "ROS_SECURITY_KEYSTORE is not set"},
		{k.Folder + "x", "/parent", k.Folder + "x"},
		{k.Folder, "/nobody", k.Of("/nobody")},
		{k.Folder, "/child", k.Of("/child") + " lacks permissions.p7s"},
	} {
		cfg.Enclave = c.enclave
		cfg.Security = security.Settings{Enabled: true, Enforce: true, Keystore: c.keystore}
		if tr, err := fastdds.New(cfg); err == nil || !has(err.Error(), "ROS_SECURITY_STRATEGY is Enforce", c.want) {
			t.Errorf("%s in %q with Enforce: %v, %v", c.enclave, c.keystore, tr, err)
		}
		cfg.Security.Enforce = false
		tr, err := fastdds.New(cfg)
		must.OK(t, err)
		if w := strings.Join(tr.Warnings(), "\n"); !has(w, "running without security", c.want) {
			t.Errorf("%s in %q with Permissive warns %q", c.enclave, c.keystore, w)
		}
		must.OK(t, tr.Close())
	}
	// What is there, but wrong, is an error with either strategy.
	must.OK(t, os.WriteFile(filepath.Join(k.Of("/parent"), "cert.pem"), []byte("nothing"), 0o600))
	cfg.Enclave, cfg.Security.Keystore = "/parent", k.Folder
	if tr, err := fastdds.New(cfg); err == nil || !has(err.Error(), filepath.Join(k.Of("/parent"), "cert.pem")+" holds nothing in PEM form") {
		t.Errorf("a certificate that is none: %v, %v", tr, err)
	}
}
