// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/nodetest"
	"ugp_explorer/internal/testkit/securitytest"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/inproc"
)

const policyFile = launchFolder + "security/policies.xml"

// governed are the nodes that have policies.
var governed = nodetest.Nodes(repository)

// uses are the names that a node uses in each way, as a policy has them: private, relative, or
// absolute.
type uses struct{ publish, subscribe, reply, request, execute, call []string }

// use returns the endpoints of all variants of a node.
func use(t *testing.T, p nodetest.Node) (u uses) {
	t.Helper()
	const namespace = "/somewhere"
	relative := func(name string) string {
		if rest, ok := strings.CutPrefix(name, namespace+"/"+p.Name+"/"); ok {
			return "~/" + rest
		}
		return strings.TrimPrefix(name, namespace+"/")
	}
	for _, variant := range p.Variants {
		tr := inproc.New()
		n, err := p.Open(tr, namespace, variant)
		if err != nil {
			t.Fatalf("%s with %s: %v", p.Name, variant, err)
		}
		for _, e := range tr.Endpoints("") {
			name := relative(e.Name)
			action, _, isAction := strings.Cut(name, "/_action/")
			client := e.Kind == ros.ClientEnd || e.Kind == ros.SubscriptionEnd
			switch {
			case isAction && client:
				u.call = append(u.call, action)
			case isAction:
				u.execute = append(u.execute, action)
			default:
				list := [...]*[]string{ros.PublisherEnd: &u.publish, ros.SubscriptionEnd: &u.subscribe, ros.ServerEnd: &u.reply, ros.ClientEnd: &u.request}[e.Kind]
				*list = append(*list, name)
			}
		}
		must.OK(t, n.Close())
	}
	u.publish = append(u.publish, p.Publish...)
	u.subscribe = append(u.subscribe, p.Subscribe...)
	u.request = append(u.request, p.Request...)
	for _, list := range []*[]string{&u.publish, &u.subscribe, &u.reply, &u.request, &u.execute, &u.call} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return u
}

// TestGeneratedPolicies keeps the shipped policies equal to what the nodes use.
func TestGeneratedPolicies(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, policyHead, updateCommand)
	var services []string // of the operator
	for _, p := range governed {
		u := use(t, p)
		for _, name := range u.reply {
			services = append(services, strings.Replace(name, "~", "/"+p.Name, 1))
		}
		write := func(list, kind, item string, names []string) {
			if len(names) == 0 {
				return
			}
			fmt.Fprintf(&b, "          <%s %s=\"ALLOW\">\n", list, kind)
			for _, name := range names {
				fmt.Fprintf(&b, "            <%s>%s</%[1]s>\n", item, name)
			}
			fmt.Fprintf(&b, "          </%s>\n", list)
		}
		fmt.Fprintf(&b, "    <enclave path=\"/ugp/%s\">\n      <profiles>\n        <profile ns=\"/\" node=\"%[1]s\">\n", p.Name)
		write("topics", "publish", "topic", u.publish)
		write("topics", "subscribe", "topic", u.subscribe)
		write("services", "reply", "service", u.reply)
		write("services", "request", "service", u.request)
		write("actions", "execute", "action", u.execute)
		write("actions", "call", "action", u.call)
		b.WriteString("        </profile>\n      </profiles>\n    </enclave>\n")
	}
	fmt.Fprintf(&b, policyTail, "            <service>"+strings.Join(services, "</service>\n            <service>")+"</service>\n")
	checkGenerated(t, policyFile, b.String())

	// Only the explorer sends goals, only the operator commands it, and only follower and guard
	// drive.
	policy, err := securitytest.ReadPolicy(policyFile)
	must.OK(t, err)
	if policy.Version != "0.2.0" {
		t.Errorf("the policies' version is %q", policy.Version)
	}
	for topic, who := range map[string][]string{
		"rt/goal_pose": {"/ugp/ugp_explorer"}, "rt/cmd_vel": {"/ugp/follower", "/ugp/guard"}, "rt/ugp_explorer/command": {"/ugp/operator"}, "rt/guard/override": {"/ugp/operator"},
		"rq/ugp_explorer/startRequest": {"/ugp/operator"}, "rq/ugp_explorer/record/saveRequest": {"/ugp/operator"},
		"rq/follower/set_parametersRequest": {"/ugp/operator"}, "rq/guard/set_parametersRequest": {"/ugp/operator"},
		"rq/ekf/get_parametersRequest": {"/ugp/operator"},
		// ros2 param of Jazzy opens these even to read; no parameter of these changes while they run.
		"rq/ekf/set_parametersRequest": {"/ugp/operator"}, "rq/fieldsim/set_parameters_atomicallyRequest": {"/ugp/operator"},
		"rq/ugp_explorer/shutdownRequest":              nil, // nobody calls what does not exist
		"rq/navigate_to_pose/_action/send_goalRequest": {"/ugp/ugp_explorer"},
	} {
		var may []string
		for _, e := range policy.Enclaves {
			r, err := e.Rules()
			must.OK(t, err)
			if slices.ContainsFunc(r.Publish, func(expression string) bool { return matches(expression, topic) }) {
				may = append(may, e.Path)
			}
		}
		slices.Sort(may)
		if !slices.Equal(may, who) {
			t.Errorf("%v may publish %s, want %v", may, topic, who)
		}
	}
}

// The launch files start each node in the enclave of its policy.
func TestLaunchEnclaves(t *testing.T) {
	dir := installation(t, "bin")
	t.Setenv("LAUNCH_TEST_PREFIX", dir)
	policy, err := securitytest.ReadPolicy(policyFile)
	must.OK(t, err)
	for file, arguments := range map[string][]string{
		"sim.launch.py": {"enclaves:=/ugp"}, "explore.launch.py": {"enclaves:=/ugp/", "ekf:=true", "follower:=true", "rviz:=true"},
		"gazebo.launch.py":   {"enclaves:=/ugp", "nav2:=true", "localization:=robot_localization"},
		"./gazebo.launch.py": {"enclaves:=/ugp"},
	} {
		launched, err := readLaunch(t, dir, file, arguments...)
		must.OK(t, err)
		own := 0
		for _, l := range launched {
			if l.Package != "" && strings.HasSuffix(l.Executable, ".launch.py") { // Gazebo has nothing to do with DDS
				continue
			}
			if i := slices.Index(l.Args, "controller_server:=warn"); i > 0 { // Nav2's nodes have loggers of their own
				l.Args = slices.Delete(l.Args, i-1, i+1)
			}
			args, _, err := ros.ParseArgs(l.Args)
			must.OK(t, err)
			name := strings.TrimPrefix(args.Enclave, "/ugp/")
			if got := args.Remaps.NodeName("/", "x"); got != name && (got != "rviz2" || name != "operator") {
				t.Errorf("%s starts %s in the enclave %q", file, got, args.Enclave)
			}
			if l.Package != "" { // it has no policy of ours
				continue
			}
			own++
			allowed, err := policy.Enclave(args.Enclave)
			must.OK(t, err)
			p := governed[slices.IndexFunc(governed, func(p nodetest.Node) bool { return p.Name == name })]
			tr := inproc.New()
			n, err := p.Open(tr, "/", p.Variants[0], args.Remaps...)
			must.OK(t, err)
			checkAllowed(t, allowed, tr.Endpoints(""))
			must.OK(t, n.Close())
		}
		want := map[string]int{"gazebo.launch.py": 3, "./gazebo.launch.py": 5, "sim.launch.py": 5, "explore.launch.py": 4}[file]
		if own != want {
			t.Errorf("%s %v starts %d nodes of ours, want %d", file, arguments, own, want)
		}
	}
	launched, err := readLaunch(t, dir, "explore.launch.py")
	must.OK(t, err)
	if args, _, err := ros.ParseArgs(launched[0].Args); err != nil || args.Enclave != "" {
		t.Errorf("without enclaves: %q, %v", args.Enclave, err)
	}
}

// checkAllowed has an enclave allow all topics of the endpoints.
func checkAllowed(t *testing.T, a securitytest.Allowed, endpoints []ros.EndpointInfo) {
	t.Helper()
	r, err := a.Rules()
	must.OK(t, err)
	check := func(rules []string, topic string) {
		t.Helper()
		if !slices.ContainsFunc(rules, func(expression string) bool { return matches(expression, topic) }) {
			t.Errorf("the enclave %s may not have %s", a.Path, topic)
		}
	}
	for _, e := range endpoints {
		request, reply := "rq"+e.Name+"Request", "rr"+e.Name+"Reply"
		switch e.Kind {
		case ros.PublisherEnd:
			check(r.Publish, "rt"+e.Name)
		case ros.SubscriptionEnd:
			check(r.Subscribe, "rt"+e.Name)
		case ros.ServerEnd:
			check(r.Publish, reply)
			check(r.Subscribe, request)
		case ros.ClientEnd:
			check(r.Publish, request)
			check(r.Subscribe, reply)
		}
	}
}

// matches reports whether an expression of permissions is a topic's: "*" stands for any text.
func matches(expression, topic string) bool {
	before, after, ok := strings.Cut(expression, "*")
	return expression == topic || ok && strings.HasPrefix(topic, before) && strings.HasSuffix(topic[len(before):], after)
}

const policyHead = `<?xml version="1.0" encoding="UTF-8"?>
<!-- What each node may do, for ros2 security create_permission; see README.md in this folder. An
     enclave has the names of its node's topics, services and actions with the default
     parameters and with each choice of interface. Who remaps names, or starts the nodes in a
     namespace, changes them, or ns, in a copy.

     This file is generated: %s. -->
<policy version="0.2.0">
  <enclaves>
`

const policyTail = `    <!-- A person with the tools of ROS 2 and with RViz: commands the explorer, asks and
         sets parameters, and reads everything, but sends no goals and drives nothing. -->
    <enclave path="/ugp/operator">
      <profiles>
        <profile ns="/" node="operator">
          <topics publish="ALLOW">
            <topic>/ugp_explorer/command</topic>
            <topic>/guard/override</topic>
            <topic>/initialpose</topic>
            <topic>/rosout</topic>
            <topic>/parameter_events</topic>
          </topics>
          <topics subscribe="ALLOW">
            <topic>/*</topic>
          </topics>
          <services request="ALLOW">
%s          </services>
          <services reply="ALLOW">
            <service>/operator/*</service>
            <service>/rviz*</service>
            <service>/_ros2cli*</service>
          </services>
        </profile>
      </profiles>
    </enclave>
  </enclaves>
</policy>
`
