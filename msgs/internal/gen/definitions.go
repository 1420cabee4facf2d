// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// ownPackage is the ROS package whose definitions are in msgs/msg.
const ownPackage = "ugp_explorer"

// recorded is the folder of the definitions that only bags need: their types have no Go code.
const recorded = "recorded/"

// unbounded is the size of a sequence and the bound of a string that have none.
const unbounded = 0

// kind is how many elements a field has.
type kind int

// The kinds, in the order of the hash's type codes (REP-2016).
const (
	single   kind = iota // T
	array                // T[N]
	bounded              // T[<=N]
	sequence             // T[]
)

// typ is the type of a field.
type typ struct {
	base        string // a primitive, as in "float64", or the full name of a message, as in "geometry_msgs/msg/Point"
	kind        kind
	size        int // N of an array or a bounded sequence
	stringBound int // N of string<=N
}

// primitive reports whether t, or its elements, are of a type of the language's own.
func (t typ) primitive() bool { _, ok := primitives[t.base]; return ok }

// entry is a field of a message, or a constant.
type entry struct {
	name   string
	typ    typ
	value  string   // of a constant
	above  []string // the comment lines above it
	beside string   // the comment beside it
}

// message is a message, one half of a service, or one of the messages of an action.
type message struct {
	name      string   // full: "geometry_msgs/msg/Point", "std_srvs/srv/SetBool_Request", "nav2_msgs/action/NavigateToPose_Goal"
	comment   []string // the comment at the top of the file
	fields    []entry
	constants []entry
}

// service is a service with its halves.
type service struct {
	name              string // full: "std_srvs/srv/SetBool"
	request, response *message
}

// action is an action with its messages, and what rosidl makes of them: the message of the feedback topic and two services. The third service,
// action_msgs/srv/CancelGoal, and the status, action_msgs/msg/GoalStatusArray, are of every action.
type action struct {
	name     string // full: "nav2_msgs/action/NavigateToPose"
	comment  []string
	messages []*message // goal, result, feedback, message of the feedback
	services []*service // that sends goals, that gets the result
}

// library is the definitions by full name.
type library struct {
	messages map[string]*message
	services map[string]*service
	actions  map[string]*action
	source   map[string]string // the paths below msgs of the files
}

// load reads every definition below root, the folder msgs. What the compiler says of the generated code, it does not check.
func load(root fs.FS) (*library, error) {
	l := &library{map[string]*message{}, map[string]*service{}, map[string]*action{}, map[string]string{}}
	var paths []string
	for _, pattern := range []string{"definitions/*/*/*.*", recorded + "*/*/*.*", "[ms][sr][gv]/*.*"} {
		found, err := fs.Glob(root, pattern)
		if err != nil {
			return nil, err
		}
		paths = append(paths, found...)
	}
	for _, p := range paths {
		name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(p, "definitions/"), recorded), path.Ext(p))
		if strings.Count(name, "/") == 1 {
			name = ownPackage + "/" + name
		}
		text, err := fs.ReadFile(root, p)
		if err == nil {
			err = l.add(name, string(text))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		l.source[name] = p
	}
	for _, name := range slices.Sorted(maps.Keys(l.messages)) {
		if _, err := l.dependencies(name); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// add parses a definition, text, of the interface with the given full name ("pkg/msg/T", "pkg/srv/T" or "pkg/action/T") and adds it.
func (l *library) add(name, text string) error {
	var services []*service
	var messages []*message
	switch dir := strings.Split(name, "/")[1]; dir {
	case "msg":
		m, err := parseMessage(name, text)
		if err != nil {
			return err
		}
		messages = append(messages, m)
	case "srv":
		s, err := parseService(name, text)
		if err != nil {
			return err
		}
		services = append(services, s)
	case "action":
		a, err := parseAction(name, text)
		if err != nil {
			return err
		}
		l.actions[name] = a
		messages, services = a.messages, a.services
	default:
		return fmt.Errorf("interfaces are in folders msg, srv and action, not in %s", dir)
	}
	for _, s := range services {
		l.services[s.name] = s
		messages = append(messages, s.request, s.response)
	}
	for _, m := range messages {
		l.messages[m.name] = m
	}
	return nil
}

// dependencies returns the full names of all messages that name contains, directly or not, each once.
func (l *library) dependencies(name string) ([]string, error) {
	var order []string
	open := map[string]bool{}
	var visit func(string) error
	visit = func(n string) error {
		m := l.messages[n]
		switch {
		case m == nil:
			return fmt.Errorf("no definition of %s", n)
		case open[n]:
			return fmt.Errorf("%s contains itself", n)
		}
		open[n] = true
		defer delete(open, n)
		for _, f := range m.fields {
			d := f.typ.base
			if f.typ.primitive() || slices.Contains(order, d) && !open[d] {
				continue
			}
			order = append(order, d)
			if err := visit(d); err != nil {
				return fmt.Errorf("%s: %w", n, err)
			}
		}
		return nil
	}
	return order, visit(name)
}
