package recorder

import (
	"fmt"
	"slices"
)

// Values of Config.Topics.
const (
	None    = "none"    // nothing
	Mission = "mission" // what the node publishes, and the commands that it is given
	All     = "all"     // what it takes besides
)

// Choices returns what Config.Topics may be.
func Choices() []string { return []string{None, Mission, All} }

// Config says what is recorded and how.
type Config struct {
	Topics  string
	Reserve int64 // MB of the disk that are left free: with fewer, recording stops
	// Queue is how many bytes may wait for the disk; a message that does not fit is
	// dropped and counted.
	Queue int
	// FileBytes is the size at which the bag goes on in another file.
	FileBytes int64
}

// DefaultConfig records everything, in files of a gigabyte, and leaves 500 MB of
// the disk free.
func DefaultConfig() Config {
	return Config{Topics: All, Reserve: 500, Queue: 64 << 20, FileBytes: 1 << 30}
}

// Validate names the first field that is out of its range.
func (c *Config) Validate() error {
	switch {
	case !slices.Contains(Choices(), c.Topics):
		return fmt.Errorf("recorder: Topics is %q: it can be one of %q", c.Topics, Choices())
	case c.Reserve < 0:
		return fmt.Errorf("recorder: Reserve is %d MB: it cannot be negative", c.Reserve)
	case c.Queue < 1<<10:
		return fmt.Errorf("recorder: Queue is %d bytes: it must be at least 1024", c.Queue)
	case c.FileBytes < 0:
		return fmt.Errorf("recorder: FileBytes is %d: it cannot be negative", c.FileBytes)
	}
	return nil
}
