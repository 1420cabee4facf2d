package bag

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Reader reads a bag. It is safe for concurrent use until it is closed.
type Reader struct {
	info  Info
	files []bagFile
	limit int
}

// bagFile is one file that can be read.
type bagFile struct {
	storage
	file   *File
	topics []int // index into Info.Topics of each topic of the file
}

// Open opens a bag: a folder, its metadata.yaml, or one file. It reads the indexes of the files, and all of each file without an index. Info.Problems lists what is wrong
// with the bag. Open returns an error if the bag does not exist, cannot be read for reasons outside the bag, or contains no readable file, and that of ctx when it ends. ctx has
// no effect on the Reader.
func Open(ctx context.Context, path string) (*Reader, error) { return open(ctx, path, MaxChunk) }

func open(ctx context.Context, path string, limit int) (*Reader, error) {
	files, meta, problems, err := find(path)
	if err != nil {
		return nil, fmt.Errorf("opening a bag: %w", err)
	}
	r := &Reader{limit: limit, info: Info{Path: path, Problems: problems}}
	if err := r.openFiles(ctx, files); err != nil {
		return nil, errors.Join(fmt.Errorf("opening a bag: %w", err), r.Close())
	}
	if len(r.files) == 0 && !slices.ContainsFunc(r.info.Problems, func(p Problem) bool { return p.Kind == Cut }) {
		return nil, fmt.Errorf("opening a bag: %s: none of its files can be read: %w", path, &r.info.Problems[len(r.info.Problems)-1])
	}
	if err := r.count(ctx, meta); err != nil {
		return nil, errors.Join(fmt.Errorf("opening a bag: %w", err), r.Close())
	}
	r.summarise(meta)
	return r, nil
}

func (r *Reader) openFiles(ctx context.Context, paths []string) error {
	r.info.Files = make([]File, 0, len(paths)) // its elements are pointed to
	for _, path := range paths {
		s, file, problems, err := openFile(ctx, path, r.limit)
		if err != nil {
			return err
		}
		r.info.Problems = append(r.info.Problems, problems...)
		r.info.Files = append(r.info.Files, file)
		if s != nil {
			r.files = append(r.files, bagFile{storage: s, file: &r.info.Files[len(r.info.Files)-1]})
		}
		if err := ctx.Err(); err != nil { // what could not be read for it may have become a problem
			return err
		}
	}
	return nil
}

// count counts the messages of each topic. If metadata.yaml agrees with the indexes of the files, it takes the counts from there: counting reads a whole SQLite file.
func (r *Reader) count(ctx context.Context, meta *metadata) error {
	var n, topics int64
	start, end := int64(0), int64(0)
	for _, f := range r.files {
		c := f.contents()
		if c.count > 0 && (n == 0 || c.start < start) {
			start = c.start
		}
		if c.count > 0 && (n == 0 || c.end > end) {
			end = c.end
		}
		n += c.count
	}
	counts := map[topicKey]int64{}
	if meta != nil {
		for _, t := range meta.Topics {
			counts[topicKey{t.Topic.Name, t.Topic.Type, t.Topic.Format}] += t.Count
			topics += t.Count
		}
	}
	if meta != nil && meta.Count == n && topics == n && (n == 0 || int64(meta.Start.Value) == start && meta.end() == end) && r.takeCounts(counts) {
		return nil
	}
	for _, f := range r.files {
		if err := f.count(ctx); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// takeCounts gives the counts of metadata.yaml to the topics of SQLite files. It reports false if a file is not SQLite or a count has no topic.
func (r *Reader) takeCounts(counts map[topicKey]int64) bool {
	var first []*sqliteFile
	for _, f := range r.files {
		s, ok := f.storage.(*sqliteFile)
		if !ok || !s.usable {
			return false
		}
		first = append(first, s)
	}
	known := map[topicKey]bool{}
	for _, s := range first {
		for _, t := range s.c.topics {
			known[t.key()] = true
		}
	}
	for k, n := range counts {
		if n > 0 && !known[k] {
			return false
		}
	}
	for _, s := range first {
		for i := range s.c.topics {
			t := &s.c.topics[i]
			t.Count = counts[t.key()] // the sum over the files, which stands once
			counts[t.key()] = 0
		}
	}
	return true
}

// summarise fills in the info from the files.
func (r *Reader) summarise(meta *metadata) {
	if meta != nil {
		r.info.Version, r.info.Storage, r.info.Distro = meta.Version, meta.Storage, meta.Distro
	}
	all := contents{}
	for i := range r.files {
		f := &r.files[i]
		c := f.contents()
		f.file.Storage, f.file.Compression, f.file.Count = c.storage, c.compression, c.count
		if r.info.Storage == "" {
			r.info.Storage = c.storage
		}
		if r.info.Distro == "" {
			r.info.Distro = c.distro
		}
		for _, t := range c.topics {
			n := t.Count
			t.Count = 0
			j := all.addTopic(t)
			all.topics[j].Count += n
			f.topics = append(f.topics, j)
		}
		if c.count > 0 {
			f.file.Start, f.file.End = c.start, c.end
			if r.info.Count == 0 {
				r.info.Start, r.info.End = c.start, c.end
			}
			r.info.Start, r.info.End = min(r.info.Start, c.start), max(r.info.End, c.end)
			r.info.Count += c.count
		}
		for _, p := range c.problems {
			p.File = filepath.Base(f.file.Path)
			r.info.Problems = append(r.info.Problems, p)
		}
	}
	r.info.Topics = all.topics
	slices.SortStableFunc(r.files, func(a, b bagFile) int { return cmp.Compare(a.file.Start, b.file.Start) })
	r.compare(meta)
	r.checkTopics()
}

// compare fills in what only metadata.yaml has and finds where it disagrees with the files.
func (r *Reader) compare(meta *metadata) {
	if meta == nil {
		return
	}
	if meta.Count != r.info.Count {
		r.info.Problems = append(r.info.Problems, Problem{Kind: BadMetadata, File: metadataName,
			Text: fmt.Sprintf("metadata.yaml counts %d messages, but the files contain %d", meta.Count, r.info.Count)})
	}
	first := map[[2]string]int{} // topic of each name and type; there may be thousands
	for i, t := range slices.Backward(r.info.Topics) {
		first[[2]string{t.Name, t.Type}] = i
	}
	for _, m := range meta.Topics {
		name, untyped := [2]string{m.Topic.Name, m.Topic.Type}, [2]string{m.Topic.Name}
		i, ok := first[name]
		if !ok {
			i, ok = first[untyped]
			delete(first, untyped)
		}
		if !ok {
			r.info.Topics = append(r.info.Topics, Topic{Name: m.Topic.Name, Format: m.Topic.Format})
			i = len(r.info.Topics) - 1
			if m.Count > 0 {
				r.info.Problems = append(r.info.Problems, Problem{Kind: BadMetadata, File: metadataName,
					Text: fmt.Sprintf("metadata.yaml counts %d messages on %s (%s), a topic that the files do not contain", m.Count, m.Topic.Name, m.Topic.Type)})
			}
		}
		first[name] = i
		t := &r.info.Topics[i]
		t.Type = m.Topic.Type
		if t.Hash == "" && m.Topic.Hash != nil {
			t.Hash = *m.Topic.Hash
		}
		if t.QoS == nil {
			var err error
			if t.QoS, err = parseQoS(&m.Topic.QoS); err != nil {
				r.info.Problems = append(r.info.Problems, Problem{Kind: BadMetadata, File: metadataName, Topic: t.Name, Text: err.Error()})
			}
		}
	}
}

// checkTopics finds problems of topics and stamps.
func (r *Reader) checkTopics() {
	add := func(k Kind, topic, text string) {
		r.info.Problems = append(r.info.Problems, Problem{Kind: k, Topic: topic, Text: text})
	}
	types := map[string]string{}
	type described struct{ typ, hash, encoding, definition string }
	found := map[described]string{} // what differs returns: it parses the definition
	for i := range r.info.Topics {
		t := &r.info.Topics[i]
		if t.Type == "" {
			add(NoType, t.Name, "the bag does not contain the type of the topic")
			continue
		}
		if other, ok := types[t.Name]; ok && other != t.Type {
			add(TwoTypes, t.Name, fmt.Sprintf("the topic has messages of the types %s and %s", other, t.Type))
		}
		types[t.Name] = t.Type
		d := described{t.Type, t.Hash, t.Encoding, t.Definition}
		why, ok := found[d]
		if !ok {
			why = differs(t)
			found[d] = why
		}
		if why != "" {
			add(OtherType, t.Name, why)
		}
	}
	if start := time.Unix(0, r.info.Start); r.info.Count > 0 && start.Year() < 1980 {
		add(Epoch, "", fmt.Sprintf("the first stamp is %s after 1970: the clock was not set, or the time was simulated", time.Duration(r.info.Start)))
	}
}

// Info describes the bag.
func (r *Reader) Info() *Info { return &r.info }

// Topic returns the index in Info.Topics of the topic with a name: the one with the most messages if the name has several types. ok is false if there is none.
func (r *Reader) Topic(name string) (i int, ok bool) {
	i = -1
	for j, t := range r.info.Topics {
		if t.Name == name && (i < 0 || t.Count > r.info.Topics[i].Count) {
			i = j
		}
	}
	return i, i >= 0
}

// Close closes the files of the bag. Loops over its messages must have ended.
func (r *Reader) Close() error {
	var errs []error
	for _, f := range r.files {
		errs = append(errs, f.close())
	}
	r.files = nil
	return errors.Join(errs...)
}

func (r *Reader) names() string {
	var s []string
	for _, t := range r.info.Topics {
		s = append(s, t.Name)
	}
	return strings.Join(s, ", ")
}
