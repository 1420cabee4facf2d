// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package bagwriter writes rosbag2 bags without ROS: MCAP files with zstd chunks, in Humble's format,
// which rosbag2 plays, lists and reindexes. Package bag reads them.
//
// Messages written before a Flush survive a crash and a power loss. If a bag was never closed, its last file has no index and the bag has
// no metadata.yaml; package bag can read it without them.
package bagwriter

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ugp_explorer/msgs"
)

// errClosed is returned by a Writer that was closed.
var errClosed = errors.New("the bag is closed")

// The format that is written: Humble's, which every later distribution reads.
const (
	distro          = "humble"
	metadataVersion = 5
)

const (
	// chunkBytes is the size at which a chunk is written without a call of Flush. rosbag2's default is the same.
	chunkBytes = 768 << 10
	// maxMessage is the largest message that is written, bytes. Package bag reads chunks of twice as much.
	maxMessage = 128 << 20
)

// Topic is a topic of one bag, which has it from its first message on.
type Topic struct {
	Name string
	Type string // as in "nav_msgs/msg/Odometry"
	QoS  []QoS  // offered by the publishers; may be empty
	Hash string // RIHS01 hash of the type; empty: that of this program's type of that name, if it has one

	id         uint16 // of its channel, from 1; 0 without a message
	count      int64
	definition string // of the type and the types that it needs, in ros2msg; empty for a type that this program does not have
}

// Check returns an error for a topic that cannot be written, or for a message that cannot be written to it.
func (t *Topic) Check(data []byte) error {
	switch {
	case !strings.HasPrefix(t.Name, "/") || len(t.Name) < 2:
		return fmt.Errorf("topic name %q: a name starts with a /", t.Name)
	case strings.Count(t.Type, "/") != 2:
		return fmt.Errorf("%s: type %q: a type looks like nav_msgs/msg/Odometry", t.Name, t.Type)
	case len(data) > maxMessage:
		return fmt.Errorf("%s: the message has %d bytes; at most %d can be written", t.Name, len(data), maxMessage)
	case len(data) < 4 || data[0] != 0:
		return fmt.Errorf("%s: the message of %d bytes does not start with the header of CDR", t.Name, len(data))
	}
	return nil
}

// Writer writes a bag of MCAP files whose chunks are compressed with zstd. Only one goroutine at a time may use it. After the first error it returns only that.
type Writer struct {
	dir          string
	maxFileBytes int64
	err          error
	file         *mcapWriter
	files        []part
	topics       []*Topic
	dirty        bool // something was written since the last flush
}

// part is what metadata.yaml says of a file.
type part struct {
	name       string
	start, end int64 // log times, ns; 0 without a message
	count      int64
}

// add takes in n messages between two log times.
func (p *part) add(n, start, end int64) {
	if p.count == 0 {
		p.start, p.end = start, end
	}
	p.start, p.end, p.count = min(p.start, start), max(p.end, end), p.count+n
}

// Create makes the folder dir, which must be empty if it exists, and begins a bag in it. Each file of the bag ends when it holds maxFileBytes; 0 means one file
// without a limit.
func Create(dir string, maxFileBytes int64) (*Writer, error) {
	fail := func(err error) (*Writer, error) { return nil, fmt.Errorf("creating the bag %s: %w", dir, err) }
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fail(err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fail(err)
	}
	if entries, err := os.ReadDir(dir); err != nil {
		return fail(err)
	} else if len(entries) > 0 {
		return fail(fmt.Errorf("the folder is not empty: it contains %s", entries[0].Name()))
	}
	w := &Writer{dir: dir, maxFileBytes: maxFileBytes}
	if err := errors.Join(w.begin(), syncDir(filepath.Dir(dir))); err != nil {
		return fail(err)
	}
	return w, nil
}

// begin starts the next file.
func (w *Writer) begin() (err error) {
	name := fmt.Sprintf("%s_%d.mcap", filepath.Base(w.dir), len(w.files))
	if w.file, err = newMCAPWriter(filepath.Join(w.dir, name)); err != nil {
		return err
	}
	w.files = append(w.files, part{name: name})
	for _, t := range w.topics {
		if err := w.file.addTopic(t); err != nil {
			return err
		}
	}
	return syncDir(w.dir)
}

// addTopic adds a topic, with the definition of its type if this program has it.
func (w *Writer) addTopic(t *Topic) error {
	t.definition, t.Hash = msgs.Definition(t.Type), cmp.Or(t.Hash, msgs.TypeHash(t.Type))
	w.topics = append(w.topics, t)
	t.id = uint16(len(w.topics))
	return w.file.addTopic(t)
}

// Write adds a message to a topic. data is the CDR with its header, which passes [Topic.Check]; Write does not keep it. The times are in nanoseconds. The message is on
// the disk after the next call of Flush.
func (w *Writer) Write(t *Topic, logTime, publishTime int64, data []byte) error {
	if w.err != nil {
		return w.err
	}
	if logTime < 0 || publishTime < 0 {
		return fmt.Errorf("%s: log time %d ns, publish time %d ns: neither can be before 1970", t.Name, logTime, publishTime)
	}
	if w.files[len(w.files)-1].count > 0 && w.maxFileBytes > 0 && int64(w.file.at)+int64(len(w.file.chunk)) >= w.maxFileBytes {
		if err := errors.Join(w.file.close(), w.begin()); err != nil {
			return w.fail(err)
		}
	}
	if t.id == 0 {
		if err := w.addTopic(t); err != nil {
			return w.fail(err)
		}
	}
	w.dirty = true
	t.count++
	w.files[len(w.files)-1].add(1, logTime, logTime)
	return w.fail(w.file.write(t.id, logTime, publishTime, data))
}

// Flush returns when everything written before is on the disk.
func (w *Writer) Flush() error {
	if w.err != nil || !w.dirty {
		return w.err
	}
	err := w.file.flush()
	if err == nil {
		err = w.file.f.Sync()
	}
	w.dirty = false
	return w.fail(err)
}

// fail keeps an error, after which the contents of the file are uncertain.
func (w *Writer) fail(err error) error {
	if err != nil {
		w.err = fmt.Errorf("writing the bag %s: %w", w.dir, err)
	}
	return w.err
}

// Close ends the bag and writes its metadata.yaml. Closing again does nothing.
func (w *Writer) Close() error {
	if w.err == errClosed {
		return nil
	}
	err := errors.Join(w.err, w.file.close())
	if err == nil {
		err = writeMetadata(w.dir, w.topics, w.files)
	}
	w.err = errClosed
	if err != nil {
		return fmt.Errorf("closing the bag %s: %w", w.dir, err)
	}
	return nil
}
