package bag

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"ugp_explorer/msgs"
	"ugp_explorer/msgs/cdr"
)

// ErrClosed is returned by a Writer that was closed.
var ErrClosed = errors.New("the bag is closed")

// sink is one file of a bag that is being written. Its methods but sync are called with the Writer's lock held.
type sink interface {
	addTopic(id int, t Topic) error // ids count from 1
	write(id int, log, publish int64, data []byte) error
	size() int64 // about, with what is not written yet
	// flush hands everything over to the system.
	flush() error
	// sync returns when all that was flushed is on the disk. It may be called at any time, even after close.
	sync() error
	// close ends the file so that it is whole and on the disk. The metadata are those of the bag, for what the file holds of them.
	close(m *metadata) error
}

// Writer writes a bag. It is safe for concurrent use.
type Writer struct {
	cfg    Config
	dir    string
	mu     sync.Mutex
	err    error // of anything before, after which nothing is written
	closed bool
	file   sink
	topics []Topic
	ids    map[string]int
	meta   metadata
	dirty  bool // since the last flush

	stop    chan struct{} // of the goroutine that flushes
	stopped sync.WaitGroup
	packing sync.WaitGroup
	packErr error // of the goroutines that compress files; with mu
}

// Create makes the folder dir, which must not be there or be empty, and begins a bag in it.
func Create(dir string, cfg Config) (*Writer, error) {
	fail := func(err error) (*Writer, error) { return nil, fmt.Errorf("creating the bag %s: %w", dir, err) }
	if err := cfg.validate(); err != nil {
		return fail(err)
	}
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
		return fail(fmt.Errorf("the folder is not empty: it has %s", entries[0].Name()))
	}
	w := &Writer{cfg: cfg, dir: dir, ids: map[string]int{}, stop: make(chan struct{})}
	w.meta = metadata{Version: formats[cfg.Distro].metadata, Storage: cfg.Storage, Custom: cfg.Custom}
	if w.meta.Version >= 8 {
		w.meta.Distro = cfg.Distro
	}
	switch cfg.Compression {
	case FileZstd:
		w.meta.CompressionFormat, w.meta.CompressionMode = "zstd", "FILE"
	case MessageZstd:
		w.meta.CompressionFormat, w.meta.CompressionMode = "zstd", "MESSAGE"
	}
	if err := errors.Join(w.begin(), syncDir(filepath.Dir(dir))); err != nil {
		return fail(err)
	}
	if cfg.FlushEvery > 0 {
		w.stopped.Go(w.flushLoop)
	}
	return w, nil
}

// begin starts the next file.
func (w *Writer) begin() (err error) {
	name := fmt.Sprintf("%s_%d", filepath.Base(w.dir), len(w.meta.Files))
	if w.cfg.Storage == MCAP {
		name += ".mcap"
		w.file, err = newMCAPSink(filepath.Join(w.dir, name), w.cfg, &w.meta)
	} else {
		name += ".db3"
		w.file, err = newSQLiteSink(filepath.Join(w.dir, name), w.cfg)
	}
	if err != nil {
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

// AddTopic adds a topic, of which Name and Type must be set. An empty Format is "cdr". Without a Definition it and the Hash are those of this program's type of that name;
// a type that neither has is recorded without. Adding a topic again changes nothing, and errors with another type.
func (w *Writer) AddTopic(t Topic) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.usable(); err != nil {
		return err
	}
	if err := t.validate(); err != nil {
		return err
	}
	if id, ok := w.ids[t.Name]; ok {
		if have := w.topics[id-1].Type; have != t.Type {
			return fmt.Errorf("%s: its type is %s and cannot become %s", t.Name, have, t.Type)
		}
		return nil
	}
	if len(w.topics) == maxTopics {
		return fmt.Errorf("%s: a bag has at most %d topics", t.Name, maxTopics)
	}
	if t.Format == "" {
		t.Format = "cdr"
	}
	if f, ok := msgs.Lookup(t.Type); ok && t.Definition == "" {
		if d, ok := f().(cdr.Described); ok {
			t.Definition, t.Encoding = d.Definition(), "ros2msg"
			if t.Hash == "" {
				t.Hash = d.TypeHash()
			}
		}
	}
	if t.Definition != "" && t.Encoding == "" {
		t.Encoding = "ros2msg"
	}
	t.Count = 0
	if err := w.file.addTopic(len(w.topics)+1, t); err != nil {
		return w.fail(err)
	}
	w.topics = append(w.topics, t)
	w.ids[t.Name] = len(w.topics)
	w.dirty = true
	return nil
}

// maxTopics is what an MCAP file can number.
const maxTopics = 65535

// Write adds a message of a topic that was added. Data is the CDR with its header; it is not kept. The times are in nanoseconds; SQLite has no place for the publish time.
// A message is in the file once Flush was called after it, or FlushEvery has passed.
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
	if len(data) > MaxChunk/2 {
		return fmt.Errorf("%s: a message of %d bytes: at most %d are written", topic, len(data), MaxChunk/2)
	}
	t := &w.topics[id-1]
	if t.Format == "cdr" && (len(data) < 4 || data[0] != 0) {
		return fmt.Errorf("%s: a message of %d bytes that does not start with the header of CDR", topic, len(data))
	}
	if w.full(logTime) {
		if err := w.fail(errors.Join(w.end(), w.begin())); err != nil {
			return err
		}
	}
	if err := w.fail(w.file.write(id, logTime, publishTime, data)); err != nil {
		return err
	}
	w.dirty = true
	t.Count++
	w.meta.Files[len(w.meta.Files)-1].add(logTime)
	return nil
}

// full reports whether a message of the given time belongs into another file.
func (w *Writer) full(logTime int64) bool {
	f := &w.meta.Files[len(w.meta.Files)-1]
	return f.Count > 0 && (w.cfg.MaxFileBytes > 0 && w.file.size() >= w.cfg.MaxFileBytes ||
		w.cfg.MaxFileTime > 0 && logTime-int64(f.Start.Value) >= int64(w.cfg.MaxFileTime))
}

// add takes the time of one more message in.
func (f *metadataFile) add(logTime int64) {
	start, end := int64(f.Start.Value), int64(f.Start.Value+f.Duration.Value)
	if f.Count == 0 {
		start, end = logTime, logTime
	}
	start, end = min(start, logTime), max(end, logTime)
	f.Start.Value, f.Duration.Value = yamlInt(start), yamlInt(end-start)
	f.Count++
}

// Flush returns when everything that was written before is on the disk.
func (w *Writer) Flush() error {
	w.mu.Lock()
	if err := w.usable(); err != nil {
		w.mu.Unlock()
		return err
	}
	if !w.dirty {
		w.mu.Unlock()
		return nil
	}
	file := w.file
	err := w.fail(file.flush())
	w.dirty = err != nil
	w.mu.Unlock()
	if err != nil {
		return err
	}
	if err := file.sync(); err != nil { // others may write meanwhile
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.fail(err)
	}
	return nil
}

func (w *Writer) flushLoop() {
	t := time.NewTicker(w.cfg.FlushEvery)
	defer t.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-t.C:
			if w.Flush() != nil {
				return // the error is returned to the next caller
			}
		}
	}
}

// usable returns why nothing can be written any more.
func (w *Writer) usable() error {
	if w.closed {
		return ErrClosed
	}
	return errors.Join(w.err, w.packErr)
}

// fail keeps an error, after which the file may not be what it is taken for.
func (w *Writer) fail(err error) error {
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("writing the bag %s: %w", w.dir, err)
		return w.err
	}
	return err
}

// end ends the present file, and has it compressed in the background.
func (w *Writer) end() error {
	w.total()
	if err := w.file.close(&w.meta); err != nil {
		return err
	}
	w.dirty = false
	if w.cfg.Compression != FileZstd {
		return nil
	}
	i := len(w.meta.Paths) - 1
	path := filepath.Join(w.dir, w.meta.Paths[i])
	w.packing.Go(func() {
		packed, err := packFile(path)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.packErr = errors.Join(w.packErr, err)
		if err == nil {
			w.meta.Paths[i] = filepath.Base(packed)
		}
	})
	return nil
}

// total puts the topics and the sums over the files into the metadata.
func (w *Writer) total() {
	m := &w.meta
	m.Topics, m.Count, m.Start.Value, m.Duration.Value = nil, 0, 0, 0
	var end yamlInt
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
		m.Topics = append(m.Topics, topicMetadata(t, m.Version))
	}
}

// Close ends the bag and writes its metadata.yaml. Closing again does nothing.
func (w *Writer) Close() error {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return nil
	}
	w.closed = true
	err := errors.Join(w.err, w.end())
	w.mu.Unlock()
	close(w.stop)
	w.stopped.Wait()
	w.packing.Wait()
	if err = errors.Join(err, w.packErr); err != nil {
		return fmt.Errorf("closing the bag %s: %w", w.dir, err)
	}
	b, err := w.meta.encode(true)
	if err == nil {
		err = writeFileDurably(filepath.Join(w.dir, metadataName), b)
	}
	if err != nil {
		return fmt.Errorf("closing the bag %s: %w", w.dir, err)
	}
	return nil
}
