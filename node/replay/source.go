// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"ugp_explorer/msgs/bag"
	"ugp_explorer/msgs/geometry_msgs"
)

// Source is a bag, or the bags of a mission folder in sequence.
type Source struct {
	Path       string
	Bags       []*bag.Info
	Topics     []bag.Topic // of all bags, with the sum of the messages
	Count      int64
	Start, End int64 // record times of the first and last message, ns
	readers    []*bag.Reader
	filter     *filter          // computes the poses; nil: the bag has poses
	later      map[string]int64 // by how much the stamps of a topic are corrected, ns
	skew       int64            // record time less the time of the stamps, if the bag is replayed in the latter, ns; 0: it is not
	bare       string           // topic of poses without covariance, which get one of zeros; empty: none
}

// partPrefix begins the names of the bags in a mission folder; a number follows it: see
// package journal.
const partPrefix = "bag_"

// Open opens a bag as bag.Open does, or a mission folder that contains bags.
func Open(ctx context.Context, path string) (*Source, error) {
	s := &Source{Path: path}
	paths, err := missionBags(path)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		paths = []string{path}
	}
	for _, p := range paths {
		r, err := bag.Open(ctx, p)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.readers = append(s.readers, r)
		s.add(r.Info())
	}
	return s, nil
}

// missionBags returns the bags of a mission folder in order, or none if path is not a
// mission folder.
func missionBags(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("opening a bag: %w", err)
	}
	if !info.IsDir() {
		return nil, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("opening a bag: %w", err)
	}
	numbers := map[string]int{} // by path
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), partPrefix)
		if n, err := strconv.Atoi(rest); ok && err == nil && e.IsDir() {
			numbers[filepath.Join(path, e.Name())] = n
		}
	}
	return slices.SortedFunc(maps.Keys(numbers), func(a, b string) int { return numbers[a] - numbers[b] }), nil
}

func (s *Source) add(info *bag.Info) {
	s.Bags = append(s.Bags, info)
	if info.Count > 0 {
		if s.Count == 0 {
			s.Start, s.End = info.Start, info.End
		}
		s.Start, s.End = min(s.Start, info.Start), max(s.End, info.End)
		s.Count += info.Count
	}
	for _, t := range info.Topics {
		if i := slices.IndexFunc(s.Topics, func(o bag.Topic) bool { return o.Name == t.Name && o.Type == t.Type }); i >= 0 {
			s.Topics[i].Count += t.Count
		} else {
			s.Topics = append(s.Topics, t)
		}
	}
}

// Duration returns the time from the first message to the last.
func (s *Source) Duration() time.Duration { return time.Duration(s.End - s.Start) }

// ReadingProblems returns the problems of the bags, one sentence each, and the number of bytes
// known to be lost.
func (s *Source) ReadingProblems() (list []string, lost int64) {
	for _, info := range s.Bags {
		for i := range info.Problems {
			text := info.Problems[i].Error()
			if len(s.Bags) > 1 {
				text = filepath.Base(info.Path) + ": " + text
			}
			list = append(list, text)
		}
		lost += info.Lost()
	}
	return list, lost
}

// empty returns the error of a bag without messages.
func (s *Source) empty() error { return fmt.Errorf("%s holds no message", s.Path) }

// Explain adds what is wrong with the bag to an error about what is in it.
func (s *Source) Explain(err error) error {
	if problems, _ := s.ReadingProblems(); err != nil && len(problems) > 0 {
		const most = 3
		if n := len(problems); n > most {
			problems = append(problems[:most], fmt.Sprintf("and %d more", n-most))
		}
		return fmt.Errorf("%w; problems of the bag: %s", err, strings.Join(problems, "; "))
	}
	return err
}

// topic returns the topic with a name; ok is false if there is none.
func (s *Source) topic(name string) (t bag.Topic, ok bool) {
	for _, t := range s.Topics {
		if t.Name == name {
			return t, true
		}
	}
	return t, false
}

// missionMessages iterates over the messages of all bags in sequence, each as
// bag.Reader.Messages does, and over the poses of the filter if they are asked for.
func (s *Source) missionMessages(q bag.Query) iter.Seq2[*bag.Message, error] {
	switch f := s.filter; {
	case f != nil && f.alone() && slices.Contains(q.Topics, f.topic):
		return f.positions(s, q)
	case f != nil && slices.Contains(q.Topics, f.topic):
		return func(yield func(*bag.Message, error) bool) { f.messages(s, q, yield) }
	case slices.Contains(q.Topics, s.bare):
		return converted(s.recorded(q), s.bare, func(data []byte) (*geometry_msgs.PoseWithCovarianceStamped, error) {
			var m geometry_msgs.PoseStamped
			err := m.UnmarshalCDR(data)
			return &geometry_msgs.PoseWithCovarianceStamped{Header: m.Header, Pose: geometry_msgs.PoseWithCovariance{Pose: m.Pose}}, err
		})
	}
	return s.recorded(q)
}

// recorded iterates over the messages in the bags.
func (s *Source) recorded(q bag.Query) iter.Seq2[*bag.Message, error] {
	return func(yield func(*bag.Message, error) bool) {
		for _, r := range s.readers {
			part := q
			part.Topics = slices.DeleteFunc(slices.Clone(q.Topics), func(name string) bool {
				return !slices.ContainsFunc(r.Info().Topics, func(t bag.Topic) bool { return t.Name == name })
			})
			if len(q.Topics) > 0 && len(part.Topics) == 0 {
				continue
			}
			for m, err := range r.Messages(part) {
				if err == nil && s.later[m.Topic.Name] != 0 {
					m.Data = restamp(m.Data, s.later[m.Topic.Name])
				}
				if !yield(m, err) {
					return
				}
			}
		}
	}
}

// converted iterates over messages, and makes poses of those on a topic. Those of which none can be made are left out.
func converted(messages iter.Seq2[*bag.Message, error], topic string, pose func(data []byte) (*geometry_msgs.PoseWithCovarianceStamped, error)) iter.Seq2[*bag.Message, error] {
	of := &bag.Topic{Name: topic, Type: poseType, Format: "cdr"}
	return func(yield func(*bag.Message, error) bool) {
		var buf []byte
		for m, err := range messages {
			if err == nil && m.Topic.Name == topic {
				p, err := pose(m.Data)
				if err != nil {
					continue
				}
				buf = p.AppendCDR(buf[:0])
				m = &bag.Message{Topic: of, LogTime: m.LogTime, Data: buf}
			}
			if !yield(m, err) {
				return
			}
		}
	}
}

// Close closes the bags.
func (s *Source) Close() error {
	var errs []error
	for _, r := range s.readers {
		errs = append(errs, r.Close())
	}
	s.readers = nil
	return errors.Join(errs...)
}
