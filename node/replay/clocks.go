// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"ugp_explorer/internal/num"
	"ugp_explorer/msgs"
	"ugp_explorer/msgs/bag"
	"ugp_explorer/node/ros/exec"
)

// A stamp is a claim: the time at which a message was recorded checks it. A bag may have three clocks: that of
// the recorder, by which a reading without a stamp is dated, and those of the senders.
//
// A stamp later than its record is wrong, by a clock. An earlier one may be a delay. Stamps that are more than
// otherClock away from the record are of a simulation, or of a clock that was never set: if all are, the bag is
// replayed in the time of the poses' stamps.
const (
	otherClock = 60.0 // s
	mostAhead  = 0.1  // s: a tenth of a metre at 1 m/s
	mostDelay  = 1.0  // s, of poses and of the inputs of the filter
	mostProbe  = 20.0 // s, of readings: some probes take long
)

// stamped is a topic whose stamps are compared with the times of their records.
type stamped struct {
	bag.Topic
	header  bool      // its messages begin with a header
	delay   float64   // by which its stamps are known to be late, s
	reading bool      // false: it has poses, or is an input of the filter
	ages    []float64 // of the stamps when they were recorded, s
	age     float64   // the median, s
	older   []float64 // than the stamp before them on the first topic, s: in a simulation, ages change
}

// byteOrder returns that of a message.
func byteOrder(data []byte) binary.ByteOrder {
	if data[1]&1 == 1 {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

// headerStamp returns the stamp of a message whose type begins with a header, ns; 0: it states none.
func headerStamp(data []byte) int64 {
	if len(data) < 12 {
		return 0
	}
	order := byteOrder(data)
	return int64(int32(order.Uint32(data[4:])))*1e9 + int64(order.Uint32(data[8:]))
}

// restamp returns a copy of the message with its stamp shifted by a number of ns.
func restamp(data []byte, later int64) []byte {
	stamp := headerStamp(data)
	if stamp == 0 {
		return data
	}
	data = slices.Clone(data)
	order := byteOrder(data)
	stamp += later
	order.PutUint32(data[4:], uint32(stamp/1e9))
	order.PutUint32(data[8:], uint32(stamp%1e9))
	return data
}

// hasHeader reports whether messages of a type begin with a header.
func hasHeader(typ string) bool {
	for line := range strings.Lines(msgs.Definition(typ)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return strings.HasPrefix(line, "std_msgs/Header ") || strings.HasPrefix(line, "std_msgs/msg/Header ")
		}
	}
	return false
}

// ages measures the ages of the stamps on topics, over the first thousand messages of each, and leaves out those without stamps.
func (s *Source) ages(topics []stamped, from, to int64) []stamped {
	const enough, most = 1000, 50_000
	q := bag.Query{Start: from, End: to}
	for i := range topics {
		q.Topics = append(q.Topics, topics[i].Name)
		topics[i].header = hasHeader(topics[i].Type)
	}
	read := 0
	for m, err := range s.recorded(q) {
		if err != nil {
			continue // who reads the bag reports it
		}
		i := slices.IndexFunc(topics, func(t stamped) bool { return t.Name == m.Topic.Name })
		if t := &topics[i]; t.header && t.Type == m.Topic.Type && len(t.ages) < enough {
			if stamp := headerStamp(m.Data); stamp != 0 {
				t.ages = append(t.ages, time.Duration(m.LogTime-stamp).Seconds()+t.delay)
				if base := topics[0].ages; len(base) > 0 && len(base) < enough {
					t.older = append(t.older, t.ages[len(t.ages)-1]-base[len(base)-1])
				}
			}
		}
		if read++; read >= most || !slices.ContainsFunc(topics, func(t stamped) bool { return t.header && len(t.ages) < min(enough, int(t.Count)) }) {
			break
		}
	}
	for i := range topics {
		topics[i].age = quantile(topics[i].ages, 0.5)
	}
	return slices.DeleteFunc(topics, func(t stamped) bool { return len(t.ages) == 0 })
}

// checkClocks compares the clocks of a bag. The poses come from the topics of a filter or from one of their own; without topics
// of readings there are none. It returns notes for a person and, if asked to, determines the corrections of stamps. The error names a clock
// that is wrong.
func (s *Source) checkClocks(cfg *Config, pose bag.Topic, readings []bag.Topic, from, to int64) (notes []string, err error) {
	list, known := []stamped{{Topic: pose, delay: cfg.Explorer.PoseDelay}}, "-p pose.delay:=SECONDS corrects a known delay of the poses"
	if f := s.filter; f != nil {
		list, known = nil, "-p ekf:fix.delay:=SECONDS corrects a known delay of the fixes"
		for _, in := range f.inputs {
			if in.to != "initialpose" {
				list = append(list, stamped{Topic: in.Topic, delay: f.delay(in)})
			}
		}
	}
	for _, t := range readings {
		list = append(list, stamped{Topic: t, reading: true})
	}
	list = s.ages(list, from, to)
	if len(list) == 0 || list[0].reading {
		return nil, nil
	}
	c := compareClocks(list, len(readings))
	wrong, late := c.suspects(list)
	switch {
	case len(wrong)+len(late) > 0 && cfg.CorrectStamps:
		return s.correctStamps(list), nil
	case len(wrong) > 0:
		help := "--correct-stamps shifts the stamps on each topic to the times of recording, which removes true delays, too; " + known
		if t, _ := s.topic("/clock"); t.Count > 0 { // of a simulation that is faster or slower than the recorder's clock
			help = "the bag has /clock, so they are probably those of a simulation: record it again with ros2 bag record --use-sim-time; " + help
		}
		return nil, fmt.Errorf("the clocks in the bag differ, according to the stamps: %s; positions would be wrong by the distance driven in this time; %s",
			strings.Join(wrong, ", "), help)
	case len(late) > 0:
		notes = append(notes, fmt.Sprintf("some stamps are old: %s, which is treated as a delay; if a clock is wrong instead, --correct-stamps shifts them", strings.Join(late, ", ")))
	}
	if c.origin != 0 {
		s.skew = num.Nanoseconds(c.origin)
	}
	if c.elsewhere && c.dated {
		notes = append(notes, fmt.Sprintf("the stamps on %s are by another clock than the times of recording, as in a simulation (%s them): the bag is replayed in the time of these stamps, and the readings, which have no stamps, are converted to it", list[0].Name, ahead(c.origin)))
	}
	return notes, nil
}

// clocks is how the stamps of a bag lie to the times of their records.
type clocks struct {
	origin    float64 // age that a stamp without delay has, s; 0: stamps and records have one clock
	elsewhere bool    // no stamp is near its record
	dated     bool    // some readings have no stamps, and are dated by the record
}

// compareClocks compares topics, of which the first is the base, with their records. readings is the number of topics of readings, also of those
// without stamps.
func compareClocks(list []stamped, readings int) clocks {
	youngest, oldest, c := list[0].age, list[0].age, clocks{elsewhere: true}
	for _, t := range list {
		if t.reading {
			readings--
		}
		youngest, oldest, c.elsewhere = min(youngest, t.age), max(oldest, t.age), c.elsewhere && math.Abs(t.age) > otherClock
	}
	c.dated = readings > 0
	if c.elsewhere {
		c.origin = list[0].age
	} else if !c.dated && youngest < -mostAhead && oldest-youngest < mostAhead {
		c.origin = youngest // all have one clock, and that of the recorder is wrong
	}
	return c
}

// suspects says whose stamps must be wrong, and whose may come from a delay.
func (c *clocks) suspects(list []stamped) (wrong, late []string) {
	against := "the times of recording"
	if c.origin != 0 {
		against = "those on " + list[0].Name
	}
	for _, t := range list {
		d := t.age - c.origin
		if c.elsewhere && len(t.older) > 0 {
			d = quantile(t.older, 0.5)
		}
		said := fmt.Sprintf("those on %s are %s %s", t.Name, ahead(d), against)
		switch {
		case d < -mostAhead || d > otherClock:
			wrong = append(wrong, said)
		case d > mostDelay && !t.reading, d > mostProbe:
			late = append(late, said)
		}
	}
	return wrong, late
}

// correctStamps shifts the stamps on topics to the times of their records, and says so.
func (s *Source) correctStamps(list []stamped) (notes []string) {
	s.later = map[string]int64{}
	for _, t := range list {
		if math.Abs(t.age) > mostAhead {
			soonest := quantile(t.ages, 0.05) // late messages do not hide stamps that are ahead
			s.later[t.Name] = num.Nanoseconds(soonest)
			notes = append(notes, fmt.Sprintf("the stamps on %s are shifted by %+.3g s, to the times at which the messages were recorded", t.Name, soonest))
		}
	}
	return notes
}

// ahead says how far stamps of an age, s, are ahead or behind.
func ahead(age float64) string {
	word := "behind"
	if age < 0 {
		word = "ahead of"
	}
	if age = math.Abs(age); age >= 86400 {
		return fmt.Sprintf("%.0f days %s", age/86400, word)
	}
	return fmt.Sprintf("%.4g s %s", age, word)
}

// stampClock is the time in which a bag is replayed: that of its records, or if these are by another clock than the stamps, that of the
// stamps, which in a simulation pass more slowly, or start again.
type stampClock struct {
	skew int64 // record time less the time of the stamps, ns; 0: messages are replayed at their record times
	last int64 // the skew of the last stamp that was not trusted, ns
}

// time returns when a message is replayed. By those of the base, the stamps' time is known.
func (c *stampClock) time(m *bag.Message, base bool) int64 {
	if stamp := headerStamp(m.Data); c.skew != 0 && base && stamp != 0 {
		skew := m.LogTime - stamp
		trusted := magnitude(skew-c.skew) < strayStep || magnitude(skew-c.last) < strayStep
		if c.last = skew; trusted {
			c.skew = skew
		}
	}
	return m.LogTime - c.skew
}

// strayStep is a step between the stamps of the base, ns, beyond which one alone may be a stray stamp.
const strayStep = int64(10 * time.Second)

// passTo runs an executor to the time at which a message is replayed, and returns it. Long silences are skipped.
func (c *stampClock) passTo(executor *exec.Simulated, m *bag.Message, base bool) (at int64, err error) {
	at = c.time(m, base)
	if at-executor.Now() > longestSilence || c.skew != 0 && at < executor.Now()-strayStep {
		executor.Jump(at)
	}
	at = max(at, executor.Now())
	return at, executor.RunTo(context.Background(), at)
}

func magnitude(ns int64) int64 { return max(ns, -ns) }
