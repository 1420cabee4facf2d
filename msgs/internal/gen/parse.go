// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// primitives maps the language's own types to the type codes of REP-2016 (type_description_interfaces/msg/FieldType) for a single element. char is an
// unsigned byte in ROS 2, but its code is uint8's: rosidl turns it into uint8 before it hashes.
var primitives = map[string]int{
	"int8": 2, "uint8": 3, "char": 3, "int16": 4, "uint16": 5, "int32": 6, "uint32": 7, "int64": 8, "uint64": 9,
	"float32": 10, "float64": 11, "bool": 15, "byte": 16, "string": 17,
}

var (
	fieldPattern    = regexp.MustCompile(`^(\S+)\s+([a-z][a-z0-9_]*)(\s.*)?$`) // type, name, default
	constantPattern = regexp.MustCompile(`^(\S+)\s+([A-Z][A-Z0-9_]*)\s*=\s*(.*)$`)
	typePattern     = regexp.MustCompile(`^([\w/]+)(?:<=(\d+))?(?:\[(<=)?(\d*)\])?$`)
)

// divide splits a definition at its lines of ---, which must give n parts.
func divide(text string, parts int) ([]string, error) {
	texts := []string{""}
	for l := range strings.Lines(text) {
		if strings.TrimSpace(l) == "---" {
			texts = append(texts, "")
		} else {
			texts[len(texts)-1] += l
		}
	}
	if len(texts) != parts {
		return nil, fmt.Errorf("the definition has %d lines of ---, want %d", len(texts)-1, parts-1)
	}
	return texts, nil
}

func parseService(name, text string) (*service, error) {
	s := &service{name: name}
	parts, err := divide(text, 2)
	if err != nil {
		return nil, err
	}
	if s.request, err = parseMessage(name+"_Request", parts[0]); err != nil {
		return nil, err
	}
	if s.response, err = parseMessage(name+"_Response", parts[1]); err != nil {
		return nil, err
	}
	return s, nil
}

func parseAction(name, text string) (*action, error) {
	a := &action{name: name}
	parts, err := divide(text, 3)
	if err != nil {
		return nil, err
	}
	for i, part := range [...]string{"_Goal", "_Result", "_Feedback"} {
		m, err := parseMessage(name+part, parts[i])
		if err != nil {
			return nil, err
		}
		a.messages = append(a.messages, m)
	}
	goal := a.messages[0]
	a.comment, goal.comment = goal.comment, nil
	const id, stamp = "unique_identifier_msgs/UUID goal_id\n", "builtin_interfaces/Time stamp\n"
	implicit := func(part, written string) *message {
		m, perr := parseMessage(name+part, written)
		if perr != nil {
			panic(perr) // written here
		}
		return m
	}
	a.messages = append(a.messages, implicit("_FeedbackMessage", id+name+"_Feedback feedback\n"))
	a.services = []*service{{
		name:     name + "_SendGoal",
		request:  implicit("_SendGoal_Request", id+name+"_Goal goal\n"),
		response: implicit("_SendGoal_Response", "bool accepted\n"+stamp),
	}, {
		name:     name + "_GetResult",
		request:  implicit("_GetResult_Request", id),
		response: implicit("_GetResult_Response", "int8 status\n"+name+"_Result result\n"),
	}}
	return a, nil
}

// parseMessage parses text. The comment lines that it begins with, up to the first other line, are the message's own; later ones belong to the field or constant
// that follows at once.
func parseMessage(name, text string) (*message, error) {
	m := &message{name: name}
	pkg, _ := split(name)
	var above []string
	top := true
	for i, line := range strings.Split(text, "\n") {
		code, beside, _ := strings.Cut(line, "#")
		code, beside = strings.TrimSpace(code), strings.TrimSpace(beside)
		switch {
		case code == "" && beside != "" && top:
			m.comment = append(m.comment, beside)
			continue
		case code == "" && beside != "":
			above = append(above, beside)
			continue
		case code == "":
			above, top = nil, top && len(m.comment) == 0
			continue
		}
		top = false
		e := entry{above: above, beside: beside}
		above = nil
		var err error
		if p := constantPattern.FindStringSubmatch(code); p != nil {
			e.name, e.value = p[2], p[3]
			e.typ, err = parseType(pkg, p[1])
			m.constants = append(m.constants, e)
		} else if p := fieldPattern.FindStringSubmatch(code); p != nil {
			e.name = p[2]
			e.typ, err = parseType(pkg, p[1])
			m.fields = append(m.fields, e)
		} else {
			err = fmt.Errorf("%q is neither a field nor a constant", code)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
	}
	return m, nil
}

// parseType parses the type of a field in a package.
func parseType(pkg, s string) (t typ, err error) {
	p := typePattern.FindStringSubmatch(s)
	if p == nil {
		return t, fmt.Errorf("%q is not a type", s)
	}
	t.base = p[1]
	t.stringBound, _ = strconv.Atoi(p[2]) // "" without one
	t.size, _ = strconv.Atoi(p[4])
	switch {
	case p[3] != "":
		t.kind = bounded
	case p[4] != "":
		t.kind = array
	case strings.HasSuffix(s, "]"):
		t.kind = sequence
	}
	switch parts := strings.Split(t.base, "/"); {
	case t.primitive():
	case len(parts) == 1:
		t.base = pkg + "/msg/" + t.base
	case len(parts) == 2:
		t.base = parts[0] + "/msg/" + parts[1]
	}
	return t, nil
}
