// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"errors"
	"sync"
	"time"

	"ugp_explorer/msgs/bag/bagwriter"
)

// flushPeriod is the time between two writes of the waiting messages to the disk.
const flushPeriod = 500 * time.Millisecond

// queue has the messages that wait to be written to one bag. Only one goroutine at a time may call writeAll.
type queue struct {
	w     *bagwriter.Writer
	known map[string]*bagwriter.Topic // topics by name, for take

	mu       sync.Mutex // guards the fields below
	messages []message
	bytes    []byte // the data of the messages, one after the other

	spare      []message // the previous batch, for reuse
	spareBytes []byte

	stop, done chan struct{}
}

// message is a waiting message.
type message struct {
	topic        *bagwriter.Topic
	log, publish int64
	size         int
}

// add queues a message. It returns false if the message does not fit.
func (q *queue) add(m message, cdr []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.bytes) > 0 && len(q.bytes)+len(cdr) > queueBytes {
		return false
	}
	q.messages, q.bytes = append(q.messages, m), append(q.bytes, cdr...)
	return true
}

// writeAll writes the waiting messages.
func (q *queue) writeAll() error {
	q.mu.Lock()
	messages, bytes := q.messages, q.bytes
	q.messages, q.bytes = q.spare[:0], q.spareBytes[:0]
	q.mu.Unlock()
	q.spare, q.spareBytes = messages, bytes
	for _, m := range messages {
		if err := q.w.Write(m.topic, m.log, m.publish, bytes[:m.size]); err != nil {
			return err
		}
		bytes = bytes[m.size:]
	}
	return nil
}

// close writes the waiting messages and ends the bag. A failed recording ends with
// the messages it has.
func (q *queue) close() error {
	close(q.stop)
	<-q.done
	return errors.Join(q.writeAll(), q.w.Close())
}

// write writes what waits in a queue to the disk until it is closed.
func (f *Folder) write(q *queue) {
	defer close(q.done)
	t := time.NewTicker(flushPeriod)
	defer t.Stop()
	for {
		select {
		case <-q.stop:
			return
		case <-t.C:
		}
		err := Room(f.dir, f.cfg.Reserve)
		if err == nil {
			err = q.writeAll()
		}
		if err == nil {
			err = q.w.Flush()
		}
		if err != nil {
			f.fail(err)
			return
		}
	}
}
