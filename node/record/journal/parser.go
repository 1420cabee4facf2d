package journal

import (
	"bytes"
	"runtime"
	"sync"
	"sync/atomic"
)

// parser reads the lines of a journal in their order. It parses many at once on all processors:
// a mission of a day has some 80,000, and the robot stands until they are read.
type parser struct {
	data  []byte
	at    int // where the first line begins that is not in batch
	batch []line
	done  int  // number of lines of the batch that were read
	line  line // the last that was read
}

// line is a complete line, without its newline.
type line struct {
	begin, end int
	entry      Entry
	err        error // why it is not valid
}

const (
	parserBatch = 4096 // lines in memory besides the state that they make
	parserShare = 64   // lines that a worker takes at a time
)

func newParser(data []byte) *parser { return &parser{data: data} }

// next reads the next line. It returns false if there is no other complete line.
func (p *parser) next() bool {
	if p.done == len(p.batch) {
		p.fill()
	}
	if p.done == len(p.batch) {
		return false
	}
	p.line = p.batch[p.done]
	p.done++
	return true
}

// fill parses the next batch.
func (p *parser) fill() {
	p.batch, p.done = p.batch[:0], 0
	for len(p.batch) < parserBatch {
		n := bytes.IndexByte(p.data[p.at:], '\n')
		if n < 0 {
			break
		}
		p.batch = append(p.batch, line{begin: p.at, end: p.at + n})
		p.at += n + 1
	}
	shares := (len(p.batch) + parserShare - 1) / parserShare
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), shares) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < shares; i = int(next.Add(1)) - 1 {
				for k := i * parserShare; k < min((i+1)*parserShare, len(p.batch)); k++ {
					l := &p.batch[k]
					l.entry, l.err = parseLine(p.data[l.begin:l.end])
				}
			}
		})
	}
	workers.Wait()
}
