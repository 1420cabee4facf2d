package bag

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Config is how a bag is written.
type Config struct {
	Storage     string      // MCAP or SQLite
	Compression Compression // FileZstd with either, ChunkZstd and ChunkLZ4 with MCAP, MessageZstd with SQLite
	// Distro is the ROS distribution whose format is written: "humble", "iron", "jazzy", "kilted" or "rolling". Later ones read what earlier ones wrote. From Iron on
	// SQLite files and metadata.yaml hold types' hashes, and SQLite files definitions.
	Distro string
	// ChunkBytes is how much an MCAP chunk takes in before it is written.
	ChunkBytes int
	// FlushEvery is after how long at most a message is on the disk without a call of Flush. 0 is never.
	FlushEvery time.Duration
	// MaxFileBytes and MaxFileTime are when the bag goes on in another file. 0 is never.
	MaxFileBytes int64
	MaxFileTime  time.Duration
	Custom       map[string]string // custom_data in metadata.yaml, from Iron on
}

// DefaultConfig is MCAP without compression, in Humble's format, with each message on the disk within half a second.
func DefaultConfig() Config {
	return Config{Storage: MCAP, Compression: Uncompressed, Distro: "humble", ChunkBytes: 768 << 10, FlushEvery: 500 * time.Millisecond}
}

// format is what a distribution writes.
type format struct{ metadata, sqlite int }

var formats = map[string]format{"humble": {5, 3}, "iron": {7, 4}, "jazzy": {9, 4}, "kilted": {9, 4}, "rolling": {9, 4}}

var compressions = map[string][]Compression{
	MCAP:   {Uncompressed, ChunkZstd, ChunkLZ4, FileZstd},
	SQLite: {Uncompressed, MessageZstd, FileZstd},
}

func (c Config) validate() error {
	if _, ok := compressions[c.Storage]; !ok {
		return fmt.Errorf("config: Storage is %q: it can be %q or %q", c.Storage, MCAP, SQLite)
	}
	if allowed := compressions[c.Storage]; !slices.Contains(allowed, c.Compression) {
		return fmt.Errorf("config: Compression is %q: with %s it can be one of %q", c.Compression, c.Storage, allowed)
	}
	if _, ok := formats[c.Distro]; !ok {
		return fmt.Errorf("config: Distro is %q: it can be one of humble, iron, jazzy, kilted, rolling", c.Distro)
	}
	if c.ChunkBytes < 1 || c.ChunkBytes > MaxChunk/2 {
		return fmt.Errorf("config: ChunkBytes is %d: it can be from 1 to %d", c.ChunkBytes, MaxChunk/2)
	}
	if c.FlushEvery < 0 || c.MaxFileBytes < 0 || c.MaxFileTime < 0 {
		return fmt.Errorf("config: FlushEvery is %v, MaxFileBytes %d, MaxFileTime %v: none can be negative", c.FlushEvery, c.MaxFileBytes, c.MaxFileTime)
	}
	if len(c.Custom) > 0 && formats[c.Distro].metadata < 6 {
		return fmt.Errorf("config: Custom has %d entries: %s has no place for them, iron and later have", len(c.Custom), c.Distro)
	}
	return nil
}

// validate completes a topic for the writer.
func (t *Topic) validate() error {
	if !strings.HasPrefix(t.Name, "/") || len(t.Name) < 2 {
		return fmt.Errorf("a topic's name is %q: it starts with a /", t.Name)
	}
	if strings.Count(t.Type, "/") != 2 {
		return fmt.Errorf("%s: its type is %q: it is like nav_msgs/msg/Odometry", t.Name, t.Type)
	}
	if len(t.Definition) > maxDescribed/2 {
		return fmt.Errorf("%s: its definition has %d bytes: at most %d are read", t.Name, len(t.Definition), maxDescribed/2)
	}
	return nil
}
