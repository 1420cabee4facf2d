// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"errors"
	"fmt"
	"os"
	"time"

	"ugp_explorer/node/record"
)

// Disk is where journals are kept. [OS] is that of the operating system; a simulation may
// have one that fails.
type Disk interface {
	// OpenFile opens a file for reading and writing, which it creates if necessary, and locks
	// it against other processes until it is closed. The error wraps [ErrInUse] if another
	// process has it.
	OpenFile(path string) (File, error)
	// Remove removes a file.
	Remove(path string) error
	// SyncDir syncs the names in a folder.
	SyncDir(dir string) error
	// Every calls fn each period, beside the other methods of a journal, until stop is
	// called, which waits for a call that is under way.
	Every(period time.Duration, fn func()) (stop func())
}

// File has the methods of *os.File that a journal uses.
type File interface {
	ReadAt(b []byte, offset int64) (int, error)
	WriteAt(b []byte, offset int64) (int, error)
	Truncate(size int64) error
	Sync() error
	Close() error
}

// OS is the disk of the operating system.
type OS struct{}

var _ Disk = OS{}

// OpenFile implements Disk.
func (OS) OpenFile(path string) (File, error) {
	// Through a link, a mission that starts again would empty the file that it points to.
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		kind := "a device, a pipe or a socket"
		switch m := info.Mode(); {
		case m&os.ModeSymlink != 0:
			kind = "a symbolic link"
		case m.IsDir():
			kind = "a folder"
		}
		return nil, fmt.Errorf("%s is not a file but %s", path, kind)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("%w: let this user write there, or choose another folder", err)
	}
	if err := lock(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return named{f}, nil
}

// named is an open file that is lost when it is no longer found under its name.
type named struct{ *os.File }

// Sync implements File. The operating system syncs a deleted file, too, without an error.
func (f named) Sync() error {
	if err := f.File.Sync(); err != nil {
		return err
	}
	open, err := f.Stat()
	if err != nil {
		return err
	}
	there, err := os.Stat(f.Name())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err != nil || !os.SameFile(open, there) {
		return fmt.Errorf("%s was deleted, moved or replaced while it was written: put it back, or end the mission, which writes its record anew", f.Name())
	}
	return nil
}

// Remove implements Disk.
func (OS) Remove(path string) error { return os.Remove(path) }

// SyncDir implements Disk.
func (OS) SyncDir(dir string) error { return record.SyncDir(dir) }

// Every implements Disk: fn runs on a goroutine of its own.
func (OS) Every(period time.Duration, fn func()) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		t := time.NewTicker(period)
		defer t.Stop()
		for {
			select {
			case <-end:
				return
			case <-t.C:
				fn()
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}
