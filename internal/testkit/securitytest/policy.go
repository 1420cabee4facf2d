// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package securitytest

import (
	"encoding/xml"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Policy is a file of policies of sros2: for each enclave, what its nodes may do.
type Policy struct {
	Version  string    `xml:"version,attr"`
	Enclaves []Allowed `xml:"enclaves>enclave"`
}

// Allowed is what the nodes of an enclave may do.
type Allowed struct {
	Path     string    `xml:"path,attr"`
	Profiles []Profile `xml:"profiles>profile"`
}

// Profile is what a node may do.
type Profile struct {
	Namespace string     `xml:"ns,attr"`
	Node      string     `xml:"node,attr"`
	Topics    []Topics   `xml:"topics"`
	Services  []Services `xml:"services"`
	Actions   []Actions  `xml:"actions"`
}

// Lists of names, absolute, relative or private ("~"), with "ALLOW" in what is allowed.
type (
	// Topics are names of topics.
	Topics struct {
		Publish   string   `xml:"publish,attr"`
		Subscribe string   `xml:"subscribe,attr"`
		Names     []string `xml:"topic"`
	}
	// Services are names of services.
	Services struct {
		Reply   string   `xml:"reply,attr"`
		Request string   `xml:"request,attr"`
		Names   []string `xml:"service"`
	}
	// Actions are names of actions.
	Actions struct {
		Execute string   `xml:"execute,attr"`
		Call    string   `xml:"call,attr"`
		Names   []string `xml:"action"`
	}
)

// ReadPolicy reads a file of policies. It does not follow XInclude.
func ReadPolicy(file string) (*Policy, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var p Policy
	if err := xml.Unmarshal(text, &p); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &p, nil
}

// Enclave returns what the enclave may do.
func (p *Policy) Enclave(path string) (Allowed, error) {
	i := slices.IndexFunc(p.Enclaves, func(a Allowed) bool { return a.Path == path })
	if i < 0 {
		return Allowed{}, fmt.Errorf("the policies have no enclave %s", path)
	}
	return p.Enclaves[i], nil
}

// Everything returns the permission to publish and subscribe everything, which ros2 security
// create_enclave gives.
func Everything(path string) Allowed {
	return Allowed{Path: path, Profiles: []Profile{{
		Namespace: "/", Node: "default",
		Topics:   []Topics{{"ALLOW", "ALLOW", []string{"/*"}}},
		Services: []Services{{"ALLOW", "ALLOW", []string{"/*"}}},
		Actions:  []Actions{{"ALLOW", "ALLOW", []string{"/*"}}},
	}}}
}

// OfNode returns the permissions of an enclave with one node of the same name in "/", which may
// publish and subscribe topics, and reply to and request services: names with spaces between.
// What every node has is added.
func OfNode(enclave, publish, subscribe, reply, request string) Allowed {
	own := " ~/describe_parameters ~/get_parameter_types ~/get_parameters ~/list_parameters ~/set_parameters ~/set_parameters_atomically"
	return Allowed{Path: enclave, Profiles: []Profile{{
		Namespace: "/", Node: enclave[1:],
		Topics: []Topics{
			{Publish: "ALLOW", Names: strings.Fields(publish + " /rosout /parameter_events")}, {Subscribe: "ALLOW", Names: strings.Fields(subscribe)},
		},
		Services: []Services{{Reply: "ALLOW", Names: strings.Fields(reply + own)}, {Request: "ALLOW", Names: strings.Fields(request)}},
	}}}
}

// Rules are the DDS topics that an enclave may publish and subscribe, sorted.
type Rules struct{ Publish, Subscribe []string }

// Rules returns the rules that ros2 security create_permission makes of what an enclave may
// do. A denial is an error: the shipped policies have none.
func (a Allowed) Rules() (r Rules, err error) {
	add := func(list *[]string, qualifier string, topics ...string) {
		switch qualifier {
		case "":
		case "ALLOW":
			*list = append(*list, topics...)
		default:
			err = fmt.Errorf("enclave %s: the qualifier %q of %v, want ALLOW", a.Path, qualifier, topics)
		}
	}
	for _, p := range a.Profiles {
		for _, t := range p.Topics {
			for _, name := range t.Names {
				topic := "rt" + p.expand(name)
				add(&r.Publish, t.Publish, topic)
				add(&r.Subscribe, t.Subscribe, topic)
			}
		}
		serve := func(name, reply, request string) {
			asked, answered := "rq"+name+"Request", "rr"+name+"Reply"
			add(&r.Publish, reply, answered)
			add(&r.Subscribe, reply, asked)
			add(&r.Publish, request, asked)
			add(&r.Subscribe, request, answered)
		}
		for _, s := range p.Services {
			for _, name := range s.Names {
				serve(p.expand(name), s.Reply, s.Request)
			}
		}
		for _, s := range p.Actions {
			for _, name := range s.Names {
				action := p.expand(name) + "/_action/"
				for _, service := range []string{"cancel_goal", "get_result", "send_goal"} {
					serve(action+service, s.Execute, s.Call)
				}
				for _, topic := range []string{"feedback", "status"} {
					add(&r.Publish, s.Execute, "rt"+action+topic)
					add(&r.Subscribe, s.Call, "rt"+action+topic)
				}
			}
		}
	}
	// Every participant of ROS 2 announces its nodes.
	add(&r.Publish, "ALLOW", "ros_discovery_info")
	add(&r.Subscribe, "ALLOW", "ros_discovery_info")
	for _, list := range []*[]string{&r.Publish, &r.Subscribe} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return r, err
}

// expand returns the full name of a topic, service or action of the node.
func (p Profile) expand(name string) string {
	namespace := strings.TrimSuffix(p.Namespace, "/") + "/"
	switch {
	case strings.HasPrefix(name, "/"):
		return name
	case strings.HasPrefix(name, "~"):
		return namespace + p.Node + name[1:]
	}
	return namespace + name
}
