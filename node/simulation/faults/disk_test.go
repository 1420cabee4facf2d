// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"ugp_explorer/node/record/journal"
)

var (
	errFull   = errors.New("no space left on device")
	errDevice = errors.New("input/output error")
	errKilled = errors.New("the process was killed")
)

// disk keeps the journals of a trial in memory: what programs see of each file, and what of
// it would be left after a power failure.
type disk struct {
	files map[string]*content
	full  bool // writing fails after half of the bytes
	sick  bool // syncs fail

	// next is called with the next write of an observation, before it; nil: nothing is.
	next func()

	// After this number of operations, the process that makes the last of them is killed by
	// crash, before, during or after that operation. 0: it is not killed.
	left  int
	when  moment
	crash func()
}

// moment is a point within an operation.
type moment int

const (
	before moment = iota
	within
	after
)

// content is a file.
type content struct {
	seen   []byte // what programs read
	safe   []byte // what a power failure leaves
	holder *process
}

func newDisk() *disk { return &disk{files: map[string]*content{}} }

// view is a process's access to the disk.
type view struct {
	*disk
	process *process
}

var _ journal.Disk = view{}

// OpenFile implements journal.Disk.
func (v view) OpenFile(path string) (journal.File, error) {
	if v.process.dead {
		return nil, errKilled
	}
	c := v.files[path]
	if c == nil {
		c = &content{}
		v.files[path] = c
	}
	if c.holder != nil && !c.holder.dead {
		return nil, journal.ErrInUse
	}
	c.holder = v.process
	return &file{view: v, c: c}, nil
}

// Remove implements journal.Disk.
func (v view) Remove(path string) error {
	if v.process.dead {
		return errKilled
	}
	delete(v.files, path)
	return nil
}

// SyncDir implements journal.Disk.
func (v view) SyncDir(string) error {
	return v.operation(func(part) error { return v.health() })
}

// Every implements journal.Disk: fn runs as a callback.
func (v view) Every(period time.Duration, fn func()) (stop func()) {
	return v.process.Every(period, fn).Stop
}

func (d *disk) health() error {
	if d.sick {
		return errDevice
	}
	return nil
}

// powerFails loses what was not synced. Part of the last write may be there.
func (d *disk) powerFails(part float64) {
	for _, c := range d.files {
		lost := c.seen[min(len(c.safe), len(c.seen)):]
		if !bytes.HasPrefix(c.seen, c.safe) {
			lost = nil
		}
		c.seen = append(bytes.Clone(c.safe), lost[:int(part*float64(len(lost)))]...)
	}
}

// part says how much of an operation is done.
type part int

const (
	whole part = iota
	half
)

// operation does an operation on the disk, unless the process is dead or is killed by it.
func (v view) operation(do func(part) error) error {
	if v.process.dead {
		return errKilled
	}
	if v.left == 0 {
		return do(whole)
	}
	if v.left--; v.left > 0 {
		return do(whole)
	}
	switch v.when {
	case within:
		_ = do(half)
	case after:
		_ = do(whole)
	}
	v.crash()
	return errKilled
}

// file is an open file.
type file struct {
	view
	c *content
}

// ReadAt implements journal.File.
func (f *file) ReadAt(b []byte, offset int64) (int, error) {
	if offset >= int64(len(f.c.seen)) {
		return 0, io.EOF
	}
	n := copy(b, f.c.seen[offset:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt implements journal.File.
func (f *file) WriteAt(b []byte, offset int64) (int, error) {
	if fn := f.next; fn != nil && !f.process.dead && bytes.Contains(b, []byte(`,"observation":{`)) {
		f.next = nil
		fn()
	}
	n := 0
	err := f.operation(func(p part) error {
		n = len(b)
		if f.full || p == half {
			n /= 2
		}
		if int64(len(f.c.seen)) < offset {
			return fmt.Errorf("a write at %d would leave a hole in a file of %d bytes", offset, len(f.c.seen))
		}
		end := max(int(offset)+n, len(f.c.seen))
		seen := append(f.c.seen[:len(f.c.seen):len(f.c.seen)], make([]byte, end-len(f.c.seen))...)
		copy(seen[offset:], b[:n])
		f.c.seen = seen
		if f.full {
			return errFull
		}
		return nil
	})
	return n, err
}

// Truncate implements journal.File.
func (f *file) Truncate(size int64) error {
	return f.operation(func(part) error {
		switch n := int(size); {
		case f.sick:
			return errDevice
		case n <= len(f.c.seen):
			f.c.seen = f.c.seen[:n:n]
		default:
			f.c.seen = append(bytes.Clone(f.c.seen), make([]byte, n-len(f.c.seen))...)
		}
		return nil
	})
}

// Sync implements journal.File.
func (f *file) Sync() error {
	return f.operation(func(p part) error {
		if f.sick {
			return errDevice
		}
		if p == whole {
			f.c.safe = bytes.Clone(f.c.seen)
		}
		return nil
	})
}

// Close implements journal.File.
func (f *file) Close() error {
	if f.c.holder == f.process {
		f.c.holder = nil
	}
	return nil
}
