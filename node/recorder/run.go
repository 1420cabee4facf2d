package recorder

import (
	"errors"
	"path/filepath"
	"sync"
	"time"

	"ugp_explorer/msgs/bag/bagwriter"
	"ugp_explorer/node/ros"
)

// run writes one bag. topic and add need the recorder's lock; only one goroutine at a time may
// call writeAll.
type run struct {
	r   *Recorder
	w   *bagwriter.Writer
	dir string

	known map[string]*bagwriter.Topic // topics by name; writeAll reads them only through messages

	mu       sync.Mutex // guards the fields below
	messages []message
	bytes    []byte // the data of the messages, one after the other

	spare      []message // the previous batch, for reuse
	spareBytes []byte
	added      map[string]bool // topics that were added to the bag

	stop, done chan struct{}
}

// message is a waiting message.
type message struct {
	topic        *bagwriter.Topic
	log, publish int64
	size         int
}

func newRun(r *Recorder, w *bagwriter.Writer, dir string) *run {
	u := &run{r: r, w: w, dir: dir, known: map[string]*bagwriter.Topic{}, added: map[string]bool{}, stop: make(chan struct{}), done: make(chan struct{})}
	if r.simul {
		close(u.done)
	} else {
		go u.loop()
	}
	return u
}

// topic returns the topic of an endpoint as the bag has it.
func (u *run) topic(end *ros.EndpointInfo) *bagwriter.Topic {
	t := u.known[end.Name]
	if t == nil {
		topic := u.r.topic(end)
		t = &topic
		u.known[end.Name] = t
	}
	return t
}

// add queues a message. It returns false if the message does not fit.
func (u *run) add(m message, cdr []byte) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.bytes) > 0 && len(u.bytes)+len(cdr) > u.r.cfg.Queue {
		return false
	}
	m.size = len(cdr)
	u.messages, u.bytes = append(u.messages, m), append(u.bytes, cdr...)
	return true
}

// writeAll writes the waiting messages.
func (u *run) writeAll() error {
	u.mu.Lock()
	messages, bytes := u.messages, u.bytes
	u.messages, u.bytes = u.spare[:0], u.spareBytes[:0]
	u.mu.Unlock()
	u.spare, u.spareBytes = messages, bytes
	for _, m := range messages {
		if !u.added[m.topic.Name] {
			if err := u.w.AddTopic(*m.topic); err != nil {
				return err
			}
			u.added[m.topic.Name] = true
		}
		if err := u.w.Write(m.topic.Name, m.log, m.publish, bytes[:m.size]); err != nil {
			return err
		}
		bytes = bytes[m.size:]
	}
	return nil
}

func (u *run) loop() {
	defer close(u.done)
	t := time.NewTicker(flushPeriod)
	defer t.Stop()
	for {
		select {
		case <-u.stop:
			return
		case <-t.C:
		}
		err := Room(filepath.Dir(u.dir), u.r.cfg.Reserve)
		if err == nil {
			err = u.writeAll()
		}
		if err == nil {
			err = u.w.Flush()
		}
		if err != nil {
			u.r.fail(u, err)
			return
		}
	}
}

// close writes the waiting messages and ends the bag. A failed recording ends with
// the messages it has.
func (u *run) close() error {
	close(u.stop)
	<-u.done
	return errors.Join(u.writeAll(), u.w.Close())
}
