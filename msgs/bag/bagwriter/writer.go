// Package bagwriter writes rosbag2 bags without ROS: MCAP files with zstd chunks, in Humble's format,
// which rosbag2 plays, lists and reindexes. Package bag reads them.
//
// Messages written before a Flush survive a crash and a power loss. The last file of a bag that was
// never closed has no index, and the bag no metadata.yaml; package bag reads such a file once to make up for that.
package bagwriter

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"ugp_explorer/msgs"
	"ugp_explorer/msgs/cdr"
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

// Topic is a topic of a bag.
type Topic struct {
	Name string
	Type string // as in "nav_msgs/msg/Odometry"
	QoS  []QoS  // offered by the publishers; may be empty
	Hash string // RIHS01 hash of the type; empty: that of this program's type of that name, if it has one

	count      int64
	definition string // of the type and the types that it needs, in ros2msg; empty for a type that this program does not have
}

// Writer writes a bag of MCAP files whose chunks are compressed with zstd. It is safe for concurrent use.
type Writer struct {
	dir          string
	maxFileBytes int64

	mu     sync.Mutex
	err    error // the first error; nothing is written after it
	closed bool
	file   *mcapWriter
	topics []Topic
	ids    map[string]int
	meta   metadata
	dirty  bool // something was added since the last flush
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
	w := &Writer{dir: dir, maxFileBytes: maxFileBytes, ids: map[string]int{}}
	w.meta = metadata{Version: metadataVersion, Storage: "mcap"}
	if err := errors.Join(w.begin(), syncDir(filepath.Dir(dir))); err != nil {
		return fail(err)
	}
	return w, nil
}

// begin starts the next file.
func (w *Writer) begin() (err error) {
	name := fmt.Sprintf("%s_%d.mcap", filepath.Base(w.dir), len(w.meta.Files))
	if w.file, err = newMCAPWriter(filepath.Join(w.dir, name)); err != nil {
		return err
	}
	w.meta.Paths = append(w.meta.Paths, name)
	w.meta.Files = append(w.meta.Files, metadataFile{Path: name})
	for i, t := range w.topics {
		if err := w.file.addTopic(i+1, t); err != nil {
			return err
		}
	}
	return syncDir(w.dir)
}

// AddTopic adds a topic for which [Topic.Check] returns nil. The definition of its type is recorded if this program has the type. Adding a topic
// again does nothing; adding it with another type is an error.
func (w *Writer) AddTopic(t Topic) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.usable(); err != nil {
		return err
	}
	if id, ok := w.ids[t.Name]; ok {
		if have := w.topics[id-1].Type; have != t.Type {
			return fmt.Errorf("%s: the topic has the type %s and cannot get the type %s", t.Name, have, t.Type)
		}
		return nil
	}
	if create, ok := msgs.Lookup(t.Type); ok {
		if d, ok := create().(cdr.Described); ok {
			t.definition = d.Definition()
			t.Hash = cmp.Or(t.Hash, d.TypeHash())
		}
	}
	if err := w.file.addTopic(len(w.topics)+1, t); err != nil {
		return w.fail(err)
	}
	w.topics = append(w.topics, t)
	w.ids[t.Name] = len(w.topics)
	w.dirty = true
	return nil
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

// Write adds a message to a topic that was added before. data is the CDR with its header, which passes [Topic.Check]; Write does not keep it. The times are in nanoseconds. The message is on
// the disk after the next call of Flush.
func (w *Writer) Write(topic string, logTime, publishTime int64, data []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.usable(); err != nil {
		return err
	}
	id, ok := w.ids[topic]
	if !ok {
		return fmt.Errorf("%s: the topic was not added to the bag", topic)
	}
	if logTime < 0 || publishTime < 0 {
		return fmt.Errorf("%s: log time %d ns, publish time %d ns: neither can be before 1970", topic, logTime, publishTime)
	}
	t := &w.topics[id-1]
	f := &w.meta.Files[len(w.meta.Files)-1]
	if f.Count > 0 && w.maxFileBytes > 0 && int64(w.file.at)+int64(len(w.file.chunk)) >= w.maxFileBytes {
		if err := w.fail(errors.Join(w.file.close(), w.begin())); err != nil {
			return err
		}
		f = &w.meta.Files[len(w.meta.Files)-1]
	}
	if err := w.fail(w.file.write(id, logTime, publishTime, data)); err != nil {
		return err
	}
	w.dirty = true
	t.count++
	if f.Count == 0 {
		f.Start.Value = logTime
	}
	end := max(f.Start.Value+f.Duration.Value, logTime)
	f.Start.Value = min(f.Start.Value, logTime)
	f.Duration.Value = end - f.Start.Value
	f.Count++
	return nil
}

// Flush returns when everything written before is on the disk.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.usable(); err != nil || !w.dirty {
		return err
	}
	if err := w.fail(w.file.flush()); err != nil {
		return err
	}
	w.dirty = false
	file := w.file.f
	w.mu.Unlock() // others may write meanwhile
	err := file.Sync()
	w.mu.Lock()
	if errors.Is(err, os.ErrClosed) { // whoever closed the file has synced it
		return nil
	}
	return w.fail(err)
}

// usable returns the reason why nothing can be written any more, or nil.
func (w *Writer) usable() error {
	if w.closed {
		return errClosed
	}
	return w.err
}

// fail keeps an error, after which the contents of the file are uncertain.
func (w *Writer) fail(err error) error {
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("writing the bag %s: %w", w.dir, err)
		return w.err
	}
	return err
}

// total fills in the metadata's topics and its sums over the files.
func (w *Writer) total() {
	m := &w.meta
	var end int64
	for _, f := range m.Files {
		if f.Count == 0 {
			continue
		}
		if m.Count == 0 {
			m.Start.Value, end = f.Start.Value, f.Start.Value+f.Duration.Value
		}
		m.Start.Value, end = min(m.Start.Value, f.Start.Value), max(end, f.Start.Value+f.Duration.Value)
		m.Count += f.Count
	}
	m.Duration.Value = end - m.Start.Value
	for _, t := range w.topics {
		m.Topics = append(m.Topics, topicMetadata(t))
	}
}

// topicMetadata returns what metadata.yaml holds about a topic.
func topicMetadata(t Topic) (m metadataTopic) {
	m.Topic.Name, m.Topic.Type, m.Topic.Format, m.Topic.QoS = t.Name, t.Type, "cdr", qosText(t.QoS)
	m.Count = t.count
	return m
}

// Close ends the bag and writes its metadata.yaml. Closing again does nothing.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	w.closed = true
	err := errors.Join(w.err, w.file.close())
	if err == nil {
		w.total()
		err = w.meta.write(w.dir)
	}
	if err != nil {
		return fmt.Errorf("closing the bag %s: %w", w.dir, err)
	}
	return nil
}
