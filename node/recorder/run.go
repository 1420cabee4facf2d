package recorder

import (
	"errors"
	"path/filepath"
	"sync"
	"time"

	"ugp_explorer/msgs/bag"
	"ugp_explorer/node/ros"
)

// run is the writing of one bag. add is called with the recorder's lock held,
// writeAll by one goroutine at a time.
type run struct {
	r   *Recorder
	w   *bag.Writer
	dir string

	known map[string]*bag.Topic // topics by name, once heard; read by writeAll only through messages

	mu       sync.Mutex // of what follows
	messages []message
	bytes    []byte // of the messages, one behind the other

	spare      []message // of the batch before, to be used again
	spareBytes []byte
	added      map[string]bool // topics that the bag has

	stop, done chan struct{}
}

// message is one that waits.
type message struct {
	end          *ros.EndpointInfo
	topic        *bag.Topic
	log, publish int64
	size         int
}

func newRun(r *Recorder, w *bag.Writer, dir string) *run {
	u := &run{r: r, w: w, dir: dir, known: map[string]*bag.Topic{}, added: map[string]bool{}, stop: make(chan struct{}), done: make(chan struct{})}
	if r.simul {
		close(u.done)
	} else {
		go u.loop()
	}
	return u
}

// add has a message wait. It is false when there is no room.
func (u *run) add(m message, cdr []byte) bool {
	t := u.known[m.end.Name]
	if t == nil {
		topic := u.r.topic(m.end)
		t = &topic
		u.known[m.end.Name] = t
	}
	if t.Type != m.end.Type { // a bag has one type to a topic
		return false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.bytes) > 0 && len(u.bytes)+len(cdr) > u.r.cfg.Queue {
		return false
	}
	m.topic, m.size = t, len(cdr)
	u.messages, u.bytes = append(u.messages, m), append(u.bytes, cdr...)
	return true
}

// writeAll writes what waits.
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
		err := room(filepath.Dir(u.dir), u.r.cfg.Reserve)
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

// close writes what waits and ends the bag. A recording that has failed ends with
// what there is.
func (u *run) close() error {
	close(u.stop)
	<-u.done
	return errors.Join(u.writeAll(), u.w.Close())
}
