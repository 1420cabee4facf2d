// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"fmt"
	"strings"
)

// Topic is what a bag holds about a topic.
type Topic struct {
	Name   string
	Type   string // as in "nav_msgs/msg/Odometry"; empty if the bag does not contain it
	Format string // serialization format: "cdr"
	Count  int64  // messages

	hash       string // RIHS01 hash of the type; empty before Iron
	encoding   string // of definition: "ros2msg", "ros2idl", or Jazzy's "unknown" for the events of services; empty without one
	definition string // of the type and the types that it needs
}

// Info describes a bag. It belongs to its Reader and must not be changed.
type Info struct {
	Path       string
	Topics     []Topic
	Count      int64 // messages
	Start, End int64 // log times of the first and last message, ns; both 0 without messages
	Problems   []Problem
}

// Lost returns how many bytes are known to be missing or unreadable.
func (i *Info) Lost() int64 {
	var n int64
	for _, p := range i.Problems {
		n += p.Lost
	}
	return n
}

// Problem is something that is wrong with a bag.
type Problem struct {
	File  string // if the problem concerns one file
	Topic string // if the problem concerns one topic
	Lost  int64  // bytes known to be missing or unreadable, as recorded (uncompressed, where that is known)
	Text  string
}

// Error returns the problem in a sentence.
func (p *Problem) Error() string {
	s := p.Text
	switch {
	case p.File != "":
		s = p.File + ": " + s
	case p.Topic != "":
		s = p.Topic + ": " + s
	}
	if p.Lost > 0 {
		s += fmt.Sprintf(" (%d bytes lost)", p.Lost)
	}
	return s
}

// contents is what one file holds.
type contents struct {
	topics     []Topic // with the counts of this file
	count      int64
	start, end int64 // of the log times, when count is not 0
	problems   []Problem
}

// addTopic returns the index of the topic, which is new unless one of its name, type and format is there: publishers may disagree on the type of a name.
// Writers other than rosbag2 leave the folder out of a type's name.
func (c *contents) addTopic(t Topic) int {
	if pkg, name, ok := strings.Cut(t.Type, "/"); ok && !strings.Contains(name, "/") {
		t.Type = pkg + "/msg/" + name
	}
	for i, o := range c.topics {
		if o.Name == t.Name && o.Type == t.Type && o.Format == t.Format {
			return i
		}
	}
	c.topics = append(c.topics, t)
	return len(c.topics) - 1
}

// counted adds n messages between two log times.
func (c *contents) counted(n, first, last int64) {
	if n == 0 {
		return
	}
	if c.count == 0 {
		c.start, c.end = first, last
	}
	c.count += n
	c.start, c.end = min(c.start, first), max(c.end, last)
}

// maxProblems is how many problems of a file are kept by themselves; the last one stands for the rest.
const maxProblems = 100

func (c *contents) problem(lost int64, format string, args ...any) {
	if n := len(c.problems); n == maxProblems {
		last := &c.problems[n-1]
		last.Text, last.Lost = "there is more of the same", last.Lost+lost
		return
	}
	c.problems = append(c.problems, Problem{Lost: lost, Text: fmt.Sprintf(format, args...)})
}
