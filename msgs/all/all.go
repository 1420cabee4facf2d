// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package all has every generated message type by its name, for tests: a program that links it links them all.
package all

import (
	"maps"
	"slices"

	"ugp_explorer/msgs/cdr"
)

// Names returns the full names of all message types, the halves of services included, sorted, as in "nav_msgs/msg/Odometry" or "std_srvs/srv/Trigger_Request".
func Names() []string { return slices.Sorted(maps.Keys(messages)) }

// New returns an empty message of the type with the given full name, or nil.
func New(name string) cdr.Message {
	if create, ok := messages[name]; ok {
		return create()
	}
	return nil
}
