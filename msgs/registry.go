// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package msgs finds ROS 2 message types by name. The types are in the packages below it, one for each ROS package and with its name; those of ugp_explorer are in
// ugp_explorer_msgs, generated from msgs/msg. The definitions of the others are in msgs/definitions. They have the fields and types of ROS 2 Humble, which later
// distributions share, and the constants and defaults that were added later. Two types have changed since Humble: sensor_msgs/msg/Range is Humble's,
// rmw_dds_common/msg/Gid is that of Iron and later.
//
// To add a type, add its definition and run go generate ./msgs. A type belongs here if a node or a service uses it, or if another type contains it.
//
// Every type has TypeName, AppendCDR and UnmarshalCDR (cdr.Message), TypeHash (cdr.Described), and MarshalCDR
// and DecodeCDR for the messages that contain it. Constants are called <Message><Constant>, as in MarkerLineStrip. Every field begins as
// zero, even if its definition has another default. A service S is the variable S with the halves SRequest and SResponse. An action A is
// the constant A; its messages are AGoal, AResult and AFeedback, and those that rosidl adds: ASendGoalRequest, AFeedbackMessage and so on.
package msgs

import (
	"maps"
	"slices"

	"ugp_explorer/msgs/cdr"
)

//go:generate go run ./internal/gen

// Lookup returns a function that makes an empty message of the type with the given full name, as in "nav_msgs/msg/Odometry" or
// "std_srvs/srv/Trigger_Request". Each message is a cdr.Described. Lookup is safe for concurrent use.
func Lookup(name string) (func() cdr.Message, bool) {
	f, ok := messages[name]
	return f, ok
}

// Names returns the full names of all message types, the halves of services included, sorted.
func Names() []string { return slices.Sorted(maps.Keys(messages)) }

// TypeHash returns the RIHS01 hash of the message or the service with the given full name, as in "std_srvs/srv/Trigger", and whether it is known.
func TypeHash(name string) (hash string, known bool) {
	if f, ok := Lookup(name); ok {
		return f().(cdr.Described).TypeHash(), true
	}
	if f, ok := Lookup(name + "_Request"); ok {
		return f().(cdr.ServiceMessage).ServiceType().TypeHash, true
	}
	return "", false
}
