package replay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"ugp_explorer/msgs"
	"ugp_explorer/msgs/bag"
	"ugp_explorer/msgs/cdr"
)

// Inventory lists the topics of a bag and the problems found in their messages.
type Inventory struct {
	Topics   []TopicInventory
	Problems []string          // problems found while the messages were read
	Lost     int64             // bytes known to be lost
	index    map[[2]string]int // of Topics, by name and type
}

// TopicInventory summarises the messages of a topic. Times are in seconds.
type TopicInventory struct {
	bag.Topic
	Bytes    int64
	Read     int64   // messages
	Rate     float64 // Hz, from the first to the last; NaN with fewer than two
	Gap      float64 // longest time between two messages, NaN with fewer than two
	GapAt    float64 // start of the longest gap, after the bag's start
	Known    bool    // this program can decode the type
	Stamped  bool    // its messages begin with a header
	Back     int64   // stamps that go back
	Unset    int64   // stamps of zero
	LeastAge float64 // ages of stamps at their record times; NaN without stamps
	MostAge  float64
	first    int64
	last     int64
	stamp    int64
}

// Take reads a whole bag and returns its inventory. progress, which may be nil, is called
// with the share of the bag's time that has been read; an error from it ends Take.
func Take(s *Source, progress func(share float64) error) (*Inventory, error) {
	inv := newInventory(s.Topics)
	n := 0
	for m, err := range s.Messages(bag.Query{}) {
		var p *bag.Problem
		switch {
		case errors.As(err, &p):
			inv.Problems = append(inv.Problems, p.Error())
			inv.Lost += p.Lost
			continue
		case err != nil:
			return nil, err
		}
		inv.take(m, s.Start)
		if n++; progress != nil && n%1024 == 0 {
			if err := progress(s.share(m.LogTime)); err != nil {
				return nil, err
			}
		}
	}
	inv.judge()
	return inv, nil
}

// newInventory returns an inventory of topics whose messages are still to be read.
func newInventory(topics []bag.Topic) *Inventory {
	inv := &Inventory{index: map[[2]string]int{}}
	for _, t := range topics {
		inv.index[[2]string{t.Name, t.Type}] = len(inv.Topics)
		_, known := msgs.Lookup(t.Type)
		inv.Topics = append(inv.Topics, TopicInventory{
			Topic: t, Known: known, Stamped: beginsWithHeader(&t),
			Rate: math.NaN(), Gap: math.NaN(), LeastAge: math.NaN(), MostAge: math.NaN(),
		})
	}
	return inv
}

// take counts a message of a bag that begins at start. A message of a topic that is not in the
// inventory does not count.
func (inv *Inventory) take(m *bag.Message, start int64) {
	if i, ok := inv.index[[2]string{m.Topic.Name, m.Topic.Type}]; ok {
		inv.Topics[i].take(m, start)
	}
}

// judge computes the rates once all messages are read, and adds the problems of all topics.
func (inv *Inventory) judge() {
	for i := range inv.Topics {
		t := &inv.Topics[i]
		if d := time.Duration(t.last - t.first).Seconds(); t.Read > 1 && d > 0 {
			t.Rate = float64(t.Read-1) / d
		}
		inv.judgeTopic(t)
	}
}

// share returns how far into the bag a record time is, from 0 to 1.
func (s *Source) share(at int64) float64 {
	if s.End <= s.Start {
		return 1
	}
	return min(max(float64(at-s.Start)/float64(s.End-s.Start), 0), 1)
}

func (t *TopicInventory) take(m *bag.Message, start int64) {
	t.Bytes += int64(len(m.Data))
	if t.Read > 0 {
		if gap := time.Duration(m.LogTime - t.last).Seconds(); !(gap <= t.Gap) {
			t.Gap, t.GapAt = gap, time.Duration(t.last-start).Seconds()
		}
	} else {
		t.first = m.LogTime
	}
	t.Read++
	t.last = m.LogTime
	if !t.Stamped {
		return
	}
	stamp, ok := headerStamp(m.Data)
	switch {
	case !ok:
		return
	case stamp == 0:
		t.Unset++
		return
	case t.stamp != 0 && stamp < t.stamp:
		t.Back++
	}
	t.stamp = stamp
	age := time.Duration(m.LogTime - stamp).Seconds()
	if !(age >= t.LeastAge) {
		t.LeastAge = age
	}
	if !(age <= t.MostAge) {
		t.MostAge = age
	}
}

const (
	// A gap is reported if it is at least silence seconds long and this multiple of the
	// mean period.
	silence        = 5.0
	silencePeriods = 10.0
	// oldStamp is the absolute age above which stamps are reported, s.
	oldStamp = 5.0
)

// judgeTopic adds a sentence for each problem of a topic.
func (inv *Inventory) judgeTopic(t *TopicInventory) {
	add := func(format string, args ...any) {
		inv.Problems = append(inv.Problems, t.Name+": "+fmt.Sprintf(format, args...))
	}
	if t.Read != t.Count {
		add("%d of %d messages could be read", t.Read, t.Count)
	}
	if t.Gap > silence && t.Gap*t.Rate > silencePeriods {
		add("no messages for %.1f s from %.1f s on; the mean rate is %.3g Hz", t.Gap, t.GapAt, t.Rate)
	}
	if t.Back > 0 {
		add("%d stamps go back in time", t.Back)
	}
	if t.Unset > 0 {
		add("%d stamps are zero", t.Unset)
	}
	if t.MostAge > oldStamp || t.LeastAge < -oldStamp {
		add("stamps are %s the record time: they are of another clock, or the messages came late", apart(t.LeastAge, t.MostAge))
	}
}

// apart says how much older or newer than the record time stamps are, whose ages lie between two, s.
func apart(least, most float64) string {
	switch {
	case most <= 0:
		return fmt.Sprintf("%.6g s to %.6g s newer than", -most, -least)
	case least < 0:
		return fmt.Sprintf("from %.6g s newer to %.6g s older than", -least, most)
	}
	return fmt.Sprintf("%.6g s to %.6g s older than", least, most)
}

// beginsWithHeader reports whether the messages of a topic begin with a header according
// to the type definition in the bag or in this program.
func beginsWithHeader(t *bag.Topic) bool {
	text := ""
	if create, ok := msgs.Lookup(t.Type); ok {
		if d, ok := create().(cdr.Described); ok {
			text = d.OwnDefinition()
		}
	} else if t.Encoding == "ros2msg" {
		text = t.Definition
	}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		if fields := strings.Fields(line); len(fields) > 0 {
			return fields[0] == "std_msgs/Header" || fields[0] == "std_msgs/msg/Header" || fields[0] == "Header"
		}
	}
	return false
}

// headerStamp returns the stamp of a message that begins with a header, ns.
func headerStamp(data []byte) (int64, bool) {
	if len(data) < 12 {
		return 0, false
	}
	var order binary.ByteOrder = binary.BigEndian
	if data[1]&1 == 1 {
		order = binary.LittleEndian
	}
	return int64(int32(order.Uint32(data[4:])))*int64(time.Second) + int64(order.Uint32(data[8:])), true
}
