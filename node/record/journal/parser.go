package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// MostLine is the longest line that a journal has, bytes: four times the first one of a mission
// with 10,000 earlier samples. The file itself has no limit, since it grows as long as its mission
// lasts.
const MostLine = 16 << 20

// errLong is the error for an entry or a line that is longer than MostLine.
var errLong = fmt.Errorf("it is longer than %d MiB, which no line of a journal is", MostLine>>20)

// parser reads the lines of a journal in their order. It holds a part of the file at a time, and
// parses many lines at once on all processors: a mission of a day has some 80,000, and the robot
// stands until they are read.
type parser struct {
	from  io.Reader
	text  []byte // the part of the file that is held
	begin int64  // where the part begins in the file
	at    int    // where the first line begins in the part that is not in batch
	batch []line
	done  int   // number of lines of the batch that were read
	line  line  // the last that was read
	err   error // why nothing more is read; nil at the end of the file
}

// line is a complete line.
type line struct {
	text  []byte // without its newline
	end   int64  // where the next line begins in the file
	entry Entry
	err   error // why it is not valid
}

const (
	parserText  = 1 << 20 // bytes that are held at least
	parserBatch = 4096    // lines in memory besides the state that they make
	parserShare = 64      // lines that a worker takes at a time
)

func newParser(from io.Reader) *parser { return &parser{from: from} }

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

// size returns the number of bytes that were read.
func (p *parser) size() int64 { return p.begin + int64(len(p.text)) }

// fill parses the next batch.
func (p *parser) fill() {
	p.batch, p.done = p.batch[:0], 0
	for len(p.batch) < parserBatch {
		n := bytes.IndexByte(p.text[p.at:], '\n')
		if n < 0 {
			if len(p.batch) == 0 && p.more() {
				continue
			}
			break
		}
		end := p.at + n + 1
		p.batch = append(p.batch, line{text: p.text[p.at : end-1], end: p.begin + int64(end)})
		p.at = end
	}
	shares := (len(p.batch) + parserShare - 1) / parserShare
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), shares) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < shares; i = int(next.Add(1)) - 1 {
				for k := i * parserShare; k < min((i+1)*parserShare, len(p.batch)); k++ {
					l := &p.batch[k]
					l.entry, l.err = parseLine(l.text)
				}
			}
		})
	}
	workers.Wait()
}

// more holds the next part of the file, which begins with the incomplete line of the one before.
// It returns false at the end of the file and after an error.
func (p *parser) more() bool {
	if p.err != nil {
		return false
	}
	p.begin += int64(p.at)
	p.text = p.text[:copy(p.text, p.text[p.at:])]
	p.at = 0
	held := len(p.text)
	if held > MostLine {
		p.err = errLong
		return false
	}
	p.text = slices.Grow(p.text, max(parserText, held))
	n, err := io.ReadFull(p.from, p.text[held:cap(p.text)])
	p.text = p.text[:held+n]
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		p.err = err
	}
	return n > 0
}
