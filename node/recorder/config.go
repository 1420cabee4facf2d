// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"fmt"
	"slices"
	"time"
)

// Values of Config.Topics.
const (
	None    = "none"    // nothing is recorded
	mission = "mission" // messages that the node publishes, and the commands it receives
	all     = "all"     // all messages that the node publishes or receives
)

// Choices returns the values that Config.Topics may have.
func Choices() []string { return []string{None, mission, all} }

// Config sets what is recorded and how.
type Config struct {
	Topics string
	// Also are topics that are recorded with all although the node does not subscribe to
	// them, by name as the node writes them. Those that no node publishes are left out.
	Also    []string
	Reserve int64 // free disk space below which recording stops, MB
	// Limit is the size of all bags in a folder above which the oldest are removed, MB; 0
	// means no limit. The bag that is being written stays, and holds a quarter of it at most.
	Limit int64
}

const (
	leastLimit  = 10                    // MB, of Config.Limit
	clockPeriod = 50 * time.Millisecond // least time between two messages on /clock that are recorded
	queueBytes  = 64 << 20              // of messages that wait for the disk; more are dropped and counted
	fileBytes   = 1 << 30               // size of a file after which the bag continues in another one
)

// DefaultConfig records everything, including the inputs of a localisation filter, and leaves 500 MB of the
// disk free.
func DefaultConfig() Config {
	return Config{Topics: all, Also: []string{"odom", "fix_pose", "fix", "imu", "initialpose", "/tf", "/tf_static"}, Reserve: 500}
}

// Validate returns an error for the first field that is out of its range.
func (c *Config) Validate() error {
	switch {
	case !slices.Contains(Choices(), c.Topics):
		return fmt.Errorf("recorder: Topics is %q: it must be one of %q", c.Topics, Choices())
	case c.Limit != 0 && c.Limit < leastLimit:
		return fmt.Errorf("recorder: Limit (record.limit) is %d MB: it must be 0, for none, or at least %d MB", c.Limit, leastLimit)
	}
	return nil
}
