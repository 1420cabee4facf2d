// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package msgs knows the definitions of ROS 2 message types by name. The types are in the packages below it, one for each ROS package and with its name; those of
// ugp_explorer are in ugp_explorer_msgs, generated from msgs/msg. The definitions of the others are in msgs/definitions. They have the fields and types of ROS 2
// Humble, which later distributions share, and the constants and defaults that were added later. Two types have changed since Humble: sensor_msgs/msg/Range is
// Humble's, rmw_dds_common/msg/Gid is that of Iron and later.
//
// To add a type, add its definition and run go generate ./msgs. A type belongs here if a node or a service uses it, or if another type contains it. Of the types in
// msgs/recorded, which record.also may name, programs know the definition and the hash only, for bags.
//
// Every type has TypeName, AppendCDR and UnmarshalCDR (cdr.Message), and MarshalCDR and DecodeCDR for the messages that contain it. Constants are called
// <Message><Constant>, as in MarkerLineStrip. Every field begins as zero, even if its definition has another default. A service S has the halves SRequest and
// SResponse. An action A is the constant A; its messages are AGoal, AResult and AFeedback, and those that rosidl adds: ASendGoalRequest, AFeedbackMessage and so on.
package msgs

import (
	"embed"
	"path"
	"slices"
	"strings"
)

//go:generate go run ./internal/gen

//go:embed definitions/*/msg/*.msg definitions/*/action/*.action recorded/*/msg/*.msg msg/*.msg
var files embed.FS

// Definition returns the definition of the message type with the given full name, and of all types that it contains, in rosbag2's ros2msg form: before each of them
// come an empty line, a line of 80 "=", and a line "MSG: package/Type". They follow each other as in rosbag2: each once, depth first in the order of their names.
// It returns "" for an unknown type, and for one that no topic has, such as a half of a service.
func Definition(name string) string {
	if TypeHash(name) == "" {
		return ""
	}
	var b strings.Builder
	written := map[string]bool{}
	var write func(string)
	write = func(name string) {
		text := own(name)
		b.WriteString(text)
		for _, inner := range contained(name, text) {
			if !written[inner] {
				written[inner] = true
				b.WriteString("\n" + strings.Repeat("=", 80) + "\nMSG: " + strings.Replace(inner, "/msg/", "/", 1) + "\n")
				write(inner)
			}
		}
	}
	write(name)
	return b.String()
}

// TypeHash returns the RIHS01 hash of the message, half of a service, or service with the given full name, as in "std_srvs/srv/Trigger", or "" if it is unknown.
func TypeHash(name string) string { return hashes[name] }

// own returns the definition of a type without those that it contains, as its file has it, or "".
func own(name string) string {
	if action, ok := strings.CutSuffix(name, "_FeedbackMessage"); ok { // rosidl adds it to an action
		return "unique_identifier_msgs/UUID goal_id\n" + action + "_Feedback feedback\n"
	}
	file, feedback := strings.CutSuffix(name, "_Feedback")
	file += "." + path.Base(path.Dir(file))
	text, err := files.ReadFile(strings.TrimPrefix("definitions/"+file, "definitions/ugp_explorer/"))
	if err != nil {
		text, _ = files.ReadFile("recorded/" + file)
	}
	if feedback { // the last part of an action's file
		parts := strings.Split(string(text), "---\n")
		return parts[len(parts)-1]
	}
	return string(text)
}

// contained returns the full names of the messages that are fields of a type, sorted, from the type's own definition.
func contained(name, definition string) []string {
	pkg, _, _ := strings.Cut(name, "/")
	var names []string
	for line := range strings.Lines(definition) {
		code, _, _ := strings.Cut(line, "#")
		words := strings.Fields(code)
		if len(words) == 0 {
			continue
		}
		typ, _, _ := strings.Cut(words[0], "[")
		switch slashes := strings.Count(typ, "/"); {
		case slashes == 1:
			typ = strings.Replace(typ, "/", "/msg/", 1)
		case slashes == 0 && typ[0] >= 'A' && typ[0] <= 'Z': // of the same package
			typ = pkg + "/msg/" + typ
		case slashes == 0:
			continue
		}
		names = append(names, typ)
	}
	slices.Sort(names)
	return names
}
