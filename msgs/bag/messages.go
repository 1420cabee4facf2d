// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
)

// Message is one recorded message.
type Message struct {
	Topic   *Topic
	LogTime int64 // when it was received, ns
	Data    []byte
}

// Query selects messages. The zero Query selects all.
type Query struct {
	Topics     []string // names; empty means all
	Start, End int64    // log times, ns: Start ≤ log time < End; an End of 0 means the end of the bag
}

// Messages yields the messages in the order of their log times. A message and its data are valid until the next iteration.
//
// A *Problem instead of a message says what could not be read; the loop may continue. After any other error the loop ends. Problems that are in Info.Problems already are not
// repeated.
func (r *Reader) Messages(q Query) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		first, last := int64(math.MinInt64), int64(math.MaxInt64)
		if q.Start != 0 {
			first = q.Start
		}
		if q.End != 0 {
			last = q.End - 1
		}
		wanted := map[string]bool{}
		for _, t := range r.info.Topics {
			wanted[t.Name] = len(q.Topics) == 0
		}
		for _, name := range q.Topics {
			if _, ok := wanted[name]; !ok {
				yield(nil, fmt.Errorf("the bag has no topic %q; its topics are %s", name, strings.Join(slices.Sorted(maps.Keys(wanted)), ", ")))
				return
			}
			wanted[name] = true
		}
		var open []*source // those whose messages are due, in the order of the files
		defer func() {
			for _, s := range open {
				s.stop()
			}
		}()
		// pull gets the next message of a source and reports whether the loop continues.
		pull := func(s *source) bool {
			for {
				rec, problem, ok := s.next()
				if !ok {
					s.stop()
					open = slices.DeleteFunc(open, func(o *source) bool { return o == s })
					return true
				}
				if problem == nil {
					s.record = rec
					return true
				}
				p := *problem
				p.File = s.name
				if !yield(nil, &p) {
					return false
				}
			}
		}
		var m Message
		for upcoming := 0; ; {
			s := earliest(open)
			for upcoming < len(r.files) && (s == nil || r.files[upcoming].contents().start <= s.log) {
				f := &r.files[upcoming]
				upcoming++
				sel := selection{first: first, last: last}
				for _, t := range f.topics {
					sel.topics = append(sel.topics, wanted[r.info.Topics[t].Name])
				}
				if !slices.Contains(sel.topics, true) {
					continue
				}
				added := &source{bagFile: f}
				added.next, added.stop = iter.Pull2(f.messages(sel))
				open = append(open, added)
				if !pull(added) {
					return
				}
				s = earliest(open)
			}
			if s == nil {
				return
			}
			m = Message{Topic: &r.info.Topics[s.topics[s.topic]], LogTime: s.log, Data: s.data}
			if !yield(&m, nil) || !pull(s) {
				return
			}
		}
	}
}

// source is a file with its next message.
type source struct {
	*bagFile
	record
	next func() (record, *Problem, bool)
	stop func()
}

// earliest returns the first of the sources with the earliest message, nil without sources.
func earliest(open []*source) (first *source) {
	for _, s := range open {
		if first == nil || s.log < first.log {
			first = s
		}
	}
	return first
}
