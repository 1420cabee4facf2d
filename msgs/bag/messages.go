package bag

import (
	"container/heap"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"
)

// Message is one recorded message.
type Message struct {
	Topic       *Topic
	LogTime     int64 // when it was received, ns
	PublishTime int64 // when it was sent, ns; the log time in SQLite files
	Data        []byte
}

// Query selects messages. The zero Query selects all.
type Query struct {
	Topics     []string // names; empty means all
	Start, End int64    // log times, ns: Start ≤ log time < End; an End of 0 means the end of the bag
}

// Messages yields the messages in the order of their log times. A message and its data are valid until the next iteration.
//
// A *Problem instead of a message says what could not be read; the loop may go on. After any other error the loop ends. Problems that are in Info.Problems already are not
// repeated.
func (r *Reader) Messages(q Query) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		m, err := r.merge(q)
		if err != nil {
			yield(nil, err)
			return
		}
		defer m.close()
		var msg Message
		for {
			err := m.next(&msg)
			if err == nil {
				if !yield(&msg, nil) {
					return
				}
				continue
			}
			if err == io.EOF {
				return
			}
			var p *Problem
			if !errors.As(err, &p) {
				yield(nil, err)
				return
			}
			if !yield(nil, p) {
				return
			}
		}
	}
}

// source is an open file with its next message.
type source struct {
	cursor
	part  *bagFile
	order int
	fresh bool // it has no message yet and comes before all others
	r     record
}

func (s *source) before(other *source) bool {
	return s.fresh || !other.fresh && (s.r.log < other.r.log || s.r.log == other.r.log && s.order < other.order)
}

// merge reads the files together. It opens a file when the first of its messages is due.
type merge struct {
	*Reader
	wanted      []bool
	first, last int64
	upcoming    int // into files
	open        queue[*source]
	used        bool // the first of open has been handed out
	unpack      messages
}

func (r *Reader) merge(q Query) (*merge, error) {
	m := &merge{Reader: r, wanted: make([]bool, len(r.info.Topics)), first: math.MinInt64, last: math.MaxInt64, unpack: messages{limit: r.limit}}
	if q.Start != 0 {
		m.first = q.Start
	}
	if q.End != 0 {
		m.last = q.End - 1
	}
	for _, name := range q.Topics {
		if _, ok := r.Topic(name); !ok {
			return nil, fmt.Errorf("the bag has no topic %q; its topics are %s", name, r.names())
		}
	}
	for i, t := range r.info.Topics {
		m.wanted[i] = len(q.Topics) == 0
		for _, name := range q.Topics {
			m.wanted[i] = m.wanted[i] || t.Name == name
		}
	}
	return m, nil
}

func (m *merge) close() {
	for _, s := range m.open {
		s.close() // after reading, an error changes nothing
	}
	m.open = nil
	m.unpack.close()
}

func (m *merge) next(msg *Message) error {
	if m.used {
		m.used = false
		if err := m.advance(m.open[0]); err != nil {
			return err
		}
	}
	for m.upcoming < len(m.files) && (len(m.open) == 0 || m.files[m.upcoming].file.Start <= m.open[0].r.log) {
		if err := m.openNext(); err != nil {
			return err
		}
	}
	if len(m.open) == 0 {
		return io.EOF
	}
	s := m.open[0]
	m.used = true
	msg.Topic, msg.LogTime, msg.PublishTime, msg.Data = &m.info.Topics[s.part.topics[s.r.topic]], s.r.log, s.r.publish, s.r.data
	if !compressed(msg.Data) {
		return nil
	}
	var err error
	if msg.Data, err = m.unpack.unpack(msg.Data); err != nil {
		return &Problem{Kind: Damaged, File: filepath.Base(s.part.file.Path), Topic: msg.Topic.Name, Lost: int64(len(s.r.data)),
			Text: fmt.Sprintf("the message on %s at %d ns cannot be uncompressed: %v", msg.Topic.Name, s.r.log, err)}
	}
	return nil
}

// openNext opens the next file if it has selected messages.
func (m *merge) openNext() error {
	p := &m.files[m.upcoming]
	m.upcoming++
	sel := selection{topics: make([]bool, len(p.topics)), first: m.first, last: m.last}
	var any bool
	for i, t := range p.topics {
		sel.topics[i] = m.wanted[t]
		any = any || m.wanted[t]
	}
	if c := p.contents(); !any || !c.unsized && (c.count == 0 || c.start > m.last || c.end < m.first) {
		return nil
	}
	c, err := p.storage.open(sel)
	if err != nil {
		return &Problem{Kind: Damaged, File: filepath.Base(p.file.Path), Text: err.Error()}
	}
	s := &source{cursor: c, part: p, order: m.upcoming, fresh: true}
	heap.Push(&m.open, s)
	return m.advance(s)
}

// advance sets the next message of s, which is the first of m.open, and moves it to its place. Damage comes as a *Problem, with s still first.
func (m *merge) advance(s *source) error {
	err := s.next(&s.r)
	if err == nil {
		s.fresh = false
		if len(m.open) > 1 {
			heap.Fix(&m.open, 0)
		}
		return nil
	}
	if err == io.EOF {
		heap.Pop(&m.open)
		return s.close()
	}
	var p *Problem
	if !errors.As(err, &p) {
		return err
	}
	q := *p
	q.File = filepath.Base(s.part.file.Path)
	m.used = true // to be advanced again
	return &q
}
