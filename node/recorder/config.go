package recorder

import (
	"fmt"
	"slices"
)

// Values of Config.Topics.
const (
	None    = "none"    // nothing is recorded
	Mission = "mission" // messages that the node publishes, and the commands it receives
	All     = "all"     // all messages that the node publishes or receives
)

// Choices returns the values that Config.Topics may have.
func Choices() []string { return []string{None, Mission, All} }

// Config sets what is recorded and how.
type Config struct {
	Topics string
	// Also are topics that are recorded with All although the node does not subscribe to
	// them, by name as the node writes them. Those that no node publishes are left out.
	Also []string
	// ClockRate is the largest number of messages on /clock per second of their time that
	// are recorded, Hz; 0 means all.
	ClockRate float64
	Reserve   int64 // free disk space below which recording stops, MB
	// Limit is the size of all bags in a folder above which the oldest are removed, MB; 0
	// means no limit. The bag that is being written stays, and holds a quarter of it at most.
	Limit int64
	// Queue is the size of the queue of messages that wait for the disk, bytes. A
	// message that does not fit is dropped and counted.
	Queue int
	// FileBytes is the size of a file after which the bag continues in another one; 0
	// means no limit.
	FileBytes int64
}

// leastLimit is the least limit of the size of all bags, MB.
const leastLimit = 10

// DefaultConfig records everything, what a localisation filter hears included, with the clock
// at 20 Hz, in files of a gigabyte, and leaves 500 MB of the disk free.
func DefaultConfig() Config {
	return Config{
		Topics: All, Also: []string{"odom", "fix_pose", "fix", "imu", "initialpose"}, ClockRate: 20,
		Reserve: 500, Queue: 64 << 20, FileBytes: 1 << 30,
	}
}

// Validate returns an error for the first field that is out of its range.
func (c *Config) Validate() error {
	switch {
	case !slices.Contains(Choices(), c.Topics):
		return fmt.Errorf("recorder: Topics is %q: it must be one of %q", c.Topics, Choices())
	case !(c.ClockRate >= 0):
		return fmt.Errorf("recorder: ClockRate is %g Hz: it cannot be negative", c.ClockRate)
	case c.Reserve < 0:
		return fmt.Errorf("recorder: Reserve is %d MB: it cannot be negative", c.Reserve)
	case c.Limit != 0 && c.Limit < leastLimit:
		return fmt.Errorf("recorder: Limit (record.limit) is %d MB: it must be 0, for none, or at least %d MB", c.Limit, leastLimit)
	case c.Queue < 1<<10:
		return fmt.Errorf("recorder: Queue is %d bytes: it must be at least 1024", c.Queue)
	case c.FileBytes < 0:
		return fmt.Errorf("recorder: FileBytes is %d: it cannot be negative", c.FileBytes)
	}
	return nil
}
