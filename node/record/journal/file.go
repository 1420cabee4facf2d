// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// ErrInUse is wrapped by the error of Open if another process has opened the journal.
var ErrInUse = errors.New("another explorer is writing this mission")

// ErrUnreadable is wrapped by the error of Open if the file is not the journal of a mission, or not
// one that could be resumed.
var ErrUnreadable = errors.New("it cannot be used")

// errClosed is returned by the methods of a closed journal.
var errClosed = errors.New("the journal is closed")

// Journal is a mission's journal on the disk, locked against other processes. It is safe
// for concurrent use.
//
// A line that could not be written completely is cut off. After an error nothing is
// written until [Journal.Retry] succeeds. Retry writes and syncs everything that is not
// known to be on the disk, because the content of a file after a failed fsync is undefined.
type Journal struct {
	disk Disk
	dir  string
	made []string // folders that Open created, the innermost first

	syncing sync.Mutex // held during a sync; locked before mu
	mu      sync.Mutex
	f       File
	number  int    // number of the last line
	synced  int64  // number of bytes that are known to be on the disk
	tail    []byte // the bytes after those, in the file or still to be written
	err     error  // why nothing is written at present
	closed  bool

	stop func() // ends the syncs of appended entries
}

// syncPeriod is the longest time until an entry given to Append is synced.
const syncPeriod = time.Second

// Open opens the journal in a mission's folder, which it creates if necessary, and returns
// its state, nil if it has no line. It cuts off an incomplete line at the end. The folder itself is
// one of the operating system, whatever disk the journal is kept on.
func Open(disk Disk, dir string) (*Journal, *State, error) {
	fail := func(err error) (*Journal, *State, error) {
		return nil, nil, fmt.Errorf("the journal %s: %w", filepath.Join(dir, FileName), err)
	}
	var made []string
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); !errors.Is(err, os.ErrNotExist) {
			break
		}
		made = append(made, d)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fail(err)
	}
	f, err := disk.OpenFile(filepath.Join(dir, FileName))
	if err != nil {
		return fail(err)
	}
	j := &Journal{disk: disk, dir: dir, made: made, f: f}
	state, err := j.open()
	if err != nil {
		return fail(errors.Join(err, f.Close()))
	}
	return j, state, nil
}

// open reads the file and begins to sync it.
func (j *Journal) open() (*State, error) {
	state, whole, size, err := read(io.NewSectionReader(j.f, 0, math.MaxInt64))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	j.synced = whole
	if state != nil {
		j.number = state.lines
	}
	if whole < size {
		if err := j.f.Truncate(whole); err != nil {
			return nil, err
		}
	}
	if whole > 0 { // the lines of a killed run may not be on the disk yet
		if err := j.f.Sync(); err != nil {
			return nil, err
		}
	}
	j.stop = j.disk.Every(syncPeriod, j.syncTail)
	return state, nil
}

// Start replaces the journal's content by the given entries and syncs the journal and its
// folder.
func (j *Journal) Start(entries ...any) error {
	j.syncing.Lock()
	defer j.syncing.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return errClosed
	}
	var tail []byte
	var err error
	for i, e := range entries {
		if tail, err = appendLine(tail, i+1, e); err != nil {
			return err
		}
	}
	j.synced, j.tail, j.number = 0, tail, len(entries)
	j.err = errors.Join(j.rewrite(), j.disk.SyncDir(j.dir), j.disk.SyncDir(filepath.Dir(j.dir)))
	if j.err != nil {
		j.tail, j.number = nil, 0
		return errors.Join(j.err, j.f.Truncate(0))
	}
	return nil
}

// Commit writes and syncs an entry. After an error the entry is not in the journal.
func (j *Journal) Commit(entry any) error {
	j.syncing.Lock()
	defer j.syncing.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed || j.err != nil {
		return cmp.Or(j.err, errClosed)
	}
	before := len(j.tail)
	if err := j.add(entry); err != nil {
		return err
	}
	err := j.write(before)
	if err == nil {
		err = j.f.Sync()
	}
	if err != nil {
		j.tail, j.number = j.tail[:before], j.number-1
		// Best effort: Retry truncates again before it writes.
		_ = j.f.Truncate(j.synced + int64(before))
		j.err = err
		return err
	}
	j.synced, j.tail = j.synced+int64(len(j.tail)), j.tail[:0]
	return nil
}

// Append writes an entry, which is synced within a second. If it returns an error, which
// may be that of an earlier entry, Retry will write the entry.
func (j *Journal) Append(entry any) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return errClosed
	}
	before := len(j.tail)
	if err := j.add(entry); err != nil {
		return err
	}
	if j.err == nil {
		j.err = j.write(before)
	}
	return j.err
}

// Err returns the error because of which nothing is written at present, else nil.
func (j *Journal) Err() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// Retry writes and syncs everything that an error has kept from the disk. If it returns
// nil, the journal is usable again.
func (j *Journal) Retry() error {
	j.syncing.Lock()
	defer j.syncing.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return errClosed
	}
	j.err = j.rewrite()
	return j.err
}

// Close syncs and closes the journal. It removes a journal without a line, as Discard
// does. Closing again does nothing.
func (j *Journal) Close() error {
	if !j.shut() {
		return nil
	}
	var err error
	if len(j.tail) > 0 {
		err = j.rewrite()
	}
	if j.synced == 0 && err == nil {
		err = j.remove()
	}
	return errors.Join(err, j.f.Close())
}

// Discard closes and removes the journal, and its folder if Open created it and it is
// empty.
func (j *Journal) Discard() error {
	if !j.shut() {
		return nil
	}
	return errors.Join(j.remove(), j.f.Close())
}

// shut ends all writing. It returns false if the journal was already closed.
func (j *Journal) shut() bool {
	j.mu.Lock()
	closed := j.closed
	j.closed = true
	j.mu.Unlock()
	if !closed {
		j.stop()
	}
	return !closed
}

func (j *Journal) remove() error {
	err := j.disk.Remove(filepath.Join(j.dir, FileName))
	for _, dir := range j.made {
		if os.Remove(dir) != nil { // the folder is not empty
			break
		}
	}
	return err
}

// add appends the line of an entry to the tail.
func (j *Journal) add(entry any) error {
	tail, err := appendLine(j.tail, j.number+1, entry)
	if err != nil {
		return err
	}
	j.tail, j.number = tail, j.number+1
	return nil
}

// write writes the tail from an offset on, without a sync.
func (j *Journal) write(from int) error {
	_, err := j.f.WriteAt(j.tail[from:], j.synced+int64(from))
	return err
}

// rewrite writes and syncs the whole tail.
func (j *Journal) rewrite() error {
	err := j.f.Truncate(j.synced)
	if err == nil {
		err = j.write(0)
	}
	if err == nil {
		err = j.f.Sync()
	}
	if err != nil {
		return err
	}
	j.synced, j.tail = j.synced+int64(len(j.tail)), j.tail[:0]
	return nil
}

// syncTail syncs the tail. Others may append to it meanwhile.
func (j *Journal) syncTail() {
	j.syncing.Lock()
	defer j.syncing.Unlock()
	j.mu.Lock()
	n, usable := len(j.tail), j.err == nil
	j.mu.Unlock()
	if n == 0 || !usable {
		return
	}
	err := j.f.Sync()
	j.mu.Lock()
	defer j.mu.Unlock()
	if err != nil {
		j.err = err
		return
	}
	j.synced, j.tail = j.synced+int64(n), append(j.tail[:0], j.tail[n:]...)
}
