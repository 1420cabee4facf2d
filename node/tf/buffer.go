// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package tf keeps transforms between the frames of a robot, as tf2 does.
package tf

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"ugp_explorer/msgs/geometry_msgs"
)

const (
	// CacheTime is the time for which transforms are kept, that of tf2. Localisations
	// stamp theirs up to some seconds ahead: AMCL by its transform_tolerance of 1 s.
	CacheTime = 10 * time.Second
	// abandoned is the time without a transform after which a frame may get another parent.
	abandoned = time.Second
	// mostFrames is the number of frames above which new ones are refused: more than
	// robots have, and less than a faulty sender needs to fill the memory.
	mostFrames = 250
	// mostEntries is the number of transforms kept for a link: CacheTime at 150 Hz with what waits to be
	// dropped, and at least a second of a sender at 1 kHz.
	mostEntries = 2000
	// mostName is the longest name of a frame, bytes.
	mostName = 256
)

// Buffer keeps the transforms of the last ten seconds, as a tf2 buffer does, and answers for
// frames above one another. It is not safe for concurrent use.
type Buffer struct {
	Links map[string]*Link // by child frame
}

// Link is the transform from a frame to its parent over time.
type Link struct {
	parent  string
	Static  bool
	entries []stamped // by stamp; a static link has one
}

type stamped struct {
	stamp int64 // ns
	Transform
}

// New returns an empty buffer.
func New() *Buffer { return &Buffer{Links: map[string]*Link{}} }

// Clear forgets what can change with time, after the clock was set back. Static transforms
// stay: they are not sent again.
func (b *Buffer) Clear() {
	maps.DeleteFunc(b.Links, func(_ string, l *Link) bool { return !l.Static })
}

// Add stores the transform parentFromChild at a stamp, ns. A static transform holds for all
// times. The error says why it cannot be used. A stamp more than ten seconds before the
// newest of the link shows that time was set back; then the link starts again.
func (b *Buffer) Add(parent, child string, stamp int64, t Transform, static bool) error {
	parent, child = frame(parent), frame(child)
	switch {
	case parent == "" || child == "":
		return fmt.Errorf("a transform from %q to %q lacks the name of a frame", child, parent)
	case len(parent) > mostName || len(child) > mostName:
		return fmt.Errorf("the name of a frame has %d bytes, at most %d are allowed", max(len(parent), len(child)), mostName)
	case parent == child:
		return fmt.Errorf("the frame %q is its own parent", child)
	}
	l := b.Links[child]
	if l == nil {
		if len(b.Links) >= mostFrames {
			return fmt.Errorf("there are more than %d frames; %q is not used", mostFrames, child)
		}
		b.Links[child] = &Link{parent: parent, Static: static, entries: []stamped{{stamp, t}}}
		return nil
	}
	if l.parent != parent && !static && (l.Static || stamp-l.Newest() < int64(abandoned)) {
		return fmt.Errorf("the frame %q has two parents, %q and %q: two nodes publish its transform", child, l.parent, parent)
	}
	if l.parent != parent || static || l.Static {
		*l = Link{parent: parent, Static: static, entries: []stamped{{stamp, t}}}
		return nil
	}
	l.add(stamped{stamp, t})
	return nil
}

// add inserts an entry by its stamp and drops what is too old.
func (l *Link) add(e stamped) {
	newest := l.Newest()
	switch i := l.from(e.stamp); {
	case e.stamp > newest:
		l.entries = append(l.entries, e)
	case newest-e.stamp > int64(CacheTime):
		l.entries = append(l.entries[:0], e)
		return
	case l.entries[i].stamp == e.stamp:
		l.entries[i] = e
	default:
		l.entries = slices.Insert(l.entries, i, e)
	}
	n := len(l.entries)
	old := l.from(l.entries[n-1].stamp - int64(CacheTime))
	if n > mostEntries {
		old = max(old, n/2)
	}
	if old > n/4 { // seldom, since the rest is moved
		l.entries = slices.Delete(l.entries, 0, old)
	}
}

// from returns the index of the oldest entry with a stamp at or after t.
func (l *Link) from(t int64) int {
	return sort.Search(len(l.entries), func(i int) bool { return l.entries[i].stamp >= t })
}

// Newest returns the newest stamp, ns.
func (l *Link) Newest() int64 { return l.entries[len(l.entries)-1].stamp }

// At returns the transform at a stamp, ns; ok is false outside of the entries.
func (l *Link) At(stamp int64) (t Transform, ok bool) {
	if l.Static {
		return l.entries[0].Transform, true
	}
	i := l.from(stamp)
	if i == len(l.entries) {
		return t, false
	}
	e := &l.entries[i]
	if e.stamp == stamp {
		return e.Transform, true
	}
	if i == 0 {
		return t, false
	}
	before := &l.entries[i-1]
	return interpolate(before.Transform, e.Transform, float64(stamp-before.stamp)/float64(e.stamp-before.stamp)), true
}

// frame returns the name of a frame as tf2 has it.
func frame(name string) string { return strings.TrimPrefix(name, "/") }

// Take stores what a message tells, whose stamp, ns, is one of the receiver's time, see [Buffer.Add].
func (b *Buffer) Take(m *geometry_msgs.TransformStamped, stamp int64, static bool) error {
	t, err := fromMessage(&m.Transform)
	if err != nil {
		return err
	}
	return b.Add(m.Header.FrameID, m.ChildFrameID, stamp, t, static)
}

// Chain returns the frames from source up to target, both included.
func (b *Buffer) Chain(target, source string) ([]string, error) {
	target, source = frame(target), frame(source)
	chain := []string{source}
	for at := source; at != target; {
		l := b.Links[at]
		switch {
		case l == nil && at == source:
			return nil, fmt.Errorf("no transform of the frame %q is known, want a chain %s → … → %s", source, target, source)
		case l == nil:
			return nil, fmt.Errorf("the transforms end at %q: nothing publishes its transform from %q, want a chain %s → … → %s", at, target, target, source)
		}
		at = l.parent
		if slices.Contains(chain, at) {
			return nil, fmt.Errorf("the frame %q is above itself: %s", at, strings.Join(append(chain, at), " ← "))
		}
		chain = append(chain, at)
	}
	return chain, nil
}

// Newest returns the newest stamp, ns, at which all transforms of a chain are known; ok is
// false if all are static.
func (b *Buffer) Newest(chain []string) (stamp int64, ok bool) {
	for _, child := range chain[:len(chain)-1] {
		if l := b.Links[child]; !l.Static && (!ok || l.Newest() < stamp) {
			stamp, ok = l.Newest(), true
		}
	}
	return stamp, ok
}

// At returns the transform from the first frame of a chain to its last at a stamp, ns, each
// link interpolated between the transforms around it; ok is false where a link does not
// reach.
func (b *Buffer) At(chain []string, stamp int64) (t Transform, ok bool) {
	t = identity
	for _, child := range chain[:len(chain)-1] {
		up, ok := b.Links[child].At(stamp)
		if !ok {
			return t, false
		}
		t = up.times(t)
	}
	return t, true
}
