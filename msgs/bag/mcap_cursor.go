package bag

import (
	"cmp"
	"container/heap"
	"fmt"
	"io"
	"slices"

	"github.com/foxglove/mcap/go/mcap"
)

// openBytes is how much of overlapping spans is held uncompressed. Beyond it those that are needed last are dropped and read again.
const openBytes = 32 << 20

// entry is where one message is in its span.
type entry struct {
	log int64
	at  uint32
}

// openSpan is a span of which messages are to come.
type openSpan struct {
	span
	log     int64 // of the next message
	taken   int   // messages that were there already
	entries []entry
	records []byte // a part of raw or out; nil when it was dropped
	raw     []byte // as in the file
	out     []byte // uncompressed
}

func (o *openSpan) bytes() int { return cap(o.raw) + cap(o.out) + 16*cap(o.entries) }

func (o *openSpan) before(other *openSpan) bool {
	return o.log < other.log || o.log == other.log && o.at < other.at
}

type mcapCursor struct {
	*mcapFile
	sel      selection
	unpack   unpacker
	upcoming int              // into spans
	open     queue[*openSpan] // first the span with the earliest next message
	held     int              // bytes of open
	free     *openSpan        // its buffers are for the next one
	pending  *openSpan        // the span of the last message, to be moved on
}

func (m *mcapFile) open(s selection) (cursor, error) {
	return &mcapCursor{mcapFile: m, sel: s, unpack: unpacker{limit: m.limit}}, nil
}

func (c *mcapCursor) close() error {
	c.unpack.close()
	c.open, c.free, c.pending = nil, nil, nil
	c.upcoming = len(c.spans)
	return nil
}

func (c *mcapCursor) next(r *record) error {
	c.advance()
	for c.upcoming < len(c.spans) && (len(c.open) == 0 || c.spans[c.upcoming].first <= c.open[0].log) {
		sp := c.spans[c.upcoming]
		c.upcoming++
		if sp.first > c.sel.last || sp.last < c.sel.first {
			continue
		}
		if err := c.load(c.reuse(sp)); err != nil {
			return err
		}
	}
	if len(c.open) == 0 {
		return io.EOF
	}
	o := c.open[0]
	if o.records == nil { // dropped
		c.held -= o.bytes()
		heap.Pop(&c.open)
		if err := c.load(o); err != nil {
			return err
		}
		return c.next(r)
	}
	body := o.records[o.entries[o.taken].at:]
	_, body, _, _ = nextRecord(body)
	r.topic, r.log, r.publish, r.data = c.channels[messageChannel(body)], messageLogTime(body), messagePublishTime(body), body[messageHeader:]
	c.pending = o
	return nil
}

// advance moves the span of the last message on, whose data is no longer needed.
func (c *mcapCursor) advance() {
	o := c.pending
	if o == nil {
		return
	}
	c.pending = nil
	o.taken++
	if o.taken == len(o.entries) {
		c.held -= o.bytes()
		heap.Pop(&c.open)
		c.free = o
		return
	}
	o.log = o.entries[o.taken].log
	if len(c.open) > 1 {
		heap.Fix(&c.open, 0)
	}
}

// reuse returns an openSpan for sp with the buffers of one that is done with.
func (c *mcapCursor) reuse(sp span) *openSpan {
	o := c.free
	if o == nil {
		return &openSpan{span: sp}
	}
	c.free = nil
	*o = openSpan{span: sp, raw: o.raw, out: o.out, entries: o.entries}
	return o
}

// load reads a span and puts it into c.open, unless nothing of it is asked for. It returns damage as a *Problem.
func (c *mcapCursor) load(o *openSpan) error {
	err := c.read(o)
	if err != nil {
		err = &Problem{Kind: Damaged, Lost: o.length, Text: fmt.Sprintf("at byte %d: %v", o.at, err)}
	}
	if o.taken >= len(o.entries) {
		c.free = o
		return err
	}
	o.log = o.entries[o.taken].log
	c.held += o.bytes()
	heap.Push(&c.open, o)
	c.drop()
	return err
}

// drop lets go of the spans that are needed last until the rest are few enough.
func (c *mcapCursor) drop() {
	for c.held > c.budget {
		var last *openSpan
		for _, o := range c.open[1:] {
			if o.records != nil && (last == nil || o.log > last.log) {
				last = o
			}
		}
		if last == nil {
			return
		}
		c.held -= last.bytes()
		last.raw, last.out, last.records, last.entries = nil, nil, nil, nil
	}
}

// read fills in a span's records and the entries of those that are asked for, in order. Damage that is known since the file was opened is no error.
func (c *mcapCursor) read(o *openSpan) error {
	o.entries, o.records = o.entries[:0], []byte{}
	var err error
	if o.raw, err = c.readAt(o.raw, o.at, o.length); err != nil {
		return err
	}
	if o.chunk {
		err = c.readChunk(o)
	} else {
		o.records = o.raw
	}
	if e := c.index(o); err == nil {
		err = e
	}
	if c.scanned {
		return nil
	}
	return err
}

func (c *mcapCursor) readChunk(o *openSpan) error {
	if mcap.OpCode(o.raw[0]) != mcap.OpChunk {
		return errNoRecord
	}
	ch, err := parseChunk(o.raw[recordHeader:]) // the last chunk of a file that is cut off is not whole
	if err != nil {
		return err
	}
	if !c.scanned && ch.length > uint64(len(ch.records)) {
		return errShort
	}
	records, err := c.unpack.unpack(o.out[:0], ch)
	if ch.compression != "" {
		o.out = records
	}
	o.records = records
	return err
}

// index finds the messages that are asked for.
func (c *mcapCursor) index(o *openSpan) (err error) {
	sorted := true
	for rest := o.records; len(rest) > 0; {
		op, body, r, ok := nextRecord(rest)
		if !ok || op == mcap.OpReserved {
			err = errNoRecord
			break
		}
		at := len(o.records) - len(rest)
		rest = r
		if op != mcap.OpMessage || len(body) < messageHeader {
			continue
		}
		t := messageLogTime(body)
		if i, ok := c.channels[messageChannel(body)]; !ok || !c.sel.topics[i] || t < c.sel.first || t > c.sel.last {
			continue
		}
		if n := len(o.entries); n > 0 && t < o.entries[n-1].log {
			sorted = false
		}
		o.entries = append(o.entries, entry{t, uint32(at)})
	}
	if !sorted {
		slices.SortStableFunc(o.entries, func(a, b entry) int { return cmp.Compare(a.log, b.log) })
	}
	return err
}
