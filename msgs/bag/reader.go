// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"time"
)

// Reader reads a bag. It is safe for concurrent use until it is closed.
type Reader struct {
	info  Info
	files []bagFile // in order of time
}

// bagFile is one file that can be read.
type bagFile struct {
	storage
	name   string
	topics []int // index into Info.Topics of each topic of the file
}

// storage is an open file of a bag.
type storage interface {
	contents() *contents
	// messages yields the selected messages in the order of their log times, those with the same one in the order in which they were written. Damage comes between
	// them. It is safe for concurrent use.
	messages(s selection) iter.Seq2[record, *Problem]
	close() error
}

// selection is which messages of a file are asked for.
type selection struct {
	topics      []bool // by index into contents.topics
	first, last int64  // log times, both included
}

// record is one message of a file.
type record struct {
	topic int // index into contents.topics
	log   int64
	data  []byte // valid until the next iteration
}

// Open opens a bag: a folder, its metadata.yaml, or one file. It reads each MCAP file once, and counts the messages of an SQLite file. Info.Problems lists what is wrong
// with the bag. Open returns an error if the bag does not exist, cannot be read for reasons outside the bag, or contains no readable file, and that of ctx when it ends. ctx has
// no effect on the Reader.
func Open(ctx context.Context, path string) (*Reader, error) { return open(ctx, path, maxChunk) }

func open(ctx context.Context, path string, limit int) (*Reader, error) {
	paths, count, problems, err := find(path)
	if err != nil {
		return nil, fmt.Errorf("opening a bag: %w", err)
	}
	r := &Reader{info: Info{Path: path, Problems: problems}}
	for _, path := range paths {
		s, why, err := openFile(ctx, path, limit)
		if err == nil {
			err = ctx.Err() // what could not be read for it may have become a problem
		}
		name := filepath.Base(path)
		if s != nil {
			r.files = append(r.files, bagFile{storage: s, name: name})
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("opening a bag: %w", err), r.Close())
		}
		if why != "" {
			r.info.Problems = append(r.info.Problems, Problem{File: name, Text: why})
		}
	}
	if len(r.files) == 0 {
		return nil, fmt.Errorf("opening a bag: %s: none of its files can be read: %w", path, &r.info.Problems[len(r.info.Problems)-1])
	}
	r.summarise()
	if count >= 0 && count != r.info.Count {
		r.info.Problems = append(r.info.Problems, Problem{File: metadataName,
			Text: fmt.Sprintf("it counts %d messages, and the files contain %d: a file was cut off, or changed", count, r.info.Count)})
	}
	r.checkTopics()
	return r, nil
}

// summarise fills in the info from the files.
func (r *Reader) summarise() {
	all := contents{}
	for i := range r.files {
		f := &r.files[i]
		c := f.contents()
		for _, t := range c.topics {
			n := t.Count
			t.Count = 0
			j := all.addTopic(t)
			all.topics[j].Count += n
			f.topics = append(f.topics, j)
		}
		all.counted(c.count, c.start, c.end)
		for _, p := range c.problems {
			p.File = f.name
			r.info.Problems = append(r.info.Problems, p)
		}
	}
	r.info.Topics, r.info.Count, r.info.Start, r.info.End = all.topics, all.count, all.start, all.end
	slices.SortStableFunc(r.files, func(a, b bagFile) int { return cmp.Compare(a.contents().start, b.contents().start) })
}

// checkTopics finds problems of topics and stamps.
func (r *Reader) checkTopics() {
	add := func(topic, format string, args ...any) {
		r.info.Problems = append(r.info.Problems, Problem{Topic: topic, Text: fmt.Sprintf(format, args...)})
	}
	types := map[string]string{}
	for i := range r.info.Topics {
		t := &r.info.Topics[i]
		if t.Type == "" {
			add(t.Name, "the bag does not contain the type of the topic")
			continue
		}
		if other, ok := types[t.Name]; ok && other != t.Type {
			add(t.Name, "the topic has messages of the types %s and %s", other, t.Type)
		}
		types[t.Name] = t.Type
		if why := differs(t); why != "" {
			add(t.Name, "%s", why)
		}
	}
	if start := time.Unix(0, r.info.Start); r.info.Count > 0 && start.Year() < 1980 {
		add("", "the first stamp is %s after 1970: the clock was not set, or the time was simulated", time.Duration(r.info.Start))
	}
}

// Info describes the bag.
func (r *Reader) Info() *Info { return &r.info }

// Close closes the files of the bag. Loops over its messages must have ended.
func (r *Reader) Close() error {
	var errs []error
	for _, f := range r.files {
		errs = append(errs, f.close())
	}
	r.files = nil
	return errors.Join(errs...)
}
