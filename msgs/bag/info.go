package bag

import (
	"fmt"
	"time"
)

// Storage identifiers, as in metadata.yaml.
const (
	MCAP   = "mcap"
	SQLite = "sqlite3"
)

// Compression is how a file of a bag is compressed.
type Compression string

// The compressions that rosbag2 has.
const (
	Uncompressed Compression = "none"
	ChunkZstd    Compression = "chunk-zstd"   // MCAP
	ChunkLZ4     Compression = "chunk-lz4"    // MCAP
	MessageZstd  Compression = "message-zstd" // SQLite: rosbag2 refuses it for MCAP
	FileZstd     Compression = "file-zstd"
)

// Topic is what a bag holds about a topic.
type Topic struct {
	Name       string
	Type       string // as in "nav_msgs/msg/Odometry"; empty if the bag does not contain it
	Format     string // serialization format: "cdr"
	QoS        []QoS  // offered by the publishers that were recorded; may be empty
	Hash       string // RIHS01 hash of the type; empty before Iron
	Encoding   string // of Definition: "ros2msg", "ros2idl", or Jazzy's "unknown" for the events of services; empty without one
	Definition string // of the type and the types that it needs
	Count      int64  // messages
}

// File is one file of a bag.
type File struct {
	Path        string // as found
	Storage     string // MCAP or SQLite; empty if it is neither
	Compression Compression
	Bytes       int64 // on disk
	Count       int64 // messages
	Start, End  int64 // log times of the first and last message, ns; both 0 without messages
}

// Info describes a bag. It belongs to its Reader and must not be changed.
type Info struct {
	Path       string
	Storage    string // of the first file
	Version    int    // of metadata.yaml; 0 without one
	Distro     string // ROS distribution that wrote the bag; empty if unknown
	Files      []File // in order of time
	Topics     []Topic
	Count      int64 // messages
	Start, End int64 // log times of the first and last message, ns; both 0 without messages
	Problems   []Problem
}

// Duration returns the time between the first and the last message.
func (i *Info) Duration() time.Duration { return time.Duration(i.End - i.Start) }

// Lost returns how many bytes are known to be missing or unreadable.
func (i *Info) Lost() int64 {
	var n int64
	for _, p := range i.Problems {
		n += p.Lost
	}
	return n
}

// Kind sorts problems.
type Kind string

// The kinds of problems.
const (
	NoMetadata   Kind = "no-metadata"   // no metadata.yaml, as after a crash
	BadMetadata  Kind = "bad-metadata"  // metadata.yaml cannot be read or does not agree with the files
	MissingFile  Kind = "missing-file"  // metadata.yaml lists a file that does not exist
	UnlistedFile Kind = "unlisted-file" // metadata.yaml does not list a file; the file is not read
	NotABag      Kind = "not-a-bag"     // a file that is neither MCAP nor SQLite
	Cut          Kind = "cut"           // a file ends in the middle
	NoIndex      Kind = "no-index"      // the index or footer of a file is missing or wrong; the file was read once instead
	Damaged      Kind = "damaged"       // a part of a file cannot be read
	NoType       Kind = "no-type"       // a topic without a type, or messages without a topic
	OtherType    Kind = "other-type"    // a type has other fields than in this program
	TwoTypes     Kind = "two-types"     // a topic name with more than one type
	Epoch        Kind = "epoch"         // stamps begin near 1970: the clock was not set, or the time was simulated
)

// Problem is something that is wrong with a bag.
type Problem struct {
	Kind  Kind
	File  string // if the problem concerns one file
	Topic string // if the problem concerns one topic
	Lost  int64  // bytes known to be missing or unreadable, as recorded (uncompressed, where that is known)
	Text  string
}

// Error returns the problem in a sentence.
func (p *Problem) Error() string {
	s := p.Text
	switch {
	case p.File != "":
		s = p.File + ": " + s
	case p.Topic != "":
		s = p.Topic + ": " + s
	}
	if p.Lost > 0 {
		s += fmt.Sprintf(" (%d bytes lost)", p.Lost)
	}
	return s
}
